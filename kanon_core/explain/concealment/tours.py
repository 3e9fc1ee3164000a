"""Tours, told: which heuristic finds the shortest round tour, and the tour as two matchings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.kinds import Choice
from kanon_core.base.options import options_of
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.tour import Tour
from kanon_core.explain.concealment import truth
from kanon_core.explain.concealment.method import MethodSteps, last_strong
from kanon_core.explain.concealment.within import Within
from kanon_core.explain.run import Event
from kanon_core.explain.step import Step


class ToursSteps(MethodSteps):
    """A step for each tour tried, one for the tour as a matching, one for its way back."""

    algorithm: ClassVar[type[Tours]] = Tours
    events: ClassVar[frozenset[str]] = frozenset({"matching", "tour", "mended", "repair"})
    mended = 4

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("The first matching leads every record to its own row."),
            tr("Find round tours through all records; one that holds an edge in use is rejected."),
            tr("The shortest that fits is a matching: the row of a record is the next on the tour."),
            tr("The same tour backwards is the next matching. Repeat until there are k."),
            tr("Where no tour fits, used edges are taken out; if some stay, one assignment takes its place."),
            truth.line(),
        )

    def told(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """The matchings, each with the tours tried for it."""
        self.tried: list[dict[str, Any]] = []
        return super().told(within, events)

    def before(
        self, within: Within, found: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """A tour that was tried, or changed so that it fits."""
        if event == "tour":
            self.tried = [*(one for one in self.tried if one["number"] == what["number"]), what]
            sentence = _tried(what)
        else:
            sentence = _mended(within, found, what)
        yield Step(
            sentence, 1 if event == "tour" else 4, within.cover(found), _tour(within, found, what["targets"])
        )

    def complete(self, within: Within, found: Sequence[np.ndarray]) -> Step:
        """The tour as a matching, or its way back."""
        number, targets = len(found), found[-1]
        cost = number_text(within.cost(targets))
        start = int(np.argmin(within.run.records[within.members]))
        row = within.number(int(targets[start]))
        about = {"number": number, "cost": cost, "record": within.number(start), "row": row}
        won = [one for one in self.tried if np.array_equal(one["targets"], targets)]
        back = number > 2 and np.array_equal(targets, np.argsort(found[-2]))
        if won:
            sentence = tr(
                "The shortest tour that fits, of “{name}”, is matching {number}: it leads record {record} to"
                " row {row}, the next on the tour, and costs {cost}."
            ).format(name=_shortest(won, self.tried), **about)
        elif back:
            sentence = tr(
                "Matching {number} is matching {before} backwards: it leads record {record} to row {row}, and"
                " costs {cost} as well."
            ).format(before=number - 1, **about)
        else:
            return super().complete(within, found)
        return Step(sentence, 2 if won else 3, within.cover(found), last_strong(within, found))


def _shortest(won: Sequence[dict[str, Any]], tried: Sequence[dict[str, Any]]) -> str:
    """The first heuristic that found it."""
    return next(str(one["heuristic"]) for one in tried if any(one is other for other in won))


def _tried(what: dict[str, Any]) -> str:
    meaning = _meanings()[what["heuristic"]]
    sentence = tr("“{name}” ({meaning}): the tour costs {cost}.").format(
        name=what["heuristic"], meaning=tr(meaning), cost=number_text(what["cost"])
    )
    return sentence if what["fits"] else f"{sentence} " + tr("It holds an edge in use, so it is rejected.")


def _mended(within: Within, found: Sequence[np.ndarray], what: dict[str, Any]) -> str:
    used = np.zeros(within.distances.shape, bool)
    for one in found:
        used[np.arange(len(one)), one] = True
    left = int(used[np.arange(len(within)), what["targets"]].sum())
    if left:
        return tr(
            "No tour fits. The cheapest, of “{name}”, is changed by two-opt moves, but {left} of its edges"
            " stay in use: a dead end."
        ).format(name=what["heuristic"], left=left)
    return tr(
        "No tour fits. From the cheapest, of “{name}”, two-opt moves take every edge that is in use; it costs"
        " {cost} then."
    ).format(name=what["heuristic"], cost=number_text(within.cost(what["targets"])))


def _meanings() -> dict[str, str]:
    kinds = (option.kind for option in options_of(Tours) if option.name == "heuristic")
    return {word: text for kind in kinds if isinstance(kind, Choice) for word, text in kind.words.items()}


def _tour(within: Within, found: Sequence[np.ndarray], targets: np.ndarray) -> Tour:
    """The tour as a closed way in the plane."""
    used = np.any([(one == targets) | (np.argsort(one) == targets) for one in found], axis=0)
    links = np.column_stack([within.members, within.members[targets]])
    return Tour(within.run.table, within.run.records, links, used)
