"""Narrations of the algorithms of partitioning."""
