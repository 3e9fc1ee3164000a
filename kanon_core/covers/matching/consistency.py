"""Find the records that each published row may belong to: the consistent pairs, and the matches, those pairs
that can be true while every other record also has a row.

The consistency graph has an edge between original record j and published row i when every value of j is in
its cell of row i; an item set when it has all the items of its cell. An edge is a *match* when some perfect
matching uses it: only then can row i belong to j while every other row belongs to another record
(k-concealment paper, §2.3). From the counts follow, for every k [Gionis et al. 2008]:

    (1,k)-anonymity   every original is consistent with at least k rows
    (k,1)-anonymity   every row is consistent with at least k originals
    (k,k)-anonymity   both
    k-concealment     every original has at least k matches

Given one perfect matching, direct its edges from row to original and all edges from original to row: an edge
is a match if and only if both ends are in the same strongly connected component [Tassa 2012].

References: k-concealment paper; A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008; T.
Tassa, Finding all maximally-matchable edges in a bipartite graph, Theoretical Computer Science 423, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.row_codes import classes, fit_of, true_of_all
from kanon_core.table.columns.keys import distinct
from kanon_core.table.table import Table

EDGES_AT_ONCE = 2_000_000
"""The most edges between classes that are kept at once. Of more, every second, fourth, … is kept, and the
nodes that these connect are merged."""

EDGES_TO_MATCH = 20_000_000
"""The most edges between classes where a perfect matching must be found first."""

_PAIRS_PER_CALL = 5_000_000
_ROOM = 4_000_000


@dataclass(frozen=True, eq=False)
class Consistency:
    """Counts per record, int64 (n) each, and whether any perfect matching exists.

    ``rows``: published rows consistent with original j; ``originals``: originals consistent with row i;
    ``matches``: rows that are a match of original j; ``row_matches``: originals that are a match of row i. A
    suppressed record has no row: its ``originals`` and ``row_matches`` are 0. Without a perfect matching
    there is no match. ``record_parts`` and ``row_parts`` int32 (n): the strongly connected components; a row
    is a match of a record if it fits and both are of one component.
    """

    rows: np.ndarray
    originals: np.ndarray
    matches: np.ndarray
    row_matches: np.ndarray
    perfect: bool
    record_parts: np.ndarray
    row_parts: np.ndarray


def consistency(table: Table, published: Sequence[PublishedColumn], tick: Tick = silent) -> Consistency:
    """The counts for n rows, row i published with cell ``cell[i]`` of every column (−1 = suppressed, any
    value fits).

    Any release, ours or uploaded: the rows need not be in the order of the records. A mean, median or mode
    counts as its interval or set (`Cells.underlying`). Equal originals and equal rows are counted as one; all
    pairs of such classes are compared, cost O(u · v · attributes). Memory O(n · attributes +
    `EDGES_AT_ONCE`): beyond so many edges, the components of some of them are merged first, and the pairs
    compared once or twice more; no result changes.

    Raises KanonError when the rows are not in the order of the records and the edges more than
    `EDGES_TO_MATCH`, or when nothing is published.
    """
    if not published:
        raise KanonError(tr("No quasi-identifier is published, so there is nothing to compare."))
    graph = _Graph(table, published)
    u, v = len(graph.originals), len(graph.rows)
    shown = np.flatnonzero(published[0].cell >= 0)
    own = bool(true_of_all(table, published, shown, shown).all())
    pairs = np.unique(np.column_stack([graph.row_of + u, graph.original_of]), axis=0) if own else None
    components, edges, rows, originals = graph.components(pairs, stage(tick, 0, 0.6))
    matches, row_matches = np.zeros(u, np.int64), np.zeros(v, np.int64)
    if components is not None:
        matches, row_matches = graph.within(components, edges, rows, originals, stage(tick, 0.6, 1))
    return graph.counts(rows, originals, matches, row_matches, components)


def fitting(table: Table, published: Sequence[PublishedColumn], tick: Tick = silent) -> np.ndarray:
    """int64 (n): how many records fit each row, as `Consistency.originals`, which needs no matching; 0 for a
    suppressed row. Cost O(u · v · attributes), memory O(n · attributes)."""
    graph = _Graph(table, published)
    u, v = len(graph.originals), len(graph.rows)
    originals = np.zeros(v, np.int64)
    for _ in graph.edges(np.zeros(u + v, np.int32), True, np.zeros(u, np.int64), originals, tick):
        pass
    return np.asarray(np.where(graph.shown, originals, 0)[graph.row_of])


def presence(table: Table, published: Sequence[PublishedColumn], tick: Tick = silent) -> np.ndarray:
    """float64 (n): for each record, the probability that some row is its own: the sum of 1 / (records that
    fit the row) over the rows that fit the record, at most 1. Suppressed rows count for no record. Cost as
    that of `consistency`, whose pairs are compared twice where they are many.
    """
    graph = _Graph(table, published)
    u, v = len(graph.originals), len(graph.rows)
    originals, found, kept = np.zeros(v, np.int64), np.zeros(u), [np.zeros((0, 2), np.int32)]
    unused, every = np.zeros(u, np.int64), np.zeros(u + v, np.int32)
    count = 0
    for block in graph.edges(every, True, unused, originals, stage(tick, 0, 0.5)):
        count += len(block)
        kept = [*kept, block] if count <= EDGES_AT_ONCE else []
    weight = np.where(graph.shown, graph.rows, 0) / np.maximum(originals, 1)
    again = graph.edges(every, True, unused, np.zeros(v, np.int64), stage(tick, 0.5, 1))
    for block in kept if count <= EDGES_AT_ONCE else again:
        found += np.bincount(block[:, 0], weight[block[:, 1] - u], u)
    return np.asarray(np.minimum(found, 1.0)[graph.original_of])


class _Graph:
    """The consistency graph between classes of equal originals (nodes 0 … u − 1) and of equal rows (u … u + v
    − 1)."""

    def __init__(self, table: Table, published: Sequence[PublishedColumn]) -> None:
        keys = np.column_stack([np.append(p.cells.underlying.keys(), -1)[p.cell] for p in published])
        chosen, self.row_of, self.rows = classes(keys)
        self.shown = published[0].cell[chosen] >= 0
        fit = fit_of(table, published, chosen)
        first, self.original_of, self.originals = classes(fit.values.T)
        self.fit = fit._replace(values=np.ascontiguousarray(fit.values[:, first]))

    def edges(
        self, components: np.ndarray, same: bool, per_original: np.ndarray, per_row: np.ndarray, tick: Tick
    ) -> Iterator[np.ndarray]:
        """Blocks int32 (m, 2) of the edges within components, or of those between them; counts in passing
        what is published."""
        from kanon_core.covers.matching.fit_kernels import scan

        u, v = len(self.originals), len(self.rows)
        room = np.empty((max(v, min(u * v, _ROOM)), 2), np.int32)
        sizes = self.originals, np.where(self.shown, self.rows, 0)
        counted, start = (per_original, per_row), 0
        while start < u:
            start, found = scan(self.fit, components, same, *sizes, start, _PAIRS_PER_CALL, *counted, room)
            tick(start / u, tr("comparing records with rows"))
            yield room[:found].copy()

    def within(
        self,
        components: np.ndarray,
        edges: np.ndarray | None,
        rows: np.ndarray,
        originals: np.ndarray,
        tick: Tick,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The counts of edges within components, given those of all edges: from the edges, if they were kept,
        or else from all pairs within or all pairs between components, whichever are fewer.
        """
        u, v = len(self.originals), len(self.rows)
        matches, row_matches = np.zeros(u, np.int64), np.zeros(v, np.int64)
        if edges is not None:
            inside = edges[components[edges[:, 0]] == components[edges[:, 1]]] - np.array([0, u])
            np.add.at(matches, inside[:, 0], np.where(self.shown, self.rows, 0)[inside[:, 1]])
            np.add.at(row_matches, inside[:, 1], self.originals[inside[:, 0]])
            return matches, row_matches
        size = int(components.max()) + 1
        pairs = np.bincount(components[:u], minlength=size) * np.bincount(components[u:], minlength=size)
        same = bool(2 * pairs.sum() < u * v)
        for _ in self.edges(components, same, matches, row_matches, tick):
            pass
        return (matches, row_matches) if same else (rows - matches, originals - row_matches)

    def components(
        self, pairs: np.ndarray | None, tick: Tick
    ) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray, np.ndarray]:
        """The strongly connected component of every node, int32 (u + v), None when there is no perfect
        matching; the edges int32 (m, 2), None when there were too many to keep; of each original class the
        number of rows, and of each row class the number of originals, that are consistent.

        ``pairs`` int64 (m, 2): edges row class → original class of a perfect matching; None when it must be
        found.
        """
        u, v = len(self.originals), len(self.rows)
        rows, originals = np.zeros(u, np.int64), np.zeros(v, np.int64)
        kept, count, stride = [np.zeros((0, 2), np.int32)], 0, 1
        for block in self.edges(np.zeros(u + v, np.int32), True, rows, originals, stage(tick, 0, 0.5)):
            kept.append(block[::stride])
            count += len(kept[-1])
            if pairs is None and count > EDGES_TO_MATCH:
                raise KanonError(
                    tr(
                        "More than {limit:,} pairs of a record and a row are consistent, and the rows are not"
                        " in the order of the records; sort the rows in the order of the records, or use a"
                        " sample."
                    ).format(limit=EDGES_TO_MATCH)
                )
            if pairs is not None and count > EDGES_AT_ONCE:
                kept, stride = [np.concatenate(kept)[::2]], 2 * stride
                count = len(kept[0])
        edges = np.concatenate(kept)
        if pairs is None:
            pairs = self._perfect_matching(edges)
            if pairs is None:
                return None, edges, rows, originals
        tick(None, "components")
        known = np.concatenate([pairs, pairs[:, ::-1], edges])
        components = _merged(np.arange(u + v, dtype=np.int32), known)[0]
        if stride == 1:
            return components, edges, rows, originals
        return self._completed(components, stage(tick, 0.5, 1)), None, rows, originals

    def _completed(self, components: np.ndarray, tick: Tick) -> np.ndarray:
        """The components of all edges, given those of some edges: only edges that lead out of their component
        are looked at."""
        kept, count, most, found = [np.zeros((0, 2), np.int32)], 0, EDGES_AT_ONCE, components
        unused = np.zeros(len(self.originals), np.int64), np.zeros(len(self.rows), np.int64)
        for block in self.edges(components, False, *unused, tick):
            kept.append(found[block])
            count += len(block)
            if count > most:
                found, kept = _merged(found, np.concatenate(kept))
                count = len(kept[0])
                most = max(EDGES_AT_ONCE, 2 * count)
        return _merged(found, np.concatenate(kept))[0]

    def _perfect_matching(self, edges: np.ndarray) -> np.ndarray | None:
        """Edges row class → original class, int32 (m, 2), that carry a maximum flow; None when it leaves a
        record out."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow

        u, v = len(self.originals), len(self.rows)
        source, sink = u + v, u + v + 1
        tails = np.concatenate([np.full(u, source), edges[:, 0], np.arange(u, u + v)])
        heads = np.concatenate([np.arange(u), edges[:, 1], np.full(v, sink)])
        most = np.minimum(self.originals[edges[:, 0]], self.rows[edges[:, 1] - u])
        capacity = np.concatenate([self.originals, most, self.rows]).astype(np.int32)
        result = maximum_flow(csr_array((capacity, (tails, heads)), shape=(u + v + 2,) * 2), source, sink)
        if result.flow_value < self.originals.sum():
            return None
        flow = result.flow.tocoo()
        used = (flow.data > 0) & (flow.row < u) & (flow.col < source)
        return np.column_stack([flow.col[used], flow.row[used]]).astype(np.int32)

    def counts(
        self,
        rows: np.ndarray,
        originals: np.ndarray,
        matches: np.ndarray,
        row_matches: np.ndarray,
        components: np.ndarray | None,
    ) -> Consistency:
        """The counts of the classes as counts of the records."""
        shown = self.shown[self.row_of]
        u, v = len(self.originals), len(self.rows)
        parts = np.arange(u + v, dtype=np.int32) if components is None else components
        return Consistency(
            rows[self.original_of],
            np.where(shown, originals[self.row_of], 0),
            matches[self.original_of],
            np.where(shown, row_matches[self.row_of], 0),
            components is not None,
            parts[self.original_of],
            parts[u + self.row_of],
        )


def _merged(components: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The components of the nodes after these edges between components, and the edges that still lead
    elsewhere."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = int(components.max()) + 1
    graph = csr_array((np.ones(len(edges), np.int8), (edges[:, 0], edges[:, 1])), shape=(size, size))
    labels = connected_components(graph, directed=True, connection="strong")[1].astype(np.int32)
    edges = labels[edges]
    keys = distinct(edges[:, 0].astype(np.int64) * size + edges[:, 1])
    left = np.column_stack([keys // size, keys % size]).astype(np.int32)
    return labels[components], [left[left[:, 0] != left[:, 1]]]
