"""Explain to people: how algorithms came to their groups, lessons, words."""
