"""The lattice of item sets (set-valued paper, figure 4): every set of a few items, from nothing at the top
to all of them at the bottom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, between, flat, margin, scatter
from kanon_core.table.columns.columns import Items

ITEMS_AT_MOST = 6
Paths = Collection[tuple[frozenset[str], str]]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All sets of ``items`` (codes): bit i of s is item i; ``records`` int64 (2^m): how many contain s."""

    items: tuple[int, ...]
    records: np.ndarray


def lattice_of(column: Items, items: Sequence[int]) -> Lattice:
    """Counts of each set of at most 6 items; OptionError for more. Cost O(items + 2^m m)."""
    m = len(items)
    if m > ITEMS_AT_MOST:
        raise OptionError(
            tr("A lattice shows at most {limit} items; choose fewer.").format(limit=ITEMS_AT_MOST)
        )
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
    column: Items, lattice: Lattice, k: int, paths: Paths = (), theme: str = "light"
) -> look.Figure:
    """The sets by size; filled where at least k records contain the set, hollow where fewer do, faint where
    none does.

    ``paths``: pairs of pivots and the next one (`kanon_core.charts.sets.itemsteps.paths_of`), drawn thick
    where all of them are among the items shown.
    """
    colors, held, m = look.theme_of(theme), lattice.records, len(lattice.items)
    blue, empty = colors.lines[0], colors.surface
    hollow = {"color": empty, "line": {"width": 1.5, "color": blue}}
    faint = {"color": empty, "line": {"width": 1, "color": colors.grid}}
    looks = (
        (held >= k, flat(blue), colors.surface),
        ((held < k) & (held > 0), hollow, colors.text),
        (held == 0, faint, colors.muted),
    )
    traces = _lines(column, lattice, paths, theme)
    traces += [_circles(column, lattice, np.flatnonzero(mask), mark, ink) for mask, mark, ink in looks]
    return look.figure(
        traces,
        theme,
        lattice_sentence(column, lattice, k, paths),
        height=70 * (m + 1),
        xaxis={"visible": False, "fixedrange": True, "range": [-0.5, 0.5]},
        yaxis={"visible": False, "fixedrange": True, "range": [-m - 0.5, 0.5]},
        margin=margin(4, 4, 4, 4),
        dragmode=False,
        uirevision="lattice",
    )


def _circles(column: Items, lattice: Lattice, where: np.ndarray, mark: Settings, ink: str) -> Settings:
    """These sets as circles with their names and counts."""
    x, y = _places(len(lattice.items))
    names, long = short_names(column, lattice), [look.plain(column.labels[c], 40) for c in lattice.items]
    texts, full = (
        [_name(s, each, between) for s in where.tolist()] for each, between in ((names, ""), (long, ", "))
    )
    held = lattice.records[where].tolist()
    counts = [f"{n:,}" if n < 10_000 else f"{n / 1000:.0f}k" for n in held]
    told = [f"{name}: {counted(n, 'record')}" for name, n in zip(full, held, strict=True)]
    return scatter(
        "markers+text",
        x[where],
        y[where],
        "%{hovertext}",
        cliponaxis=False,
        marker={"size": 32 if len(lattice.records) <= 32 else 28, "opacity": 1, **mark},
        textfont={"color": ink, "size": [10 if len(text) < 5 else 8 for text in texts]},
        text=[f"{text}<br>{count}" for text, count in zip(texts, counts, strict=True)],
        hovertext=told,
    )


def lattice_sentence(column: Items, lattice: Lattice, k: int, paths: Paths = ()) -> str:
    """Return how many of the sets can be published, and the key to circles, thick lines and letters."""
    many = int((lattice.records[1:] >= k).sum())
    text = tr_n(
        "{many:,} of the {sets} sets of these items is contained in at least {k} records (filled). Only such"
        " sets can be published.",
        "{many:,} of the {sets} sets of these items are contained in at least {k} records (filled). Only such"
        " sets can be published.",
        many,
    ).format(sets=len(lattice.records) - 1, many=many, k=k)
    text += " " + tr("Each circle shows how many records contain its set; ∗ is the empty set.")
    if taken(column, lattice, paths):
        text += " " + tr("Thick lines show the order in which the pivots were added.")
    named = list(zip(short_names(column, lattice), (column.labels[c] for c in lattice.items), strict=True))
    if any(name != label for name, label in named):
        text += " " + ", ".join(f"{name} = {label}" for name, label in named) + "."
    return text


def short_names(column: Items, lattice: Lattice) -> list[str]:
    """A name of one character for each item: its own text where all are so short, else a letter."""
    own = [column.labels[code] for code in lattice.items]
    return own if all(len(label) == 1 for label in own) else list(ascii_uppercase[: len(own)])


def _name(number: int, names: Sequence[str], between: str = "") -> str:
    shown = [look.plain(name, 40) if not between else name for name in names]
    return between.join(name for i, name in enumerate(shown) if number >> i & 1) or "∗"


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


def taken(column: Items, lattice: Lattice, paths: Paths) -> list[tuple[int, int]]:
    """Return the steps of the pivots within the lattice, as pairs of set numbers, ascending."""
    bit = {column.labels[code]: 1 << i for i, code in enumerate(lattice.items)}
    inside = [
        (sum(bit[label] for label in had), bit[pivot]) for had, pivot in paths if {*had, pivot} <= set(bit)
    ]
    return sorted((start, start | more) for start, more in inside)


def _lines(column: Items, lattice: Lattice, paths: Paths, theme: str) -> list[Settings]:
    """Return thin lines between sets that occur and differ by one item, and thick ones for the pivots."""
    colors, m = look.theme_of(theme), len(lattice.items)
    larger = [(s, s | 1 << i) for s in range(1 << m) for i in range(m) if not s >> i & 1]
    thin = [(s, more) for s, more in larger if lattice.records[more]]
    return [
        _line(thin, m, {"color": look.faded(colors.muted, 0.4), "width": 1}),
        _line(taken(column, lattice, paths), m, {"color": colors.lines[1], "width": 4}),
    ]


def _line(edges: Sequence[tuple[int, int]], m: int, line: Settings) -> Settings:
    starts, ends = np.array(edges, np.int64).reshape(-1, 2).T
    places = _places(m)
    return scatter("lines", *between([v[starts] for v in places], [v[ends] for v in places]), line=line)
