"""Special uniques: columns that tell records apart, and the people who are singled out by few of them."""

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
