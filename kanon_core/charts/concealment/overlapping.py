"""Cover sets that overlap: one record's set in full, and faintly those of all records when they are few.

Under k-concealment the published row of a record covers k original records, and each of these is covered by
other rows, too: there are no groups to color. So one record is picked, and its set is drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, clicks, ring, scatter
from kanon_core.charts.canvas.outlines import NO_OUTLINES, OUTLINES, outlined
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST, evenly
from kanon_core.charts.canvas.plane import Axis, Plane, axis, plane
from kanon_core.release.release import Release
from kanon_core.table.table import Table

FAINT_AT_MOST = 300
"""The most records whose sets are all drawn; more sets would merge into a gray area."""
_HOVER = later("record {number}")
_HOVER_MEMBER = later("record {number}, in the set of record {owner}")
_PLACES = {"number": "%{customdata[0]}", "owner": "%{customdata[1]}"}


def set_figure(
    table: Table,
    release: Release,
    record: int,
    x: str | None = None,
    y: str | None = None,
    outlines: str = "rectangles",
    theme: str = "light",
) -> look.Figure:
    """All records in the plane of two attributes or of a projection, and the set that ``record`` is published
    with.

    ``outlines``: "rectangles", "hulls" or "none", around the picked record's set and, up to 300 records,
    faintly around all sets. Each point's ``customdata`` begins with its record number counted from 1; of more
    than 1,000 records 1,000 can be clicked. A table of one attribute is drawn over the rank of its values.

    Raises OptionError for an unknown kind of outline or theme or a record that there is not, SchemaError for
    an unknown column. Cost O(n log n), with faint sets O(k n log k n).
    """
    if outlines not in (*OUTLINES, "none"):
        raise OptionError(tr(NO_OUTLINES))
    if not 0 <= record < len(table):
        raise OptionError(
            tr("There is no record {record}; choose a record from 1 to {records}.").format(
                record=record + 1, records=len(table)
            )
        )
    picture, few = sets_plane(table, x, y), len(table) <= VECTORS_AT_MOST
    muted = look.theme_of(theme).muted
    traces = [
        _faint_trace(release, picture, outlines, theme),
        record_points(picture, 7 if len(table) <= 500 else 5, muted, theme),
        *_picked_traces(release, picture, record, outlines, theme),
    ]
    revision = f"{table.digest[:16]} {x!r} {y!r}"
    layout = picture.layout(theme, revision, None if few else picture.painted(theme))
    return look.figure(traces, theme, set_sentence(table, release, record, x, y), height=520, **layout)


def record_points(picture: Plane, size: int, color: str, theme: str, **more: Any) -> Settings:
    """Return a point to click for each record; for more than 1,000 records so many, unseen over a painted
    picture."""
    n = len(picture.x.values)
    rows = evenly(n, VECTORS_AT_MOST)
    x, y, facts = picture.x.values[rows], picture.y.values[rows], (rows + 1).astype(np.int32)[:, None]
    if n > VECTORS_AT_MOST:
        return clicks(x, y, facts, tr(_HOVER).format(**_PLACES), **more)
    border = {"width": 0.5, "color": look.theme_of(theme).surface}
    marker = {"size": size, "color": color, "opacity": 1, "line": border}
    hover = tr(_HOVER).format(**_PLACES)
    return scatter("markers", x, y, hover, customdata=facts, marker=marker, **UNDIMMED, **more)


def set_of(release: Release, record: int) -> np.ndarray:
    """The records that the published row of ``record`` covers, ascending; none for a suppressed one."""
    own = int(release.set_of[record])
    return release.cover.members(own) if own >= 0 else np.zeros(0, np.int64)


def set_sentence(
    table: Table, release: Release, record: int, x: str | None = None, y: str | None = None
) -> str:
    """Return sentences on the set of the record and the sets that it is in."""
    members = set_of(release, record)
    if not len(members):
        return tr("Record {record} is suppressed, so it has no published row.").format(record=record + 1)
    also, picture = int((release.cover.order == record).sum()) - 1, sets_plane(table, x, y)
    says = tr("The published row of record {record} covers {records}, including the record itself").format(
        record=record + 1, records=counted(len(members), "record")
    )
    others = tr_n(
        "The record is also in the set of {others}", "The record is also in the sets of {others}", also
    ).format(others=counted(also, "other record"))
    says += f"{_spans(picture, members)}. {others}"
    if picture.partial:
        misleads = tr("records of one set can be apart here and close in other directions")
        says += f". {picture.share_sentence(misleads)}"
    return says + "."


def _spans(picture: Plane, members: np.ndarray) -> str:
    """Return the share of each attribute's range that the set spans."""
    if picture.projected:
        return ""
    values = [one.values[members][~one.missing[members]] for one in (picture.x, picture.y)]
    shares = picture.ranges([float(np.ptp(some)) if len(some) else np.nan for some in values])
    return "; " + tr("the set spans {shares}").format(shares=shares) if shares else ""


def sets_plane(table: Table, x: str | None = None, y: str | None = None) -> Plane:
    """The plane of `kanon_core.charts.canvas.plane.plane`; for one attribute its values over their rank."""
    if x is None and y is None and len(table.quasi) == 1:
        one = axis(table, table.quasi[0].attribute.name)
        rank = np.empty(len(table))
        rank[np.argsort(one.values, kind="stable")] = np.arange(1, len(table) + 1)
        room = 0.03 * len(table)
        up = Axis("", tr("Records by value"), rank, np.zeros(len(table), bool), (1 - room, len(table) + room))
        return Plane(one, up)
    return plane(table, x, y)


def _shapes(
    release: Release, picture: Plane, outlines: str, sets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The outlines of these sets as one broken line; empty for the kind "none"."""
    parts = [release.cover.members(one) for one in sets.tolist()]
    rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    inside = ~picture.outside[rows]
    places = picture.x.values[rows[inside]], picture.y.values[rows[inside]]
    shapes = outlined(outlines, *places, owners[inside], len(parts))
    return shapes.closed(np.arange(len(parts))) if shapes else NOTHING


def _picked_traces(
    release: Release, picture: Plane, record: int, outlines: str, theme: str
) -> list[Settings]:
    """Outline of the picked record's set, its records, and the picked record itself."""
    colors, members = look.theme_of(theme), set_of(release, record)
    own = release.set_of[[record]]
    line = _shapes(release, picture, outlines, own) if len(members) else NOTHING
    facts = np.column_stack([members + 1, np.full(len(members), record + 1)]).astype(np.int32)
    x, y, color = picture.x.values, picture.y.values, colors.groups[0]
    marker = {"size": 11, "color": color, "line": {"color": colors.accent, "width": 1.5}}
    told = {"customdata": facts, "marker": marker}
    return [
        area(*line, colors.accent, 2, look.faded(color, 0.14)),
        scatter("markers", x[members], y[members], tr(_HOVER_MEMBER).format(**_PLACES), **told, **UNDIMMED),
        ring(x[[record]], y[[record]], colors.accent, 2),
    ]


def _faint_trace(release: Release, picture: Plane, outlines: str, theme: str) -> Settings:
    """The sets of all records, when they are few; empty otherwise."""
    every = np.arange(len(release.cover.sizes))
    x, y = _shapes(release, picture, outlines, every) if len(release) <= FAINT_AT_MOST else NOTHING
    color = look.theme_of(theme).groups[0]
    return area(x, y, look.faded(color, 0.28), 1, look.faded(color, 0.03))
