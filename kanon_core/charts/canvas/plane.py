"""Position of records in a picture: by two chosen attributes, or in a projection of all quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import generator
from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.density import density, density_below
from kanon_core.charts.canvas.marks import Settings, note, rule, ticks
from kanon_core.distances.mixed import Points, points_of
from kanon_core.table.columns.columns import MISSING, Column, Items, Numbers
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.table import Table

_JITTER = 0.32
_TICKS = 24
_MARKS = 9
_DIMENSIONS = 300


@dataclass(frozen=True)
class Axis:
    """One direction of a picture.

    ``values`` float64 (n): the place of each record, never NaN (dates in milliseconds, as plotly counts
    them). ``missing`` (n booleans): the record has no value; its place is ``gutter``, left of all others.
    ``span``: the ends of the axis. ``title`` and ``labels`` are escaped; ``labels`` are empty for numbers.
    ``written``: the texts at the positions of values that are not written as numbers, such as levels and
    hours.
    """

    name: str
    title: str
    values: np.ndarray
    missing: np.ndarray
    span: tuple[float, float]
    gutter: float | None = None
    date: bool = False
    positions: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    def layout(self, theme: str) -> Settings:
        """The plotly axis."""
        named = ticks(list(self.positions), list(self.labels or self.written)) if self.positions else {}
        kind = "date" if self.date else "linear"
        return look.axis(theme, self.title, range=list(self.span), type=kind, **named)

    @property
    def extent(self) -> tuple[float, float]:
        """Least and greatest position of records that are not missing."""
        present = self.values[~self.missing]
        return (float(present.min()), float(present.max())) if len(present) else (0.0, 0.0)


@dataclass(frozen=True)
class Plane:
    """The picture's two axes; ``shown``: the share of all variation they show, NaN for attributes."""

    x: Axis
    y: Axis
    shown: float = float("nan")

    @property
    def outside(self) -> np.ndarray:
        """n booleans: the record is in a gutter, because a value is missing."""
        return np.asarray(self.x.missing | self.y.missing)

    @property
    def projected(self) -> bool:
        """Return whether the axes are directions of a projection, not attributes."""
        return self.shown == self.shown

    @cached_property
    def density(self) -> np.ndarray:
        """Return how many records are at each cell of the picture (`kanon_core.charts.canvas.density`): the
        same for every release, and counted once."""
        return density(self.x.values, self.y.values, (self.x.span, self.y.span))

    def painted(self, theme: str) -> Settings:
        """Return the `density` of the records as a gray picture."""
        return density_below(self.density, (self.x.span, self.y.span), theme)

    @property
    def partial(self) -> bool:
        """Return whether less than 95 % of the variation is shown, so that places can mislead."""
        return self.projected and self.shown < 0.95

    def share_sentence(self, misleads: str) -> str:
        """Return a sentence on the share of the variation shown and, where it is `partial`, what follows
        (``misleads``)."""
        text = tr("The picture shows {percent:.0f} % of the variation between records")
        if self.partial:
            text = tr("The picture shows {percent:.0f} % of the variation between records, so {misleads}")
        return text.format(percent=100 * self.shown, misleads=misleads)

    def ranges(self, widths: Sequence[float]) -> str:
        """Return a sentence on the share of each numeric attribute's range that these widths take, NaN = not
        known; "" for none."""
        texts = []
        for one, width in zip((self.x, self.y), widths, strict=True):
            low, high = one.extent
            if one.name and not one.labels and high > low and width == width:
                share = look.percent_text(width / (high - low))
                texts.append(tr("{percent} % of the range of “{name}”").format(percent=share, name=one.name))
        return look.listed(texts) if texts else ""

    def layout(self, theme: str, revision: str, painted: Settings | None = None) -> Settings:
        """Axes, marks of missing values, and the painted picture of many records, if there is one."""
        grid = {} if painted is None else {"showgrid": False}  # else the grid covers the picture
        axes = {"xaxis": self.x.layout(theme) | grid, "yaxis": self.y.layout(theme) | grid}
        images = {} if painted is None else {"images": [painted]}
        return {**axes, **images, **gutter_marks(self, theme), "uirevision": revision}


