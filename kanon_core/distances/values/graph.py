"""Distances that somebody gives: along the edges of a weighted graph, or cell by cell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.distances.base import Source, ValueDistance, named
from kanon_core.distances.values.given import Cells, Edges

NODES_AT_MOST = 2_000
"""More nodes a graph may not have: the shortest ways between all of them are kept."""
CELLS_AT_MOST = 500
"""More rows a given matrix may not have."""


@dataclass(frozen=True)
class _GivenDistance(ValueDistance):
    """Base of the distances that are given as data: names, and a matrix between them."""

    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")
    what: ClassVar[str]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        raise NotImplementedError  # pragma: no cover - both override it

    @cached_property
    def _cells(self) -> np.ndarray:
        raise NotImplementedError  # pragma: no cover - both override it

    def unsuitable(self, column: Source) -> list[str]:
        """Values of the column that nothing is said about do not suit."""
        reasons = super().unsuitable(column)
        if reasons:
            return reasons
        absent = [value for value in self.values(column)[1] if value not in self._numbers]
        if not absent:
            return []
        return [
            f"The {self.what} of column “{column.attribute.name}” lacks {len(absent)} of its values: "
            f"{named(column, absent)}; add them."
        ]

    def bound(self, column: Source) -> float:
        """The largest of the given distances between values of the column."""
        known = [self._numbers[v] for v in self.values(column)[1] if v in self._numbers]
        return float(self._cells[np.ix_(known, known)].max(initial=0.0))

    def between(self, values: Any, others: Any) -> np.ndarray:
        """Looked up."""
        one, other = ([self._numbers[value] for value in many] for many in (values, others))
        return self._cells[np.ix_(one, other)]


@dataclass(frozen=True)
class Graph(_GivenDistance):
    """The length of the shortest way between two nodes of a graph whose edges have lengths.

    ``edges`` are triples (node, node, length), in either direction; a length left out is 1. Takes categories
    and texts, whose values must be nodes; a metric; bound: the largest of these lengths. Cost O(nodes · edges
    · log nodes) once.

    When to use: where values have neighbors: stations, regions, grades.

    Raises OptionError when a pair has two lengths, an edge leads from a node to itself, the graph is not
    connected, or has more than 2,000 nodes.

    Reference: [003] §3.2.1, figures 3.3 and 3.4; E. W. Dijkstra, Numerische Mathematik 1, 1959.
    """

    title: ClassVar[str] = "Graph"
    sentence: ClassVar[str] = "The length of the shortest way between two values along edges that you give."
    formula: ClassVar[str] = r"d(a,b)=\min_{a=v_0,\dots,v_m=b}\ \sum_i\ell(v_{i-1},v_i)"
    what: ClassVar[str] = "graph"

    edges: Annotated[
        tuple[tuple[str, str, float], ...],
        Edges(help="two neighbors and the length of their edge, one edge a line: Tokyo, Osaka, 2"),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths: dict[frozenset[str], float] = {}
        for one, other, length in self.edges:
            if one == other:
                raise OptionError(f"An edge of the graph leads from “{one}” to itself; leave it out.")
            if lengths.setdefault(frozenset((one, other)), length) != length:
                raise OptionError(
                    f"The graph is not symmetric: the edge between “{one}” and “{other}” has two lengths;"
                    " give one."
                )
        if len(self._numbers) > NODES_AT_MOST:
            raise OptionError(
                f"A graph may have at most {NODES_AT_MOST:,} nodes, and this one has {len(self._numbers):,}."
            )
        self._check_connected()

    def _check_connected(self) -> None:
        from scipy.sparse.csgraph import connected_components

        if self.edges:
            labels = connected_components(self._graph, directed=False)[1]
            apart = np.flatnonzero(labels != labels[0])
            if len(apart):
                names = list(self._numbers)
                raise OptionError(
                    f"The graph is not connected: no way leads from “{names[0]}” to “{names[apart[0]]}”; add"
                    " an edge."
                )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(dict.fromkeys(n for edge in self.edges for n in edge[:2]))}

    @property
    def _graph(self) -> Any:
        from scipy.sparse import csr_array

        edges = {tuple(sorted((self._numbers[a], self._numbers[b]))): length for a, b, length in self.edges}
        ends = np.array(list(edges), np.int64).reshape(-1, 2)
        count = len(self._numbers)
        return csr_array((list(edges.values()), (ends[:, 0], ends[:, 1])), shape=(count, count))

    @cached_property
    def _cells(self) -> np.ndarray:
        from scipy.sparse.csgraph import dijkstra

        if not self.edges:
            return np.zeros((0, 0))
        lengths = dijkstra(self._graph, directed=False)
        return np.minimum(
            lengths, lengths.T
        )  # the two directions may add up the same edges to different last digits


@dataclass(frozen=True)
class GivenMatrix(_GivenDistance):
    """Distances given cell by cell: ``cells`` are rows of a name and its distances to all names in the same
    order.

    They are taken as they are: detours may be shorter. Takes categories and texts, whose values must be among
    the names. A metric if no detour is shorter, otherwise a semimetric; bound: the largest cell. Cost O(V²).

    When to use: where somebody has judged how alike values are.

    Raises OptionError, naming the first pair, when the matrix is not square or symmetric, lacks a value, has
    one below 0, 0 between different names or another number than 0 on the diagonal; or more than 500 rows.

    Reference: [003] §3.1.3, example 3.1.3.
    """

    title: ClassVar[str] = "Given matrix"
    sentence: ClassVar[str] = "The distance between two values that stands in a matrix that you give."
    formula: ClassVar[str] = r"d(a,b)=D_{ab}"
    what: ClassVar[str] = "matrix"

    cells: Annotated[
        tuple[tuple[Any, ...], ...],
        Cells(help="a name and its distances to all names in the same order, one row a line: a, 0, 1, 3"),
    ] = ()

    @property
    def axioms(self) -> str:
        """A metric unless a detour is shorter."""
        from scipy.sparse.csgraph import shortest_path

        shorter = len(self._cells) > 0 and (
            shortest_path(self._cells, directed=False) < self._cells * (1 - 1e-12)
        )
        return "semimetric" if np.any(shorter) else "metric"

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [row[0] for row in self.cells]
        if len(names) > CELLS_AT_MOST:
            raise OptionError(
                f"A matrix may have at most {CELLS_AT_MOST} rows, and this one has {len(names)}."
            )
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            raise OptionError(f"The matrix has more than one row for “{repeated[0]}”; give each name once.")
        for row in self.cells:
            if len(row) != len(names) + 1:
                raise OptionError(
                    f"The matrix has {len(names)} rows, and the row of “{row[0]}” has {len(row) - 1}"
                    " distances; give every row a distance to each name."
                )
        self._check_cells(names)

    def _check_cells(self, names: list[str]) -> None:
        cells, different = self._cells, ~np.eye(len(names), dtype=bool)
        wrong = (
            (~np.isfinite(cells), "lacks a value between “{}” and “{}”; give one"),
            (~different & (cells != 0), "has a distance that is not 0 between “{}” and “{}”; make it 0"),
            (
                different & (cells <= 0),
                "has a distance that is not above 0 between “{}” and “{}”; make it positive",
            ),
            (
                cells != cells.T,
                "is not symmetric: from “{0}” to “{1}” is not as far as from “{1}” to “{0}”; make them equal",
            ),
        )
        for where, sentence in wrong:
            if where.any():
                one, other = np.argwhere(where)[0]
                raise OptionError(f"The matrix {sentence.format(names[one], names[other])}.")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {row[0]: number for number, row in enumerate(self.cells)}

    @cached_property
    def _cells(self) -> np.ndarray:
        return np.array([row[1:] for row in self.cells], np.float64).reshape(len(self.cells), len(self.cells))
