"""The frame around every screen, who may see it, and the server."""
