"""Tables: the records that a person loads, encoded once, with the role and kind of each column."""
