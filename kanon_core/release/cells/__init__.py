"""Published cells."""
