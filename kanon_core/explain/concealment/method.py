"""What the narrations of all methods that find one matching after another share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kanon_core.algorithms.concealment.matchings import MatchingMethod
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.bipartite import LOST, NEW, Bipartite, Edges
from kanon_core.explain.concealment.truth import true_one
from kanon_core.explain.concealment.within import Within
from kanon_core.explain.narration import Narration
from kanon_core.explain.run import Event, Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import thinned


class MethodSteps(Narration):
    """Base of the narrations of `MatchingMethod`. Subclasses tell what leads to a matching (`before`), and
    how a complete one is spoken of (`complete`).

    ``first``, ``done``, ``mended``: the lines of the identity, of a complete matching and of a repair.
    """

    first, done, mended = 0, 3, 2

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        assert isinstance(run.algorithm, MatchingMethod)
        within = Within.whole(run, run.algorithm.distance)
        yield from thinned(self.told(within, run.events))
        yield from true_one(within, len(self.lines()) - 1)

    def told(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """The matchings among some records, as these events log them."""
        found: list[np.ndarray] = []
        for event, what in events:
            if event == "matching":
                found.append(what["targets"])
                yield self.complete(within, found) if len(found) > 1 else self._identity(within, found)
            elif event == "repair":
                yield self._repaired(within, found, what)
            else:
                yield from self.before(within, found, event, what)

    def before(
        self, within: Within, found: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """What an event of the method's own does; the matchings ``found`` are complete."""
        raise NotImplementedError  # pragma: no cover - every method overrides it

    def complete(self, within: Within, found: Sequence[np.ndarray]) -> Step:
        """A further matching, the last found, is complete."""
        sentence = tr("Matching {number} is complete: its {n} edges cost {cost} together.").format(
            number=len(found), n=len(within), cost=number_text(within.cost(found[-1]))
        )
        return Step(sentence, self.done, within.cover(found), last_strong(within, found))

    def _identity(self, within: Within, found: Sequence[np.ndarray]) -> Step:
        sentence = tr(
            "Matching 1, the identity, leads each of the {n} records to its own row, the row made from it:"
            " distance 0."
        ).format(n=len(within))
        return Step(sentence, self.first, within.cover(found), within.scene(found))

    def _repaired(self, within: Within, found: Sequence[np.ndarray], what: dict[str, Any]) -> Step:
        given, targets, there = what["given"], what["targets"], np.arange(len(within))
        kept, drawn = given == targets, given >= 0
        sentence = tr(
            "One assignment finishes matching {number}: of the {drawn} edges drawn it keeps {kept}, and the"
            " {new} others are the cheapest that fit: {pairs}."
        ).format(
            number=len(found) + 1,
            drawn=int(drawn.sum()),
            kept=int(kept.sum()),
            new=int((~kept).sum()),
            pairs=within.pairs(there[~kept], targets[~kept]),
        )
        gone = np.flatnonzero(drawn & ~kept)
        edges = [
            Edges(tr("taken away"), np.column_stack([gone, given[gone]]), LOST),
            Edges(tr("kept"), np.column_stack([there, targets])[kept], len(found)),
            Edges(tr("new"), np.column_stack([there, targets])[~kept], NEW),
        ]
        return Step(sentence, self.mended, within.cover(found), within.scene(found, edges))


def last_strong(within: Within, found: Sequence[np.ndarray]) -> Bipartite:
    """The graph of all matchings found, the last of them strong."""
    last = np.column_stack([np.arange(len(within)), found[-1]])
    whole = len(within) == len(within.run.table)
    now = within.cover(found) if whole else None
    return within.scene(found[:-1], [Edges(tr("the new matching"), last, len(found) - 1)], published=now)
