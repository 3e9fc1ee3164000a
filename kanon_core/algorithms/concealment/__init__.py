"""Algorithms whose covers overlap: each record hides behind k records, without closed groups."""
