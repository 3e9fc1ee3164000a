"""Reduction of the loss by MIL on samples of the papers' own distributions: tables 2 to 4 and figures 1 to 9
of the MIL paper, and the related tables of the ILD paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.papers import mil_checks, prefectures, printed
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.mil_runs import Runs, mean, triples
from kanon_core.table.distributions import DISTRIBUTIONS

JUDGED_KS = range(2, 51)
SHOWN = {"table 2": ("DS0", "1 and 2"), "table 3": ("DS1", "4 and 5"), "table 4": ("DS9", "7 and 8")}
"""The MIL paper's tables of losses: the distribution of each, and its figures."""
OTHERS = {
    "table A.2": ("DS0", later("the sample of table 2 of the MIL paper, whose numbers it prints")),
    "table A.3": ("DS1", later("another sample of DS1 than table 3 of the MIL paper has")),
    "table A.4": ("DS9", later("another sample of DS9 than table 4 of the MIL paper has")),
}
"""The ILD paper's tables of losses: the distribution of each, and its sample."""
CURVES = {
    "figure 1": ("DS0", "MDAV"),
    "figure 2": ("DS0", "V-MDAV"),
    "figure 4": ("DS1", "MDAV"),
    "figure 5": ("DS1", "V-MDAV"),
    "figure 7": ("DS9", "MDAV"),
    "figure 8": ("DS9", "V-MDAV"),
}
"""The distribution of each figure of losses; in the ILD paper these figures and the densities are A.1 to
A.8."""
DENSITIES = {"figure 3": "DS1", "figure 6": "DS9"}
"""The distribution of each figure of a density."""
_KEPT = 0.001
"""The work for a record whose runs exist already."""
_STEPS = 48
_REACH = 4.0
_IMPROVEMENTS = {
    "share": later("{table}: share of k = 2 … N / 2 at which MIL lowers the loss of {start}"),
    "mean": later("{table}: mean reduction of the loss of {start} at these k"),
    "maximum": later("{table}: greatest reduction of the loss of {start}"),
}
_SAID = {
    "share": later("§4.3 of the text: share of k = 2 … N / 2 at which MIL lowers the loss"),
    "maximum": later("§4.3 of the text: greatest reduction of the loss by MIL"),
}
_JUDGEMENTS: dict[str, tuple[str, Callable[[Sequence[int]], float], float]] = {
    "table A.7": (later("{table} (figure 9): mean number of judgements over k = 2 … 50"), mean, 0.1),
    "table A.8": (later("{table} (figure 9): greatest number of judgements over k = 2 … 50"), max, _KEPT),
}
"""The title, the statement on the judgements, and the work for a record."""
_JUDGED_BY_K = {
    "MDAV": (
        "figure 9",
        later("Figure 9 (A.9 to A.11 of the ILD paper): judgements of MIL after MDAV in DS0, by k"),
    ),
    "V-MDAV": (
        "figures A.12 to A.14",
        later("Figures A.12 to A.14 of the ILD paper: judgements of MIL after V-MDAV in DS0, by k"),
    ),
}
Largest = Annotated[int, Integer(100, 100_000, help="the most records for which judgements are counted")]
Seeds = Annotated[
    int, Integer(1, 60, help="number of samples; with more than one, means and ranges are shown")
]


class OfSamples(Reproduction):
    """Base of the reproductions that need only samples, each drawn with its number as seed.

    Reference: MIL paper, §4.1.
    """

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows, table by table. InputError for a given table: the data are the paper's own."""
        if source is not None:
            raise InputError(
                tr("These numbers are for values and distributions of the paper; leave the file out.")
            )
        return list(self.tasks_of())

    def tasks_of(self) -> Iterable[Task]:
        """Return the rows to compute."""
        raise NotImplementedError  # pragma: no cover - all override it

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the papers' statements on these rows."""
        return mil_checks.checks(rows)


