"""Tables 2 to 4 of the MIL paper, and tables A.5 to A.8 of the ILD paper's appendix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.papers import mil_checks, printed_mil
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.mil_runs import ROUNDING, Found, Runs, most_lowered, samples_text, share_lowered
from kanon_core.table.distributions import DISTRIBUTIONS

_FIGURES = {"table 2": "1 and 2", "table 3": "4 and 5", "table 4": "7 and 8"}
STARTS = ("MDAV", "V-MDAV")
JUDGED_KS = range(2, 51)


@dataclass(frozen=True)
class MILTables(Reproduction):
    """What MIL takes off the loss of MDAV and V-MDAV (γ = 1), and how often it judges, on samples of the
    papers' own distributions.

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
    title: ClassVar[str] = "Tables 2 to 4, and A.5 to A.8 of the ILD paper: what MIL takes off the loss"
    summary: ClassVar[str] = "Loss of MDAV and V-MDAV before and after MIL, by k, and how often MIL judges."
    seconds: ClassVar[float] = 18.0

    largest_k: Annotated[int, Integer(2, 150, help="the largest k of tables 2 to 4")] = 15
    largest: Annotated[
        int, Integer(100, 100_000, help="the most records in which judgements are counted")
    ] = 10_000
    seeds: Annotated[int, Integer(1, 60, help="samples, of which means and ranges are shown")] = 12

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Losses, improvements, judgements. InputError for a given table: the data are the papers' own."""
        if source is not None:
            raise InputError(
                tr("These tables are of numbers drawn from distributions of the papers; leave the file out.")
            )
        runs = Runs()
        return [*self._losses(runs), *self._improvements(runs), *self._judgements(runs)]

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What the papers say of these tables, with every row that is there."""
        return mil_checks.checks(rows)

    def _losses(self, runs: Runs) -> Iterator[Task]:
        for table, name in mil_checks.SHOWN.items():
            size = DISTRIBUTIONS[name].size
            title = tr("{table} (figures {figures}): loss of {name} by k").format(
                table=table.capitalize(), figures=_FIGURES[table], name=name
            )
            part = self._part(table, title, "SSE / SST", name, size, 6)
            for k in range(2, min(self.largest_k, size // 2) + 1):
                for method in printed_mil.METHODS:
                    place: dict[str, str | int] = {"k": k, "method": method}
                    make = partial(self._loss, runs, name, method, k)
                    yield Task(part, place, make, printed_mil.loss(table, method, k), k)

    def _loss(self, runs: Runs, name: str, method: str, k: int, tick: Tick) -> list[float]:
        return runs.losses(name, method, k, self.seeds)

    def _improvements(self, runs: Runs) -> Iterator[Task]:
        for table, start in mil_checks.IMPROVED.items():
            for value, title in _IMPROVEMENTS.items():
                says = tr(title).format(table=f"T{table[1:]}", start=start)
                part = self._part(table, says, "%", tr("each distribution"), 0, 1)
                for number, (name, declared) in enumerate(DISTRIBUTIONS.items()):
                    make = partial(self._improved, runs, name, start, _VALUES[value])
                    printed = printed_mil.IMPROVED[start][value][number]
                    weight = declared.size if value == "share" else 1
                    yield Task(part, {"data": name}, make, printed, 3 * weight)

    def _improved(
        self, runs: Runs, name: str, start: str, value: Callable[[list[Found]], float], tick: Tick
    ) -> list[float]:
        size = DISTRIBUTIONS[name].size
        ks = range(2, size // 2 + 1)
        return [100 * value(runs.over(name, size, seed, start, ks, tick)) for seed in range(self.seeds)]

    def _judgements(self, runs: Runs) -> Iterator[Task]:
        for table, (title, value) in _JUDGEMENTS.items():
            says = tr(title).format(table=f"T{table[1:]}")
            part = self._part(table, says, tr("judgements"), "DS0", 0, 2)
            for start in STARTS:
                for size, printed in zip(printed_mil.SIZES, printed_mil.JUDGED[table][start], strict=True):
                    if size <= self.largest:
                        place: dict[str, str | int] = {"records": size, "start": start}
                        make = partial(self._judged, runs, size, start, value)
                        weight = size / 10 if table == "table A.7" else 1
                        yield Task(part, place, make, sum(printed) / len(printed), weight)

    def _judged(
        self, runs: Runs, size: int, start: str, value: Callable[[list[int]], float], tick: Tick
    ) -> list[float]:
        return [
            value([one.judgements for one in runs.over("DS0", size, seed, start, JUDGED_KS, tick)])
            for seed in range(self.seeds)
        ]

    def _part(self, table: str, title: str, unit: str, name: str, size: int, digits: int) -> Part:
        data, theirs = samples_text(self.seeds, name), tr("another sample of the same distribution")
        return Part(table, title, unit, data, theirs, True, size, digits)


_IMPROVEMENTS = {
    "share": "{table}: the share of k = 2 … N / 2 at which MIL lowers the loss of {start}",
    "mean": "{table}: by how much it then lowers the loss of {start}, in the mean",
    "maximum": "{table}: by how much it then lowers the loss of {start}, at most",
}


def _mean(found: list[Found]) -> float:
    lowered = [one.reduction for one in found if one.reduction > ROUNDING]
    return sum(lowered) / len(lowered) if lowered else 0.0


_VALUES: dict[str, Callable[[list[Found]], float]] = {
    "share": share_lowered,
    "mean": _mean,
    "maximum": most_lowered,
}


def _average(counts: list[int]) -> float:
    return sum(counts) / len(counts)


_JUDGEMENTS: dict[str, tuple[str, Callable[[list[int]], float]]] = {
    "table A.7": ("{table} (figure 9): judgements over k = 2 … 50, in the mean", _average),
    "table A.8": ("{table} (figure 9): judgements over k = 2 … 50, at most", max),
}
