"""A dozen groups over the density of all records: outlines, records, sizes, and what is published."""

from __future__ import annotations

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, scatter
from kanon_core.charts.canvas.outlines import outlined
from kanon_core.charts.canvas.painting import evenly
from kanon_core.charts.canvas.plane import Plane
from kanon_core.charts.groups.alike import Groups
from kanon_core.release.release import Release

RECORDS_AT_MOST = 12
"""The most records that are drawn of one group."""
COLORS = 6
"""The colors of `Theme.groups` that stand out from the gray."""
_COLUMNS_AT_MOST = 8


def dozen_traces(
    picture: Plane, groups: Groups, release: Release, outlines: str, theme: str
) -> list[Settings]:
    """Return the outlines of the dozen (`Groups.dozen`), a trace for each color, and their sizes and records.

    No two groups share color and marker. The hover box of a record says what is published of its group.
    """
    colors, each = look.theme_of(theme).groups[:COLORS], _members(groups)
    rows, owner = np.concatenate([np.zeros(0, np.int64), *each]), _owners(each)
    there = ~picture.outside[rows]
    places = picture.x.values[rows[there]], picture.y.values[rows[there]]
    shapes = outlined(outlines, *places, owner[there], len(each))
    traces = []
    for number, color in enumerate(colors):
        line = shapes.closed(np.arange(number, len(each), COLORS)) if shapes else NOTHING
        traces.append(area(*line, color, 2, look.faded(color, 0.12)))
    return [*traces, _sizes(picture, groups, theme), _records(picture, groups, release, theme)]


def _records(picture: Plane, groups: Groups, release: Release, theme: str) -> Settings:
    """Return some records of each of the dozen."""
    each = [rows[evenly(len(rows), RECORDS_AT_MOST)] for rows in _members(groups)]
    rows, owner = np.concatenate([np.zeros(0, np.int64), *each]), _owners(each)
    colors, told = look.theme_of(theme), published(groups, release)
    marker: Settings = {
        "size": 7,
        "color": [colors.groups[place % COLORS] for place in owner.tolist()],
        "symbol": [look.MARKERS[place % len(look.MARKERS)] for place in owner.tolist()],
        "line": {"width": 1, "color": colors.surface},
    }
    facts = np.column_stack([groups.of[rows] + 1, np.append(groups.sizes, 0)[groups.of[rows]], rows + 1])
    more: Settings = {"customdata": facts.astype(np.int32), "text": [told[place] for place in owner.tolist()]}
    x, y = picture.x.values[rows], picture.y.values[rows]
    return scatter("markers", x, y, "%{text}", marker=marker, **more, **UNDIMMED)


def _sizes(picture: Plane, groups: Groups, theme: str) -> Settings:
    """Return the number of records of each of the dozen, written above its outline."""
    each, colors = _members(groups), look.theme_of(theme)
    ends = [(picture.x.values[rows], picture.y.values[rows]) for rows in each]
    x = [float(x.min() + x.max()) / 2 for x, _ in ends]
    y = [float(y.max()) for _, y in ends]
    font = {"color": colors.text, "size": 11, "shadow": "auto"}
    texts = [f"{len(rows):,}" for rows in each]
    return scatter("text", x, y, text=texts, textposition="top center", textfont=font)


def published(groups: Groups, release: Release) -> list[str]:
    """Return, for each of the dozen, its number, its size, and what is published of its records, as a hover
    box shows it; the latter is left out where they publish different rows."""
    chosen = groups.dozen
    firsts = np.array([rows[0] for rows in _members(groups)], np.int64)
    texts = {} if release.guarantee.own_rows else release.texts(firsts)
    found = []
    for place, number in enumerate(chosen.tolist()):
        says = tr("group {number}: {records}")
        lines = [says.format(number=number + 1, records=counted(int(groups.sizes[number]), "record"))]
        for name, cells in list(texts.items())[:_COLUMNS_AT_MOST]:
            lines.append(f"{look.plain(name, 20)}: {look.plain(cells[place], 28)}")
        found.append("<br>".join(lines))
    return found


def _members(groups: Groups) -> list[np.ndarray]:
    return [groups.members(number) for number in groups.dozen.tolist()]


def _owners(each: list[np.ndarray]) -> np.ndarray:
    """Return the place of each record's group among the dozen."""
    return np.repeat(np.arange(len(each)), [len(rows) for rows in each])
