"""Curves over k: sweeps, risk against utility, attacks, figures of the papers made again."""
