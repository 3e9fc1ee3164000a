"""What is published of a table, and how it was made."""
