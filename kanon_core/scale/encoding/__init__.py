"""Encoding, the first stage: parts of the source are read once, and written as numbers and codes."""
