"""Reproduction of the papers' tables and figures."""
