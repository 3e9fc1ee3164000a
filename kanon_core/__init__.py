"""Kanon: see what privacy costs. Anonymize tables, audit and score the result, and sweep over k.

import kanon_core as kc

table = kc.read_table("people.csv")
release = kc.anonymize(table, kc.MDAV(), k=5)
kc.score(table, release, [kc.ILSSDM(), kc.NCP()])
"""

from kanon_core.algorithms import (
    ALGORITHMS,
    MDAV,
    MIL,
    VMDAV,
    Algorithm,
    Clustered,
    Greedy,
    Lottery,
    Mondrian,
    OptimalConcealment,
    OptimalUnivariate,
    Pairing,
    Refine,
    Sorting,
    Tours,
)
from kanon_core.algorithms.base import Log
from kanon_core.cover import Concealment, Partition
from kanon_core.data.samples import load_sample
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
from kanon_core.metrics import (
    ILSSDM,
    METRICS,
    NCP,
    AchievedK,
    AverageClassSize,
    AverageRisk,
    Discernibility,
    Metric,
    SuppressedRecords,
    WorstRisk,
)
from kanon_core.promises import Verdict
from kanon_core.recipe import Recipe
from kanon_core.release import Release
from kanon_core.run import anonymize, audit, repeat, score
from kanon_core.sweeps import SweepPoint, best_from, best_within, sweep
from kanon_core.version import __version__

__all__ = [
    "ALGORITHMS", "ILSSDM", "MDAV", "METRICS", "MIL", "NCP", "VMDAV", "AchievedK", "Algorithm", "Attribute",
    "AverageClassSize", "AverageRisk", "BrokenPromise", "Clustered", "Concealment", "Discernibility", "Greedy", "InputError", "KanonError", "Log", "Lottery", "Metric",
    "Mondrian", "OptimalConcealment", "OptimalUnivariate", "OptionError", "Pairing", "Partition", "Recipe", "Refine", "Release", "Schema", "SchemaError",
    "Sorting", "SuppressedRecords", "SweepPoint", "Table", "Tours", "UnsuitableError", "Verdict", "WorstRisk",
    "__version__", "anonymize", "audit", "best_from", "best_within", "load_sample", "read_table", "repeat", "score", "sweep",
]  # fmt: skip
