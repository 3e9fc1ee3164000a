"""The frame around every screen."""
