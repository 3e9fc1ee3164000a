"""Narrations of the methods that find one matching after another: Greedy, Lottery and Tours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.greedy import Greedy
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.kinds import Choice
from kanon_core.base.options import options_of
from kanon_core.base.words import counted, later, number_text, tr, tr_n
from kanon_core.charts.steps.bipartite import NEW, Bipartite, Edges
from kanon_core.charts.steps.onplane import Tour
from kanon_core.teaching.explain.concealment.matchings import (
    DRAW_LINE,
    PAIRS_AT_MOST,
    MethodSteps,
    Within,
    last_strong,
)
from kanon_core.teaching.explain.narration import Event, Step
from kanon_core.teaching.explain.wording import numbered

_FAILURES_TOLD = 2


class GreedySteps(MethodSteps):
    """A step for each edge, or for several if there are many; one for each dead end."""

    algorithm: ClassVar[type[Greedy]] = Greedy
    events: ClassVar[frozenset[str]] = frozenset({"matching", "turns", "repair"})
    said: ClassVar[tuple[str, ...]] = (
        later("The first matching leads every record to its own row."),
        later("In random order, each record takes the nearest free row to which it has no edge yet."),
        later("At a dead end, an assignment completes the matching, or all its edges are drawn again."),
        later("When every record has a row, the matching is complete. Repeat until there are k."),
        DRAW_LINE,
    )

    def matchings(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """Yield the steps; only the first two failed draws of a matching have steps of their own."""
        return super().matchings(within, tuple(_merged(events)))

    def before(
        self, within: Within, matchings: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """Yield the edges of a draw in the order made, and its dead end."""
        order, targets = what["order"], what["targets"]
        taken = order[targets[order] >= 0]
        if event == "turns":
            for start in range(0, len(taken), within.at_once):
                yield _edges(within, matchings, targets, taken, slice(start, start + within.at_once))
        if len(taken) < len(order):
            yield self._dead_end(within, matchings, what, taken)

    def _dead_end(
        self, within: Within, matchings: Sequence[np.ndarray], what: dict[str, Any], taken: np.ndarray
    ) -> Step:
        """Return the step of a record that finds no row."""
        order, targets, others = what["order"], what["targets"], what.get("others", 0)
        stuck = int(order[len(taken)])
        free = np.setdiff1d(order, targets[taken])
        sentence = tr_n(
            "Dead end: record {number} is next, but it already has an edge to every row that is left"
            " ({rows}); {left} of {n} is without a row.",
            "Dead end: record {number} is next, but it already has an edge to every row that is left"
            " ({rows}); {left} of {n} are without a row.",
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
                "{count:,} more draws of this matching come to a dead end. The last one:",
                others,
            ).format(count=others)
            sentence = f"{before} {sentence}"
        marked = np.array([stuck])
        return Step(
            sentence, 2, within.cover(matchings), _scene(within, matchings, targets, taken, taken[:0], marked)
        )


def _edges(
    within: Within, matchings: Sequence[np.ndarray], targets: np.ndarray, taken: np.ndarray, now: slice
) -> Step:
    """Return the step of one or several edges of a draw."""
    places, there = taken[now], taken[: now.start]
    if len(places) == 1:
        sentence = _one(within, matchings, targets, there, int(places[0]))
    else:
        sentence = tr("The next {count} records take the nearest rows available to them: {pairs}.").format(
            count=len(places), pairs=within.pairs(places, targets[places])
        )
    return Step(
        sentence, 1, within.cover(matchings), _scene(within, matchings, targets, there, places, places)
    )


def _one(
    within: Within, matchings: Sequence[np.ndarray], targets: np.ndarray, there: np.ndarray, record: int
) -> str:
    """Return a sentence on the row that a record takes, and on the nearest row that was taken before."""
    row, lengths = int(targets[record]), within.distances[record]
    used = {int(one[record]) for one in matchings}
    nearer = np.flatnonzero(lengths < lengths[row])
    gone = [other for other in nearer.tolist() if other not in used]
    sentence = tr(
        "Record {number} takes row {row}, {far} away: the nearest free row to which it has no edge."
    ).format(number=within.number(record), row=within.number(row), far=number_text(float(lengths[row])))
    if not gone:
        return sentence
    nearest = min(gone, key=lambda other: lengths[other])
    near = number_text(float(lengths[nearest]))
    taken = tr("Row {other}, only {near} away, is already taken.")
    return f"{sentence} {taken.format(other=within.number(nearest), near=near)}"


def _scene(
    within: Within,
    matchings: Sequence[np.ndarray],
    targets: np.ndarray,
    there: np.ndarray,
    now: np.ndarray,
    marked: np.ndarray,
) -> Bipartite:
    """Return the picture of this draw's edges: those made before, and those made now."""
    edges = [
        Edges(tr("this matching so far"), np.column_stack([there, targets[there]]), len(matchings)),
        Edges(tr("made now"), np.column_stack([now, targets[now]]), NEW),
    ]
    return within.scene(matchings, edges, marked, targets[now])


