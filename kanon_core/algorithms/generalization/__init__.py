"""Generalization: values and items are published as nodes of their hierarchies, or suppressed."""
