"""Charts of a table's own columns."""
