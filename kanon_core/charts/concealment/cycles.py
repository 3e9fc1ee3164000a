"""The matchings as ways through the records: round tours or shorter cycles, drawn where the records lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.canvas.plane import Plane, gutter_marks
from kanon_core.charts.canvas.scene import UNDIMMED, UNSEEN, evenly, picture_below
from kanon_core.charts.concealment.bipartite import matching_name, matching_style
from kanon_core.charts.concealment.covers import components, design
from kanon_core.charts.concealment.overlapping import sets_plane
from kanon_core.release.release import Release
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

VECTORS_AT_MOST = 1_000
"""The lines of more records are painted."""
ARROWS_AT_MOST = 100
_LENGTHS = 4


def cycles_of(targets: np.ndarray) -> np.ndarray:
    """int32 (n): the cycle of a permutation, int64 (n), that each number is on; numbered by their lowest
    member."""
    return components(np.arange(len(targets)), targets, len(targets))


def cycle_lengths(targets: np.ndarray) -> np.ndarray:
    """Lengths of the cycles of a permutation, int64, the longest first."""
    return -np.sort(-np.bincount(cycles_of(targets)))


def way_around(targets: np.ndarray, start: int, most: int = 12) -> np.ndarray:
    """The numbers on the way from ``start`` until it is reached again, int64; at most so many."""
    way = [start]
    while len(way) < most and targets[way[-1]] != start:
        way.append(int(targets[way[-1]]))
    return np.array(way)


def cycle_figure(
    table: Table,
    release: Release,
    shown: Sequence[int],
    record: int | None = None,
    x: str | None = None,
    y: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """Each matching in ``shown`` (from 1) as lines from every record to the row it leads to, in the plane of
    two attributes.

    Arrows show the direction for up to 100 records. ``record``: its edges are drawn thick. Each point's
    ``customdata`` begins with its record number counted from 1, which
    `kanon_core.charts.concealment.overlapping.picked_record` reads; of more than 1,000 records 1,000 can be
    clicked. Raises OptionError when the identity is asked for: it has no way to draw.
    """
    if 0 in shown:
        raise OptionError("The identity leads every record to itself; choose other matchings to draw.")
    matchings, n = design(release).matchings, len(table)
    picture = sets_plane(table, x, y)
    layout: dict[str, Any] = {
        "xaxis": picture.x.layout(theme),
        "yaxis": picture.y.layout(theme),
        "showlegend": True,
        "uirevision": f"{table.digest[:16]} {x!r} {y!r}",
        **gutter_marks(picture, theme),
    }
    if n > VECTORS_AT_MOST:
        layout["images"] = [_painted(picture, matchings, shown, theme)]
        for side in ("xaxis", "yaxis"):
            layout[side]["showgrid"] = False  # the grid would lie over the picture
    traces = [_line_trace(picture, matchings[number], number, theme) for number in shown]
    traces += [_point_trace(picture, n, theme)]
    traces += [
        one for number in shown for one in _own_traces(picture, matchings[number], number, record, theme)
    ]
    traces += [_ring_trace(picture, record, theme)]
    alt = cycle_sentence(release, shown, picture)
    return look.figure(traces, layout, theme, alt, height=520)


def cycle_sentence(release: Release, shown: Sequence[int], picture: Plane | None = None) -> str:
    """The cycles of these matchings in words: how many, of which lengths."""
    matchings = design(release).matchings
    says = [_told(matching_name(number), cycle_lengths(matchings[number])) for number in shown]
    if not says:
        return "No matching is drawn."
    text = ". ".join(one[0].upper() + one[1:] for one in says)
    if picture is not None and picture.shown == picture.shown and picture.shown < 0.95:
        text += (
            f". The picture shows {100 * picture.shown:.0f} % of the variation between records, so records"
            " that lie together here can be apart in the rest"
        )
    return text + "."


def _told(name: str, lengths: np.ndarray) -> str:
    n, count = int(lengths.sum()), len(lengths)
    if count == 1:
        return f"{name} is one round tour through all {n:,} records"
    if lengths[0] == 2 == lengths[-1]:
        return f"{name} is made of {look.count_text(count, 'pair')} that exchange places"
    sizes, how_many = np.unique(lengths, return_counts=True)
    parts = [f"{many:,} of {size:,}" for size, many in zip(sizes.tolist(), how_many.tolist(), strict=True)]
    if len(parts) > _LENGTHS:
        rest = int(how_many[_LENGTHS - 1 :].sum())
        parts = [*parts[: _LENGTHS - 1], f"{rest:,} of {sizes[_LENGTHS - 1]:,} to {sizes[-1]:,}"]
    return f"{name} goes round in {count:,} cycles: {', '.join(parts)} records"


def own_cycles_sentence(release: Release, shown: Sequence[int], record: int) -> str:
    """The way of each matching from this record back to it."""
    says = []
    for number in shown:
        targets = design(release).matchings[number]
        length, way = (
            int((cycles_of(targets) == cycles_of(targets)[record]).sum()),
            way_around(targets, record),
        )
        round_trip = " → ".join(f"{one + 1:,}" for one in way.tolist())
        more = f" → … ({length:,} records)" if length > len(way) else ""
        says.append(f"{matching_name(number)}: {round_trip}{more} → {record + 1:,}")
    return f"From record {record + 1:,} and back: {'; '.join(says)}." if says else ""


def _line_trace(picture: Plane, targets: np.ndarray, number: int, theme: str) -> dict[str, Any]:
    """All edges of a matching; where they are painted, one gap, so that its name stands in the legend."""
    n = len(targets)
    color, dash = matching_style(number, theme)
    tails = np.arange(n) if n <= VECTORS_AT_MOST else np.zeros(0, np.int64)
    x, y = _ends(picture, tails, targets[tails]) if len(tails) else (np.full(1, np.nan), np.full(1, np.nan))
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "name": matching_name(number),
        "showlegend": True,
        "line": {"color": look.faded(color, 0.8), "width": 1.5 if n <= 300 else 1, "dash": dash},
    }
    return trace | _arrows(len(tails), color, 8) if 0 < len(tails) <= ARROWS_AT_MOST else trace


def _ends(picture: Plane, tails: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines from tail to head with a gap (NaN) after each."""
    gap = np.full(len(tails), np.nan)
    return tuple(  # type: ignore[return-value]
        np.column_stack([side.values[tails], side.values[heads], gap]).ravel()
        for side in (picture.x, picture.y)
    )


