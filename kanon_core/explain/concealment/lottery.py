"""Lottery, told: the cheapest random matching so far, draw after draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.bipartite import NEW, Edges
from kanon_core.explain.concealment import truth
from kanon_core.explain.concealment.method import MethodSteps
from kanon_core.explain.concealment.within import PAIRS_AT_MOST, Within
from kanon_core.explain.step import Step


class LotterySteps(MethodSteps):
    """For each matching a step whenever a cheaper draw was seen, and one for what is kept."""

    algorithm: ClassVar[type[Lottery]] = Lottery
    events: ClassVar[frozenset[str]] = frozenset({"matching", "lead", "drawn", "repair"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("The first matching leads every record to its own row."),
            tr("Draw a random matching that has no edge of the matchings so far, again and again."),
            tr(
                "If 1,000 draws all have such an edge, that is a dead end: one assignment finds the matching."
            ),
            tr("Keep the cheapest of all draws as the next matching. Repeat until there are k."),
            truth.line(),
        )

    def before(
        self, within: Within, found: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """The cheapest draw so far, or that all draws had edges in use."""
        if event == "lead":
            yield _leading(within, found, what)
        elif not what["accepted"]:
            sentence = tr("Dead end: all of the {count} draws for matching {number} have edges in use.")
            sentence = sentence.format(count=f"{what['draws']:,}", number=len(found) + 1)
            yield Step(sentence, 2, within.cover(found), within.scene(found))
        self.last = what

    def complete(self, within: Within, found: Sequence[np.ndarray]) -> Step:
        """The cheapest of the draws is kept."""
        step, accepted = super().complete(within, found), self.last["accepted"]
        if not accepted:
            return step
        void = self.last["draws"] - accepted
        said = tr_n(
            "One draw had no edge in use, and it is kept.",
            "Of {count:,} draws without an edge in use, the cheapest is kept.",
            accepted,
        ).format(count=accepted)
        if void:
            said += " " + tr_n(
                "{count:,} more was void: an edge in use could not be switched away.",
                "{count:,} more were void: edges in use could not be switched away.",
                void,
            ).format(count=void)
        return replace(step, sentence=f"{said} {step.sentence}")


def _leading(within: Within, found: Sequence[np.ndarray], what: dict[str, Any]) -> Step:
    accepted, targets, there = what["accepted"], what["targets"], np.arange(len(within))
    cost = number_text(what["cost"])
    if accepted == 1 and len(within) <= PAIRS_AT_MOST:
        sentence = tr(
            "The first draw for matching {number}: {pairs}. Its edges cost {cost} together."
        ).format(number=len(found) + 1, pairs=within.pairs(there, targets), cost=cost)
    elif accepted == 1:
        sentence = tr("The first draw for matching {number} costs {cost}.").format(
            number=len(found) + 1, cost=cost
        )
    else:
        sentence = tr("The cheapest of the first {count} draws for matching {number} costs {cost}.").format(
            count=f"{accepted:,}", number=len(found) + 1, cost=cost
        )
    edges = [Edges(tr("cheapest so far"), np.column_stack([there, targets]), NEW)]
    return Step(sentence, 1, within.cover(found), within.scene(found, edges))
