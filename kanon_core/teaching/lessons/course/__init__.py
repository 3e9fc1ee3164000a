"""The lessons, one file each."""
