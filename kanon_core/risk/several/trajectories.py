"""The trajectory attack: all records are followed through several releases at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.words import tr
from kanon_core.risk.several.intersection import EVERYBODY, Found, Intersection
from kanon_core.risk.several.matched import in_some_matching
from kanon_core.risk.several.sides import Published, Several, Side
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_PAIRS = 4_000_000
"""The most pairs of a record and a group of rows that it fits, in one release, that are followed."""
PROBED = 60
"""The most records of a table for which each remaining value is assumed in turn, to test whether it is
possible."""


def trajectories(
    table: Table, releases: Sequence[Published], k: int | None = None, progress: Tick | None = None
) -> Intersection:
    """Return what several releases together reveal to an attacker who knows everybody's quasi-identifiers.

    A trajectory of a record is a row of each release that it fits, all with the same unchanged cells. Each
    row belongs to one record, so a row remains possible for a record if some assignment of all records
    contains it. Release by release, pairs of a record and a row that are in no perfect matching are excluded;
    then the pairs excluded by one release are excluded in the others, until nothing changes. In small tables
    (`PROBED`) each value of each record is also assumed in turn, and left out if the assumption leaves
    nothing possible. So no true pair is ever excluded; the remaining pairs need not all be possible at once,
    which is hard to decide. If a release has fewer rows than the table has records, any record may be missing
    in it.

    As `kanon_core.risk.several.intersection.intersect`, for all records of the table. Raises OptionError for
    fewer than two releases, InputError for a file that cannot be read, UnsuitableError for histories, where
    some release has rows that nobody fits, and for more than 4 million pairs. Cost: a maximum flow over the
    pairs for each release and round.

    The program anonypyx (0.2) has such an attacker, who tries all assignments by exact cover. What is left by
    each release alone are the matches of T. Tassa, A. Mazza, A. Gionis, k-Concealment, Transactions on Data
    Privacy 5(1), 2012.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,ill\\n20,flu\\n21,hiv\\n22,hiv\\n23,ok\\n")
    >>> table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    >>> files = b"age,ill\\n20-21,flu\\n20-21,hiv\\n22-23,hiv\\n22-23,ok\\n", (
    ...     b"age,ill\\n20-22,flu\\n20-22,hiv\\n20-22,hiv\\n23,ok\\n")
    >>> kc.trajectories(table, files, k=2).left.tolist()
    [2, 2, 1, 1]
    """
    tick, seen = progress or silent, Several.of(table, releases)
    graphs = [_Graph.of(table, side, part) for part, side in stages(tick, seen.sides, 0.0, 0.3)]
    found, fitting = Found(table, seen), [graph.counts() for graph in graphs]
    if not _settled(graphs, stage(tick, 0.3, 0.6)):
        raise UnsuitableError(
            tr(
                "The trajectory attack was not tried: a release has rows that fit no record of the table,"
                " or changed cells."
            )
        )
    if len(table) <= PROBED:
        _probe(graphs, stage(tick, 0.6, 1.0))
    found.add(fitting, [graph.counts() for graph in graphs])
    return found.result(np.arange(len(table)), seen.wanted_k(k), EVERYBODY)


@dataclass(eq=False)
class _Graph:
    """Pairs of a record and a group of rows that it may have in one release: ``record`` and ``group``, both
    int64 (pairs). A group holds equal rows, with their ``code`` and ``size``, one entry for each group; the
    last group stands for the records that have no row, with code −1."""

    records: int
    width: int
    record: np.ndarray
    group: np.ndarray
    code: np.ndarray
    size: np.ndarray

    @classmethod
    def of(cls, table: Table, side: Side, tick: Tick) -> _Graph:
        """Return all pairs that fit."""
        from scipy.sparse import csr_array

        n, held = len(table), side.held.tocoo()
        class_of, code = held.coords
        groups = csr_array(
            (np.ones(len(code), np.int64), (class_of, np.arange(len(code)))), (len(side.first), len(code))
        )
        fit = side.fits(table, np.arange(n), tick).astype(np.int64)
        if int((fit @ np.diff(groups.indptr)).sum()) > MOST_PAIRS:
            says = tr(
                "The trajectory attack was not tried: it would compare more than {limit:,} pairs of a"
                " record and a row."
            )
            raise UnsuitableError(says.format(limit=MOST_PAIRS))
        pairs = (fit @ groups).tocoo()
        record, group = (np.asarray(part, np.int64) for part in pairs.coords)
        missing = n - len(side.shown)
        anybody = np.arange(n if missing else 0)
        return cls(
            n,
            side.width,
            np.concatenate([record, anybody]),
            np.concatenate([group, np.full(len(anybody), len(code))]),
            np.append(code, -1),
            np.append(held.data, missing),
        )

    @property
    def keys(self) -> np.ndarray:
        """int64 (pairs): a number for record and code of each pair; below 0 where it has no row."""
        code = self.code[self.group]
        return np.where(code >= 0, self.record * self.width + code, -1 - self.record)

    def keep(self, which: np.ndarray) -> None:
        """Leave out the other pairs."""
        self.record, self.group = self.record[which], self.group[which]

    def counts(self) -> csr_array:
        """int64 (records × codes): how many rows each record may have, by their unchanged cells."""
        from scipy.sparse import csr_array

        there = self.code[self.group] >= 0
        at = self.record[there], self.code[self.group[there]]
        return csr_array((self.size[self.group[there]], at), (self.records, self.width))


def _settled(graphs: Sequence[_Graph], tick: Tick) -> bool:
    """Leave out the pairs that are in no perfect matching of their release, or that have no counterpart with
    the same unchanged cells in another release. Return False if nothing possible is left."""
    before = -1
    while before != (before := sum(len(graph.record) for graph in graphs)):
        tick(None, tr("following records through the releases"))
        for graph in graphs:
            within = in_some_matching(graph.record, graph.group, graph.records, graph.size)
            if within is None:
                return False
            graph.keep(within)
        for graph in graphs:
            for other in graphs:
                if other is not graph:
                    graph.keep(_in_both(graph, other))
    return True


def _probe(graphs: Sequence[_Graph], tick: Tick) -> None:
    """Assume, one after another, that a record has some unchanged cells; leave them out if the assumption
    leaves nothing possible."""
    tried, keys = graphs[0], np.unique(graphs[0].keys)
    several = np.bincount(keys[keys >= 0] // tried.width, minlength=tried.records) > 1
    for number, key in enumerate(keys[keys >= 0]):
        record = key // tried.width
        if several[record]:
            tick(number / len(keys), tr("following records through the releases"))
            supposed = [replace(graph) for graph in graphs]
            supposed[0].keep((tried.record != record) | (tried.keys == key))
            if not _settled(supposed, silent):
                tried.keep(tried.keys != key)
                _settled(graphs, silent)


def _in_both(graph: _Graph, other: _Graph) -> np.ndarray:
    """Booleans (pairs): the record may have the same unchanged cells, or no row, in the other release."""
    keys = other.keys
    free = np.zeros(graph.records, bool)
    free[-1 - keys[keys < 0]] = True
    own = graph.keys
    return np.asarray((own < 0) | free[graph.record] | np.isin(own, keys[keys >= 0]))
