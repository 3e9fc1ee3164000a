"""The released files are read again: what holds over all of them, what is found, and what was lost."""
