"""Algorithms that cut the whole table into ever smaller parts."""
