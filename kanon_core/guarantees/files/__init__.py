"""Verdicts on files, made by us or others: as they stand, or beside their original."""
