"""The methods of §2.2.1 of the ILD paper: their ILD, and attacks on them, compared with microaggregation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Annotated, ClassVar

from kanon_core.algorithms import MDAV, Algorithm
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, tr
from kanon_core.masking import Noise, Rounding, Sampling, Swapping, TopBottomCoding
from kanon_core.metrics import ILD, NCP, CorrelationChange
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import Data, households
from kanon_core.papers.points import by_part
from kanon_core.release.release import Release
from kanon_core.risk.tables import ConsistentLinkage, NearestLinkage, TableAttack
from kanon_core.runs.attacking import attack
from kanon_core.runs.run import anonymize
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
"""The methods by their names here, each with its k; 1 = no guarantee."""
_ROUNDING = 1e-9
_GROWING = ("top and bottom coding", "sampling", "MDAV")
_NEAR = 0.1
"""The difference in ILD between a few samples of hundreds of records and the expected value."""
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
    title: ClassVar[str] = "The methods of §2.2.1: information loss and linkage"
    summary: ClassVar[str] = (
        "ILD of coding, rounding, noise, swapping and sampling, compared with microaggregation."
    )

    records: Annotated[int, Integer(20, 5_000, help="records in a sample")] = 500
    seeds: Annotated[
        int, Integer(1, 20, help="number of samples; with more than one, means and ranges are shown")
    ] = 3

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows, measure by measure and method by method. InputError without suitable columns."""
        given = source or households()
        samples = self._samples(given.table, _COLUMNS if source is None else None)
        kept: Once[tuple[str, int], Release] = Once()
        what = tr("{records} of {name}, {columns}").format(
            records=counted(len(given.table), "record"),
            name=given.name,
            columns=", ".join(f"“{name}”" for name in samples[0].schema.names),
        )
        data = Data(given.table, what).sampled(self.records, self.seeds)
        tasks = []
        for title, unit, value in _MEASURES:
            part = Part("section 2.2.1", tr(title), unit, data, "", False, self.records, 4)
            weight = 1.0 if title is _FIRST else 0.5
            for method in METHODS:
                make = partial(_values, kept, samples, method, value)
                tasks.append(Task(part, {"method": method}, make, weight=weight))
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the consequences of the definitions, and of linkage."""
        losses = [row for row in rows if row.part.unit == "ILD"]
        linked = [row for row in rows if row.part.unit == "share"]
        return [*_swapped(losses), *_noisy(losses), *_sampled(losses), *_growing(losses), *_found(linked)]

    def _samples(self, table: Table, names: Sequence[str] | None) -> list[Table]:
        chosen = [table[name] for name in names] if names else table.quasi
        columns = [column for column in chosen if isinstance(column, Numbers | Categories)]
        if not any(isinstance(column, Numbers) for column in columns) or len(table) < self.records:
            raise InputError(
                tr(
                    "These methods need {records} and a quasi-identifier of numbers or dates; set “records”"
                    " to less, or choose another table."
                ).format(records=counted(self.records, "record"))
            )
        schema = Schema(tuple(map(_attribute, columns)))
        frame = table.frame[[attribute.name for attribute in schema]]
        drawn = (
            generator(seed).choice(len(table), self.records, replace=False) for seed in range(self.seeds)
        )
        return [Table.from_frame(frame.iloc[rows].reset_index(drop=True), schema) for rows in drawn]


def _attribute(column: Numbers | Categories) -> Attribute:
    name, kind = column.attribute.name, column.attribute.kind
    if isinstance(column, Categories):
        return Attribute(name, kind="categorical", recoding="mode")
    return Attribute(name, kind="datetime" if kind == "datetime" else "numeric", recoding="mean")


def _values(
    kept: Once[tuple[str, int], Release], samples: Sequence[Table], method: str, value: Value, tick: Tick
) -> list[float]:
    algorithm, k = METHODS[method]
    releases = [
        kept.made((method, seed), partial(anonymize, table, algorithm, k, seed, tick))
        for seed, table in enumerate(samples)
    ]
    return [value(table, release) for table, release in zip(samples, releases, strict=True)]


def _linked(table_attack: TableAttack, table: Table, release: Release) -> float:
    """Return the share of all records that are found, on average over equally good guesses."""
    return attack(table, release, [table_attack], len(table), 0)[0].expected


_FIRST = later("§2.2.1: ILD of each method")
_MEASURES: tuple[tuple[str, str, Value], ...] = (
    (_FIRST, "ILD", lambda table, release: ILD().measure(table, release).total),
    (later("§2.2.1: certainty penalty"), "NCP", lambda table, release: NCP().measure(table, release).total),
    (
        later("§2.2.1: change of the correlations of numbers"),
        "r",
        lambda table, release: CorrelationChange().score(table, release).total,
    ),
    (later("§2.2.1: share of records found by the nearest row"), "share", partial(_linked, NearestLinkage())),
    (
        later("§2.2.1: share of records found by a consistent row"),
        "share",
        partial(_linked, ConsistentLinkage()),
    ),
)


def _of(rows: Sequence[Row], method: str) -> list[Row]:
    return [row for row in rows if str(row.place["method"]).startswith(method)]


def _swapped(losses: Sequence[Row]) -> Iterator[Check]:
    """Yield the check that a permutation keeps the information amount."""
    if values := [value for row in _of(losses, "swapping") for value in row.values]:
        zero, most = sum(abs(value) <= _ROUNDING for value in values), max(map(abs, values))
        says = tr(
            "Swapping keeps the values of every column, so ILD detects no loss: it is 0 in {zero} of"
            " {count} releases; the largest deviation is {most:.1e}."
        )
        yield Check(says.format(zero=zero, count=len(values), most=most), zero == len(values), must=True)


def _noisy(losses: Sequence[Row]) -> Iterator[Check]:
    """Yield the check that noise adds to the distances of numbers."""
    values = [value for row in _of(losses, "noise") for value in row.values]
    if steps := _steps(_of(losses, "noise")):
        says = tr(
            "Noise moves records apart, so ILD falls below 0 in {below} of {count} releases, from"
            " {least:.2g} % to {most:.2g} %. ILD is lower the stronger the noise in {fewer} of {steps}"
            " steps."
        )
        below, fewer = (sum(value < 0 for value in found) for found in (values, steps))
        facts = {"below": below, "count": len(values), "fewer": fewer, "steps": len(steps)}
        says = says.format(least=100 * min(values), most=100 * max(values), **facts)
        yield Check(says, max(steps) < 0)


def _sampled(losses: Sequence[Row]) -> Iterator[Check]:
    """Yield the check that the loss is about the share of records left out, as these count as the mean."""
    found = [(row, 1 - int(str(row.place["method"]).split()[1]) / 100) for row in _of(losses, "sampling")]
    if found:
        near = sum(abs(row.mean - share) <= _NEAR for row, share in found)
        away = max(abs(value - share) for row, share in found for value in row.values)
        says = tr(
            "Sampling loses about the share that it leaves out: the mean is within {near:.2f} at {close} of"
            " {count} shares; the farthest release is {most:.3f} away (a category that is left out counts"
            " as the most frequent one)."
        )
        says = says.format(near=_NEAR, close=near, count=len(found), most=away)
        yield Check(says, near == len(found))


def _growing(losses: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks that the loss grows with the share that is coded or left out, and with the size of
    groups, in every sample."""
    for method in _GROWING:
        if steps := _steps(_of(losses, method)):
            more, least = sum(step > 0 for step in steps), min(steps)
            says = tr(
                "ILD of {method} grows with its strength in {more} of {count} steps; the smallest change is"
                " {least:+.4f}."
            )
            yield Check(says.format(method=method, more=more, count=len(steps), least=least), least > 0)


