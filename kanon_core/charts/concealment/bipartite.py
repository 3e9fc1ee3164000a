"""The bipartite graph of k-concealment (k-concealment paper, §2.3, figures 1 and 2): originals on the left,
published rows on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, between, legend, margin, note, scatter, ticks
from kanon_core.charts.concealment.matches import components, design, fitting, listed, record_matches
from kanon_core.release.release import Release
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.table import Table

WHOLE_AT_MOST = 30
"""In a table with more records than this, one record and those around it are drawn."""
SIDE_AT_MOST = 30
"""The most nodes that are drawn on a side."""
FURTHER, FITS = -1, -2
"""Kinds of edges beyond the matchings 0, 1, …: further matches, and the other rows that fit."""

_LABEL = 20
"""The longest text that is drawn; longer texts are only in the hover box."""
_NOTHING = np.zeros((0, 3), np.int64)


@dataclass(frozen=True, eq=False)
class Graph:
    """The drawn graph: record numbers on the left, row numbers on the right (both int64, from 0), and edges
    (m, 3), each with its kind (a matching, `FURTHER` or `FITS`), record and row. ``left_out``: how many nodes
    have no room."""

    left: np.ndarray
    right: np.ndarray
    edges: np.ndarray
    left_out: int = 0

    @property
    def heights(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the nodes of both sides, from the top, as far apart as on the longer side."""
        sides = (len(self.left), len(self.right))
        left, right = (1 - (np.arange(count) + 0.5) / max(sides) for count in sides)
        return left, right

    def places(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The heights of the ends of these edges."""
        sides = zip((self.left, self.right), self.heights, strict=True)
        at = [dict(zip(nodes.tolist(), heights.tolist(), strict=True)) for nodes, heights in sides]
        ends = [[at[side][node] for node in edges[:, 1 + side].tolist()] for side in (0, 1)]
        return np.array(ends[0]), np.array(ends[1])


def graph_of(release: Release, record: int | None = None) -> Graph:
    """Return the whole graph of up to 30 records; in a larger table, the surroundings of ``record`` (default:
    the first).

    The surroundings are the rows that could be the record's and the original records that its own row covers,
    with the edges of the design among them, and the further rows that fit it, up to 30 rows in all. Cost O(n
    · attributes).
    """
    n = len(release)
    if n <= WHOLE_AT_MOST:
        drawn = Graph(np.arange(n), np.arange(n), _NOTHING)
        return replace(drawn, edges=np.concatenate([_design_edges(release, drawn), _other_edges(release)]))
    hidden = record_matches(release, record or 0)
    others = np.concatenate([hidden.rows, hidden.further, hidden.fitting])
    kinds = np.repeat([FURTHER, FITS], [len(hidden.further), len(hidden.fitting)])
    beyond = np.column_stack([kinds, np.full(len(kinds), hidden.record), others[len(hidden.rows) :]])
    left, right = hidden.originals[:SIDE_AT_MOST], others[:SIDE_AT_MOST]
    left_out = len(hidden.originals) - len(left) + len(others) - len(right)
    drawn = Graph(left, right, _NOTHING, left_out)
    return replace(
        drawn, edges=np.concatenate([_design_edges(release, drawn), beyond[np.isin(beyond[:, 2], right)]])
    )


def _design_edges(release: Release, drawn: Graph) -> np.ndarray:
    """The edges of the matchings among the nodes, int64 (m, 3), in the order of the matchings."""
    targets = design(release).matchings[:, drawn.left]
    number, place = np.nonzero(np.isin(targets, drawn.right))
    return np.column_stack([number, drawn.left[place], targets[number, place]])


def _other_edges(release: Release) -> np.ndarray:
    """The edges of the consistency graph that are in no matching of the design; n² comparisons."""
    n, matchings = len(release), design(release).matchings
    fits = fitting(release, np.arange(n), np.arange(n))
    tails, heads = np.nonzero(fits)
    # Every record fits its own row, so an edge is in a perfect matching if and only if it is on a cycle.
    loops = components(tails, heads, n, "strong")
    drawn = np.zeros((n, n), bool)
    drawn[np.arange(n), matchings] = True
    tails, heads = np.nonzero(fits & ~drawn)
    return np.column_stack([np.where(loops[tails] == loops[heads], FURTHER, FITS), tails, heads])


def bipartite_figure(
    table: Table,
    release: Release,
    shown: Sequence[int],
    record: int | None = None,
    further: bool = True,
    theme: str = "light",
) -> look.Figure:
    """The graph of `graph_of`: each matching in ``shown`` (from 0, the identity) in a color and dash of its
    own.

    ``record``: its edges – and those of its own row – are strong, the others faint; None: all alike.
    ``further``: also what the published rows allow beyond the design, faintly. ``customdata`` of each node
    begins with its record number counted from 1, which `look.picked_number` reads. Nodes are labeled with
    their quasi-identifiers only.
    """
    drawn, text = graph_of(release, record), look.theme_of(theme).text
    count = max(len(drawn.left), len(drawn.right))
    traces: list[Settings] = []
    for kind in ((FITS, FURTHER) if further else ()) + tuple(shown):
        edges = drawn.edges[drawn.edges[:, 0] == kind]
        strong = np.ones(len(edges), bool) if record is None else (edges[:, 1:] == record).any(axis=1)
        traces += _edge_traces(drawn, edges, strong, kind, theme)
    traces += [_node_trace(table, release, drawn, right, record, theme) for right in (False, True)]
    left, right = originals(table, drawn.left), _published(release, drawn.right)
    heads = ((tr("Originals"), 0, "left"), (tr("Published rows"), 1, "right"))
    return look.figure(
        traces,
        theme,
        bipartite_sentence(release, drawn, record),
        height=110 + int(count * np.clip(260 / count, 24, 60)),
        xaxis={"visible": False, "range": [-0.03, 1.03], "fixedrange": True},
        yaxis=_labels(left, drawn.left, drawn.heights[0], theme),
        yaxis2=_labels(right, drawn.right, drawn.heights[1], theme) | {"overlaying": "y", "side": "right"},
        annotations=[
            note(f"<b>{head}</b>", x, 1, text, 13, paper="y", anchor=f"{side} bottom", xref="x")
            for head, x, side in heads
        ],
        margin=margin(8, 8, 30, 8),
        showlegend=True,
        legend=legend(-0.01, top=True, bgcolor="rgba(0,0,0,0)", itemclick=False, itemdoubleclick=False),
        uirevision=f"{table.digest[:16]} {len(release) <= WHOLE_AT_MOST or record}",
    )


def bipartite_sentence(release: Release, drawn: Graph, record: int | None) -> str:
    """Return a sentence on the counts of the graph."""
    matchings, found = design(release).matchings, release.consistency()
    k, n = matchings.shape
    beyond = int((drawn.edges[:, 0] == FURTHER).sum())
    if n > WHOLE_AT_MOST:
        text = tr(
            "Record {record} in a table of {n}, the {k:,} rows that could be its own, and the {k:,}"
            " original records that its own row covers"
        ).format(record=(record or 0) + 1, k=k, n=counted(n, "record"))
        if drawn.left_out:
            nodes = counted(drawn.left_out, "more node")
            text += "; " + tr("not drawn for lack of space: {nodes}").format(nodes=nodes)
        return text + "."
    fewest, most = int(found.matches.min()), int(found.matches.max())
    text = tr("{records} and {k} matchings without a common edge: the design has {edges:,} edges")
    if beyond:
        text += "; " + tr_n(
            "the published rows allow {beyond:,} further match",
            "the published rows allow {beyond:,} further matches",
            beyond,
        )
    text += ". " + tr("Every record has {spread} matches; the guarantee requires {k}.")
    spread = look.range_text(f"{fewest}", f"{most}")
    records = counted(n, "record")
    return text.format(records=records, k=k, edges=k * n, beyond=beyond, spread=spread)


def matching_name(number: int) -> str:
    """``identity``, ``matching 2``, …; ``number`` from 0."""
    return tr("matching {number}").format(number=number + 1) if number else tr("identity")


def matching_style(number: int, theme: str) -> tuple[str, str]:
    """Color and dash of a matching: the identity solid in the color of text, 36 pairs for the others."""
    colors = look.theme_of(theme)
    if number == 0:
        return colors.accent, "solid"
    place, palette = number - 1, colors.lines[:-1]
    dash = (place + place // len(palette)) % len(look.DASHES)
    return palette[place % len(palette)], look.DASHES[dash]


def _edge_traces(
    drawn: Graph, edges: np.ndarray, strong: np.ndarray, kind: int, theme: str
) -> list[Settings]:
    """The edges of one kind, the faint ones and the strong ones."""
    if kind < 0:
        color, dash = look.theme_of(theme).muted, "dash" if kind == FURTHER else "dot"
        name, opacity, width = (
            tr("further matches") if kind == FURTHER else tr("other rows that fit"),
            0.55,
            1.2,
        )
    else:
        (color, dash), name = matching_style(kind, theme), matching_name(kind)
        opacity, width = 1.0, 2.4
    traces = []
    for chosen, visible, thick in ((~strong, 0.22, 1.2), (strong, 1.0, width)):
        tails, heads = drawn.places(edges[chosen])
        x, y = between((np.zeros(len(tails)), tails), (np.ones(len(tails)), heads))
        line = {"color": look.faded(color, visible * opacity), "width": thick, "dash": dash}
        named = chosen is strong and bool(len(edges))
        traces.append(scatter("lines", x, y, name=name, legendgroup=name, showlegend=named, line=line))
    return traces


def _node_trace(
    table: Table, release: Release, drawn: Graph, right: bool, record: int | None, theme: str
) -> Settings:
    """The nodes of a side; the picked record's are larger."""
    colors, nodes = look.theme_of(theme), drawn.right if right else drawn.left
    picked = nodes == (-1 if record is None else record)
    marker = {
        "symbol": "square" if right else "circle",
        "size": np.where(picked, 15, 10).tolist(),
        "opacity": 1,
        "color": colors.accent,
        "line": {"width": 1.5, "color": colors.surface},
    }
    told = {
        "customdata": (nodes + 1).astype(np.int32)[:, None],
        "hovertext": _hovers(release, nodes, right, table),
    }
    more = {"yaxis": "y2" if right else "y", "showlegend": False, "cliponaxis": False, "marker": marker}
    x, y = np.full(len(nodes), float(right)), drawn.heights[right]
    return scatter("markers", x, y, "%{hovertext}", **told, **more, **UNDIMMED)


def _hovers(release: Release, nodes: np.ndarray, right: bool, table: Table) -> list[str]:
    """Return the hover text of each node: its values, its cover in the design, and its number of matches."""
    matchings, found = design(release).matchings, release.consistency()
    texts = _published(release, nodes) if right else originals(table, nodes)
    told = tr("record {values}<br>could be row {cover}<br>{matches} matches")
    if right:
        told = tr("row {values}<br>covers record {cover}<br>{matches} matches")
    counts = found.row_matches if right else found.matches
    lines = []
    for node, text in zip(nodes.tolist(), texts, strict=True):
        values = f"{node + 1}<br>{look.plain(text, 60)}"
        cover = listed(np.argmax(matchings == node, axis=1) if right else matchings[:, node])
        lines.append(told.format(values=values, cover=cover, matches=counts[node]))
    return lines


def originals(table: Table, rows: np.ndarray) -> list[str]:
    """The quasi-identifiers of these records."""
    return [", ".join(cells) for cells in zip(*(original_texts(c, rows) for c in table.quasi), strict=True)]


def _published(release: Release, rows: np.ndarray) -> list[str]:
    return [", ".join(cells) for cells in zip(*release.texts(rows).values(), strict=True)]


def _labels(texts: list[str], numbers: np.ndarray, heights: np.ndarray, theme: str) -> Settings:
    """An axis whose ticks name the nodes: their numbers, and their values where all are short."""
    short = all(len(text) <= _LABEL for text in texts)
    shown = [
        f"{number + 1}: {look.plain(text)}" if short else f"{number + 1}"
        for number, text in zip(numbers.tolist(), texts, strict=True)
    ]
    return side_axis(shown, heights, theme, fixedrange=True, ticklabelstandoff=8)


def side_axis(names: Sequence[str], heights: np.ndarray, theme: str, **more: Any) -> Settings:
    """The axis of a side of the graph: a name, escaped, beside each node."""
    font = {"color": look.theme_of(theme).text, "size": 12}
    quiet: Settings = {"showgrid": False, "showline": False, "ticks": "", **more}
    return look.axis(theme, range=[0, 1], **ticks(heights.tolist(), names, tickfont=font), **quiet)
