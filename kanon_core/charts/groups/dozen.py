"""A dozen groups over the density of all records: outlines, records, sizes, and what is published."""

from __future__ import annotations

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, note, scatter
from kanon_core.charts.canvas.outlines import outlined
from kanon_core.charts.canvas.painting import evenly
from kanon_core.charts.canvas.plane import Plane
from kanon_core.charts.groups.alike import DOZEN, Groups
from kanon_core.release.release import Release

RECORDS_AT_MOST = 12
"""The most records that are drawn of one group."""
_COLUMNS_AT_MOST = 8
_COLORS = 6


def dozen_traces(
    picture: Plane, groups: Groups, release: Release, outlines: str, theme: str
) -> list[Settings]:
    """Return the outline and the records of each of the dozen (`Groups.dozen`); always so many traces, empty
    where there are fewer groups.

    No two groups share color and marker. The hover box of a record says what is published of its group.
    """
    chosen, told = groups.dozen(), published(groups, release)
    traces = []
    for place in range(DOZEN):
        color, symbol = _look(place, theme)
        rows = groups.members(int(chosen[place])) if place < len(chosen) else np.zeros(0, np.int64)
        traces.append(_outline(picture, rows, outlines, color))
        shown = rows[evenly(len(rows), RECORDS_AT_MOST)]
        facts = np.column_stack([groups.of[shown] + 1, np.full(len(shown), len(rows)), shown + 1])
        marker = {"size": 7, "color": color, "symbol": symbol}
        marker["line"] = {"width": 1, "color": look.theme_of(theme).surface}
        more = {"customdata": facts.astype(np.int32), "marker": marker, **UNDIMMED}
        hover = told[place] if place < len(chosen) else None
        traces.append(scatter("markers", *_places(picture, shown), hover, **more))
    return traces


def dozen_notes(picture: Plane, groups: Groups, theme: str) -> list[Settings]:
    """Return the number of records of each of the dozen, above its outline."""
    colors, notes = look.theme_of(theme), []
    for number in groups.dozen().tolist():
        x, y = _places(picture, groups.members(number))
        place = (float(x.min() + x.max()) / 2, float(y.max()))
        seam = {"bgcolor": look.faded(colors.surface, 0.8), "yshift": 5}
        notes.append(note(f"{len(x):,}", *place, colors.text, 11, anchor="center bottom", **seam))
    return notes


def published(groups: Groups, release: Release) -> list[str]:
    """Return, for each of the dozen, its number, its size, and what is published of its records, as a hover
    box shows it; the latter is left out where they publish different rows."""
    chosen = groups.dozen()
    firsts = np.array([groups.members(number)[0] for number in chosen.tolist()], np.int64)
    texts = {} if release.guarantee.own_rows else release.texts(firsts)
    found = []
    for place, number in enumerate(chosen.tolist()):
        says = tr("group {number}: {records}")
        lines = [says.format(number=number + 1, records=counted(int(groups.sizes[number]), "record"))]
        for name, cells in list(texts.items())[:_COLUMNS_AT_MOST]:
            lines.append(f"{look.plain(name, 20)}: {look.plain(cells[place], 28)}")
        found.append("<br>".join(lines))
    return found


def _look(place: int, theme: str) -> tuple[str, str]:
    """Return color and marker; twelve places have different pairs of them."""
    return look.theme_of(theme).groups[place % _COLORS], look.MARKERS[place % len(look.MARKERS)]


def _outline(picture: Plane, rows: np.ndarray, outlines: str, color: str) -> Settings:
    x, y = _places(picture, rows[~picture.outside[rows]])
    shapes = outlined(outlines, x, y, np.zeros(len(x), np.int64), 1)
    line = shapes.closed(np.zeros(1, np.int64)) if shapes else NOTHING
    return area(*line, color, 2, look.faded(color, 0.12))


def _places(picture: Plane, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return picture.x.values[rows], picture.y.values[rows]
