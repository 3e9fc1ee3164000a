"""Narration of Clustered: the clusters first, then the method inside each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.clustered import Clustered
from kanon_core.algorithms.concealment.matchings import total_cost
from kanon_core.base.words import later, number_text, tr
from kanon_core.charts.steps.onplane import Mark, OnPlane
from kanon_core.teaching.explain.concealment.matchings import DRAW_LINE, MethodSteps, Within, true_one
from kanon_core.teaching.explain.concealment.methods import GreedySteps, LotterySteps, ToursSteps
from kanon_core.teaching.explain.narration import Event, Logged, Narration, Step, labels_of
from kanon_core.teaching.explain.wording import named, numbered, thinned

_INSIDE: dict[type, type[MethodSteps]] = {
    one.algorithm: one for one in (GreedySteps, LotterySteps, ToursSteps)
}
_TOLD_IN_FULL = 80


class ClusteredSteps(Narration):
    """A step for the clusters; then, for each cluster, the method's own steps, or one step if there are too
    many."""

    algorithm: ClassVar[type[Clustered]] = Clustered
    events: ClassVar[frozenset[str]] = frozenset({"cluster", "matching"})
    said: ClassVar[tuple[str, ...]] = (
        later(
            "Divide the records into clusters of similar ones by Ward's method, each with at least k records."
        ),
        later("In every cluster, find k matchings of its records by the chosen method."),
        later("Matching i of the table is matching i of all clusters together."),
        DRAW_LINE,
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, Clustered)
        within = Within.whole(run, run.algorithm.inner.distance)
        parts, matchings = run.of("cluster"), [what["targets"] for what in run.of("matching")]
        yield from thinned([self._cut(within, parts), *self._in_clusters(within, parts)])
        cost = number_text(total_cost(np.array(matchings), within.distances))
        sentence = tr("All clusters together: {k} matchings of all {n} records, which cost {cost}.").format(
            k=len(matchings), n=len(within), cost=cost
        )
        scene = within.scene(matchings)
        yield Step(sentence, 2, within.cover(matchings), scene)
        yield from true_one(within, len(self.lines()) - 1)

    def _cut(self, within: Within, parts: Sequence[dict[str, Any]]) -> Step:
        run, groups = within.run, labels_of(within.run, (part["members"] for part in parts))
        sizes = np.sort([len(part["members"]) for part in parts])[::-1]
        assert isinstance(run.algorithm, Clustered)
        how = tr("the dendrogram is cut at one height")
        if run.algorithm.cut == "fine":
            how = tr("every cluster is split as long as both parts keep k records")
        sentence = tr(
            "Ward's method, {how}: {count} clusters of {sizes} records, none with fewer than k = {k}."
        )
        if len(parts) == 1:
            sentence = tr(
                "Ward's method, {how}: one cluster of {sizes} records, because none may have fewer than k ="
                " {k}."
            )
        sentence = sentence.format(how=how, count=len(parts), sizes=numbered(sizes), k=run.k)
        return Step(sentence, 0, within.cover(()), OnPlane(run.table, groups))

    def _in_clusters(self, within: Within, parts: Sequence[dict[str, Any]]) -> Iterator[Step]:
        """Yield the steps of each cluster."""
        assert isinstance(within.run.algorithm, Clustered)
        method, told = _INSIDE[type(within.run.algorithm.inner)](), 0
        groups = labels_of(within.run, (part["members"] for part in parts))
        for number, part in enumerate(parts):
            inside = within.cluster(part["members"])
            yield self._entered(inside, number, len(parts), groups)
            steps = tuple(method.matchings(inside, part["events"]))
            if told + len(steps) + len(parts) - number <= _TOLD_IN_FULL:
                told += len(steps)
                for step in steps:
                    yield replace(step, lines=method.lines(), cover=within.cover(()))
            else:
                yield self._in_short(inside, number, part["events"])

    def _entered(self, inside: Within, number: int, count: int, groups: np.ndarray) -> Step:
        run = inside.run
        sentence = tr("Cluster {number} of {count} has {size} records: {records}.").format(
            number=number + 1, count=count, size=len(inside), records=named(run, inside.members)
        )
        marks = [Mark(tr("this cluster"), inside.members)]
        return Step(sentence, 1, np.arange(len(run.table))[None], OnPlane(run.table, groups, marks=marks))

    def _in_short(self, inside: Within, number: int, events: Sequence[Event]) -> Step:
        found = [what["targets"] for event, what in events if event == "matching"]
        costs = ", ".join(number_text(inside.cost(targets)) for targets in found[1:])
        sentence = tr(
            "Cluster {number}, in the same way: {count} matchings in addition to the identity, with costs"
            " {costs}."
        ).format(number=number + 1, count=len(found) - 1, costs=costs or 0)
        return Step(sentence, 1, inside.cover(()), inside.scene(found))
