"""Value hierarchies and maps of categories."""
