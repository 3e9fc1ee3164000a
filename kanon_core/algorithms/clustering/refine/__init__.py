"""Refine: an anytime search that moves records between groups."""
