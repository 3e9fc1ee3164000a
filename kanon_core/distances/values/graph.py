"""Distances that are given as data: along the edges of a weighted graph, or cell by cell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, later, tr
from kanon_core.distances.base import Source, ValueDistance, lacking
from kanon_core.distances.values.data_options import Cells, Edges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NODES_AT_MOST = 2_000
"""The most nodes of a graph, since the shortest paths between all of them are kept."""
CELLS_AT_MOST = 500
"""The most rows of a given matrix."""


@dataclass(frozen=True)
class _GivenDistance(ValueDistance):
    """Base of the distances that are given as data: names, and a matrix between them."""

    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")
    lacks: ClassVar[str]

    @property
    def names(self) -> list[str]:
        """The names that have distances, in order."""
        raise NotImplementedError  # pragma: no cover - both override it

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _cells(self) -> np.ndarray:
        raise NotImplementedError  # pragma: no cover - both override it

    def unsuitable(self, column: Source) -> list[str]:
        """Return why the column does not suit: some of its values are not among the given names."""
        if reasons := super().unsuitable(column):
            return reasons
        return lacking(column, tr(self.lacks), self.values(column)[1], self._numbers)

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
    """The length of the shortest path between two nodes of a graph whose edges have lengths.

    ``edges`` are triples (node, node, length), in either direction; a length left out is 1. Takes categories
    and texts, whose values must be nodes; a metric; bound: the largest of these lengths. Cost O(nodes · edges
    · log nodes) once. When to use: where values have neighbors: stations, regions, grades.

    Raises OptionError when a pair has two lengths, an edge leads from a node to itself, the graph is not
    connected, or has more than 2,000 nodes.

    >>> line = Graph((("Tokyo", "Nagoya", 2), ("Nagoya", "Osaka", 1)))
    >>> line.between(["Tokyo"], ["Osaka", "Tokyo"]).tolist()
    [[3.0, 0.0]]

    Reference: ILD paper, §3.2.1, figures 3.3 and 3.4; E. W. Dijkstra, Numerische Mathematik 1, 1959.
    """

    title: ClassVar[str] = "Graph"
    sentence: ClassVar[str] = "The length of the shortest path between two values along edges that you give."
    formula: ClassVar[str] = r"d(a,b)=\min_{a=v_0,\dots,v_m=b}\ \sum_i\ell(v_{i-1},v_i)"
    lacks: ClassVar[str] = later(
        "The graph of column “{name}” lacks {missing:,} of its values ({values}); add them."
    )

    edges: Annotated[
        tuple[tuple[str, str, float], ...],
        Edges(help="two neighbors and the length of their edge, one edge per line: Tokyo, Osaka, 2"),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths: dict[frozenset[str], float] = {}
        for one, other, length in self.edges:
            if one == other:
                raise OptionError(
                    tr("An edge of the graph leads from “{one}” to itself; remove it.").format(one=one)
                )
            if lengths.setdefault(frozenset((one, other)), length) != length:
                raise OptionError(
                    tr(
                        "The graph is not symmetric: the edge between “{one}” and “{other}” has two lengths;"
                        " give one."
                    ).format(one=one, other=other)
                )
        count = len(self.names)
        if count > NODES_AT_MOST:
            raise OptionError(
                tr("A graph can have at most {limit:,} nodes, but this one has {count:,}.").format(
                    limit=NODES_AT_MOST, count=count
                )
            )
        self._check_connected()

    def _check_connected(self) -> None:
        from scipy.sparse.csgraph import connected_components

        labels = connected_components(self._graph, directed=False)[1] if self.edges else np.zeros(0)
        apart = np.flatnonzero(labels != labels[:1])
        if len(apart):
            raise OptionError(
                tr(
                    "The graph is not connected: no path leads from “{name}” to “{other}”; add an edge."
                ).format(name=self.names[0], other=self.names[apart[0]])
            )

    @property
    def names(self) -> list[str]:
        """The nodes, in the order in which the edges name them."""
        return list(dict.fromkeys(node for edge in self.edges for node in edge[:2]))

    @property
    def _graph(self) -> csr_array:
        from scipy.sparse import csr_array

        edges = {tuple(sorted((self._numbers[a], self._numbers[b]))): length for a, b, length in self.edges}
        ends = np.array(list(edges), np.int64).reshape(-1, 2)
        count = len(self._numbers)
        return csr_array((list(edges.values()), (ends[:, 0], ends[:, 1])), shape=(count, count))

    @cached_property
    def _cells(self) -> np.ndarray:
        from scipy.sparse.csgraph import dijkstra

        lengths = dijkstra(self._graph, directed=False) if self.edges else np.zeros((0, 0))
        return np.asarray(np.minimum(lengths, lengths.T))  # both ways, added up to different last digits


@dataclass(frozen=True)
class GivenMatrix(_GivenDistance):
    """Distances given cell by cell: ``cells`` are rows of a name and its distances to all names in the same
    order.

    Takes categories and texts, whose values must be among the names. A metric if the triangle inequality
    holds, otherwise a semimetric; bound: the largest cell. Cost O(V²). When to use: where experts have rated
    the similarity of values.

    Raises OptionError, naming the first pair, when the matrix is not square or symmetric, lacks a value, has
    one below 0, 0 between different names or another number than 0 on the diagonal; or more than 500 rows.

    Reference: ILD paper, §3.1.3, example 3.1.3.
    """

    title: ClassVar[str] = "Given matrix"
    sentence: ClassVar[str] = "The distance between two values in a matrix that you give."
    formula: ClassVar[str] = r"d(a,b)=D_{ab}"
    lacks: ClassVar[str] = later(
        "The matrix of column “{name}” lacks {missing:,} of its values ({values}); add them."
    )

    cells: Annotated[
        tuple[tuple[Any, ...], ...],
        Cells(help="a name and its distances to all names in the same order, one row per line: a, 0, 1, 3"),
    ] = ()

    @property
    def axioms(self) -> str:
        """A metric if the triangle inequality holds."""
        from scipy.sparse.csgraph import shortest_path

        if not self.cells:
            return "metric"
        shorter = shortest_path(self._cells, directed=False) < self._cells * (1 - 1e-12)
        return "semimetric" if np.any(shorter) else "metric"

    def __post_init__(self) -> None:
        super().__post_init__()
        count = len(self.cells)
        if count > CELLS_AT_MOST:
            raise OptionError(
                tr("A matrix can have at most {limit:,} rows, but this one has {count:,}.").format(
                    limit=CELLS_AT_MOST, count=count
                )
            )
        repeated = [name for name, times in Counter(self.names).items() if times > 1]
        if repeated:
            raise OptionError(
                tr("The matrix has more than one row for “{name}”; give each name once.").format(
                    name=repeated[0]
                )
            )
        for row in self.cells:
            if len(row) != count + 1:
                raise OptionError(
                    tr(
                        "The matrix has {count}, but the row of “{name}” has {distances:,} distances; give"
                        " every row a distance to each name."
                    ).format(count=counted(count, "row"), name=row[0], distances=len(row) - 1)
                )
        self._check_cells()

    def _check_cells(self) -> None:
        cells, same = self._cells, np.eye(len(self.cells), dtype=bool)
        wrong = (
            (
                tr("The matrix lacks a value between “{one}” and “{other}”; give one."),
                ~np.isfinite(cells),
            ),
            (
                tr("The matrix has a distance other than 0 from “{one}” to itself; make it 0."),
                same & (cells != 0),
            ),
            (
                tr("The matrix has a distance of 0 or less between “{one}” and “{other}”; make it positive."),
                ~same & (cells <= 0),
            ),
            (
                tr("The matrix is not symmetric between “{one}” and “{other}”; make both distances equal."),
                cells != cells.T,
            ),
        )
        for sentence, where in wrong:
            for one, other in np.argwhere(where)[:1]:
                raise OptionError(sentence.format(one=self.names[one], other=self.names[other]))

    @property
    def names(self) -> list[str]:
        """The names of the rows."""
        return [row[0] for row in self.cells]

    @cached_property
    def _cells(self) -> np.ndarray:
        return np.array([row[1:] for row in self.cells], np.float64).reshape(len(self.cells), len(self.cells))
