"""Audit of the released files, which are read again: guarantees, findings and losses over all files."""
