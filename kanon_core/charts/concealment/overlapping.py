"""The sets in which records hide when they overlap: one record's in full, everybody's faintly when they are
few.

Under k-concealment the published row of a record stands for k original records, and each of these stands for
others as well: there are no groups to color. So one record is picked, and what it hides behind is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.outlines import Shapes, hulls, rectangles
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.canvas.plane import Axis, Plane, axis, gutter_marks, plane
from kanon_core.charts.canvas.scene import UNDIMMED, UNSEEN, evenly, picture_below
from kanon_core.release.release import Release
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

VECTORS_AT_MOST = 1_000
FAINT_AT_MOST = 300
"""Records whose sets are all drawn; more of them would be a gray area."""
_HOVER = "record %{customdata[0]}<extra></extra>"
_HOVER_MEMBER = "record %{customdata[0]}, in the set of record %{customdata[1]}<extra></extra>"


def set_figure(
    table: Table,
    release: Release,
    record: int,
    x: str | None = None,
    y: str | None = None,
    outlines: str = "rectangles",
    theme: str = "light",
) -> go.Figure:
    """All records in the plane of two attributes or of a projection, and the set that ``record`` is published
    with.

    ``outlines``: "rectangles", "hulls" or "none", around the picked record's set and, up to 300 records,
    faintly around everybody's. Each point's ``customdata`` begins with its record number counted from 1,
    which `picked_record` reads; of more than 1,000 records 1,000 can be clicked. A table of one attribute is
    drawn over the rank of its values.

    Raises OptionError for an unknown kind of outline or theme or a record that there is not, SchemaError for
    an unknown column. Cost O(n log n), with faint sets O(k n log k n).
    """
    if outlines not in ("rectangles", "hulls", "none"):
        raise OptionError("The outlines of sets must be “rectangles”, “hulls” or “none”.")
    if not 0 <= record < len(table):
        raise OptionError(f"There is no record {record + 1}: the table has {len(table):,}.")
    picture = sets_plane(table, x, y)
    layout: dict[str, Any] = {
        "xaxis": picture.x.layout(theme),
        "yaxis": picture.y.layout(theme),
        "uirevision": f"{table.digest[:16]} {x!r} {y!r}",
        **gutter_marks(picture, theme),
    }
    if len(table) <= VECTORS_AT_MOST:
        points = _point_trace(picture, np.arange(len(table)), theme)
    else:
        points = _unseen_trace(picture, evenly(len(table), VECTORS_AT_MOST))
        layout["images"] = [_painted(picture, theme)]
        for side in ("xaxis", "yaxis"):
            layout[side]["showgrid"] = False  # the grid would lie over the picture
    traces = [
        _faint_trace(release, picture, outlines, theme),
        points,
        *_picked_traces(release, picture, record, outlines, theme),
    ]
    return look.figure(traces, layout, theme, set_sentence(table, release, record, x, y), height=520)


def picked_record(event: Mapping[str, Any] | None) -> int | None:
    """The record number (from 0) clicked in the chart, from its selection event; None when none."""
    numbers = look.picked(event)
    return numbers[0] - 1 if numbers and numbers[0] > 0 else None


def set_of(release: Release, record: int) -> np.ndarray:
    """The records that the published row of ``record`` stands for, ascending; none for a suppressed one."""
    own = int(release.cover.set_of[record])
    return release.cover.members(own) if own >= 0 else np.zeros(0, np.int64)


def set_sentence(
    table: Table, release: Release, record: int, x: str | None = None, y: str | None = None
) -> str:
    """What the picture shows, in words made from its numbers."""
    members = set_of(release, record)
    if not len(members):
        return f"Record {record + 1} is suppressed, so it has no published row."
    also = int((release.cover.order == record).sum()) - 1
    says = (
        f"The published row of record {record + 1} stands for {look.count_text(len(members), 'record')},"
        f" itself among them{_spans(sets_plane(table, x, y), members)}. It is also in the"
        f" {'set' if also == 1 else 'sets'} of {look.count_text(also, 'other record')}"
    )
    picture = sets_plane(table, x, y)
    if picture.shown == picture.shown and picture.shown < 0.95:
        says += (
            f". The picture shows {100 * picture.shown:.0f} % of the variation between records, so records of"
            " a set can lie apart here and be close in the rest"
        )
    return says + "."


def _spans(picture: Plane, members: np.ndarray) -> str:
    """How much of each attribute's range the set takes."""
    if picture.shown == picture.shown:
        return ""
    texts = []
    for one in (picture.x, picture.y):
        low, high = one.extent
        values = one.values[members][~one.missing[members]]
        if one.name and not one.labels and high > low and len(values):
            texts.append(
                f"{look.percent_text(float(np.ptp(values)) / (high - low))} % of the range of “{one.name}”"
            )
    return f"; it spans {' and '.join(texts)}" if texts else ""


