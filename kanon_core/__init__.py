"""Kanon: see what privacy costs. Anonymize tables, audit and score the result, and sweep over k.

import kanon_core as kc

table = kc.read_table("people.csv")
release = kc.anonymize(table, kc.MDAV(), k=5)
kc.score(table, release, [kc.ILSSDM(), kc.NCP()])
"""

from kanon_core.algorithms import *  # noqa: F403
from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.algorithms import __all__ as _algorithms
from kanon_core.algorithms.base import Log
from kanon_core.cover import Partition
from kanon_core.data.schema import Attribute, Schema
from kanon_core.data.table import Table, read_table
from kanon_core.errors import (
    BrokenPromise,
    InputError,
    KanonError,
    OptionError,
    SchemaError,
    UnsuitableError,
)
from kanon_core.metrics import *  # noqa: F403
from kanon_core.metrics import METRICS, Metric
from kanon_core.metrics import __all__ as _metrics
from kanon_core.promises import Verdict
from kanon_core.recipe import Recipe
from kanon_core.release import Release
from kanon_core.run import (
    SweepPoint,
    anonymize,
    audit,
    best_from,
    best_within,
    repeat,
    score,
    sweep,
)
from kanon_core.version import __version__

__all__ = [
    "ALGORITHMS", "METRICS", "Algorithm", "Attribute", "BrokenPromise", "InputError", "KanonError", "Log", "Metric",
    "OptionError", "Partition", "Recipe", "Release", "Schema", "SchemaError", "SweepPoint", "Table", "UnsuitableError",
    "Verdict", "__version__", "anonymize", "audit", "best_from", "best_within", "read_table", "repeat", "score", "sweep",
    *_algorithms, *_metrics,
]  # fmt: skip
