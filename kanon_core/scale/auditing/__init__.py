"""Audit of the released files, which are read again: what holds over all of them, what is found, and what was
lost."""
