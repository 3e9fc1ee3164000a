"""Reproductions: tables and figures of the papers, computed again and shown with the printed numbers.

A new one is one file with a `Reproduction` and one line in `REPRODUCTIONS`; its printed numbers are in
`printed`.
"""

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task, made
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.frame import frame_of
from kanon_core.papers.itemsets import SetFigures
from kanon_core.papers.losses import LossFigures
from kanon_core.papers.maskings import MaskingTable
from kanon_core.papers.matchings import MatchingFigures
from kanon_core.papers.mil import MILFigures, MILTables, ThesisTables
from kanon_core.papers.purchases import PurchaseTables

__all__ = [
    "REPRODUCTIONS",
    "Check",
    "Part",
    "Reproduction",
    "Row",
    "Source",
    "Task",
    "frame_of",
    "made",
    "reproduction",
]

REPRODUCTIONS: tuple[type[Reproduction], ...] = (
    ConcealmentTables,
    MatchingFigures,
    SetFigures,
    PurchaseTables,
    LossFigures,
    ThesisTables,
    MaskingTable,
    MILTables,
    MILFigures,
)
"""All reproductions, in the order of the papers."""


def reproduction(name: str) -> type[Reproduction]:
    """Return the reproduction of a name; raises OptionError for an unknown name."""
    for known in REPRODUCTIONS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in REPRODUCTIONS)
    raise OptionError(
        tr("There is no reproduction “{name}”; choose from {names}.").format(name=name, names=names)
    )
