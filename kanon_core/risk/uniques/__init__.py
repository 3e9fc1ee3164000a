"""Special uniques: columns that distinguish records, and the people whom few of them single out."""

from kanon_core.risk.uniques.columnsets import ColumnSet, Identifying, identifying
from kanon_core.risk.uniques.search import special_uniques
from kanon_core.risk.uniques.special import Combination, SpecialUniques, disclosure_scores, set_scores

__all__ = [
    "ColumnSet",
    "Combination",
    "Identifying",
    "SpecialUniques",
    "disclosure_scores",
    "identifying",
    "set_scores",
    "special_uniques",
]
