"""Base of findings and of searches for findings: declared objects with their thresholds.

A new search is one file with a subclass and one line in `kanon_core.findings.FINDINGS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from kanon_core.base.options import Declared, options_of
from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, later, tr
from kanon_core.guarantees.base import WITNESSES
from kanon_core.table.steps import AUTO

if TYPE_CHECKING:
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.release.release import Release
    from kanon_core.table.schema import Schema
    from kanon_core.table.table import Table

SEVERITIES: dict[str, str] = {
    "stops": later("stops the release"),
    "decide": later("needs a decision"),
    "know": later("good to know"),
}
"""The severities of findings, the most severe first."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of the schema that a finding asks for: ``make`` each of these columns a "quasi_identifier", or
    give it "round_ends". Its cost is known once the release is made again (`kc.priced`)."""

    make: Literal["quasi_identifier", "round_ends"]
    columns: tuple[str, ...]

    def schema(self, before: Schema) -> Schema:
        """The changed schema; steps of round ends are chosen automatically. Raises SchemaError."""
        if self.make == "round_ends":
            return before.with_round_ends(dict.fromkeys(self.columns, AUTO))
        return before.with_roles(dict.fromkeys(self.columns, self.make))


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a release that a signatory must know.

    ``name`` is that of its search; ``severity`` one of `SEVERITIES`. ``sentence`` states it with the figures
    of this table, the attacker, the columns and the records. ``action`` recommends a remedy and ``price``
    states its cost, "" where it is not known; `kc.priced` finds the cost of a ``remedy``. ``columns`` are the
    columns it is about, ``count`` how many records, and ``witnesses`` up to 1,000 of their numbers, counted
    from 1. No cell of an identifier or a sensitive column is quoted.
    """

    name: str
    severity: str
    sentence: str
    action: str = ""
    price: str = ""
    columns: tuple[str, ...] = ()
    witnesses: tuple[int, ...] = ()
    count: int = 0
    remedy: Remedy | None = None


@dataclass(frozen=True)
class Search(Declared):
    """Base of all searches. Annotated fields are its thresholds. Class attributes describe it for people:

    ``name``; ``asks`` (one sentence: what is looked for); ``attacker`` (what an attacker must know to use
    it); ``stops``, ``decide`` and ``know`` (under which condition a finding has that severity; "" = never),
    in which ``{name}`` stands for a threshold; ``cheap`` (it settles with the slider: under 100 ms at 30,000
    records).
    """

    name: ClassVar[str]
    asks: ClassVar[str]
    attacker: ClassVar[str]
    stops: ClassVar[str] = ""
    decide: ClassVar[str] = ""
    know: ClassVar[str] = ""
    cheap: ClassVar[bool] = True

    def find(self, table: Table, release: Release, tick: Tick) -> Iterable[Finding]:
        """Yield what is found in a release of this table, in no order."""
        raise NotImplementedError  # pragma: no cover - every search overrides it

    def conditions(self) -> dict[str, str]:
        """Return, by severity, the condition under which this search has a finding, with its own
        thresholds."""
        values = {option.name: f"{getattr(self, option.name):g}" for option in options_of(type(self))}
        said = {severity: getattr(self, severity) for severity in SEVERITIES}
        return {severity: text.format(**values) for severity, text in said.items() if text}

    def finding(
        self,
        severity: str,
        sentence: str,
        action: str,
        records: np.ndarray | None = None,
        columns: Sequence[str] = (),
        price: str = "",
    ) -> Finding:
        """A finding of this search; ``records``: those it is about, by number from 0 or as n booleans."""
        about = np.zeros(0, np.int64) if records is None else records
        about = np.flatnonzero(about) if about.dtype == bool else about
        witnesses = tuple((about[:WITNESSES] + 1).tolist())
        return Finding(
            self.name, severity, sentence, action, price, tuple(columns), witnesses, count=len(about)
        )


@dataclass(frozen=True)
class Facts(Sums):
    """The sums of a part of a table, and by name the ``records`` that a finding is about (numbers from 0 or n
    booleans). The records are not added up."""

    records: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class SummedSearch(Search):
    """Base of the searches that say what is added up over the parts of a table (`part`), and which findings
    follow from the sums (`conclude`). Over many files (`kanon_core.scale`) the findings are the same as in
    one memory, without witnesses.

    A part is encoded as the whole is: its columns have the ranges and labels of the whole.
    """

    def find(self, table: Table, release: Release, tick: Tick) -> Iterable[Finding]:
        """Yield what is found in one part that is all of the table."""
        return self.conclude(table, self.part(table, release, tick))

    def part(self, table: Table, made: Anonymized, tick: Tick = silent) -> Sums:
        """Return the sums of a table, or of a part of one, all of whose records are published as ``made``
        says; as `Facts`, where a finding is about some of the records."""
        raise NotImplementedError  # pragma: no cover - every such search overrides it

    def conclude(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """The findings that follow from the sums of all parts; ``table``: with the columns of the whole, with
        or without its records."""
        raise NotImplementedError  # pragma: no cover - every such search overrides it


def price_of(count: int, records: int) -> str:
    """Return the price of suppressing so many of all records, in a sentence."""
    return tr("Suppressing them costs {count:,} of {all}.").format(
        count=count, all=counted(records, "record")
    )


def records_of(sums: Sums, name: str) -> np.ndarray | None:
    """The records of this name, where they are known."""
    return sums.records.get(name) if isinstance(sums, Facts) else None
