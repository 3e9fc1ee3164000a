"""Fragments are anonymized, and their rows are brought into the published order."""
