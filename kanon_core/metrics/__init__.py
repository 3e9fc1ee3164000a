"""Measures of a release: what it loses and what risk it leaves."""

from kanon_core.metrics.base import Measured, Metric
from kanon_core.metrics.classes import (
    AchievedK,
    AverageClassSize,
    AverageRisk,
    Discernibility,
    SuppressedRecords,
    WorstRisk,
)
from kanon_core.metrics.ilssdm import ILSSDM
from kanon_core.metrics.ncp import NCP

METRICS: tuple[type[Metric], ...] = (
    ILSSDM,
    NCP,
    Discernibility,
    AverageClassSize,
    AchievedK,
    WorstRisk,
    AverageRisk,
    SuppressedRecords,
)
"""Every metric, in menu order."""

__all__ = [
    "ILSSDM", "METRICS", "NCP", "AchievedK", "AverageClassSize", "AverageRisk", "Discernibility", "Measured", "Metric",
    "SuppressedRecords", "WorstRisk",
]  # fmt: skip
