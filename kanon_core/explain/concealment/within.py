"""The records among which a method of k-concealment finds its matchings: all of a table, or one cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.concealment.matchings import distances_of
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.bipartite import Bipartite, Edges
from kanon_core.explain.run import Logged

PAIRS_AT_MOST = 6
"""Of more edges, a sentence tells the sum and the longest."""
_EDGES_FOR_ALL = 120
_NAMED = 3
_NOBODY = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Within:
    """``members`` int64 (m): the records of ``run.table`` among which it works, which numbers places in them;
    ``distances`` float64 (m, m): between them."""

    run: Logged
    members: np.ndarray
    distances: np.ndarray

    @classmethod
    def whole(cls, run: Logged, distance: str) -> Within:
        """All records, by this distance of the algorithm's options."""
        return cls(run, np.arange(len(run.table)), distances_of(run.table, distance))

    def cluster(self, members: np.ndarray) -> Within:
        """Some of the records."""
        return Within(self.run, members, self.distances[np.ix_(members, members)])

    def __len__(self) -> int:
        return len(self.members)

    def number(self, place: int) -> str:
        """What the record or row at a place is called."""
        return self.run.number(int(self.members[place]))

    def cost(self, targets: np.ndarray) -> float:
        """The sum of the distances along a matching, whose −1 lead nowhere."""
        drawn = np.flatnonzero(targets >= 0)
        return float(self.distances[drawn, targets[drawn]].sum())

    def pairs(self, places: np.ndarray, targets: np.ndarray) -> str:
        """``3 → 7 (0.5), 4 → 1 (0.25)``: these edges and their lengths; of more than six, how many, their sum
        and the longest."""
        lengths = self.distances[places, targets]
        if len(places) <= PAIRS_AT_MOST:
            texts = zip(places.tolist(), targets.tolist(), lengths.tolist(), strict=True)
            return ", ".join(f"{self.number(a)} → {self.number(b)} ({number_text(c)})" for a, b, c in texts)
        far = int(lengths.argmax())
        return tr("{count} edges of together {sum}, the longest {a} → {b} ({length})").format(
            count=len(places),
            sum=number_text(float(lengths.sum())),
            a=self.number(int(places[far])),
            b=self.number(int(targets[far])),
            length=number_text(float(lengths[far])),
        )

    def cover(self, found: Sequence[np.ndarray]) -> np.ndarray:
        """The matchings complete so far: those found, or, inside a cluster, the identity of all records."""
        n = len(self.run.table)
        return np.array(found, np.int64) if len(self) == n and len(found) else np.arange(n)[None]

    def scene(
        self,
        found: Sequence[np.ndarray],
        edges: Sequence[Edges] = (),
        marked: np.ndarray = _NOBODY,
        rows: np.ndarray = _NOBODY,
        published: np.ndarray | None = None,
    ) -> Bipartite:
        """The graph of the matchings ``found``, and of further edges between places, beside which those are
        faint; ``published``: the matchings that the rows are true of, if they are others."""
        there = np.arange(len(self))
        names = [named(i) for i in range(len(found))]
        if edges and len(found) > _NAMED:
            names = [tr("matchings before"), *[""] * (len(found) - 1)]
        told = enumerate(zip(names, found, strict=True))
        before = [Edges(name, np.column_stack([there, one]), i, bool(edges)) for i, (name, one) in told]
        placed = tuple(one._replace(pairs=self.members[one.pairs]) for one in (*before, *edges))
        marks = self.members[marked], self.members[rows]
        cover = self.cover(found) if published is None and len(self) == len(self.run.table) else published
        return Bipartite(self.run.table, self.run.records, self.members, cover, placed, *marks)

    @property
    def at_once(self) -> int:
        """How many edges one step tells, so that all matchings together are about 120 steps."""
        steps = max(1, _EDGES_FOR_ALL // max(self.run.k - 1, 1))
        return -(-len(self) // steps)


def named(number: int) -> str:
    """``identity`` or ``matching 2``; ``number`` from 0."""
    return tr("matching {number}").format(number=number + 1) if number else tr("identity")
