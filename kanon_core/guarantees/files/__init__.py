"""Verdicts on files of any origin: alone, or beside their original."""
