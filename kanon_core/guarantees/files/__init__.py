"""Verdicts on files, whoever made them: as they stand, or beside their original."""
