"""Certified lower bounds of the loss of any grouping of a table into groups of k or more."""

from kanon_core.metrics.bounds.least import Bound, least_loss, tightened

__all__ = ["Bound", "least_loss", "tightened"]
