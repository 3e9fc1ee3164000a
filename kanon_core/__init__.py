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
    PurchaseHistories,
    Refine,
    RefineSets,
    Sorting,
    TopDown,
    Tours,
)
from kanon_core.algorithms.base import Log
from kanon_core.cover import Concealment, Partition
from kanon_core.data.categories import CategoryMap
from kanon_core.data.hierarchy import Hierarchy
from kanon_core.data.proposals import propose_categories
from kanon_core.data.readers.categories import read_categories
from kanon_core.data.readers.hierarchies import read_hierarchy
from kanon_core.data.samples import load_sample
from kanon_core.data.schema import Attribute, Schema
from kanon_core.data.table import Table, read_table
from kanon_core.distances import (
    DISTANCES,
    Absolute,
    Calendar,
    DamerauLevenshtein,
    Discrete,
    Distance,
    GivenMatrix,
    Graph,
    GreatCircle,
    Hamming,
    Jaccard,
    Levenshtein,
    NormalizedLevenshtein,
    Product,
    Tree,
)
from kanon_core.errors import (
    BrokenPromise,
    InputError,
    KanonError,
    OptionError,
    SchemaError,
    UnsuitableError,
)
from kanon_core.metrics import (
    ILD,
    ILSSDM,
    METRICS,
    NCP,
    UTILITIES,
    AchievedK,
    AverageClassSize,
    AverageRisk,
    Classification,
    CorrelationChange,
    Discernibility,
    EntropyDifference,
    EntropyLoss,
    MapArea,
    MatchingCost,
    MeanChange,
    Metric,
    ModelLoss,
    PurchaseTotal,
    PurchaseUtility,
    PurchaseWidth,
    QuantileChange,
    QueryError,
    RFMChange,
    ShareChange,
    SuppressedItems,
    SuppressedRecords,
    Utility,
    VarianceChange,
    WorstRisk,
)
from kanon_core.promises import KMAnonymity, Verdict, audit_uploaded
from kanon_core.recipe import Recipe
from kanon_core.release import Release
from kanon_core.run import anonymize, audit, repeat, score
from kanon_core.sweeps import SweepPoint, best_from, best_within, sweep
from kanon_core.uploaded import UploadedRelease, read_release
from kanon_core.version import __version__

__all__ = [
    "ALGORITHMS", "Absolute", "Calendar", "CategoryMap", "DISTANCES", "DamerauLevenshtein", "Discrete", "Distance", "GivenMatrix", "Graph", "GreatCircle", "Hamming", "Hierarchy", "Jaccard", "Levenshtein", "NormalizedLevenshtein", "Product", "Tree",
    "ILD", "ILSSDM", "MDAV", "METRICS", "MIL", "NCP", "VMDAV", "AchievedK", "Algorithm", "Attribute",
    "AverageClassSize", "AverageRisk", "BrokenPromise", "Classification", "Clustered", "Concealment", "Discernibility", "CorrelationChange", "EntropyDifference", "EntropyLoss", "MapArea", "MeanChange", "ModelLoss", "QuantileChange", "QueryError", "RFMChange", "ShareChange", "Utility", "VarianceChange", "Greedy", "InputError", "KMAnonymity", "KanonError", "Log", "Lottery", "MatchingCost", "Metric",
    "Mondrian", "OptimalConcealment", "OptimalUnivariate", "OptionError", "Pairing", "Partition", "PurchaseHistories", "PurchaseTotal", "PurchaseUtility", "PurchaseWidth", "Recipe", "Refine", "RefineSets", "Release", "Schema", "SchemaError",
    "Sorting", "SuppressedItems", "SuppressedRecords", "SweepPoint", "Table", "TopDown", "Tours", "UTILITIES", "UnsuitableError", "UploadedRelease", "Verdict", "WorstRisk",
    "__version__", "anonymize", "audit", "audit_uploaded", "best_from", "best_within", "load_sample", "propose_categories", "read_categories", "read_hierarchy", "read_release", "read_table", "repeat", "score", "sweep",
]  # fmt: skip
