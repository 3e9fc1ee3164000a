"""Learn: how the algorithms work, and what the papers found."""
