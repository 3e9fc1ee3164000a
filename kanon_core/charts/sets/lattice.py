"""The lattice of item sets [001 figure 4]: every set of a few items, from nothing at the top to all of them
at the bottom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas import theme as look
from kanon_core.table.columns.columns import Items

if TYPE_CHECKING:
    import plotly.graph_objects as go

ITEMS_AT_MOST = 6
Paths = Collection[tuple[frozenset[str], str]]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All sets of ``items`` (codes): set s holds item i where bit i of s is 1; ``records`` int64 (2^m): those
    that contain it."""

    items: tuple[int, ...]
    records: np.ndarray


def lattice_of(column: Items, items: Sequence[int]) -> Lattice:
    """How many records contain each set of these items, at most 6 of them; OptionError for more. Cost O(items
    + 2^m m)."""
    m = len(items)
    if m > ITEMS_AT_MOST:
        raise OptionError(f"A lattice shows at most {ITEMS_AT_MOST} items; choose fewer.")
    bit = np.zeros(len(column.labels), np.int64)
    bit[list(items)] = 1 << np.arange(m)
    sums = np.concatenate([[0], np.cumsum(bit[column.items])])
    held = sums[column.starts[1:]] - sums[column.starts[:-1]]
    records = np.bincount(held, minlength=1 << m)
    for i in range(m):
        without = (np.arange(1 << m) >> i & 1) == 0
        records[without] += records[np.flatnonzero(without) | 1 << i]
    return Lattice(tuple(items), records)


def starting_items(column: Items, pivots: Sequence[str], most: int = 5) -> tuple[int, ...]:
    """The first pivots, then the most frequent items, at most ``most`` of them; ascending codes."""
    code = {label: i for i, label in enumerate(column.labels)}
    often = np.bincount(column.items, minlength=len(column.labels))
    ranked = np.lexsort((np.arange(len(often)), -often)).tolist()
    return tuple(sorted(list(dict.fromkeys([*(code[p] for p in pivots), *ranked]))[:most]))


def lattice_figure(
    column: Items, found: Lattice, k: int, paths: Paths = (), theme: str = "light"
) -> go.Figure:
    """The sets by size; filled where at least k records contain the set, hollow where fewer do, faint where
    none does.

    ``paths``: pairs of pivots and the next one (`kanon_core.charts.sets.itemsteps.paths_of`), drawn thick
    where all of them are among the items shown.
    """
    colors, names = look.theme_of(theme), short_names(column, found)
    x, y = _places(len(found.items))
    sets, held = np.arange(len(found.records)), found.records
    texts = [_name(s, names) for s in sets.tolist()]
    full = [_name(s, [look.plain(column.labels[c], 40) for c in found.items], ", ") for s in sets.tolist()]
    enough = held >= k
    size = 32 if len(sets) <= 32 else 28
    traces = _lines(column, found, (x, y), paths, theme)
    for mask, mark in (
        (enough, {"color": colors.lines[0], "line": {"width": 0}}),
        (~enough & (held > 0), {"color": colors.surface, "line": {"width": 1.5, "color": colors.lines[0]}}),
        (held == 0, {"color": colors.surface, "line": {"width": 1, "color": colors.grid}}),
    ):
        where = np.flatnonzero(mask)
        ink = colors.surface if mask is enough else colors.text if held[where].any() else colors.muted
        traces.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": x[where],
                "y": y[where],
                "cliponaxis": False,
                "marker": {"size": size, "opacity": 1, **mark},
                "textfont": {"color": ink, "size": [10 if len(texts[s]) < 5 else 8 for s in where]},
                "text": [
                    (
                        f"{texts[s]}<br>{held[s]:,}"
                        if held[s] < 10_000
                        else f"{texts[s]}<br>{held[s] / 1000:.0f}k"
                    )
                    for s in where
                ],
                "hovertext": [f"{full[s]}: {look.count_text(int(held[s]), 'record')}" for s in where],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    layout = {
        "xaxis": {"visible": False, "fixedrange": True, "range": [-0.5, 0.5]},
        "yaxis": {"visible": False, "fixedrange": True, "range": [-len(found.items) - 0.5, 0.5]},
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "dragmode": False,
        "uirevision": "lattice",
    }
    return look.figure(
        traces, layout, theme, lattice_sentence(column, found, k, paths), height=70 * (len(found.items) + 1)
    )