@dataclass(frozen=True)
class MILTables(OfSamples):
    """The reduction by MIL of the loss of MDAV and V-MDAV (γ = 1), and the number of its judgements, on
    samples of the papers' own distributions.

    Losses are SSE / SST of DS0, DS1 and DS9 by k (tables 2 to 4; figures 1, 2, 4, 5, 7 and 8 have them for
    every k, see `mil-figures`). Improvements are those of k = 2 … N / 2 for DS0 … DS12 (ILD paper,
    tables A.5 and A.6). Judgements are counted for k = 2 … 50 in DS0 (figure 9; tables A.7 and A.8), up to
    ``largest`` records.

    The papers' samples cannot be had: ours are others of the same distributions and sizes, so that a number
    agrees when it lies among ours. The tables A.3 and A.4 of the ILD paper print other samples of DS1 and DS9
    than tables 3 and 4 of the MIL paper do; the latter are shown here, the former by `thesis`.

    Departures: none. Reference: MIL paper, §4, tables 2 to 4; ILD paper, appendix A, tables A.5 to A.8.
    """

    name: ClassVar[str] = "mil"
    title: ClassVar[str] = "Tables 2 to 4, and A.5 to A.8 of the ILD paper: reduction of the loss by MIL"
    summary: ClassVar[str] = (
        "Loss of MDAV and V-MDAV before and after MIL, by k, and the number of judgements of MIL."
    )
    seconds: ClassVar[float] = 18.0

    largest_k: Annotated[int, Integer(2, 150, help="the largest k of tables 2 to 4")] = 15
    largest: Largest = 10_000
    seeds: Seeds = 12

    def tasks_of(self) -> Iterator[Task]:
        """Yield the rows of losses, improvements and judgements."""
        runs = Runs(self.seeds)
        says = tr("{table} (figures {figures}): loss of {name} by k")
        for table, (name, figures) in SHOWN.items():
            part = runs.losses_part(table, says, name, figures=figures)
            ks = range(2, min(self.largest_k, part.size // 2) + 1)
            yield from _losses(runs, part, name, printed.METHODS, ks)
        for table, start in mil_checks.IMPROVED.items():
            for measured, says in _IMPROVEMENTS.items():
                part = runs.part(table, tr(says), "%", tr("each distribution"), 1, start=start)
                for name, paper in zip(DISTRIBUTIONS, printed.IMPROVED[start][measured], strict=True):
                    weight = 3 * (DISTRIBUTIONS[name].size if measured == "share" else 1)
                    yield Task(
                        part, {"data": name}, partial(runs.lowered, name, start, measured), paper, weight
                    )
        for table, (says, most, work) in _JUDGEMENTS.items():
            part = runs.part(table, tr(says), tr("judgements"), "DS0", 2)
            for start, papers in printed.JUDGED[table].items():
                judged = _Judged(runs, ("DS0",), start, most)
                yield from judged.tasks(part, list(map(mean, papers)), self.largest, work)


@dataclass(frozen=True)
class ThesisTables(OfSamples):
    """The ILD paper's tables that `loss` and `mil` do not make: the prefectures, and MIL on its own samples.

    Tables 3.1 and 3.2 have no chance in them and must agree. Tables A.2 to A.4 are SSE / SST for k = 2 … 15
    of one sample each of DS0, DS1 and DS9, which cannot be had. So two things can be compared: whether a
    printed number lies in the range of our samples, and what holds for every sample. Table A.9 is over DS0 …
    DS12 in three samples each, here in as many triples of samples as there are. Tables A.5 to A.8 are made by
    `mil`.

    Departures: none. Reference: ILD paper, §3.2, tables 3.1 and 3.2; appendix A, tables A.2 to A.4, A.9.
    """

    name: ClassVar[str] = "thesis"
    title: ClassVar[str] = "Tables 3.1, 3.2, A.2 to A.4 and A.9: prefectures, and MIL on other samples"
    summary: ClassVar[str] = "ILD of eight prefectures by three distances; losses and judgements of MIL by k."

    largest: Largest = 1_000
    seeds: Seeds = 12

    def tasks_of(self) -> Iterator[Task]:
        """Yield the rows of prefectures, losses and judgements."""
        runs = Runs(self.seeds)
        yield from prefectures.tasks()
        for table, (name, theirs) in OTHERS.items():
            part = runs.losses_part(table, tr("{table}: loss of {name} by k"), name)
            part = replace(part, papers_data=tr(theirs))
            yield from _losses(runs, part, name, printed.METHODS, range(2, 16))
        for which, title in mil_checks.JUDGED.items():
            part = runs.part(mil_checks.OF_ALL, tr(title), tr("judgements"), tr("each of DS0 to DS12"), 2)
            part = replace(part, papers_data=tr("three other samples of each"))
            value, work = (mean, 1.0) if which == "mean" else (max, _KEPT)
            for start, papers in printed.OF_ALL[which].items():
                judged = _Judged(runs, DISTRIBUTIONS, start, value, by_three=True)
                yield from judged.tasks(part, papers, self.largest, work)


@dataclass(frozen=True)
class MILFigures(OfSamples):
    """SSE / SST before and after MIL for every k = 2 … N / 2, the densities, and how often MIL judges by k.

    Figures 1, 2, 4, 5, 7 and 8 are those of tables 2 to 4 with all their k; figures 3 and 6 are exact
    densities of DS1 and DS9, with the distance of our samples from them; figure 9 has the judgements after
    MDAV for k = 2 … 50, and beside it those after V-MDAV (ILD paper, figures A.12 to A.14), up to ``largest``
    records. The figures are pictures without numbers; the numbers of the paper's text are of other samples
    than ours.

    Departures: none. Reference: MIL paper, §4, figures 1 to 9; ILD paper, appendix A, figures A.1 to A.14.
    """

    name: ClassVar[str] = "mil-figures"
    title: ClassVar[str] = "Figures 1 to 9 of the MIL paper, with every k"
    summary: ClassVar[str] = "Loss before and after MIL for k = 2 … N / 2, densities, and judgements by k."

    largest: Largest = 1_000
    seeds: Seeds = 12

    def tasks_of(self) -> list[Task]:
        """Return the rows, figure by figure, then those of the text."""
        runs = Runs(self.seeds)
        found = [*self._curves(runs), *self._densities(runs), *self._judgements(runs), *self._text(runs)]
        return sorted(found, key=lambda task: task.part.table)

    def _curves(self, runs: Runs) -> Iterator[Task]:
        says = tr("{figure} (A.{number} of the ILD paper): loss of {name} by {start}, by k")
        for figure, (name, start) in CURVES.items():
            part = runs.losses_part(figure, says, name, number=figure[7:], start=start)
            ks = range(2, part.size // 2 + 1)
            yield from _losses(runs, part, name, (start, f"{start} + MIL"), ks, 0.01)

    def _densities(self, runs: Runs) -> Iterator[Task]:
        says = tr("{figure} (A.{number} of the ILD paper): density of {name}, {formula}")
        apart = tr(
            "{figure}: largest difference between our samples and the formula in the share below any x"
        )
        for figure, name in DENSITIES.items():
            declared = DISTRIBUTIONS[name]
            part = runs.part(figure, says, "f(x)", name, 6, number=figure[7:], formula=declared.formula)
            part = replace(part, data=tr("the formula"), papers_data="")
            for x in grid(name):
                yield Task(part, {"x": f"{x:g}"}, partial(_density, name, x), None, 0.001)
            more = replace(runs.part(figure, apart, tr("share"), name, 4), size=declared.size)
            yield Task(more, {"of": name}, partial(_distances, runs, name), None, 0.01)

    def _judgements(self, runs: Runs) -> Iterator[Task]:
        for start, (figure, title) in _JUDGED_BY_K.items():
            part = runs.part(figure, tr(title), tr("judgements"), "DS0", 1)
            for size in printed.SIZES:
                for k in JUDGED_KS if size <= self.largest else ():
                    make = partial(_Judged(runs, ("DS0",), start, mean, range(k, k + 1)).values, size)
                    yield Task(part, {"k": k, "records": size}, make, None, size / 1_000)

    def _text(self, runs: Runs) -> Iterator[Task]:
        theirs = tr(
            "other samples than those of the ILD paper, whose tables A.5 and A.6 have 38.9 % and at most"
            " 21.3 % for DS9 after MDAV"
        )
        for number, (measured, title) in enumerate(_SAID.items()):
            part = runs.part("text 4.3", tr(title), "%", tr("each distribution"), 1)
            part = replace(part, papers_data=theirs)
            for (name, start), papers in printed.IN_TEXT.items():
                make = partial(runs.lowered, name, start, measured)
                yield Task(part, {"data": name, "start": start}, make, papers[number], 0.1)
        title = tr("§4.4 of the text: greatest number of judgements after MDAV in three samples of DS0")
        part = runs.part("text 4.4", title, tr("judgements"), "DS0", 0)
        judged = _Judged(runs, ("DS0",), "MDAV", lambda counts: float(max(counts)), by_three=True)
        for task in judged.tasks(part, printed.MOST_JUDGED, self.largest, _KEPT):
            yield replace(task, place={"records": task.place["records"]})


def _losses(
    runs: Runs, part: Part, name: str, methods: Sequence[str], ks: range, weight: float | None = None
) -> Iterator[Task]:
    """Yield the rows of SSE / SST of a distribution by k and method; the work grows with k, unless a weight
    is given."""
    for k, method in product(ks, methods):
        make, paper = partial(runs.losses, name, method, k), printed.loss(part.table, method, k)
        yield Task(part, {"k": k, "method": method}, make, paper, k if weight is None else weight)


class _Judged(NamedTuple):
    """The judgements of MIL after a start, over distributions and k, and the number computed from those of
    one sample or of three samples."""

    runs: Runs
    names: Iterable[str]
    start: str
    value: Callable[[Sequence[int]], float]
    ks: range = JUDGED_KS
    by_three: bool = False

    def values(self, size: int, tick: Tick) -> list[float]:
        """Return the values of each sample, or of each three samples."""
        counts = [
            [
                run.judgements
                for name in self.names
                for run in self.runs.over(name, size, seed, self.start, self.ks, tick)
            ]
            for seed in range(self.runs.seeds)
        ]
        groups = triples(counts) if self.by_three else [[sample] for sample in counts]
        return [self.value([count for sample in group for count in sample]) for group in groups]

    def tasks(self, part: Part, papers: Sequence[float], largest: int, work: float) -> Iterator[Task]:
        """Yield a row for each number of records up to the largest, with the paper's number; ``work`` is that
        of one record."""
        for size, paper in zip(printed.SIZES, papers, strict=True):
            if size <= largest:
                make = partial(self.values, size)
                yield Task(part, {"records": size, "start": self.start}, make, paper, work * size)


def grid(name: str) -> list[float]:
    """Return the points at which a density is drawn: from four deviations below the lowest mean to four above
    the highest."""
    parts = DISTRIBUTIONS[name].parts
    low = min(mean - _REACH * sd for mean, sd in parts)
    high = max(mean + _REACH * sd for mean, sd in parts)
    return [round(float(x), 3) for x in np.linspace(low, high, _STEPS + 1)]


def _density(name: str, x: float, tick: Tick) -> list[float]:
    parts = DISTRIBUTIONS[name].parts
    each = (math.exp(-(((x - mean) / sd) ** 2) / 2) / sd for mean, sd in parts)
    return [sum(each) / len(parts) / math.sqrt(2 * math.pi)]


def _distances(runs: Runs, name: str, tick: Tick) -> list[float]:
    size = DISTRIBUTIONS[name].size
    return [distance_of_sample(runs.sample(name, size, seed), name) for seed in range(runs.seeds)]


def distance_of_sample(values: np.ndarray, name: str) -> float:
    """Return Kolmogorov's distance: the largest difference between the shares of a sample, ascending, below
    any x and those of the formula."""
    parts, n = DISTRIBUTIONS[name].parts, len(values)
    root = math.sqrt(2)
    below = np.array([sum(math.erfc((mean - x) / sd / root) for mean, sd in parts) for x in values])
    below = below / 2 / len(parts)
    above, under = np.arange(1, n + 1) / n - below, below - np.arange(n) / n
    return float(max(above.max(), under.max()))