def sets_plane(table: Table, x: str | None = None, y: str | None = None) -> Plane:
    """The plane of `kanon_core.charts.canvas.plane.plane`; for one attribute its values over their rank."""
    if x is None and y is None and len(table.quasi) == 1:
        one = axis(table, table.quasi[0].attribute.name)
        rank = np.empty(len(table))
        rank[np.argsort(one.values, kind="stable")] = np.arange(1, len(table) + 1)
        room = 0.03 * len(table)
        up = Axis("", "Records by value", rank, np.zeros(len(table), bool), (1 - room, len(table) + room))
        return Plane(one, up)
    return plane(table, x, y)


def _shapes(release: Release, picture: Plane, outlines: str, sets: np.ndarray | None = None) -> Shapes | None:
    """The outlines of all sets, or of these, numbered anew; None without outlines."""
    if outlines == "none":
        return None
    cover = release.cover
    if sets is None:
        rows, owners, count = cover.order, cover.sets, len(cover.sizes)
    else:
        parts = [cover.members(one) for one in sets.tolist()]
        rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        owners, count = np.repeat(np.arange(len(parts)), [len(part) for part in parts]), len(parts)
    inside = ~picture.outside[rows]
    draw = hulls if outlines == "hulls" else rectangles
    return draw(picture.x.values[rows[inside]], picture.y.values[rows[inside]], owners[inside], count)


def _faint_trace(release: Release, picture: Plane, outlines: str, theme: str) -> dict[str, Any]:
    """Everybody's set, when they are few; empty otherwise."""
    shapes = _shapes(release, picture, outlines) if len(release) <= FAINT_AT_MOST else None
    x, y = shapes.closed(np.arange(len(release.cover.sizes))) if shapes else (np.zeros(0), np.zeros(0))
    color = look.theme_of(theme).groups[0]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "fill": "toself",
        "line": {"color": look.faded(color, 0.28), "width": 1},
        "fillcolor": look.faded(color, 0.03),
    }


def _point_trace(picture: Plane, rows: np.ndarray, theme: str) -> dict[str, Any]:
    colors = look.theme_of(theme)
    size = 7 if len(rows) <= 500 else 5
    return {
        "type": "scatter",
        "mode": "markers",
        "x": picture.x.values[rows],
        "y": picture.y.values[rows],
        "customdata": (rows + 1).astype(np.int32)[:, None],
        "hovertemplate": _HOVER,
        "marker": {
            "size": size,
            "color": colors.muted,
            "opacity": 1,
            "line": {"width": 0.5, "color": colors.surface},
        },
        **UNDIMMED,
    }


def _unseen_trace(picture: Plane, rows: np.ndarray) -> dict[str, Any]:
    """Points over the painted picture, to point at and click."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": picture.x.values[rows],
        "y": picture.y.values[rows],
        "customdata": (rows + 1).astype(np.int32)[:, None],
        "hovertemplate": _HOVER,
        "marker": {"size": 12, "opacity": 0, "maxdisplayed": 1},
        **UNSEEN,
    }


def _painted(picture: Plane, theme: str) -> dict[str, Any]:
    canvas = Canvas(picture.x.span, picture.y.span)
    n = len(picture.x.values)
    canvas.discs(picture.x.values, picture.y.values, np.ones(n, np.uint8), 2 if n <= 10_000 else 1)
    return picture_below(canvas, [(look.theme_of(theme).muted, 0.55)])


def _picked_traces(
    release: Release, picture: Plane, record: int, outlines: str, theme: str
) -> list[dict[str, Any]]:
    """Outline of the picked record's set, its records, and the picked record itself."""
    colors, members = look.theme_of(theme), set_of(release, record)
    shapes = _shapes(release, picture, outlines, release.cover.set_of[[record]]) if len(members) else None
    line_x, line_y = shapes.closed(np.zeros(1, np.int64)) if shapes else (np.zeros(0), np.zeros(0))
    facts = np.column_stack([members + 1, np.full(len(members), record + 1)]).astype(np.int32)
    x, y, color = picture.x.values, picture.y.values, colors.groups[0]
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": line_x,
            "y": line_y,
            "hoverinfo": "skip",
            "fill": "toself",
            "line": {"color": colors.accent, "width": 2},
            "fillcolor": look.faded(color, 0.14),
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": x[members],
            "y": y[members],
            "customdata": facts,
            "hovertemplate": _HOVER_MEMBER,
            "marker": {"size": 11, "color": color, "line": {"color": colors.accent, "width": 1.5}},
            **UNDIMMED,
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": x[[record]],
            "y": y[[record]],
            "hoverinfo": "skip",
            "marker": {
                "size": 18,
                "symbol": "circle-open",
                "color": colors.accent,
                "line": {"color": colors.accent, "width": 2},
            },
            **UNDIMMED,
        },
    ]
