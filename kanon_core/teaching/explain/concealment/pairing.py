"""Narration of Pairing: the greedy groups, or the exact pairs and the bound that proves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.concealment.matchings import points_of
from kanon_core.algorithms.concealment.pairing.pairing import Pairing
from kanon_core.base.words import later, tr, tr_n
from kanon_core.charts.steps.onplane import Mark
from kanon_core.distances.manhattan import distance_matrix
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.pictures import picture, star, together
from kanon_core.teaching.explain.wording import amount, nearest_text


class PairingSteps(Narration):
    """A step for each group, and one for the bound of exact pairs."""

    algorithm: ClassVar[type[Pairing]] = Pairing
    events: ClassVar[frozenset[str]] = frozenset({"group", "bound"})
    said: ClassVar[tuple[str, ...]] = (
        later("The cost of a group is the sum of the distances between its members, in both directions."),
        later(
            "Greedy: a record drawn at random and its k − 1 nearest neighbors among the records left become"
            " a group. Repeat while at least 2k records are left; the rest is the last group."
        ),
        later(
            "Exact: linear programs find all pairs with the smallest total distance at once; their lower"
            " bound proves that no other pairs cost less."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, Pairing)
        matrix = distance_matrix(points_of(run.table, run.algorithm.distance))
        told = _Wording(run, matrix)
        yield from told.exact() if run.algorithm.exact else told.greedy()


@dataclass(frozen=True, eq=False)
class _Wording:
    """The wording of a run; ``distances`` float64 (n, n)."""

    run: Logged
    distances: np.ndarray

    def _cost(self, members: np.ndarray) -> float:
        return float(self.distances[np.ix_(members, members)].sum())

    def _note(self) -> str:
        """Return a sentence on the definition of the distances."""
        assert isinstance(self.run.algorithm, Pairing)
        said = {
            "range": tr(
                "Distances add up |a − b| / range of numbers, and 1 for two different values of"
                " other columns."
            ),
            "plain": tr(
                "Distances add up |a − b| of numbers, and 1 for two different values of other columns."
            ),
            "chosen": tr("Distances add up the distances chosen for the columns."),
        }[self.run.algorithm.distance]
        if any(column.attribute.weight != 1 for column in self.run.table.quasi):
            said += " " + tr("Each column is multiplied by its weight.")
        return said

    def greedy(self) -> Iterator[Step]:
        """Yield the groups in the order in which they were formed."""
        groups, cost = np.full(len(self.run.table), -1), 0.0
        for number, (_, what) in enumerate(self.run.events):
            around, members = what["around"], what["members"]
            left = int((groups < 0).sum())
            groups[members] = number
            cost += self._cost(members)
            names = {"left": left, "cost": amount(self._cost(members)), "sum": amount(cost)}
            names["numbers"] = self.run.numbers(members)
            step = self._rest(groups.copy(), names)
            if around >= 0:
                step = self._near(groups.copy(), around, members, names)
            yield step if number else replace(step, sentence=f"{step.sentence} {self._note()}")

    def _near(self, groups: np.ndarray, around: int, members: np.ndarray, names: dict[str, object]) -> Step:
        near = members[members != around]
        if not len(near):
            sentence = tr("Record {number}, drawn at random, is a group of its own.").format(
                number=self.run.number(around)
            )
        else:
            sentence = tr(
                "Of the {left} records left, record {number} is drawn at random. It and {near}, at most"
                " {far} away, become a group: {numbers}. It costs {cost}; all so far cost {sum}."
            ).format(
                **names,
                number=self.run.number(around),
                near=nearest_text(len(near)),
                far=amount(float(self.distances[around, near].max())),
            )
        marks = [Mark(tr("drawn"), np.array([around]))]
        return Step(sentence, 1, groups, picture(self.run.table, groups, marks, links=star(around, near)))

    def _rest(self, groups: np.ndarray, names: dict[str, object]) -> Step:
        sentence = tr(
            "The {left} records left become the last group: {numbers}. It costs {cost}; all cost {sum}."
        )
        return Step(sentence.format(**names), 1, groups, picture(self.run.table, groups))

    def exact(self) -> Iterator[Step]:
        """Yield the pairs, the nearest first, then the bound."""
        pairs, bound = [what["members"] for what in self.run.of("group")], self.run.of("bound")[0]
        groups, cost = np.full(len(self.run.table), -1), 0.0
        sentence = tr_n(
            "The {count} pair was found.",
            "The {count} pairs were found at once; they are shown one by one, the nearest first.",
            len(pairs),
        )
        sentence = f"{sentence.format(count=len(pairs))} {self._note()}"
        if bound["twins"]:
            sentence += " " + tr("Pairs at distance 0, formed first at no cost: {twins}.").format(
                twins=bound["twins"]
            )
        yield Step(sentence, 2, groups.copy(), picture(self.run.table, groups.copy()))
        for part in together(len(pairs)):
            for number in part:
                groups[pairs[number]] = number
                cost += self._cost(pairs[number])
            yield self._paired(groups.copy(), np.array(pairs[part.start : part.stop]), cost)
        gap = bound["cost"] - bound["bound"]
        proof = (
            tr("The linear programs prove that no pairs cost less, except for their precision of {gap}.")
            if gap > 0
            else tr("The linear programs prove that no pairs cost less.")
        )
        sentence = tr("All pairs cost {cost}, each distance counted from both ends.") + f" {proof}"
        sentence = sentence.format(cost=amount(bound["cost"]), gap=amount(gap, 2))
        yield Step(sentence, 2, groups, picture(self.run.table, groups))

    def _paired(self, groups: np.ndarray, pairs: np.ndarray, cost: float) -> Step:
        if len(pairs) > 1:
            sentence = tr("{count} pairs, at most {far} apart; all so far cost {sum}.").format(
                count=len(pairs),
                far=amount(float(self.distances[pairs[:, 0], pairs[:, 1]].max())),
                sum=amount(cost),
            )
        else:
            one, other = pairs[0].tolist()
            sentence = tr(
                "Records {numbers} are a pair, {far} apart: it costs 2 · {far} = {cost}; all so far cost"
                " {sum}."
            ).format(
                numbers=self.run.numbers(pairs[0]),
                far=amount(float(self.distances[one, other])),
                cost=amount(self._cost(pairs[0])),
                sum=amount(cost),
            )
        return Step(sentence, 2, groups, picture(self.run.table, groups, links=pairs))