def plane(table: Table, x: str | None = None, y: str | None = None) -> Plane:
    """The plane of two attributes, or, when none is named, the table's own.

    The table's own plane is its two quasi-identifiers when it has exactly two, else the projection on the two
    principal directions of `Table.points` (numbers scaled and weighted, categories as indicator columns
    scaled by √(w/2), so that distances are those of the mixed distance), each turned so that its largest
    loading is positive. Categories stand on their code with a fixed jitter; missing numbers in a gutter.

    Raises OptionError when one of the two is named alone, SchemaError for an unknown column. Cost O(n ·
    attributes), once per table.
    """
    if (x is None) != (y is None):
        raise OptionError(tr("Choose two columns for the picture, or none for a projection."))
    return table.once(f"plane:{x!r}/{y!r}", lambda: _plane(table, x, y))


def _plane(table: Table, x: str | None, y: str | None) -> Plane:
    quasi = [column.attribute.name for column in table.quasi]
    if x is None and len(quasi) == 2:
        x, y = quasi
    if x is None or y is None:
        return _projection(table)
    return Plane(axis(table, x), axis(table, y, downward=True))


def axis(table: Table, name: str, downward: bool = False) -> Axis:
    """The axis of one attribute; categories stand in the order of their labels, or ``downward`` in the
    opposite one, and item sets by their number of items."""
    column = table[name]
    if isinstance(column, Items):
        sizes = Numbers(column.attribute, column.sizes.astype(np.float64), True)
        return replace(
            _number_axis(sizes), title=tr("{name} (number of items)").format(name=look.plain(name))
        )
    if isinstance(column, Numbers):
        return _number_axis(column)
    labels = list(column.labels)
    step = -(-len(labels) // _TICKS)
    shown = range(0, len(labels), step)
    jitter = generator(int(downward)).uniform(-_JITTER, _JITTER, len(table))
    places = np.arange(len(labels), dtype=np.float64)
    places = places[::-1] if downward else places
    return Axis(
        name,
        look.plain(name),
        places[column.codes] + jitter,
        np.zeros(len(table), bool),
        (-0.6, len(labels) - 0.4),
        positions=tuple(float(places[i]) for i in shown),
        labels=tuple(look.plain(labels[i], 16) for i in shown),
    )


def _number_axis(column: Column) -> Axis:
    assert isinstance(column, Numbers)
    attribute, missing = column.attribute, column.missing
    date = attribute.kind == "datetime"
    low, high = (edge * (1000 if date else 1) for edge in column.range)
    width = high - low or max(1.0, abs(high) * 1e-6)
    gutter = low - 0.08 * width if missing.any() else None
    values = np.where(missing, 0.0 if gutter is None else gutter, column.values * (1000 if date else 1))
    span = (low - 0.03 * width if gutter is None else low - 0.12 * width, high + 0.03 * width)
    if high == low:
        span = (span[0] - width / 2, span[1] + width / 2)
    at, written = _written(column)
    title = look.plain(attribute.name)
    return Axis(attribute.name, title, values, missing, span, gutter, date, at, written=written)


def _written(column: Numbers) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the positions and names of levels, or of the values of a circle that is unrolled from another
    place than it is written."""
    circle, (low, high) = column.circle, column.range
    if not column.levels and (circle is None or (circle.cut == circle.first and not circle.clock)):
        return (), ()
    if column.levels:
        at = np.arange(low, high + 1, max(1, -(-len(column.levels) // _TICKS)))
    else:
        at = np.round(np.linspace(low, high, _MARKS), 1)
    return tuple(at.tolist()), tuple(look.plain(text, 16) for text in number_texts(at, column))


def stacked(values: np.ndarray, span: tuple[float, float], columns: int) -> np.ndarray:
    """int64 (n): how many dots are below each dot; dots are stacked if they would touch on a line of so many
    ``columns``."""
    column = np.floor((values - span[0]) / (span[1] - span[0]) * columns).astype(np.int64)
    order = np.lexsort((values, column))
    first = np.flatnonzero(np.diff(column[order], prepend=-1))
    height = np.empty(len(order), np.int64)
    height[order] = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    return height


def gutter_marks(picture: Plane, theme: str) -> Settings:
    """Shapes and annotations that mark the places of missing values."""
    colors, shapes, notes = look.theme_of(theme), list[Settings](), list[Settings]()
    for letter, one in (("x", picture.x), ("y", picture.y)):
        if one.gutter is None:
            continue
        place, refs = (one.gutter + one.extent[0]) / 2, {f"{letter}ref": letter}
        shapes.append(rule(letter, place, colors.muted, 1, layer="below", **refs))
        x, y = (one.gutter, 1) if letter == "x" else (1, one.gutter)
        more: Settings = {"paper": "y", "anchor": "center top", "textangle": -90}
        if letter == "y":
            more = {"paper": "x", "anchor": "right middle"}
        more |= {"bgcolor": look.faded(colors.surface, 0.8), **refs}
        notes.append(note(MISSING, x, y, colors.muted, 11, **more))
    return {"shapes": shapes, "annotations": notes}


def _projection(table: Table) -> Plane:
    places, shares = project(points_of(table))
    axes = []
    for number, (values, share) in enumerate(zip(places.T, shares, strict=True), start=1):
        low, high = float(values.min()), float(values.max())
        margin = 0.03 * (high - low) or 1.0
        title = tr("Principal direction {number} ({percent:.0f} % of the variation)").format(
            number=number, percent=100 * share
        )
        ends = (low - margin, high + margin)
        axes.append(
            Axis(
                tr("direction {number}").format(number=number),
                title,
                values,
                np.zeros(len(values), bool),
                ends,
            )
        )
    return Plane(axes[0], axes[1], float(sum(shares)))


def project(points: Points) -> tuple[np.ndarray, tuple[float, float]]:
    """Principal component scores, float64 (n, 2), and the share of the variance of each.

    Only the 300 columns of largest variance turn the picture; shares are of the variance of all. A missing
    second direction (one attribute, or nothing varies) gives a column of zeros.
    """
    from scipy import sparse

    n = len(points)
    columns, variances = _indicators(points)
    places, shares = np.zeros((n, 2)), [0.0, 0.0]
    if columns is None or variances.sum() <= 0:
        return places, (0.0, 0.0)
    matrix = sparse.csr_matrix(columns)
    means = np.asarray(matrix.mean(axis=0)).reshape(-1)
    covariance = (matrix.T @ matrix).toarray() / n - np.outer(means, means)
    values, vectors = np.linalg.eigh(covariance)
    for which in range(min(2, len(values))):
        direction = vectors[:, -1 - which]
        direction = direction * np.sign(direction[np.argmax(np.round(np.abs(direction), 9))])
        share = max(float(values[-1 - which]), 0.0) / float(variances.sum())
        if share > 1e-12:
            places[:, which] = matrix @ direction - means @ direction
            shares[which] = share
    return places, (shares[0], shares[1])


def _indicators(points: Points) -> tuple[Any, np.ndarray]:
    """The kept columns as one sparse matrix (None without columns), and the variance of every column."""
    from scipy import sparse

    n = len(points)
    counts = [np.bincount(codes) / n for codes in points.codes.T]
    owners = np.repeat(np.arange(len(counts)), [len(c) for c in counts]).astype(np.int64)
    values = np.concatenate([np.arange(len(c)) for c in counts]) if counts else owners
    spreads = [w / 2 * c * (1 - c) for w, c in zip(points.weights, counts, strict=True)]
    variances = np.concatenate([points.numeric.var(axis=0), *spreads])
    if not len(variances):
        return None, variances
    kept = np.zeros(len(variances), bool)
    kept[np.argsort(-variances, kind="stable")[:_DIMENSIONS]] = True
    p = points.numeric.shape[1]
    blocks = [sparse.csr_matrix(points.numeric[:, kept[:p]])]
    for attribute in np.unique(owners[kept[p:]]):
        mine = (owners == attribute) & kept[p:]
        place = np.full(len(counts[attribute]), -1)
        place[values[mine]] = np.arange(mine.sum())
        column = place[points.codes[:, attribute]]
        rows = np.flatnonzero(column >= 0)
        ones = np.full(len(rows), np.sqrt(points.weights[attribute] / 2))
        blocks.append(sparse.csr_matrix((ones, (rows, column[rows])), shape=(n, int(mine.sum()))))
    return sparse.hstack(blocks, format="csr"), variances
