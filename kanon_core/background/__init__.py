"""Background processes of low priority: points of curves, compiled code."""
