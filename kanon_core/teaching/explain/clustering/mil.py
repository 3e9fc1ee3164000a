"""Narration of MIL: the starting groups, the line, each judgement with its X of equations 7 and 8, the
moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.clustering.mil import MIL
from kanon_core.base.words import later, tr, tr_n
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.onplane import Mark
from kanon_core.teaching.explain.clustering.mdav import MDAVSteps, VMDAVSteps
from kanon_core.teaching.explain.clustering.sorting import OptimalUnivariateSteps, SortingSteps
from kanon_core.teaching.explain.distances import OneNumber
from kanon_core.teaching.explain.narration import Logged, Narration, Step, start_steps
from kanon_core.teaching.explain.pictures import picture

_EACH = 40
"""The most judgements that are a step each; with more, those between two moves are summarized."""


class MILSteps(Narration):
    """The start, then the line, then each judgement."""

    algorithm: ClassVar[type[MIL]] = MIL
    events: ClassVar[frozenset[str]] = frozenset({"line", "judgement"}).union(
        *(start.events for start in (MDAVSteps, VMDAVSteps, SortingSteps, OptimalUnivariateSteps))
    )
    said: ClassVar[tuple[str, ...]] = (
        later(
            "Sort the groups of the starting algorithm along the number line. Judge two neighboring"
            " groups at a time."
        ),
        later(
            "(a) If the left group has more than k records, and X of equation 7 is below 0 for its last"
            " record, this record moves to the right group. Repeat."
        ),
        later(
            "(b) If the right group has more than k records, and X of equation 8 is above 0 for its first"
            " record, this record moves to the left group. Repeat."
        ),
        later(
            "Continue with the next pair. After a scan of all pairs with a move, start again with the first"
            " pair; a scan without a move is the last."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, MIL)
        at = next(place for place, (event, _) in enumerate(run.events) if event == "line")
        yield from start_steps(run.part(run.algorithm.start, run.events[:at]))
        line = run.events[at][1]
        judged = run.of("judgement")
        now = _Line(run, OneNumber.of(run.table), line["order"], line["sizes"].astype(np.int64))
        first = now.sse
        yield now.drawn_up()
        still = list[tuple[_Line, dict[str, Any]]]()
        for what in judged:
            if what["moved"] or len(judged) <= _EACH:
                yield from _stayed(still)
                still = []
                after = now.moved(what) if what["moved"] else now
                yield now.judged(what, after)
                now = after
            else:
                still.append((now, what))
        yield from _stayed(still)
        yield now.ended(first, judged)


@dataclass(frozen=True, eq=False)
class _Line:
    """The groups as runs: ``order`` of the records from left to right, ``sizes`` of the groups."""

    run: Logged
    number: OneNumber
    order: np.ndarray
    sizes: np.ndarray

    @property
    def groups(self) -> np.ndarray:
        labels = np.empty(len(self.order), np.int64)
        labels[self.order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return labels

    @property
    def sse(self) -> float:
        return sum(self.number.sse(self.members(group)) for group in range(len(self.sizes)))

    def members(self, group: int) -> np.ndarray:
        """Return the records of a group, from left to right."""
        ends = np.cumsum(self.sizes)
        return self.order[ends[group] - self.sizes[group] : ends[group]]

    def moved(self, what: dict[str, Any]) -> _Line:
        """Return the line after a move."""
        sizes = self.sizes.copy()
        sizes[[what["pair"], what["pair"] + 1]] += (-1, 1) if what["step"] == 0 else (1, -1)
        return replace(self, sizes=sizes)

    def at(self, what: dict[str, Any]) -> tuple[int, int, int]:
        """Return the record that is judged, its group, and the other group."""
        pair = what["pair"]
        if what["step"] == 0:
            return int(self.members(pair)[-1]), pair, pair + 1
        return int(self.members(pair + 1)[0]), pair + 1, pair

    def x(self, what: dict[str, Any]) -> float:
        """Return X in squared units of the column; 0 where it differs from 0 only by rounding."""
        record, giver, taker = self.at(what)
        larger = max(_weighed(self, record, giver, -1), _weighed(self, record, taker, 1))
        found = float(what["X"]) / self.number.square
        return 0.0 if abs(found) <= 1e-12 * larger else found

    def drawn_up(self) -> Step:
        """Return the step that sorts the groups."""
        sentence = tr_n(
            "From left to right the {count} group has {sizes} records. Their SSE, the sum of squared"
            " distances from each record to the mean of its group, is {sse}.",
            "From left to right the {count} groups have {sizes} records. Their SSE, the sum of squared"
            " distances from each record to the mean of its group, is {sse}.",
            len(self.sizes),
        ).format(
            count=len(self.sizes),
            sizes=_sizes(self.sizes),
            sse=self.number.squared(self.sse),
        )
        return Step(sentence, 0, self.groups, picture(self.run.table, self.groups))

    def judged(self, what: dict[str, Any], after: _Line) -> Step:
        """Return the step of one judgement; ``after``: the line after it."""
        record, giver, taker = self.at(what)
        gives, moved = what["step"] == 0, what["moved"]
        names = {"giver": giver + 1, "taker": taker + 1, "size": self.sizes[giver], "k": self.run.k}
        names |= {"record": self.run.number(record), "text": self.number.texts[record]}
        begin = (
            tr("Group {giver} has {size} > {k} records; its last is record {record}, at {text}.")
            if gives
            else tr("Group {giver} has {size} > {k} records; its first is record {record}, at {text}.")
        )
        if gives:
            end = tr("< 0, so it goes to group {taker}.") if moved else tr(", not below 0, so it stays.")
        else:
            end = tr("> 0, so it goes to group {taker}.") if moved else tr(", not above 0, so it stays.")
        gap = " " if moved else ""
        sentence = f"{begin} {self._formula(what)}{gap}{end}".format(**names)
        marks = [Mark(tr("judged"), np.array([record]))]
        called = tr("mean of group {number} before") if moved else tr("mean of group {number}")
        means = [Mark(called.format(number=g + 1), self.members(g)) for g in (giver, taker)]
        scene = OnLine(
            self.run.table, self.number.name, after.groups, marks, means, after.between(what["pair"])
        )
        return Step(sentence, 1 if gives else 2, after.groups, scene)

    def _formula(self, what: dict[str, Any]) -> str:
        """Return the formula, such as ``X = −4/3 · (10 − 3.25)² + 3/4 · (10 − 12)² = −57.75``; for equation 8
        with the other signs."""
        record, giver, taker = self.at(what)
        size, others = int(self.sizes[giver]), int(self.sizes[taker])
        here, there = (float(self.number.values[self.members(group)].mean()) for group in (giver, taker))
        left = f"{size}/{size - 1} · {self.number.less(record, here)}"
        joined = f"{others}/{others + 1} · {self.number.less(record, there)}"
        sides = f"−{left} + {joined}" if what["step"] == 0 else f"{left} − {joined}"
        return f"X = {sides} = {self.number.squared(self.x(what))}"

    def between(self, pair: int) -> tuple[int, int]:
        """Return the records on both sides of a boundary."""
        return int(self.members(pair)[-1]), int(self.members(pair + 1)[0])

    def ended(self, first: float, judged: list[dict[str, Any]]) -> Step:
        """Return the last step: the result."""
        moves = sum(what["moved"] for what in judged)
        if not judged:
            sentence = tr(
                "Every group has exactly k = {k} records, so no record can move. SSE stays {after}."
            )
        elif moves:
            sentence = tr(
                "A whole scan moved no record, so MIL ends. Judgements: {count}, of which {moves} moved a"
                " record; SSE fell from {before} to {after}."
            )
        else:
            sentence = tr(
                "The first scan moved no record, so MIL ends. Judgements: {count}. SSE stays {after}."
            )
        if len(self.sizes) == 1:
            sentence = tr("There is only one group, so no record can move. SSE stays {after}.")
        before, after = self.number.squared(first), self.number.squared(self.sse)
        said = sentence.format(k=self.run.k, moves=moves, count=len(judged), before=before, after=after)
        return Step(said, 3, self.groups, picture(self.run.table, self.groups))


def _weighed(line: _Line, record: int, group: int, more: int) -> float:
    size, members = int(line.sizes[group]), line.members(group)
    mean = float(line.number.values[members].mean())
    return size / (size + more) * float(line.number.values[record] - mean) ** 2


def _sizes(sizes: np.ndarray) -> str:
    if len(sizes) <= 12:
        return ", ".join(map(str, sizes.tolist()))
    return tr("from {least} to {most}").format(least=sizes.min(), most=sizes.max())


def _stayed(judged: list[tuple[_Line, dict[str, Any]]]) -> Iterator[Step]:
    """Yield one step for several judgements that move nothing."""
    if len(judged) <= 1:
        yield from (line.judged(what, line) for line, what in judged)
        return
    line = judged[0][0]
    given = [line.x(what) for line, what in judged if what["step"] == 0]
    taken = [line.x(what) for line, what in judged if what["step"] == 1]
    sentence = tr("{count} judgements, starting with groups {first} and {second}, move no record.").format(
        count=len(judged), first=judged[0][1]["pair"] + 1, second=judged[0][1]["pair"] + 2
    )
    if given:
        sentence += " " + tr("Equation 7: no X is below 0, the smallest is {x}.").format(
            x=line.number.squared(min(given))
        )
    if taken:
        sentence += " " + tr("Equation 8: no X is above 0, the largest is {x}.").format(
            x=line.number.squared(max(taken))
        )
    marks = [Mark(tr("judged"), np.unique([line.at(what)[0] for line, what in judged]))]
    yield Step(sentence, 3, line.groups, picture(line.run.table, line.groups, marks))
