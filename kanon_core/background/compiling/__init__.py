"""Compilation of every loop, once and ahead of use: for a first start without waiting, an image, a
classroom."""

from kanon_core.background.compiling.parent import Preparation

__all__ = ["Preparation"]
