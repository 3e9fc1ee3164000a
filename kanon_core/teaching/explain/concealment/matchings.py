"""Common parts of the narrations of k-concealment: records and their matchings, the methods that find one
matching after another, and the draw of the true one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kanon_core.algorithms.concealment.matchings import MatchingMethod, distances_of
from kanon_core.base.words import counted, later, number_text, tr, tr_n
from kanon_core.charts.steps.bipartite import LOST, NEW, OFFERED, Bipartite, Edges
from kanon_core.teaching.explain.narration import Event, Logged, Narration, Step
from kanon_core.teaching.explain.wording import thinned

PAIRS_AT_MOST = 6
"""The most edges that a sentence lists; for more, it gives the sum and the longest."""
_EDGES_FOR_ALL = 120
_NAMES = 3
_NOBODY = np.zeros(0, np.int64)
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Within:
    """The records among which a method works: ``members`` int64 (m), records of ``run.table``, to which the
    numbers of the method refer; ``distances`` float64 (m, m): between them."""

    run: Logged
    members: np.ndarray
    distances: np.ndarray

    @classmethod
    def whole(cls, run: Logged, distance: str) -> Within:
        """Return all records, by this distance of the algorithm's options."""
        return cls(run, np.arange(len(run.table)), distances_of(run.table, distance))

    def cluster(self, members: np.ndarray) -> Within:
        """Return some of the records."""
        return Within(self.run, members, self.distances[np.ix_(members, members)])

    def __len__(self) -> int:
        return len(self.members)

    def number(self, place: int) -> str:
        """Return the number of the record or row at a place, as sentences name it."""
        return self.run.number(int(self.members[place]))

    def cost(self, targets: np.ndarray) -> float:
        """Return the sum of the distances along a matching; −1 is no row."""
        drawn = np.flatnonzero(targets >= 0)
        return float(self.distances[drawn, targets[drawn]].sum())

    def pairs(self, places: np.ndarray, targets: np.ndarray) -> str:
        """Return a text of these edges and their lengths, such as ``3 → 7 (0.5), 4 → 1 (0.25)``; for more
        than six, their number, sum and longest."""
        lengths = self.distances[places, targets]
        if len(places) <= PAIRS_AT_MOST:
            texts = zip(places.tolist(), targets.tolist(), lengths.tolist(), strict=True)
            return ", ".join(f"{self.number(a)} → {self.number(b)} ({number_text(c)})" for a, b, c in texts)
        far = int(lengths.argmax())
        return tr("{count} edges with a total of {sum}, the longest {a} → {b} ({length})").format(
            count=len(places),
            sum=number_text(float(lengths.sum())),
            a=self.number(int(places[far])),
            b=self.number(int(targets[far])),
            length=number_text(float(lengths[far])),
        )

    def cover(self, matchings: Sequence[np.ndarray]) -> np.ndarray:
        """Return the complete matchings: those found or, inside a cluster, the identity of all records."""
        n = len(self.run.table)
        return np.array(matchings, np.int64) if len(self) == n and len(matchings) else np.arange(n)[None]

    def scene(
        self,
        matchings: Sequence[np.ndarray],
        edges: Sequence[Edges] = (),
        marked: np.ndarray = _NOBODY,
        rows: np.ndarray = _NOBODY,
        published: np.ndarray | None = None,
    ) -> Bipartite:
        """Return the graph of these ``matchings``, faint if there are further ``edges`` between places;
        ``published``: the matchings of the published rows, if these differ."""
        there = np.arange(len(self))
        names = [matching_name(i) for i in range(len(matchings))]
        if edges and len(matchings) > _NAMES:
            names = [tr("earlier matchings"), *[""] * (len(matchings) - 1)]
        told = enumerate(zip(names, matchings, strict=True))
        before = [Edges(name, np.column_stack([there, one]), i, bool(edges)) for i, (name, one) in told]
        placed = tuple(one._replace(pairs=self.members[one.pairs]) for one in (*before, *edges))
        marks = self.members[marked], self.members[rows]
        cover = self.cover(matchings) if published is None and len(self) == len(self.run.table) else published
        return Bipartite(self.run.table, self.run.records, self.members, cover, placed, *marks)

    @property
    def at_once(self) -> int:
        """Return the number of edges in one step, so that all matchings together take about 120 steps."""
        steps = max(1, _EDGES_FOR_ALL // max(self.run.k - 1, 1))
        return -(-len(self) // steps)


def matching_name(number: int) -> str:
    """Return the name of a matching, ``identity`` or ``matching 2``; ``number`` from 0."""
    return tr("matching {number}").format(number=number + 1) if number else tr("identity")


DRAW_LINE = later("Draw with a secret seed which of its k rows holds a record's other columns.")
"""The line of the draw in each algorithm."""


def true_one(within: Within, number: int, fragments: int = 1) -> Iterator[Step]:
    """Yield the steps of the draw (`kanon_core.covers.draw`), with the line of this number; the draws of
    several fragments are one step. The cover stays as it is, because the draw does not change the published
    quasi-identifiers."""
    stages = within.run.draw
    cover = np.ascontiguousarray(stages[0].T)
    yield Step(_begun(within), number, cover, _scene(within, stages[0], None, OFFERED))
    for before, after in pairwise(stages):
        kind = NEW if after.shape[1] == 1 else OFFERED
        said = _parted(before, after) if fragments == 1 else _each(before, fragments)
        yield Step(said, number, cover, _scene(within, after, before, kind))
    yield Step(_drawn(within, stages[-1][:, 0]), number, cover, _scene(within, stages[-1], None, NEW))


def _begun(within: Within) -> str:
    return tr(
        "Together the matchings give every record {k} edges. An attacker who knows the quasi-identifiers"
        " and the program can compute all of them, so the true edge is now drawn with a secret seed."
    ).format(k=within.run.k)


def _parted(before: np.ndarray, after: np.ndarray) -> str:
    """Return a sentence on one part of the draw."""
    d, left = before.shape[1], after.shape[1]
    if d % 2 == 0:
        return tr(
            "The {d} edges of every record and of every row are split at random into two halves; one half"
            " is drawn with probability 1/2, so {left} of each are left."
        ).format(d=d, left=left)
    if left == 1:
        return tr(
            "{d} is odd, so a perfect matching is drawn from the edges. With probability 1/{d} it becomes"
            " the true one: here it does."
        ).format(d=d)
    return tr(
        "{d} is odd, so a perfect matching is drawn from the edges. With probability 1/{d} it becomes the"
        " true one: here it does not, so it is removed, and {left} edges of every record are left."
    ).format(d=d, left=left)


def _each(before: np.ndarray, fragments: int) -> str:
    """Return a sentence on the draws of several fragments."""
    return tr(
        "Each of the {fragments} fragments draws with its own seed: one of the {d} edges of every record"
        " and of every row is left."
    ).format(fragments=fragments, d=before.shape[1])


def _drawn(within: Within, rows: np.ndarray) -> str:
    """Return a sentence on the result, with the first records of the table."""
    run, own = within.run, int((rows == np.arange(len(rows))).sum())
    first = np.argsort(run.records)[: _SHOWN if len(rows) > PAIRS_AT_MOST else None].tolist()
    pairs = ", ".join(f"{run.number(record)} → {run.number(int(rows[record]))}" for record in first)
    pairs += " …" if len(first) < len(rows) else ""
    return tr_n(
        "The draw is complete: the other columns of a record are published with the row at its edge"
        " ({pairs}). {own} of {n} has its own row; every edge had the probability 1/{k} = {share}.",
        "The draw is complete: the other columns of a record are published with the row at its edge"
        " ({pairs}). {own} of {n} have their own row; every edge had the probability 1/{k} = {share}.",
        own,
    ).format(pairs=pairs, own=own, n=counted(len(rows), "record"), k=run.k, share=number_text(1 / run.k))


def _scene(within: Within, rows: np.ndarray, before: np.ndarray | None, kind: int) -> Bipartite:
    """Return the picture of the edges left, and of those removed."""
    name = tr("the true matching") if kind == NEW else tr("possible true edges")
    edges = [Edges(name, _pairs(rows), kind)]
    if before is not None:
        gone = ~(before[:, :, None] == rows[:, None, :]).any(axis=2)
        there = np.repeat(np.arange(len(rows)), before.shape[1])
        lost = np.column_stack([there, before.ravel()])[gone.ravel()]
        edges.insert(0, Edges(tr("removed"), lost, LOST, len(rows) > 30))
    return within.scene((), edges, published=within.run.draw[0].T)


def _pairs(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([np.repeat(np.arange(len(rows)), rows.shape[1]), rows.ravel()])


class MethodSteps(Narration):
    """Base of the narrations of `MatchingMethod`. Subclasses yield the steps before a matching (`before`) and
    make the step of a complete one (`complete`).

    ``first``, ``done``, ``mended``: the lines of the identity, of a complete matching and of a repair.
    """

    first, done, mended = 0, 3, 2

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, MatchingMethod)
        within = Within.whole(run, run.algorithm.distance)
        yield from thinned(self.matchings(within, run.events))
        yield from true_one(within, len(self.lines()) - 1)

    def matchings(self, within: Within, events: Sequence[Event]) -> Iterator[Step]:
        """Yield the steps of the matchings among some records, as these events log them."""
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
        self, within: Within, matchings: Sequence[np.ndarray], event: str, what: dict[str, Any]
    ) -> Iterator[Step]:
        """Yield the steps for an event of the method's own; the ``matchings`` are the complete ones."""
        raise NotImplementedError  # pragma: no cover - every method overrides it

    def complete(self, within: Within, matchings: Sequence[np.ndarray]) -> Step:
        """Return the step that completes a matching, the last found."""
        sentence = tr("Matching {number} is complete: its {n} edges cost {cost} together.").format(
            number=len(matchings), n=len(within), cost=number_text(within.cost(matchings[-1]))
        )
        return Step(sentence, self.done, within.cover(matchings), last_strong(within, matchings))

    def _identity(self, within: Within, matchings: Sequence[np.ndarray]) -> Step:
        sentence = tr(
            "Matching 1, the identity, leads each of the {n} records to its own row, the row made from it:"
            " distance 0."
        ).format(n=len(within))
        return Step(sentence, self.first, within.cover(matchings), within.scene(matchings))

    def _repaired(self, within: Within, matchings: Sequence[np.ndarray], what: dict[str, Any]) -> Step:
        given, targets, there = what["given"], what["targets"], np.arange(len(within))
        kept, drawn = given == targets, given >= 0
        sentence = tr(
            "An assignment completes matching {number}: it keeps {kept} of the {drawn} edges drawn, and the"
            " {new} others are the cheapest that fit: {pairs}."
        ).format(
            number=len(matchings) + 1,
            drawn=int(drawn.sum()),
            kept=int(kept.sum()),
            new=int((~kept).sum()),
            pairs=within.pairs(there[~kept], targets[~kept]),
        )
        gone = np.flatnonzero(drawn & ~kept)
        edges = [
            Edges(tr("removed"), np.column_stack([gone, given[gone]]), LOST),
            Edges(tr("kept"), np.column_stack([there, targets])[kept], len(matchings)),
            Edges(tr("new"), np.column_stack([there, targets])[~kept], NEW),
        ]
        return Step(sentence, self.mended, within.cover(matchings), within.scene(matchings, edges))


def last_strong(within: Within, matchings: Sequence[np.ndarray]) -> Bipartite:
    """Return the graph of all matchings found, the last of them strong."""
    last = np.column_stack([np.arange(len(within)), matchings[-1]])
    whole = len(within) == len(within.run.table)
    now = within.cover(matchings) if whole else None
    return within.scene(
        matchings[:-1], [Edges(tr("the new matching"), last, len(matchings) - 1)], published=now
    )
