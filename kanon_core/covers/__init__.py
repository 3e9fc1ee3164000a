"""Covers, the cells that a release publishes, and the records that fit each row."""
