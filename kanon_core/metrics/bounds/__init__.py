"""How little can be lost: certified lower bounds for any grouping of a table into k or more."""

from kanon_core.metrics.bounds.least import Bound, least_loss, tightened

__all__ = ["Bound", "least_loss", "tightened"]
