"""Measures of a release: information loss, utility and remaining risk."""

from kanon_core.metrics.base import Measured as Measured
from kanon_core.metrics.base import Metric
from kanon_core.metrics.loss.classification import Classification
from kanon_core.metrics.loss.entropy import EntropyDifference, EntropyLoss
from kanon_core.metrics.loss.ild import ILD
from kanon_core.metrics.loss.ilssdm import ILSSDM
from kanon_core.metrics.loss.items import SuppressedItems
from kanon_core.metrics.loss.matching_cost import MatchingCost
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.metrics.privacy.classes import (
    AchievedK,
    AverageClassSize,
    AverageRisk,
    Discernibility,
    SuppressedRecords,
    WorstRisk,
)
from kanon_core.metrics.utility.base import Utility
from kanon_core.metrics.utility.models import ModelLoss
from kanon_core.metrics.utility.places import MapArea
from kanon_core.metrics.utility.purchases import PurchaseTotal, PurchaseUtility, PurchaseWidth
from kanon_core.metrics.utility.queries import QueryError
from kanon_core.metrics.utility.rfm import RFMChange
from kanon_core.metrics.utility.statistics import (
    CorrelationChange,
    MeanChange,
    QuantileChange,
    ShareChange,
    VarianceChange,
)

METRICS: tuple[type[Metric], ...] = (
    ILSSDM,
    ILD,
    NCP,
    EntropyLoss,
    Classification,
    MatchingCost,
    Discernibility,
    AverageClassSize,
    AchievedK,
    WorstRisk,
    AverageRisk,
    SuppressedRecords,
    SuppressedItems,
    PurchaseUtility,
    PurchaseWidth,
    PurchaseTotal,
)
"""Every metric of the scorecard, in menu order; cheap enough to be computed for every k."""

UTILITIES: tuple[type[Metric], ...] = (
    EntropyDifference,
    MeanChange,
    VarianceChange,
    QuantileChange,
    CorrelationChange,
    ShareChange,
    QueryError,
    ModelLoss,
    MapArea,
    RFMChange,
)
"""The measures of utility, in menu order; they are computed where they are shown, with progress."""

__all__ = [
    "ILD",
    "ILSSDM",
    "METRICS",
    "NCP",
    "UTILITIES",
    "AchievedK",
    "AverageClassSize",
    "AverageRisk",
    "Classification",
    "CorrelationChange",
    "Discernibility",
    "EntropyDifference",
    "EntropyLoss",
    "MapArea",
    "MatchingCost",
    "MeanChange",
    "Metric",
    "ModelLoss",
    "QuantileChange",
    "QueryError",
    "RFMChange",
    "ShareChange",
    "Utility",
    "VarianceChange",
    "PurchaseTotal",
    "PurchaseUtility",
    "PurchaseWidth",
    "SuppressedItems",
    "SuppressedRecords",
    "WorstRisk",
]
