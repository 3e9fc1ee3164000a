"""Maps of generalization rectangles."""
