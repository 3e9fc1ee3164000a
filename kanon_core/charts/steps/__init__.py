"""Pictures of one step of an algorithm."""
