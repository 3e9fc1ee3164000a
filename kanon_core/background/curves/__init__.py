"""Points of a curve, computed by a background process of low priority."""

from kanon_core.background.curves.sweeper import Sweeper

__all__ = ["Sweeper"]
