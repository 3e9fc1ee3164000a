"""The ILD paper's list of methods (§2.2.1), measured by ILD and attacked, beside microaggregation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from kanon_core.algorithms import MDAV, Algorithm
from kanon_core.attacking import attack
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, tr
from kanon_core.masking import Noise, Rounding, Sampling, Swapping, TopBottomCoding
from kanon_core.metrics import ILD, NCP, CorrelationChange
from kanon_core.papers import maskings_checks
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import our_own
from kanon_core.release.release import Release
from kanon_core.risk.tables import ConsistentLinkage, NearestLinkage, TableAttack
from kanon_core.run import anonymize
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

METHODS: dict[str, tuple[Algorithm, int]] = {
    **{f"top and bottom coding, {share} %": (TopBottomCoding(share), 1) for share in (1, 5, 20)},
    "rounding": (Rounding(), 1),
    **{f"noise, {share} %": (Noise(share, below="kept"), 1) for share in (5, 20, 50)},
    **{f"swapping, {share} %": (Swapping(share), 1) for share in (1, 5, 20)},
    **{f"sampling, {share} %": (Sampling(share), 1) for share in (90, 50, 10)},
    **{f"MDAV, k = {k}": (MDAV(), k) for k in (2, 5, 10)},
}
"""By what they are called here: each with its k; 1 = nothing is promised."""
_COLUMNS = ("age", "hours", "capital_income", "marital_status", "occupation")
Value = Callable[[Table, Release], float]


@dataclass(frozen=True)
class MaskingTable(Reproduction):
    """ILD, certainty penalty and change of correlations of every method that the paper lists besides
    generalization, how often linkage finds a record all the same, and the same of microaggregation (MDAV,
    means and most frequent values).

    The paper lists the methods and measures none; that ILD is defined by distances alone, and so for all of
    them, is its point (§3.1.1). Sample s is drawn, and every method runs, with seed s. Linkage looks for all
    records: by the nearest row, and by rows that fit what is published (which knows the method and its
    options).

    A source: its quasi-identifiers of numbers, dates and categories. Without one, five columns of our
    invented households.

    Departures: none. Reference: ILD paper, §2.2.1, §3.1.
    """

    name: ClassVar[str] = "maskings"
    title: ClassVar[str] = "The methods of §2.2.1: what they lose, and whom they hide"
    summary: ClassVar[str] = "ILD of coding, rounding, noise, swapping and sampling beside microaggregation."

    records: Annotated[int, Integer(20, 5_000, help="records in a sample")] = 500
    seeds: Annotated[int, Integer(1, 20, help="samples, of which means and ranges are shown")] = 3

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Measure by measure, method by method. InputError without suitable columns."""
        given = source or our_own("households-5000", tr("our sample of invented households"))
        samples = self._samples(given.table, _COLUMNS if source is None else None)
        kept: Once[tuple[str, int], Release] = Once()
        data = tr("{count} random samples of {size:,} from {records} of {name}, {columns}").format(
            count=self.seeds,
            size=self.records,
            records=counted(len(given.table), "record"),
            name=given.name,
            columns=", ".join(f"“{name}”" for name in samples[0].schema.names),
        )
        return [
            Task(
                Part("section 2.2.1", tr(title), unit, data, "", False, self.records, 4),
                {"method": method},
                partial(_values, kept, samples, method, value),
                None,
                1.0 if title is _FIRST else 0.5,
            )
            for title, unit, value in _MEASURES
            for method in METHODS
        ]

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What follows from the definitions, and what linkage finds."""
        return maskings_checks.checks(rows)

    def _samples(self, table: Table, names: Sequence[str] | None) -> list[Table]:
        chosen = [table[name] for name in names] if names else table.quasi
        columns = [column for column in chosen if isinstance(column, Numbers | Categories)]
        if not any(isinstance(column, Numbers) for column in columns) or len(table) < self.records:
            raise InputError(
                tr(
                    "These methods need {records} and a quasi-identifier of numbers or dates; set"
                    " “records” to less, or choose another table."
                ).format(records=counted(self.records, "record"))
            )
        schema = Schema(
            tuple(
                Attribute(
                    column.attribute.name,
                    kind=_kind(column),
                    recoding="mode" if isinstance(column, Categories) else "mean",
                )
                for column in columns
            )
        )
        frame = table.frame[[attribute.name for attribute in schema]]
        drawn = (
            generator(seed).choice(len(table), self.records, replace=False) for seed in range(self.seeds)
        )
        return [Table.from_frame(frame.iloc[rows].reset_index(drop=True), schema) for rows in drawn]


def _kind(column: Numbers | Categories) -> str:
    if isinstance(column, Categories):
        return "categorical"
    return "datetime" if column.attribute.kind == "datetime" else "numeric"


def _values(
    kept: Once[tuple[str, int], Release], samples: Sequence[Table], method: str, value: Value, tick: Tick
) -> list[float]:
    algorithm, k = METHODS[method]
    releases = [
        kept.made((method, seed), partial(anonymize, table, algorithm, k, seed, tick))
        for seed, table in enumerate(samples)
    ]
    return [value(table, release) for table, release in zip(samples, releases, strict=True)]


def _linked(one: TableAttack, table: Table, release: Release) -> float:
    """The share of all records that are found, on average over equally good guesses."""
    return attack(table, release, [one], len(table), 0)[0].expected


_FIRST = later("§2.2.1: ILD of what each method publishes")
_MEASURES: tuple[tuple[str, str, Value], ...] = (
    (_FIRST, "ILD", lambda table, release: ILD().measure(table, release).total),
    (later("§2.2.1: certainty penalty"), "NCP", lambda table, release: NCP().measure(table, release).total),
    (
        later("§2.2.1: change of the correlations of numbers"),
        "r",
        lambda table, release: CorrelationChange().score(table, release).total,
    ),
    (later("§2.2.1: records that the nearest row finds"), "share", partial(_linked, NearestLinkage())),
    (later("§2.2.1: records that a fitting row finds"), "share", partial(_linked, ConsistentLinkage())),
)
