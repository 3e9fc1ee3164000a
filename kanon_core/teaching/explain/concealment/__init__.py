"""Narrations of the algorithms of concealment."""
