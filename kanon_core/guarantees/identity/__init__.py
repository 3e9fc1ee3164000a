"""Guarantees against identity disclosure: the sizes of the anonymity sets of records or people."""