def _arrows(count: int, color: str, size: int) -> dict[str, Any]:
    return {
        "mode": "lines+markers",
        "marker": {
            "symbol": "arrow",
            "angleref": "previous",
            "size": [0, size, 0] * count,
            "color": color,
            "standoff": 4,
        },
    }


def _own_traces(
    picture: Plane, targets: np.ndarray, number: int, record: int | None, theme: str
) -> list[dict[str, Any]]:
    """The picked record's two edges of a matching, above all others: a halo and the lines."""
    color, dash = matching_style(number, theme)
    own = np.zeros(0, np.int64) if record is None else np.array([record, int(np.argmax(targets == record))])
    x, y = _ends(picture, own, targets[own])
    common = {"type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip", "showlegend": False}
    halo = common | {"line": {"color": look.theme_of(theme).surface, "width": 8}}
    lines = common | {"line": {"color": color, "width": 3.5, "dash": dash}}
    return [halo, lines | _arrows(len(own), color, 14) if len(own) else lines]


def _point_trace(picture: Plane, n: int, theme: str) -> dict[str, Any]:
    """The records, unseen over a painted picture."""
    colors, seen = look.theme_of(theme), n <= VECTORS_AT_MOST
    rows = evenly(n, VECTORS_AT_MOST)
    size = 8 if n <= 300 else 5
    return {
        "type": "scatter",
        "mode": "markers",
        "x": picture.x.values[rows],
        "y": picture.y.values[rows],
        "customdata": (rows + 1).astype(np.int32)[:, None],
        "hovertemplate": "record %{customdata[0]}<extra></extra>",
        "showlegend": False,
        "marker": {
            "size": size if seen else 12,
            "color": colors.text,
            "opacity": float(seen),
            "maxdisplayed": 0 if seen else 1,
            "line": {"width": 0.5, "color": colors.surface},
        },
        **(UNDIMMED if seen else UNSEEN),
    }


def _ring_trace(picture: Plane, record: int | None, theme: str) -> dict[str, Any]:
    own = np.zeros(0, np.int64) if record is None else np.array([record])
    accent = look.theme_of(theme).accent
    return {
        "type": "scatter",
        "mode": "markers",
        "x": picture.x.values[own],
        "y": picture.y.values[own],
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {
            "size": 18,
            "symbol": "circle-open",
            "color": accent,
            "line": {"color": accent, "width": 2.5},
        },
        **UNDIMMED,
    }


def _painted(picture: Plane, matchings: np.ndarray, shown: Sequence[int], theme: str) -> dict[str, Any]:
    """The edges of the matchings and the records above them, as a picture."""
    canvas, n = Canvas(picture.x.span, picture.y.span), matchings.shape[1]
    places = np.column_stack([picture.x.values, picture.y.values])
    for place, number in enumerate(shown, start=1):
        ends = places[matchings[number]]
        start = (places[:, 0], places[:, 1])
        canvas.segments(start, (ends[:, 0], ends[:, 1]), np.full(n, place, np.uint8), 2 if n <= 3_000 else 1)
    canvas.discs(places[:, 0], places[:, 1], np.full(n, len(shown) + 1, np.uint8), 1)
    inks = [(matching_style(number, theme)[0], 0.75) for number in shown]
    return picture_below(canvas, [*inks, (look.theme_of(theme).text, 0.7)])
