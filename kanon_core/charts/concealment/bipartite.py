"""The bipartite graph of k-concealment [000 §2.3, figures 1 and 2]: originals on the left, published rows on
the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.scene import UNDIMMED
from kanon_core.charts.concealment.covers import behind, components, design, fitting, listed
from kanon_core.release.release import Release
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

WHOLE_AT_MOST = 30
"""Of more records than this, one and those around it are drawn."""
SIDE_AT_MOST = 30
"""Nodes drawn on a side."""
FURTHER, FITS = -1, -2
"""Kinds of edges beyond the matchings 0, 1, …: further matches, and the other rows that fit."""

_LABEL = 20
"""Longer texts stand in the hover box only."""
_NOTHING = np.zeros((0, 3), np.int64)


@dataclass(frozen=True, eq=False)
class Graph:
    """What is drawn: record numbers on the left, row numbers on the right (int64, from 0), and edges (m, 3)
    of a kind (a matching, `FURTHER` or `FITS`), record and row. ``left_out``: nodes for which there was no
    room."""

    left: np.ndarray
    right: np.ndarray
    edges: np.ndarray
    left_out: int = 0


def graph_of(release: Release, record: int | None = None) -> Graph:
    """The whole graph of up to 30 records; of more, what surrounds ``record`` (the first when None).

    The surroundings are the rows that could be the record's and the originals that its own row stands for,
    with the edges of the design among them, and the further rows that fit it as far as 30 rows have room.
    Cost O(n · attributes).
    """
    n = len(release)
    if n <= WHOLE_AT_MOST:
        everybody = np.arange(n)
        drawn = Graph(everybody, everybody, _NOTHING)
        return replace(drawn, edges=np.concatenate([_design_edges(release, drawn), _other_edges(release)]))
    hidden = behind(release, record or 0)
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
    """All edges of the consistency graph that no matching of the design has; n² comparisons."""
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
) -> go.Figure:
    """The graph of `graph_of`: each matching in ``shown`` (from 0, the identity) in a color and dash of its
    own.

    ``record``: its edges – and those of its own row – are strong, the others faint; None: all alike.
    ``further``: also what the published rows allow beyond the design, faintly. ``customdata`` of each node
    begins with its record number counted from 1, which
    `kanon_core.charts.concealment.overlapping.picked_record` reads. Nodes are labeled with their
    quasi-identifiers only.
    """
    drawn = graph_of(release, record)
    count = max(len(drawn.left), len(drawn.right))
    heights = [_heights(len(side), count) for side in (drawn.left, drawn.right)]
    traces: list[dict[str, Any]] = []
    for kind in ((FITS, FURTHER) if further else ()) + tuple(shown):
        edges = drawn.edges[drawn.edges[:, 0] == kind]
        strong = np.ones(len(edges), bool) if record is None else (edges[:, 1:] == record).any(axis=1)
        traces += _edge_traces(drawn, heights, edges, strong, kind, theme)
    traces += [_node_trace(table, release, drawn, heights, side, record, theme) for side in ("left", "right")]
    layout = {
        "xaxis": {"visible": False, "range": [-0.03, 1.03], "fixedrange": True},
        "yaxis": _labels(_originals(table, drawn.left), drawn.left, heights[0], theme),
        "yaxis2": {
            **look.axis(theme),
            **_labels(_published(release, drawn.right), drawn.right, heights[1], theme),
            "overlaying": "y",
            "side": "right",
        },
        "annotations": [_head("Originals", 0, theme), _head("Published rows", 1, theme)],
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8},
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": -0.01,
            "xanchor": "left",
            "yanchor": "top",
            "bgcolor": "rgba(0,0,0,0)",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "uirevision": f"{table.digest[:16]} {len(release) <= WHOLE_AT_MOST or record}",
    }
    alt = bipartite_sentence(release, drawn, record)
    return look.figure(traces, layout, theme, alt, height=110 + int(count * np.clip(260 / count, 24, 60)))


def bipartite_sentence(release: Release, drawn: Graph, record: int | None) -> str:
    """What the graph shows, in words made from its numbers."""
    matchings, found = design(release).matchings, release.consistency()
    k, n = matchings.shape
    beyond = int((drawn.edges[:, 0] == FURTHER).sum())
    if n > WHOLE_AT_MOST:
        center = record or 0
        text = (
            f"Record {center + 1:,} with the {k:,} rows that could be its own, and the {k:,} originals that"
            f" its own row stands for, of {n:,} records"
        )
        if drawn.left_out:
            text += f"; {look.count_text(drawn.left_out, 'more node')} found no room"
        return text + "."
    fewest, most = int(found.matches.min()), int(found.matches.max())
    text = (
        f"{look.count_text(n, 'record')}, {k} matchings without a common edge: {k * n:,} edges in the design"
    )
    if beyond:
        text += f", and the published rows allow {beyond:,} further match{'es' if beyond > 1 else ''}"
    spread = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{text}. Every record has {spread} matches, {k} were asked for."


def matching_name(number: int) -> str:
    """``identity``, ``matching 2``, …; ``number`` from 0."""
    return f"matching {number + 1}" if number else "identity"


def matching_style(number: int, theme: str) -> tuple[str, str]:
    """Color and dash of a matching: the identity solid in the color of text, the others in 36 different
    pairs."""
    colors = look.theme_of(theme)
    if number == 0:
        return colors.accent, "solid"
    place, palette = number - 1, colors.lines[:-1]
    dash = (place + place // len(palette)) % len(look.DASHES)
    return palette[place % len(palette)], look.DASHES[dash]


def _heights(count: int, most: int) -> np.ndarray:
    """Places of a side's nodes, from the top, as far apart as on the longer side."""
    return 1 - (np.arange(count) + 0.5) / most


