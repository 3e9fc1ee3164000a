"""Item sets."""