def _merged(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events; all but the first two failed draws of a matching are one event, the last."""
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


class LotterySteps(MethodSteps):
    """A step for each cheaper draw of a matching, and one for the draw kept."""

    algorithm: ClassVar[type[Lottery]] = Lottery
    events: ClassVar[frozenset[str]] = frozenset({"matching", "lead", "drawn", "repair"})
    said: ClassVar[tuple[str, ...]] = (
        later("The first matching leads every record to its own row."),
        later("Repeatedly draw a random matching without an edge of the earlier matchings."),
        later(
            "If each of 1,000 draws has such an edge, this is a dead end: an assignment finds the matching."
        ),
        later("Keep the cheapest of all draws as the next matching. Repeat until there are k."),
        DRAW_LINE,
    )

    def before(
        self, within: Within, matchings: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """Yield a step for the cheapest draw so far, or one for draws that all had edges in use."""
        if event == "lead":
            yield _leading(within, matchings, what)
        elif not what["accepted"]:
            sentence = tr("Dead end: all of the {count} draws for matching {number} have edges in use.")
            sentence = sentence.format(count=f"{what['draws']:,}", number=len(matchings) + 1)
            yield Step(sentence, 2, within.cover(matchings), within.scene(matchings))
        self.last = what

    def complete(self, within: Within, matchings: Sequence[np.ndarray]) -> Step:
        """Return the step that keeps the cheapest draw."""
        step, accepted = super().complete(within, matchings), self.last["accepted"]
        if not accepted:
            return step
        void = self.last["draws"] - accepted
        said = tr_n(
            "One draw had no edge in use; it is kept.",
            "The cheapest of {count:,} draws without an edge in use is kept.",
            accepted,
        ).format(count=accepted)
        if void:
            said += " " + tr_n(
                "{count:,} more was void: an edge in use could not be exchanged.",
                "{count:,} more were void: edges in use could not be exchanged.",
                void,
            ).format(count=void)
        return replace(step, sentence=f"{said} {step.sentence}")


def _leading(within: Within, matchings: Sequence[np.ndarray], what: dict[str, Any]) -> Step:
    accepted, targets, there = what["accepted"], what["targets"], np.arange(len(within))
    cost = number_text(what["cost"])
    if accepted == 1 and len(within) <= PAIRS_AT_MOST:
        sentence = tr(
            "The first draw for matching {number}: {pairs}. Its edges cost {cost} together."
        ).format(number=len(matchings) + 1, pairs=within.pairs(there, targets), cost=cost)
    elif accepted == 1:
        sentence = tr("The first draw for matching {number} costs {cost}.").format(
            number=len(matchings) + 1, cost=cost
        )
    else:
        sentence = tr("The cheapest of the first {count} draws for matching {number} costs {cost}.").format(
            count=f"{accepted:,}", number=len(matchings) + 1, cost=cost
        )
    edges = [Edges(tr("cheapest so far"), np.column_stack([there, targets]), NEW)]
    return Step(sentence, 1, within.cover(matchings), within.scene(matchings, edges))


class ToursSteps(MethodSteps):
    """A step for each tour tried, one for the tour as a matching, one for the tour backwards."""

    algorithm: ClassVar[type[Tours]] = Tours
    events: ClassVar[frozenset[str]] = frozenset({"matching", "tour", "mended", "repair"})
    mended = 4
    said: ClassVar[tuple[str, ...]] = (
        later("The first matching leads every record to its own row."),
        later("Find tours, round trips through all records; a tour with an edge in use is rejected."),
        later(
            "The shortest tour that fits is a matching: each record gets the row of the next record on"
            " the tour."
        ),
        later("The same tour backwards is the next matching. Repeat until there are k."),
        later(
            "If no tour fits, edges in use are exchanged; if some cannot be, an assignment replaces the tour."
        ),
        DRAW_LINE,
    )

    def matchings(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """Yield the steps of the matchings, each with the tours tried for it."""
        self.tried: list[dict[str, Any]] = []
        return super().matchings(within, events)

    def before(
        self, within: Within, matchings: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """Yield the step of a tour that was tried, or changed so that it fits."""
        if event == "tour":
            self.tried = [*(one for one in self.tried if one["number"] == what["number"]), what]
            sentence = _tried(what)
        else:
            sentence = _mended(within, matchings, what)
        yield Step(
            sentence,
            1 if event == "tour" else 4,
            within.cover(matchings),
            _tour(within, matchings, what["targets"]),
        )

    def complete(self, within: Within, matchings: Sequence[np.ndarray]) -> Step:
        """Return the step of the tour as a matching, or of the tour backwards."""
        number, targets = len(matchings), matchings[-1]
        cost = number_text(within.cost(targets))
        start = int(np.argmin(within.run.records[within.members]))
        row = within.number(int(targets[start]))
        about = {"number": number, "cost": cost, "record": within.number(start), "row": row}
        won = [one for one in self.tried if np.array_equal(one["targets"], targets)]
        back = number > 2 and np.array_equal(targets, np.argsort(matchings[-2]))
        if won:
            sentence = tr(
                "The shortest tour that fits, found by “{name}”, is matching {number}: it leads record"
                " {record} to row {row}, the next on the tour, and costs {cost}."
            ).format(name=won[0]["heuristic"], **about)
        elif back:
            sentence = tr(
                "Matching {number} is matching {before} backwards: it leads record {record} to row {row},"
                " and also costs {cost}."
            ).format(before=number - 1, **about)
        else:
            return super().complete(within, matchings)
        return Step(sentence, 2 if won else 3, within.cover(matchings), last_strong(within, matchings))


def _tried(what: dict[str, Any]) -> str:
    meaning = _meanings()[what["heuristic"]]
    sentence = tr("“{name}” ({meaning}): the tour costs {cost}.").format(
        name=what["heuristic"], meaning=tr(meaning), cost=number_text(what["cost"])
    )
    return sentence if what["fits"] else f"{sentence} " + tr("It has an edge in use, so it is rejected.")


def _mended(within: Within, matchings: Sequence[np.ndarray], what: dict[str, Any]) -> str:
    used = np.zeros(within.distances.shape, bool)
    for one in matchings:
        used[np.arange(len(one)), one] = True
    left = int(used[np.arange(len(within)), what["targets"]].sum())
    if left:
        return tr(
            "No tour fits. Two-opt moves change the cheapest, found by “{name}”, but {left} of its edges"
            " stay in use: a dead end."
        ).format(name=what["heuristic"], left=left)
    return tr(
        "No tour fits. Two-opt moves remove every edge in use from the cheapest, found by “{name}”; it then"
        " costs {cost}."
    ).format(name=what["heuristic"], cost=number_text(within.cost(what["targets"])))


def _meanings() -> dict[str, str]:
    kinds = (option.kind for option in options_of(Tours) if option.name == "heuristic")
    return {word: text for kind in kinds if isinstance(kind, Choice) for word, text in kind.words.items()}


def _tour(within: Within, matchings: Sequence[np.ndarray], targets: np.ndarray) -> Tour:
    """Return the picture of the tour in the plane."""
    used = np.any([(one == targets) | (np.argsort(one) == targets) for one in matchings], axis=0)
    links = np.column_stack([within.members, within.members[targets]])
    return Tour(within.run.table, within.run.records, links, used)
