"""Concealment page: who could be whom."""
