"""Groups on the map."""
