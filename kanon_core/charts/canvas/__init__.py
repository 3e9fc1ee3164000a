"""Canvas of charts: theme, planes, outlines, painted points."""
