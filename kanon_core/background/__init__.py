"""Processes of low priority that never hold up what a person waits for: points of curves, compiled code."""
