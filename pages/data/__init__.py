"""Data page: load a table and set the roles of its columns."""
