"""Narrations of the algorithms of clustering."""
