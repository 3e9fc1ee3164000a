"""Columns, encoded once."""
