"""Guarantees against identity disclosure: among how many each record, or person, hides."""
