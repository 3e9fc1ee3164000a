"""Checks of any released file, alone or beside its original: verdicts, failures and repair."""