def _edge_traces(
    drawn: Graph, heights: list[np.ndarray], edges: np.ndarray, strong: np.ndarray, kind: int, theme: str
) -> list[dict[str, Any]]:
    """The edges of one kind, the faint ones and the strong ones."""
    colors = look.theme_of(theme)
    places = [
        dict(zip(side.tolist(), height.tolist(), strict=True))
        for side, height in zip((drawn.left, drawn.right), heights, strict=True)
    ]
    if kind < 0:
        color, dash = colors.muted, "dash" if kind == FURTHER else "dot"
        name, opacity, width = "further matches" if kind == FURTHER else "other rows that fit", 0.55, 1.2
    else:
        (color, dash), name = matching_style(kind, theme), matching_name(kind)
        opacity, width = 1.0, 2.4
    traces = []
    for chosen, visible, thick, named in (
        (~strong, 0.22, 1.2, False),
        (strong, 1.0, width, bool(len(edges))),
    ):
        ends = [(places[0][a], places[1][b], None) for _, a, b in edges[chosen].tolist()]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [0, 1, None] * len(ends),
                "y": [y for edge in ends for y in edge],
                "hoverinfo": "skip",
                "name": name,
                "legendgroup": name,
                "showlegend": named,
                "line": {"color": look.faded(color, visible * opacity), "width": thick, "dash": dash},
            }
        )
    return traces


def _node_trace(
    table: Table,
    release: Release,
    drawn: Graph,
    heights: list[np.ndarray],
    side: str,
    record: int | None,
    theme: str,
) -> dict[str, Any]:
    """The nodes of a side; the picked record's are larger."""
    colors, right = look.theme_of(theme), side == "right"
    nodes, y = (drawn.right, heights[1]) if right else (drawn.left, heights[0])
    picked = nodes == (-1 if record is None else record)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.full(len(nodes), float(right)),
        "y": y,
        "yaxis": "y2" if right else "y",
        "customdata": (nodes + 1).astype(np.int32)[:, None],
        "hovertext": _hovers(release, nodes, right, table),
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
        "cliponaxis": False,
        "marker": {
            "symbol": "square" if right else "circle",
            "size": np.where(picked, 15, 10).tolist(),
            "opacity": 1,
            "color": colors.accent,
            "line": {"width": 1.5, "color": colors.surface},
        },
        **UNDIMMED,
    }


def _hovers(release: Release, nodes: np.ndarray, right: bool, table: Table) -> list[str]:
    """What a node says: its values, its cover in the design, and the count of all its matches."""
    matchings, found = design(release).matchings, release.consistency()
    texts = _published(release, nodes) if right else _originals(table, nodes)
    lines = []
    for node, text in zip(nodes.tolist(), texts, strict=True):
        if right:
            cover = listed(np.argmax(matchings == node, axis=1))
            says = (
                f"row {node + 1:,}<br>{look.plain(text, 60)}<br>stands for"
                f" {cover}<br>{found.row_matches[node]} matches"
            )
        else:
            cover = listed(matchings[:, node])
            says = (
                f"record {node + 1:,}<br>{look.plain(text, 60)}<br>could be row"
                f" {cover}<br>{found.matches[node]} matches"
            )
        lines.append(says)
    return lines


def _originals(table: Table, rows: np.ndarray) -> list[str]:
    return [", ".join(cells) for cells in zip(*(original_texts(c, rows) for c in table.quasi), strict=True)]


def _published(release: Release, rows: np.ndarray) -> list[str]:
    return [", ".join(cells) for cells in zip(*release.texts(rows).values(), strict=True)]


def _labels(texts: list[str], numbers: np.ndarray, heights: np.ndarray, theme: str) -> dict[str, Any]:
    """An axis whose ticks name the nodes: their numbers, and their values where all are short."""
    short = all(len(text) <= _LABEL for text in texts)
    shown = [
        f"{number + 1:,}: {look.plain(text)}" if short else f"{number + 1:,}"
        for number, text in zip(numbers.tolist(), texts, strict=True)
    ]
    return {
        "tickmode": "array",
        "tickvals": heights.tolist(),
        "ticktext": shown,
        "range": [0, 1],
        "fixedrange": True,
        "showgrid": False,
        "showline": False,
        "ticks": "",
        "ticklabelstandoff": 8,
        "tickfont": {"color": look.theme_of(theme).text, "size": 12},
    }


def _head(text: str, x: int, theme: str) -> dict[str, Any]:
    return {
        "text": f"<b>{text}</b>",
        "x": x,
        "y": 1,
        "xref": "x",
        "yref": "paper",
        "showarrow": False,
        "yanchor": "bottom",
        "xanchor": "right" if x else "left",
        "font": {"size": 13, "color": look.theme_of(theme).text},
    }
