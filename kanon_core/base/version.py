"""The version of the package, written into every recipe."""

__version__ = "0.1.0"
