"""The matrix of distances (k-concealment paper, definition 2.2 and table 2) as a picture, its records in an
order that shows structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, number_text, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, heat, scatter
from kanon_core.charts.concealment.bipartite import matching_name, matching_style
from kanon_core.charts.concealment.matches import design
from kanon_core.charts.table.distances import algorithms_points
from kanon_core.distances.manhattan import distance_rows
from kanon_core.release.release import Release
from kanon_core.table.table import Table

RECORDS_AT_MOST = 200
"""The most records that are shown; from more, so many are drawn with seed 0."""
MARKED_AT_MOST = 60
WRITTEN_AT_MOST = 6

ORDERS: dict[str, str] = {
    "similar": later("By similarity"),
    "matching": later("Along matching 2"),
    "file": later("As in the file"),
}


@dataclass(frozen=True, eq=False)
class Matrix:
    """``records`` int64 (m) in the order shown; ``distances`` float64 (m, m) between them."""

    records: np.ndarray
    distances: np.ndarray

    @staticmethod
    def names(records: np.ndarray) -> list[str]:
        """Record numbers as people count, the categories of both axes."""
        return [f"{record + 1}" for record in records.tolist()]


def matrix_of(table: Table, release: Release, order: str = "similar") -> Matrix:
    """The distances between all records, or 200 drawn with seed 0, as the release's algorithm measures them.

    ``order``: a word of `ORDERS`. "similar" is the order of the leaves of an average-linkage dendrogram in
    which neighbors are as near as it allows; "matching" follows the second matching around. Raises
    OptionError for another word. Cost O(m³).
    """
    if order not in ORDERS:
        raise OptionError(tr("The order of the matrix must be “similar”, “matching” or “file”."))
    n = len(table)
    if n <= RECORDS_AT_MOST:
        records = np.arange(n)
    else:
        records = np.sort(generator(0).choice(n, RECORDS_AT_MOST, replace=False))
    matchings = design(release).matchings
    if order == "matching" and len(matchings) > 1:
        place = np.empty(n, np.int64)
        place[along(matchings[1])] = np.arange(n)
        records = records[np.argsort(place[records])]
    points = algorithms_points(table, release.recipe.algorithm).take(records)
    distances = distance_rows(points, np.arange(len(records)))
    if order == "similar" and len(records) > 2:
        near = leaves(distances)
        records, distances = records[near], distances[np.ix_(near, near)]
    return Matrix(records, distances)


def along(targets: np.ndarray) -> np.ndarray:
    """All numbers, int64 (n), cycle after cycle of the permutation, each from its lowest number on."""
    way, seen = np.empty(len(targets), np.int64), np.zeros(len(targets), bool)
    following, count = targets.tolist(), 0
    for start in range(len(targets)):
        at = start
        while not seen[at]:
            way[count], seen[at] = at, True
            at, count = following[at], count + 1
    return way


def leaves(distances: np.ndarray) -> np.ndarray:
    """int64 (m): the records, m ≥ 2, in the order of the leaves of an average-linkage dendrogram, in which
    neighbors are as near as it allows; distances float64 (m, m). Cost O(m³)."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    flat = squareform(np.minimum(distances, distances.T), checks=False)
    return np.asarray(leaves_list(linkage(flat, "average", optimal_ordering=True)))


def heat_figure(
    table: Table, release: Release, shown: Sequence[int], order: str = "similar", theme: str = "light"
) -> look.Figure:
    """The matrix as a heat map; the edges of the matchings in ``shown`` (from 0) are marked for up to 60
    records.

    A column is an original record, a row a published row; an edge is marked in the column of its record and
    in its row. Up to 6 records, the distances are written into the cells.
    """
    matrix = matrix_of(table, release, order)
    marked = len(matrix.records) <= MARKED_AT_MOST
    traces = [_matrix_trace(matrix, theme)]
    for number in shown if marked else ():
        traces += _marks(release, matrix, number, theme)
    steps = {"type": "category", "showgrid": False, "ticks": "", "nticks": 6, "constrain": "domain"}
    square = {"autorange": "reversed", "scaleanchor": "x", "constraintoward": "top"}
    return look.figure(
        traces,
        theme,
        heat_sentence(table, release, matrix),
        height=480,
        xaxis=look.axis(theme, tr("Original record"), tickangle=0, **steps),
        yaxis=look.axis(theme, tr("Published row"), **steps, **square),
        showlegend=marked,
        uirevision=f"{table.digest[:16]} {order}",
    )


def _matrix_trace(matrix: Matrix, theme: str) -> Settings:
    """The distances by color, and written where there is room."""
    names, m = matrix.names(matrix.records), len(matrix.records)
    gap = 1 if m <= MARKED_AT_MOST else 0
    font = {"color": look.theme_of(theme).muted, "size": 12}
    size = {"thickness": 12, "outlinewidth": 0, "len": 240, "lenmode": "pixels", "y": 1, "yanchor": "top"}
    told = tr("record {x}, row {y}<br>distance {z}").format(x="%{x}", y="%{y}", z="%{z:.4g}")
    more: Settings = {"reversescale": True, "xgap": gap, "ygap": gap, "colorbar": {**size, "tickfont": font}}
    more |= {"texttemplate": "%{z:.3~g}"} if m <= WRITTEN_AT_MOST else {}
    return heat(matrix.distances.astype(np.float32), names, names, told, theme, **more)


def heat_sentence(table: Table, release: Release, matrix: Matrix) -> str:
    """Return a sentence on the records and the largest distance, and how to read marks and colors."""
    m, n = len(matrix.records), len(table)
    far = number_text(float(matrix.distances.max(initial=0.0)))
    text = tr("Distances between {records}; the largest is {far}.")
    if m < n:
        text = tr("Distances between {shown:,} of {records}, drawn at random; the largest is {far}.")
    text = text.format(shown=m, records=counted(n, "record"), far=far)
    if m <= MARKED_AT_MOST:
        text += " " + tr(
            "A mark shows a row that could be the record's: its own row on the diagonal, other rows"
            " elsewhere."
        )
    return text + " " + tr("Stronger colors mean smaller distances.")


def _marks(release: Release, matrix: Matrix, number: int, theme: str) -> list[Settings]:
    """The edges of a matching in its color and shape, around the number where one is written."""
    targets, m = design(release).matchings[number], len(matrix.records)
    color, surface = matching_style(number, theme)[0], look.theme_of(theme).surface
    written = m <= WRITTEN_AT_MOST
    symbol = look.MARKERS[number % len(look.MARKERS)] + ("-open" if written else "")
    size = 34 if written else 11 if m <= 20 else 6
    x, y = matrix.names(matrix.records), matrix.names(targets[matrix.records])
    looks = (
        {"size": size if written else size + 3, "color": surface, "line": {"width": 7 if written else 0}},
        {"size": size, "color": color, "line": {"width": 3 if written else 0}},
    )
    named = {"name": matching_name(number), "legendgroup": f"{number}"}
    below, above = (scatter("markers", x, y, marker={"symbol": symbol, **one}, **named) for one in looks)
    return [{**below, "showlegend": False}, above]
