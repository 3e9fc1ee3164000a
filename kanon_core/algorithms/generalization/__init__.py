"""Values and items are published as groups of their hierarchies, or not at all."""
