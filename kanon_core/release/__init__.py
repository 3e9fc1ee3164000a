"""The published form of a table, and how it was made."""
