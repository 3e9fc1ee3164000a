"""What charts are drawn with: theme, planes, outlines, painted points."""
