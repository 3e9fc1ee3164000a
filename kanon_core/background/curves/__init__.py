"""Points of a curve, computed in the background: by a process of low priority that never holds up what a
person waits for."""

from kanon_core.background.curves.sweeper import Sweeper

__all__ = ["Sweeper"]
