"""Pairing: k-concealment by symmetric matchings."""
