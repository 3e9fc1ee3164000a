"""Possible matches of records and rows."""
