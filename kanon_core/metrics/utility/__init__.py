"""What the data are still good for: statistics, counts, models and maps made from the release instead of the
originals."""

from kanon_core.metrics.utility.base import Utility
from kanon_core.metrics.utility.models import ModelLoss
from kanon_core.metrics.utility.places import MapArea
from kanon_core.metrics.utility.queries import QueryError
from kanon_core.metrics.utility.rfm import RFMChange
from kanon_core.metrics.utility.statistics import (
    CorrelationChange,
    MeanChange,
    QuantileChange,
    ShareChange,
    VarianceChange,
)

__all__ = [
    "CorrelationChange",
    "MapArea",
    "MeanChange",
    "ModelLoss",
    "QuantileChange",
    "QueryError",
    "RFMChange",
    "ShareChange",
    "Utility",
    "VarianceChange",
]
