"""Figures of the papers made again."""