def lattice_sentence(column: Items, found: Lattice, k: int, paths: Paths = ()) -> str:
    """How many of the sets could be published, which letters stand for what, and what the thick lines are."""
    many = int((found.records[1:] >= k).sum())
    text = (
        f"Of the {len(found.records) - 1} sets of these items {many:,} {'is' if many == 1 else 'are'}"
        f" contained in at least {k} records (filled): only these can be published. Each circle says how many"
        " records contain its set; ∗ is the empty set."
    )
    if taken(column, found, paths):
        text += " The thick lines are the ways the pivots took."
    names = short_names(column, found)
    if any(name != column.labels[code] for name, code in zip(names, found.items, strict=True)):
        text += (
            " "
            + ", ".join(
                f"{name} = {column.labels[code]}" for name, code in zip(names, found.items, strict=True)
            )
            + "."
        )
    return text


def short_names(column: Items, found: Lattice) -> list[str]:
    """A name of one character for each item: its own text where all are so short, else a letter."""
    own = [column.labels[code] for code in found.items]
    return own if all(len(label) == 1 for label in own) else list(ascii_uppercase[: len(own)])


def _name(number: int, names: Sequence[str], between: str = "") -> str:
    return (
        between.join(
            look.plain(name, 40) if not between else name for i, name in enumerate(names) if number >> i & 1
        )
        or "∗"
    )


def _places(m: int) -> tuple[np.ndarray, np.ndarray]:
    """Sets of equal size side by side, in text order of their items."""
    x, y = np.zeros(1 << m), np.zeros(1 << m)
    widest = max((len(list(combinations(range(m), size))) for size in range(m + 1)), default=1)
    for size in range(m + 1):
        level = list(combinations(range(m), size))
        for place, members in enumerate(level):
            number = sum(1 << i for i in members)
            x[number] = (place - (len(level) - 1) / 2) / widest
            y[number] = -size
    return x, y


def taken(column: Items, found: Lattice, paths: Paths) -> list[tuple[int, int]]:
    """The ways that lie within the lattice, as pairs of set numbers, ascending."""
    bit = {column.labels[code]: 1 << i for i, code in enumerate(found.items)}
    inside = [
        (sum(bit[label] for label in had), bit[pivot]) for had, pivot in paths if {*had, pivot} <= set(bit)
    ]
    return sorted((start, start | more) for start, more in inside)


def _lines(
    column: Items, found: Lattice, places: tuple[np.ndarray, np.ndarray], paths: Paths, theme: str
) -> list[dict[str, Any]]:
    """Thin lines between sets that differ by one item and occur, thick ones where the pivots went."""
    colors, m = look.theme_of(theme), len(found.items)
    thin = [
        (s, s | 1 << i)
        for s in range(1 << m)
        for i in range(m)
        if not s >> i & 1 and found.records[s | 1 << i]
    ]
    return [
        _line(thin, places, {"color": look.faded(colors.muted, 0.4), "width": 1}),
        _line(taken(column, found, paths), places, {"color": colors.lines[1], "width": 4}),
    ]


def _line(
    edges: Sequence[tuple[int, int]], places: tuple[np.ndarray, np.ndarray], line: dict[str, Any]
) -> dict[str, Any]:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    gaps = np.full(len(ends), np.nan)
    xs, ys = (np.column_stack([v[ends[:, 0]], v[ends[:, 1]], gaps]).ravel() for v in places)
    return {"type": "scatter", "mode": "lines", "x": xs, "y": ys, "line": line, "hoverinfo": "skip"}
