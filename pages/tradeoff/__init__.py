"""Loss against k."""
