"""Purchase histories: k people get the same published history, with many records per person."""
