"""The bipartite graph of records and published rows at a step: matchings as they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, between, legend, margin, note, scatter
from kanon_core.charts.concealment.bipartite import matching_style, originals, side_axis
from kanon_core.charts.concealment.heatmap import leaves
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.covers.cover import Concealment
from kanon_core.covers.recoding import recode
from kanon_core.distances.manhattan import distance_matrix, manhattan_points
from kanon_core.table.table import Table

NEW, LOST, OFFERED = -1, -2, -3
"""Kinds of edges that belong to no matching yet: made by this step, taken away by it, possible."""

_VALUES_AT_MOST = 14
_NUMBERS_AT_MOST = 30
_CROWD = 200
_LABEL, _LINE = 26, 15
_ANCHORS, _SIMILAR = ("left bottom", "right bottom"), "similar records side by side"
_NOBODY = np.zeros(0, np.int64)


class Edges(NamedTuple):
    """Edges int64 (m, 2), from a record to a row, under one name in the legend. ``kind``: the number of a
    matching, from 0, `NEW`, `LOST` or `OFFERED`; ``faint`` where the step is not about them."""

    name: str
    pairs: np.ndarray
    kind: int
    faint: bool = False


@dataclass(frozen=True, eq=False)
class Bipartite:
    """The graph of k-concealment so far (k-concealment paper, §2.3): row i is made from record i.

    ``records`` int64 (n): the number of each record of ``table`` in the table it came from, from 0; ``nodes``
    int64: the records, and rows, that are drawn. ``matchings`` int64 (i, n): the complete ones; the rows are
    true of the records that these match (None: the contents of rows are not shown). ``marked`` and
    ``marked_rows``: those the step speaks of. Up to 30 nodes stand in the order of their numbers, and up to
    14 with their values where these are short; of more, similar ones stand side by side, and those marked are
    named.
    """

    table: Table
    records: np.ndarray
    nodes: np.ndarray
    matchings: np.ndarray | None
    edges: Sequence[Edges]
    marked: np.ndarray = field(default_factory=lambda: _NOBODY)
    marked_rows: np.ndarray = field(default_factory=lambda: _NOBODY)

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML; raises OptionError for an unknown theme. Cost O(n² + edges) once per table,
        then O(n + edges)."""
        colors, heads = look.theme_of(theme), (tr("Records"), tr("Published rows"))
        traces = [line for one in self.edges for line in self._lines(one, theme)]
        traces += [self._nodes(right, theme) for right in (False, True)]
        shown = [
            note(f"<b>{look.plain(head)}</b>", x, 1, colors.text, 13, paper="y", anchor=anchor)
            for head, x, anchor in zip(heads, (0, 1), _ANCHORS, strict=True)
        ]
        figure = look.figure(
            traces,
            theme,
            says,
            height=height,
            xaxis={"visible": False, "range": [-0.03, 1.03]},
            yaxis=self._axis(False, height, theme),
            yaxis2=self._axis(True, height, theme) | {"overlaying": "y", "side": "right"},
            annotations=shown,
            margin=margin(34, 34, 26, 8),
            showlegend=any(one.name for one in self.edges),
            legend=legend(),
        )
        return drawing(figure, height)

    @cached_property
    def heights(self) -> np.ndarray:
        """float64 (n): how high each node stands, in 0..1; NaN where it is not drawn."""
        order = self.nodes[np.argsort(self.records[self.nodes])]
        if self._many:
            order = self.table.once(_SIMILAR, self._similar)
            order = order[np.isin(order, self.nodes)]
        found = np.full(len(self.records), np.nan)
        found[order] = 1 - (np.arange(len(order)) + 0.5) / len(order)
        return found

    def _similar(self) -> np.ndarray:
        """int64 (n): the records so that neighbors are similar (`leaves`)."""
        return leaves(distance_matrix(manhattan_points(self.table.quasi, "range")))

    @property
    def _many(self) -> bool:
        return len(self.nodes) > _NUMBERS_AT_MOST

    def _lines(self, edges: Edges, theme: str) -> Iterator[Settings]:
        """Yield the edges, paler where there are many, and their name in the legend, which is not pale."""
        pairs = edges.pairs[np.isin(edges.pairs, self.nodes).all(axis=1)]
        ends = self.heights[pairs].T
        lines = between((np.zeros(len(pairs)), ends[0]), (np.ones(len(pairs)), ends[1]))
        color, width, dash = _style(edges.kind, theme)
        thin, most = len(pairs) > _NUMBERS_AT_MOST, len(pairs) >= _CROWD
        seen = (0.12 if most else 0.22 if thin else 0.4) if edges.faint else 0.5 if most else 1.0
        if edges.faint or thin:
            width, dash = 1.0 if edges.faint else 1.2, "solid" if thin else dash
        line = {"color": look.faded(color, seen), "width": width, "dash": dash}
        yield scatter("lines", *lines, line=line, showlegend=False)
        if edges.name and len(pairs):
            line = {"color": look.faded(color, max(seen, 0.5)), "width": width, "dash": dash}
            yield scatter("lines", [], [], name=look.plain(edges.name, 60), line=line, showlegend=True)

    def _nodes(self, right: bool, theme: str) -> Settings:
        """The nodes of a side, those marked over the others."""
        colors, marks = look.theme_of(theme), self.marked_rows if right else self.marked
        nodes = np.concatenate([np.setdiff1d(self.nodes, marks), np.intersect1d(self.nodes, marks)])
        marked = np.isin(nodes, marks)
        marker = {
            "symbol": "square" if right else "circle",
            "size": np.where(marked, 11 if self._many else 13, 4 if self._many else 9).tolist(),
            "color": np.where(marked, colors.accent, colors.muted).tolist(),
            "line": {"width": 1, "color": colors.surface},
        }
        x, y = np.full(len(nodes), float(right)), self.heights[nodes]
        return scatter(
            "markers", x, y, marker=marker, yaxis="y2" if right else "y", showlegend=False, **UNDIMMED
        )

    def _axis(self, right: bool, height: int, theme: str) -> Settings:
        """Return the names of the nodes of a side; if there are many, only those of marked nodes that stand
        far enough apart."""
        nodes = self.nodes
        if self._many:
            nodes = _apart(self.marked_rows if right else self.marked, self.heights, _LINE / (height - 70))
        names = (self.records[nodes] + 1).astype(str).tolist()
        if len(self.nodes) <= _VALUES_AT_MOST and not (right and self.matchings is None):
            values = self._values(right)
            if max(map(len, values)) <= _LABEL:
                names = [f"{name}: {value}" for name, value in zip(names, values, strict=True)]
        shown = [look.plain(name) for name in names]
        return side_axis(shown, self.heights[nodes], theme, ticklabelstandoff=10)

    def _values(self, right: bool) -> list[str]:
        """Return the quasi-identifiers of the records, or what the rows publish of them so far."""
        if right and self.matchings is not None:
            cover = Concealment(self.matchings)
            cells = [recode(column, cover).texts(column, self.nodes) for column in self.table.quasi]
            return [", ".join(each) for each in zip(*cells, strict=True)]
        return originals(self.table, self.nodes)


def _apart(marked: np.ndarray, heights: np.ndarray, least: float) -> np.ndarray:
    """Return those of the nodes ``marked`` that stand at least ``least`` above the one chosen before."""
    chosen, last = list[int](), -1.0
    for node in marked[np.argsort(heights[marked])].tolist():
        if heights[node] - last >= least:
            chosen.append(node)
            last = float(heights[node])
    return np.array(chosen, np.int64)


def _style(kind: int, theme: str) -> tuple[str, float, str]:
    """Color, width and dash of edges of a kind."""
    colors = look.theme_of(theme)
    if kind == NEW:
        return colors.accent, 2.6, "solid"
    if kind == LOST:
        return colors.groups[3], 1.6, "dash"
    if kind == OFFERED:
        return colors.muted, 1.0, "solid"
    if kind == 0:
        return colors.muted, 1.6, "solid"
    color, dash = matching_style(kind, theme)
    return color, 2.2, dash
