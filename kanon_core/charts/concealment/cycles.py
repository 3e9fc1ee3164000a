"""Matchings as tours through the records, or shorter cycles, drawn at the places of the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, between, ring, scatter
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST, Canvas, picture_below
from kanon_core.charts.canvas.plane import Plane
from kanon_core.charts.concealment.bipartite import matching_name, matching_style
from kanon_core.charts.concealment.matches import components, design
from kanon_core.charts.concealment.overlapping import record_points, sets_plane
from kanon_core.release.release import Release
from kanon_core.table.table import Table

ARROWS_AT_MOST = 100
_LENGTHS = 4


def cycles_of(targets: np.ndarray) -> np.ndarray:
    """The cycle that each number of a permutation, int64 (n), is on: int32 (n), by lowest members."""
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
) -> look.Figure:
    """Each matching in ``shown`` (from 1) as lines from every record to the row it leads to, in the plane of
    two attributes.

    Arrows show the direction for up to 100 records. ``record``: its edges are drawn thick. Each point's
    ``customdata`` begins with its record number counted from 1, which
    `look.picked_number` reads; of more than 1,000 records 1,000 can be
    clicked. Raises OptionError when the identity is asked for: it has no way to draw.
    """
    if 0 in shown:
        raise OptionError(tr("The identity has no cycles to draw; choose other matchings."))
    matchings, colors = design(release).matchings, look.theme_of(theme)
    picture, few = sets_plane(table, x, y), len(table) <= VECTORS_AT_MOST
    size = 8 if len(table) <= 300 else 5
    own = np.zeros(0, np.int64) if record is None else np.array([record])
    traces = [_line_trace(picture, matchings[number], number, theme) for number in shown]
    traces.append(record_points(picture, size, colors.text, theme, showlegend=False))
    for number in shown:
        traces += _own_traces(picture, matchings[number], number, own, theme)
    traces.append(ring(picture.x.values[own], picture.y.values[own], colors.accent, showlegend=False))
    painted = None if few else _painted(picture, matchings, shown, theme)
    layout = picture.layout(theme, f"{table.digest[:16]} {x!r} {y!r}", painted)
    alt = cycle_sentence(release, shown, picture)
    return look.figure(traces, theme, alt, height=520, showlegend=True, **layout)


def cycle_sentence(release: Release, shown: Sequence[int], picture: Plane | None = None) -> str:
    """Return a sentence on the number and the lengths of these matchings' cycles."""
    matchings = design(release).matchings
    says = [_lengths_text(matching_name(number), cycle_lengths(matchings[number])) for number in shown]
    if not says:
        return tr("No matching is drawn.")
    text = ". ".join(one[0].upper() + one[1:] for one in says)
    if picture is not None and picture.partial:
        misleads = tr("records that are close here can be far apart in other directions")
        text += f". {picture.share_sentence(misleads)}"
    return text + "."


def _lengths_text(name: str, lengths: np.ndarray) -> str:
    n, count = int(lengths.sum()), len(lengths)
    if count == 1:
        return tr("{name} is one tour through all {n}").format(name=name, n=counted(n, "record"))
    if lengths[0] == 2 == lengths[-1]:
        return tr("{name} consists of {pairs} of records that exchange rows").format(
            name=name, pairs=counted(count, "pair")
        )
    sizes, how_many = np.unique(lengths, return_counts=True)
    parts = [
        tr("{many:,} of length {size:,}").format(many=many, size=size)
        for size, many in zip(sizes.tolist(), how_many.tolist(), strict=True)
    ]
    if len(parts) > _LENGTHS:
        rest = int(how_many[_LENGTHS - 1 :].sum())
        parts = [
            *parts[: _LENGTHS - 1],
            tr("{rest:,} of lengths {low:,} to {high:,}").format(
                rest=rest, low=sizes[_LENGTHS - 1], high=sizes[-1]
            ),
        ]
    return tr("{name} has {count:,} cycles: {cycles}").format(name=name, count=count, cycles=", ".join(parts))


def own_cycles_sentence(release: Release, shown: Sequence[int], record: int) -> str:
    """Return each matching's cycle through this record; empty where no matching is shown."""
    says = []
    for number in shown:
        targets = design(release).matchings[number]
        length, way = (
            int(np.bincount(cycles_of(targets))[cycles_of(targets)[record]]),
            way_around(targets, record),
        )
        steps = " → ".join(f"{one + 1}" for one in way.tolist())
        more = f" → … ({counted(length, 'record')})" if length > len(way) else ""
        says.append(f"{matching_name(number)}: {steps}{more} → {record + 1}")
    if not says:
        return ""
    return tr("From record {record} and back: {ways}.").format(record=record + 1, ways="; ".join(says))


def _line_trace(picture: Plane, targets: np.ndarray, number: int, theme: str) -> Settings:
    """Return all edges of a matching; where they are painted, only a gap, so that the legend has its name."""
    n, name = len(targets), matching_name(number)
    color, dash = matching_style(number, theme)
    tails = np.arange(n if n <= VECTORS_AT_MOST else 0)
    x, y = _edges(picture, tails, targets[tails]) if len(tails) else (np.full(1, np.nan), np.full(1, np.nan))
    line = {"color": look.faded(color, 0.8), "width": 1.5 if n <= 300 else 1, "dash": dash}
    trace = scatter("lines", x, y, name=name, showlegend=True, line=line)
    return trace | _arrows(len(tails), color, 8) if 0 < len(tails) <= ARROWS_AT_MOST else trace


def _edges(picture: Plane, tails: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines from tail to head with a gap (NaN) after each."""
    sides = (picture.x.values, picture.y.values)
    return between([side[tails] for side in sides], [side[heads] for side in sides])


def _arrows(count: int, color: str, size: int) -> Settings:
    marker = {"symbol": "arrow", "angleref": "previous", "color": color, "standoff": 4}
    return {"mode": "lines+markers", "marker": {**marker, "size": [0, size, 0] * count}}


def _own_traces(
    picture: Plane, targets: np.ndarray, number: int, record: np.ndarray, theme: str
) -> list[Settings]:
    """The picked record's two edges of a matching, above all others: a halo and the lines."""
    color, dash = matching_style(number, theme)
    own = np.concatenate([record, np.flatnonzero(np.isin(targets, record))])
    x, y = _edges(picture, own, targets[own])
    surface = look.theme_of(theme).surface
    halo = scatter("lines", x, y, showlegend=False, line={"color": surface, "width": 8})
    lines = halo | {"line": {"color": color, "width": 3.5, "dash": dash}}
    return [halo, lines | _arrows(len(own), color, 14) if len(own) else lines]


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
