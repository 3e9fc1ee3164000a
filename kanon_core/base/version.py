"""The version of the package, written into every recipe."""

__version__ = "0.2.0"
