"""Algorithms of k-concealment: each record has k consistent rows, without disjoint groups."""
