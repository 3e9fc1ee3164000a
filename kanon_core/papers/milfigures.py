"""Figures 1 to 9 of the MIL paper with all their points, and the numbers of its text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.papers import milfigures_checks, printed_mil
from kanon_core.papers import printed_ild as printed
from kanon_core.papers.base import Check, Part, Row, Task
from kanon_core.papers.mil_runs import Found, Runs, most_lowered, samples_text, share_lowered, triples
from kanon_core.papers.samples import OfSamples
from kanon_core.table.distributions import DISTRIBUTIONS

CURVES = {
    "figure 1": ("DS0", "MDAV"),
    "figure 2": ("DS0", "V-MDAV"),
    "figure 4": ("DS1", "MDAV"),
    "figure 5": ("DS1", "V-MDAV"),
    "figure 7": ("DS9", "MDAV"),
    "figure 8": ("DS9", "V-MDAV"),
}
"""Of what each figure of losses is."""
DENSITIES = {"figure 3": "DS1", "figure 6": "DS9"}
"""Of what each figure of a density is."""
_IN_ILD = dict(zip(("figure 1", "figure 2", *(f"figure {i}" for i in range(3, 9))), range(1, 9), strict=True))
_STEPS = 48
_REACH = 4.0
_JUDGED_KS = range(2, 51)
_JUDGED = {
    "MDAV": (
        "figure 9",
        later("Figure 9 (A.9 to A.11 of the ILD paper): judgements of MIL after MDAV in DS0, by k"),
    ),
    "V-MDAV": (
        "figures A.12 to A.14",
        later("Figures A.12 to A.14 of the ILD paper: judgements of MIL after V-MDAV in DS0, by k"),
    ),
}
_SHOWN: dict[str, Callable[[Sequence[Found]], float]] = {
    later("§4.3 of the text: the share of k = 2 … N / 2 at which MIL lowers the loss"): share_lowered,
    later("§4.3 of the text: by how much MIL lowers the loss at most"): most_lowered,
}


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

    def tasks_of(self, runs: Runs) -> list[Task]:
        """Figure by figure, then the text."""
        found = [*self._curves(runs), *self._densities(runs), *self._judgements(runs), *self._text(runs)]
        return sorted(found, key=lambda task: task.part.table)

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What the paper says of these figures, with every row that is there."""
        return milfigures_checks.checks(rows)

    def _curves(self, runs: Runs) -> Iterator[Task]:
        for figure, (name, start) in CURVES.items():
            size = DISTRIBUTIONS[name].size
            says = tr("{figure} (A.{number} of the ILD paper): loss of {name} by {start}, by k")
            title = says.format(figure=f"F{figure[1:]}", number=_IN_ILD[figure], name=name, start=start)
            part = self._part(figure, title, "SSE / SST", name, size, 6)
            for k in range(2, size // 2 + 1):
                for method in (start, f"{start} + MIL"):
                    place: dict[str, str | int] = {"k": k, "method": method}
                    yield Task(part, place, partial(self.loss, runs, name, method, k), None, 0.01)

    def _densities(self, runs: Runs) -> Iterator[Task]:
        for figure, name in DENSITIES.items():
            says = tr("{figure} (A.{number} of the ILD paper): density of {name}, {formula}")
            formula = DISTRIBUTIONS[name].formula
            title = says.format(figure=f"F{figure[1:]}", number=_IN_ILD[figure], name=name, formula=formula)
            part = Part(figure, title, "f(x)", tr("the formula"), "", True, 0, 6)
            for x in grid(name):
                place: dict[str, str | int] = {"x": f"{x:g}"}
                yield Task(part, place, partial(_density, name, x), None, 0.001)
            apart = tr("{figure}: how far the share below any x is from the formula in our samples")
            more = self._part(
                figure, apart.format(figure=f"F{figure[1:]}"), tr("share"), name, DISTRIBUTIONS[name].size, 4
            )
            yield Task(more, {"of": name}, partial(self._apart, runs, name), None, 0.01)

    def _apart(self, runs: Runs, name: str, tick: Tick) -> list[float]:
        """Kolmogorov's distance of each sample."""
        size = DISTRIBUTIONS[name].size
        return [distance_of_sample(runs.sample(name, size, seed), name) for seed in range(self.seeds)]

    def _judgements(self, runs: Runs) -> Iterator[Task]:
        for start, (figure, title) in _JUDGED.items():
            part = self._part(figure, tr(title), tr("judgements"), "DS0", 0, 1)
            for size in printed_mil.SIZES:
                for k in _JUDGED_KS if size <= self.largest else ():
                    place: dict[str, str | int] = {"k": k, "records": size}
                    make = partial(self._judged, runs, size, start, k)
                    yield Task(part, place, make, None, size / 1_000)

    def _judged(self, runs: Runs, size: int, start: str, k: int, tick: Tick) -> list[float]:
        found = []
        for seed in range(self.seeds):
            tick(seed / self.seeds, "")
            found.append(float(runs.run("DS0", size, seed, start, k).judgements))
        return found

    def _text(self, runs: Runs) -> Iterator[Task]:
        for number, (title, value) in enumerate(_SHOWN.items()):
            part = self._part("text 4.3", tr(title), "%", tr("each distribution"), 0, 1)
            theirs = tr(
                "other samples than the ILD paper's, whose tables A.5 and A.6 have 38.9 % and at most 21.3 %"
                " of DS9 after MDAV"
            )
            part = replace(part, papers_data=theirs)
            for (name, start), values in printed.IN_TEXT.items():
                place: dict[str, str | int] = {"data": name, "start": start}
                yield Task(part, place, partial(self._lowered, runs, name, start, value), values[number], 0.1)
        part = self._part(
            "text 4.4",
            tr("§4.4 of the text: judgements after MDAV in DS0, at most in three samples"),
            tr("judgements"),
            "DS0",
            0,
            0,
        )
        for size, most in zip(printed_mil.SIZES, printed.MOST_JUDGED, strict=True):
            if size <= self.largest:
                yield Task(part, {"records": size}, partial(self._most, runs, size), most, 0.1)

    def _lowered(
        self, runs: Runs, name: str, start: str, value: Callable[[Sequence[Found]], float], tick: Tick
    ) -> list[float]:
        size = DISTRIBUTIONS[name].size
        ks = range(2, size // 2 + 1)
        return [100 * value(runs.over(name, size, seed, start, ks, tick)) for seed in range(self.seeds)]

    def _most(self, runs: Runs, size: int, tick: Tick) -> list[float]:
        """By three samples, the most judgements over all k."""
        each = [
            max(one.judgements for one in runs.over("DS0", size, seed, "MDAV", _JUDGED_KS, tick))
            for seed in range(self.seeds)
        ]
        return [float(max(three)) for three in triples(each)]

    def _part(self, table: str, title: str, unit: str, name: str, size: int, digits: int) -> Part:
        data, theirs = samples_text(self.seeds, name), tr("another sample of the same distribution")
        return Part(table, title, unit, data, theirs, True, size, digits)


def grid(name: str) -> list[float]:
    """Where a density is drawn: from four deviations below the lowest mean to four above the highest."""
    parts = DISTRIBUTIONS[name].parts
    low = min(mean - _REACH * sd for mean, sd in parts)
    high = max(mean + _REACH * sd for mean, sd in parts)
    return [round(float(x), 3) for x in np.linspace(low, high, _STEPS + 1)]


def _density(name: str, x: float, tick: Tick) -> list[float]:
    parts = DISTRIBUTIONS[name].parts
    each = (math.exp(-(((x - mean) / sd) ** 2) / 2) / sd for mean, sd in parts)
    return [sum(each) / len(parts) / math.sqrt(2 * math.pi)]


def distance_of_sample(values: np.ndarray, name: str) -> float:
    """The largest difference between the shares of a sample, ascending, below any x and those of the
    formula."""
    parts, n = DISTRIBUTIONS[name].parts, len(values)
    below = np.array(
        [
            sum(math.erfc((mean - x) / sd / math.sqrt(2)) for mean, sd in parts) / 2 / len(parts)
            for x in values
        ]
    )
    above, under = np.arange(1, n + 1) / n - below, below - np.arange(n) / n
    return float(max(above.max(), under.max()))