def _steps(rows: Sequence[Row]) -> list[float]:
    """Return the change of ILD from each strength to the next, in each sample."""
    return [
        after - before
        for weaker, stronger in pairwise(rows)
        for before, after in zip(weaker.values, stronger.values, strict=True)
    ]


def _found(linked: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks that linkage finds at most 1 / k after microaggregation in every sample, and the
    results of the other methods."""
    for part, mine in by_part(linked).items():
        grouped = [
            (value, 1 / METHODS[str(row.place["method"])][1])
            for row in _of(mine, "MDAV")
            for value in row.values
        ]
        others = [row for row in mine if not str(row.place["method"]).startswith("MDAV")]
        if grouped and others:
            kept = sum(value <= share + _ROUNDING for value, share in grouped)
            more = [row for row in others if max(row.values) > 1 / 5]
            worst = max(others, key=lambda row: max(row.values))
            says = tr(
                "{what}: with MDAV at most 1 in k, in {kept} of {count} releases; without a guarantee more"
                " than 1 in 5 with {more} of {all} methods, up to {most:.0f} % with {worst}."
            )
            facts = {"what": part.title, "kept": kept, "count": len(grouped), "more": len(more)}
            facts |= {"all": len(others), "most": 100 * max(worst.values), "worst": worst.place["method"]}
            yield Check(says.format(**facts), kept == len(grouped), must=True)
