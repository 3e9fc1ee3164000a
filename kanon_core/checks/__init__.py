"""Checks of any released file, ours or not, alone or beside its original: verdicts, what fails, and its
repair."""
