"""Searches that are added up: of parts of a table, each with all records of its sets, to the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kanon_core.base.sums import Sums
from kanon_core.findings.base import Finding, Search

if TYPE_CHECKING:
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class SummedSearch(Search):
    """Base of the searches that say what of parts of a table is added up, and which findings follow from it:
    over many files (`kanon_core.scale`) they are those of one memory, without witnesses.

    A part is encoded as the whole is: its columns have the ranges and labels of the whole.
    """

    def part(self, table: Table, made: Anonymized) -> Sums:
        """What is added up, of a table or a part of one, all of whose records are published as ``made``
        says."""
        raise NotImplementedError  # pragma: no cover - every such search overrides it

    def told(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """The findings that follow from the sums of all parts; ``table``: with the columns of the whole, with
        or without its records."""
        raise NotImplementedError  # pragma: no cover - every such search overrides it
