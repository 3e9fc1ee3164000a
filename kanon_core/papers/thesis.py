"""Tables 3.1, 3.2, A.2 to A.4 and A.9 of the ILD paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.papers import prefectures, printed_mil, thesis_checks
from kanon_core.papers import printed_ild as printed
from kanon_core.papers.base import Check, Once, Part, Row, Task
from kanon_core.papers.mil_runs import Runs, samples_text, triples
from kanon_core.papers.samples import OfSamples
from kanon_core.table.distributions import DISTRIBUTIONS

LOSSES = {"table A.2": "DS0", "table A.3": "DS1", "table A.4": "DS9"}
"""The tables of losses, and what each is of."""
KS = range(2, 16)
_JUDGED_KS = range(2, 51)
_JUDGED = "table A.9"
_SAMPLES_OF = {
    "table A.2": later("the sample of table 2 of the MIL paper, whose numbers it prints"),
    "table A.3": later("another sample of DS1 than table 3 of the MIL paper has"),
    "table A.4": later("another sample of DS9 than table 4 of the MIL paper has"),
}


@dataclass(frozen=True)
class ThesisTables(OfSamples):
    """The ILD paper's tables that `loss` and `mil` do not make: the prefectures, and MIL on its own samples.

    Tables 3.1 and 3.2 have no chance in them and must agree. Tables A.2 to A.4 are SSE / SST for k = 2 … 15
    of one sample each of DS0, DS1 and DS9, which cannot be had: what can be compared is whether a printed
    number lies in the range of our samples, and what holds of every sample. Table A.9 is over DS0 … DS12 in
    three samples each, here in as many triples of samples as there are. Tables A.5 to A.8 are made by `mil`.

    Departures: none. Reference: ILD paper, §3.2, tables 3.1 and 3.2; appendix A, tables A.2 to A.4, A.9.
    """

    name: ClassVar[str] = "thesis"
    title: ClassVar[str] = "Tables 3.1, 3.2, A.2 to A.4 and A.9: prefectures, and MIL on other samples"
    summary: ClassVar[str] = "ILD of eight prefectures by three distances; losses and judgements of MIL by k."

    def tasks_of(self, runs: Runs) -> list[Task]:
        """Prefectures, losses, judgements."""
        return [*prefectures.tasks(), *self._losses(runs), *self._judgements(runs)]

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What can be said of these tables, with every row that is there."""
        return thesis_checks.checks(rows)

    def _losses(self, runs: Runs) -> Iterator[Task]:
        for table, name in LOSSES.items():
            title = tr("{table}: loss of {name} by k").format(table=f"T{table[1:]}", name=name)
            data = samples_text(self.seeds, name)
            size = DISTRIBUTIONS[name].size
            part = Part(table, title, "SSE / SST", data, tr(_SAMPLES_OF[table]), True, size, 6)
            for k in KS:
                for method in printed_mil.METHODS:
                    place: dict[str, str | int] = {"k": k, "method": method}
                    make = partial(self.loss, runs, name, method, k)
                    yield Task(part, place, make, _printed(table, method, k), k)

    def _judgements(self, runs: Runs) -> Iterator[Task]:
        kept: Once[tuple[str, int], list[list[int]]] = Once()
        data = samples_text(self.seeds, tr("each of DS0 to DS12"))
        theirs = tr("three other samples of each")
        for which, title in thesis_checks.JUDGED.items():
            part = Part(_JUDGED, tr(title), tr("judgements"), data, theirs, True, 0, 2)
            for start, numbers in printed.OF_ALL[which].items():
                for size, value in zip(printed_mil.SIZES, numbers, strict=True):
                    if size <= self.largest:
                        make = partial(self._judged, runs, kept, start, size, _VALUES[which])
                        place: dict[str, str | int] = {"records": size, "start": start}
                        yield Task(part, place, make, value, size if which == "mean" else 1)

    def _judged(
        self,
        runs: Runs,
        kept: Once[tuple[str, int], list[list[int]]],
        start: str,
        size: int,
        value: Callable[[list[int]], float],
        tick: Tick,
    ) -> list[float]:
        counts = kept.made((start, size), lambda: self._counts(runs, start, size, tick))
        return [value([count for sample in three for count in sample]) for three in triples(counts)]

    def _counts(self, runs: Runs, start: str, size: int, tick: Tick) -> list[list[int]]:
        """By sample, the judgements of all distributions and k."""
        return [
            [
                one.judgements
                for name in DISTRIBUTIONS
                for one in runs.over(name, size, seed, start, _JUDGED_KS, tick)
            ]
            for seed in range(self.seeds)
        ]


def _printed(table: str, method: str, k: int) -> float | None:
    if table == "table A.2":
        return printed_mil.loss("table 2", method, k)
    return printed.loss(table, method, k)


def _mean(counts: list[int]) -> float:
    return sum(counts) / len(counts)


_VALUES: dict[str, Callable[[list[int]], float]] = {"mean": _mean, "at most": max}
