"""Refine for sets: an anytime search over groups of item sets."""
