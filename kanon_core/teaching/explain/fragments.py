"""Narration of Fragments: the cuts from the top, the inner algorithm in one fragment, the others in short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.fragments.fragments import Fragments, wholes_of
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.teaching.explain.concealment.matchings import DRAW_LINE, Within, true_one
from kanon_core.teaching.explain.narration import Logged, Narration, Step, labels_of, start_steps
from kanon_core.teaching.explain.partitioning.mondrian import describe, split_picture
from kanon_core.teaching.explain.pictures import picture, together
from kanon_core.teaching.explain.wording import named, thinned

_IN_FULL = 60
"""The most steps for the first fragment."""
_IN_SHORT = 30
"""The most steps for the other fragments."""


class FragmentsSteps(Narration):
    """A step for each cut; for groups, the first fragment in full and the others in short; then all
    together."""

    algorithm: ClassVar[type[Fragments]] = Fragments
    events: ClassVar[frozenset[str]] = frozenset({"divide", "fragment", "group", "matching"})
    said: ClassVar[tuple[str, ...]] = (
        later(
            "Cut the table in two at the median of its widest column, and repeat for each part that has"
            " more records than a fragment may have."
        ),
        later(
            "Run the inner algorithm on every fragment, with the ranges, labels and means of the whole table."
        ),
        later("The results of all fragments together are the result."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, Fragments)
        told = _Wording(run, run.algorithm, run.of("fragment"))
        if len(told.fragments) == 1:
            yield told.one()
            yield from start_steps(run.part(run.algorithm.inner, told.fragments[0]["events"]))
        elif run.of("matching"):
            lines = (*self.lines(), tr(DRAW_LINE))
            for step in (*told.divided(), *told.concealed(len(lines) - 1)):
                yield replace(step, lines=lines)
        else:
            yield from told.divided()
            yield from told.grouped()


@dataclass(frozen=True)
class _Wording:
    """The wording of a run; ``fragments``: the log of each."""

    run: Logged
    algorithm: Fragments
    fragments: list[dict[str, Any]]

    def one(self) -> Step:
        """Return the step of a table that stays whole."""
        n = len(self.run.table)
        said = tr("All {count} records are one fragment; {title} runs on it.")
        if n > self.algorithm.rows:
            said = tr(
                "The {count} records are more than {rows}, but no cut leaves {k} on both sides: they are"
                " one fragment, and {title} runs on it."
            )
        names = {"count": n, "rows": self.algorithm.rows, "k": self.run.k}
        sentence = said.format(title=self.algorithm.inner.title, **names)
        groups = np.zeros(n, np.int64)
        return Step(sentence, 0, self._cover(groups), picture(self.run.table, groups))

    def divided(self) -> Iterator[Step]:
        """Yield the cuts, from the top."""
        run, groups = self.run, np.zeros(len(self.run.table), np.int64)
        for cut in run.of("divide"):
            part = np.concatenate([cut["left"], cut["right"]])
            groups[cut["right"]] = groups.max() + 1
            sentence = tr(
                "{size} records are more than {rows}. “{column}” is the widest column that can be cut:"
                " {sides}."
            ).format(
                size=len(part),
                rows=self.algorithm.rows,
                column=cut["column"],
                sides=describe(run.table, cut["column"], cut["left"], cut["right"]),
            )
            scene = split_picture(run.table, groups.copy(), part, cut)
            yield Step(sentence, 0, self._cover(groups), scene)

    def grouped(self) -> Iterator[Step]:
        """Yield the steps of the first fragment in full, of the others in short, and of all together."""
        run, made = self.run, [what["members"] for what in self.run.of("group")]
        groups, reached = self._fragments(), labels_of(run, made)
        yield from thinned(self._in_full(groups.copy()), _IN_FULL)
        first = len(self.fragments)
        groups[self.fragments[0]["members"]] = _after(reached[self.fragments[0]["members"]], first)
        for some in together(first - 1, _IN_SHORT):
            members = np.concatenate([self.fragments[i + 1]["members"] for i in some])
            groups[members] = _after(reached[members], first)
            yield self._in_short(groups.copy(), members, len(some))
        sizes = [len(members) for members in made]
        names = {"fragments": first, "count": len(made), "least": min(sizes), "most": max(sizes)}
        said = tr("All {fragments} fragments together: {count} groups of {least} to {most} records.")
        sentence = said.format(**names)
        yield Step(sentence, 2, reached, picture(run.table, reached))

    def concealed(self, line: int) -> Iterator[Step]:
        """Yield the steps of the matchings of each fragment, of all together, and of the draw, with the last
        line."""
        run, n = self.run, len(self.run.table)
        matchings = [what["targets"] for what in run.of("matching")]
        within = Within(run, np.arange(n), np.zeros((n, n)))
        groups = self._fragments()
        for some in together(len(self.fragments), _IN_SHORT):
            members = np.concatenate([self.fragments[i]["members"] for i in some])
            said = tr("{title} finds {k} matchings among {records}; no edge leaves a fragment.")
            sentence = said.format(
                title=self.algorithm.inner.title, k=len(matchings), records=named(run, members)
            )
            yield Step(sentence, 1, self._cover(groups), picture(run.table, groups, focus=members))
        sentence = tr("All fragments together: {k} matchings of all {n} records.")
        found = within.cover(matchings)
        yield Step(sentence.format(k=len(matchings), n=n), 2, found, within.scene(matchings))
        yield from true_one(within, line, len(self.fragments))

    def _in_full(self, groups: np.ndarray) -> Iterator[Step]:
        run, fragment = self.run, self.fragments[0]
        members, inner = fragment["members"], self.algorithm.inner
        names = {"count": len(self.fragments), "size": len(members), "records": named(run, members)}
        said = tr("Fragment 1 of {count} has {size} records: {records}. {title} runs on it.")
        scene = picture(run.table, groups, focus=members)
        yield Step(said.format(**names, title=inner.title), 1, groups.copy(), scene)
        part = replace(run, table=run.table.part(members, wholes_of(run.table)), records=run.records[members])
        for step in start_steps(part.part(inner, fragment["events"])):
            groups[members] = _after(step.cover, len(self.fragments))
            yield replace(step, cover=groups.copy())

    def _in_short(self, groups: np.ndarray, members: np.ndarray, count: int) -> Step:
        found = groups[members]
        sentence = tr_n(
            "Another fragment, in the same way", "{count:,} more fragments, in the same way", count
        ).format(count=count)
        sentence += ": " + tr("{size} records in {groups}.").format(
            size=len(members),
            groups=counted(len(np.unique(found[found >= 0])), "group"),
        )
        return Step(sentence, 1, groups, picture(self.run.table, groups, focus=members))

    def _fragments(self) -> np.ndarray:
        return labels_of(self.run, (what["members"] for what in self.fragments))

    def _cover(self, groups: np.ndarray) -> np.ndarray:
        """Return the parts; under k-concealment the identity, the only matching so far."""
        overlap = not self.algorithm.guarantee(self.run.k).disjoint
        return np.arange(len(groups))[None] if overlap else groups.copy()


def _after(labels: np.ndarray, first: int) -> np.ndarray:
    """Return the same groups, numbered from ``first`` on; −1 stays."""
    return np.where(labels < 0, -1, labels + first)
