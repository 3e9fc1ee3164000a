"""How near those records are that hide behind one another (k-concealment paper, figures 11 and 12)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.concealment.matchings import points_of
from kanon_core.base.words import counted, later, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import note
from kanon_core.charts.concealment.matches import design
from kanon_core.charts.table.distances import (
    CHOSEN,
    EXACT_AT_MOST,
    PAIRS_SAMPLED,
    Spread,
    bar_edges,
    distance_bars,
    drawn_pairs,
    share_axis,
)
from kanon_core.distances.manhattan import ManhattanPoints, distance_rows, pair_distances
from kanon_core.release.release import Release
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

_TITLES = {
    "range": later("Distance (numbers as shares of their range)"),
    "plain": later("Distance (numbers in their own units)"),
    "chosen": CHOSEN,
}


def measured_by(algorithm: Algorithm) -> str:
    """Which distance a method of k-concealment uses, a word of `kanon_core.distances.manhattan.WORDS`; of one
    that works by another inside it, that one's."""
    return getattr(getattr(algorithm, "inner", algorithm), "distance", "range")


def algorithms_points(table: Table, algorithm: Algorithm) -> ManhattanPoints:
    """The records as this method of k-concealment measures them; made once per table."""
    word = measured_by(algorithm)
    return table.once(f"points:{word}", lambda: points_of(table, word))


def all_pairs(table: Table, algorithm: Algorithm) -> Spread:
    """The distances of all pairs of up to 2,000 records, else of a million drawn pairs; made once."""
    return table.once(f"pairs:{measured_by(algorithm)}", lambda: _pairs(algorithms_points(table, algorithm)))


def _pairs(points: ManhattanPoints) -> Spread:
    n = len(points)
    if n <= EXACT_AT_MOST:
        return Spread(np.sort(distance_rows(points, np.arange(n))[np.triu_indices(n, 1)]), True)
    return Spread(np.sort(pair_distances(points, *drawn_pairs(n, PAIRS_SAMPLED))), False)


def used_pairs(table: Table, release: Release) -> Spread:
    """The distances of the design's edges but the identity's: of each record and those that hide it."""
    matchings = design(release).matchings[1:]
    points = algorithms_points(table, release.recipe.algorithm)
    return Spread(np.sort(pair_distances(points, np.arange(len(table)), matchings).ravel()), True)


def histogram_figure(table: Table, release: Release, theme: str = "light") -> go.Figure:
    """Shares of the distances of all pairs, and below them at the same scale of the edges used."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    colors, edges = look.theme_of(theme), bar_edges(pairs, used)
    title = tr(_TITLES[measured_by(release.recipe.algorithm)])
    above = tr("All pairs of records") if pairs.exact else tr("A million pairs drawn at random")
    captions = ((above, 0.95), (tr("Edges used: records and those they hide behind"), 0.39))
    return look.figure(
        [
            distance_bars(pairs, edges, pairs.name, colors.muted),
            distance_bars(used, edges, tr("edges used"), colors.lines[0], "y2"),
        ],
        theme,
        histogram_sentence(table, release),
        height=380,
        xaxis=look.axis(theme, title, range=[-0.01 * edges[-1], 1.02 * edges[-1]], anchor="y2"),
        yaxis=share_axis(theme, domain=(0.56, 0.94)),
        yaxis2=share_axis(theme, domain=(0.0, 0.38)),
        annotations=[
            note(text, 0, y, colors.text, 13, paper="xy", anchor="left bottom") for text, y in captions
        ],
        bargap=0.06,
        uirevision="distances",
    )


def histogram_sentence(table: Table, release: Release) -> str:
    """How near the partners are, in words made from the numbers."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    if not len(used.distances):
        return tr("There is one matching, the identity, so nobody hides behind another.")
    if not pairs.distances[-1]:
        return tr("All records are equal, so every distance is 0.")
    text = tr(
        "Half of all pairs of records are {middle} or more apart. Half of the edges used are {used} or less"
        " long, nearer than {percent} % of all pairs"
    ).format(
        middle=look.number_text(pairs.middle),
        used=look.number_text(used.middle),
        percent=_share_text(pairs.farther(used.middle)),
    )
    if not pairs.exact:
        text += "; " + tr("counted on {pairs} drawn at random, all the edges").format(
            pairs=counted(PAIRS_SAMPLED, "pair")
        )
    return text + "."


def _share_text(share: float) -> str:
    """A share in percent; near 100 rounded down to a tenth, so that "all" is said of all only."""
    return look.percent_text(share) if share < 0.99 else f"{math.floor(1000 * share) / 10:g}"
