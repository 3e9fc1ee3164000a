"""Greedy concealment, told: record by record, the nearest row that is free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.greedy import Greedy
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.bipartite import NEW, Bipartite, Edges
from kanon_core.explain.concealment import truth
from kanon_core.explain.concealment.method import MethodSteps
from kanon_core.explain.concealment.within import Within
from kanon_core.explain.run import Event
from kanon_core.explain.step import Step
from kanon_core.explain.wording import numbered

_FAILURES_TOLD = 2


class GreedySteps(MethodSteps):
    """A step for each edge, or for some edges where there are many; one for each dead end."""

    algorithm: ClassVar[type[Greedy]] = Greedy
    events: ClassVar[frozenset[str]] = frozenset({"matching", "turns", "repair"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("The first matching leads every record to its own row."),
            tr(
                "In random order, each record takes the nearest row that is free and that it has no edge to"
                " yet."
            ),
            tr("At a dead end, one assignment finishes the matching, or all its edges are drawn anew."),
            tr("When every record has a row, the matching is complete. Repeat until there are k."),
            truth.line(),
        )

    def told(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """The matchings; of several draws of one matching that fail, the first two are told one by one."""
        return super().told(within, tuple(_merged(events)))

    def before(
        self, within: Within, found: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """The edges of a draw in the order made, and its dead end."""
        order, targets = what["order"], what["targets"]
        taken = order[targets[order] >= 0]
        if event == "turns":
            for start in range(0, len(taken), within.at_once):
                yield _edges(within, found, targets, taken, slice(start, start + within.at_once))
        if len(taken) < len(order):
            yield self._dead_end(within, found, what, taken)

    def _dead_end(
        self, within: Within, found: Sequence[np.ndarray], what: dict[str, Any], taken: np.ndarray
    ) -> Step:
        """The record whose turn it is finds no row."""
        order, targets, others = what["order"], what["targets"], what.get("others", 0)
        stuck = int(order[len(taken)])
        free = np.setdiff1d(order, targets[taken])
        sentence = tr_n(
            "Dead end: it is the turn of record {number}, which has an edge already to every row that is"
            " left ({rows}); {left} of {n} is without a row.",
            "Dead end: it is the turn of record {number}, which has an edge already to every row that is"
            " left ({rows}); {left} of {n} are without a row.",
            len(order) - len(taken),
        ).format(
            number=within.number(stuck),
            rows=numbered(np.sort(within.run.records[within.members[free]] + 1)),
            left=len(order) - len(taken),
            n=counted(len(order), "record"),
        )
        if others:
            before = tr_n(
                "{count:,} more draw of this matching comes to a dead end.",
                "{count:,} more draws of this matching come to a dead end. Of the last:",
                others,
            ).format(count=others)
            sentence = f"{before} {sentence}"
        marked = np.array([stuck])
        return Step(
            sentence, 2, within.cover(found), _scene(within, found, targets, taken, taken[:0], marked)
        )


def _edges(
    within: Within, found: Sequence[np.ndarray], targets: np.ndarray, taken: np.ndarray, now: slice
) -> Step:
    """Some edges of a draw, or one."""
    places, there = taken[now], taken[: now.start]
    if len(places) == 1:
        sentence = _one(within, found, targets, there, int(places[0]))
    else:
        sentence = tr("The next {count} records take the nearest rows they may: {pairs}.").format(
            count=len(places), pairs=within.pairs(places, targets[places])
        )
    return Step(sentence, 1, within.cover(found), _scene(within, found, targets, there, places, places))


def _one(
    within: Within, found: Sequence[np.ndarray], targets: np.ndarray, there: np.ndarray, record: int
) -> str:
    """How one record chose, with the nearest row that it could not have."""
    row, lengths = int(targets[record]), within.distances[record]
    used = {int(one[record]) for one in found}
    nearer = np.flatnonzero(lengths < lengths[row])
    gone = [other for other in nearer.tolist() if other not in used]
    sentence = tr(
        "Record {number} takes row {row}, {far} away: the nearest free row it has no edge to."
    ).format(number=within.number(record), row=within.number(row), far=number_text(float(lengths[row])))
    if not gone:
        return sentence
    nearest = min(gone, key=lambda other: lengths[other])
    return (
        sentence
        + " "
        + tr("Row {other}, only {near} away, has been taken.").format(
            other=within.number(nearest), near=number_text(float(lengths[nearest]))
        )
    )


def _scene(
    within: Within,
    found: Sequence[np.ndarray],
    targets: np.ndarray,
    there: np.ndarray,
    now: np.ndarray,
    marked: np.ndarray,
) -> Bipartite:
    """The edges of this draw: those there, and those made now."""
    edges = [
        Edges(tr("this matching so far"), np.column_stack([there, targets[there]]), len(found)),
        Edges(tr("made now"), np.column_stack([now, targets[now]]), NEW),
    ]
    return within.scene(found, edges, marked, targets[now])


def _merged(events: Sequence[Event]) -> Iterator[Event]:
    """The events, where all but the first two failed draws of a matching are one, the last."""
    failed, waiting = 0, list[Event]()
    for event, what in events:
        if event == "turns" and what["targets"].min() < 0:
            failed += 1
            if failed > _FAILURES_TOLD:
                waiting = [("failures", {**what, "others": failed - _FAILURES_TOLD})]
                continue
        yield from waiting
        waiting = []
        failed = 0 if event == "matching" else failed
        yield event, what
