"""Anonymization of the fragments, and the published order of their rows."""
