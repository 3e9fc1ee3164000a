"""Distances between records: of all pairs, by the chosen distances, and of the edges of a k-concealment
design (k-concealment paper, figures 11 and 12)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.concealment.matchings import points_of
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, number_text, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, margin, note, rule
from kanon_core.charts.concealment.matches import design
from kanon_core.distances.chosen import parts_of
from kanon_core.distances.encodings import Computed
from kanon_core.distances.manhattan import ManhattanPoints, distance_rows, pair_distances
from kanon_core.release.release import Release
from kanon_core.table.table import Table

EXACT_AT_MOST = 2_000
"""The most records of which all pairs are taken; those of more are sampled."""
PAIRS_SAMPLED = 1_000_000
COMPUTED_SAMPLED = 50_000
"""The pairs that are drawn where a column computes each distance anew: a few records, each with many
others."""
_PARTNERS = 1_000
_PAIRS_PER_TICK = 200_000
_BARS = 40
_TITLES = {
    "range": later("Distance (numbers as shares of their range)"),
    "plain": later("Distance (numbers in their own units)"),
    "chosen": later("Distance (as chosen for each column)"),
}
_EQUAL = later("All records are equal, so every distance is 0.")


@dataclass(frozen=True, eq=False)
class Spread:
    """Distances of pairs of different records, ascending, float64: of all pairs, or of drawn ones."""

    distances: np.ndarray
    exact: bool

    @property
    def middle(self) -> float:
        """The median; 0 without pairs."""
        return float(np.median(self.distances)) if len(self.distances) else 0.0

    @property
    def name(self) -> str:
        """Return which pairs these are."""
        return tr("all pairs") if self.exact else tr("sampled pairs")

    def farther(self, distance: float) -> float:
        """The share of the pairs that are farther apart than this."""
        return 1 - float(np.searchsorted(self.distances, distance, "right") / max(1, len(self.distances)))


def _drawn_pairs(n: int, count: int, partners: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return so many pairs of different records, drawn with seed 0; each run of ``partners`` pairs shares its
    first record."""
    rng = generator(0)
    one = np.repeat(rng.integers(0, n, count // partners), partners)
    return one, (one + rng.integers(1, n, len(one))) % n


def chosen_pairs(table: Table, tick: Tick = silent) -> Spread:
    """The distances of all pairs of up to 2,000 records, else of a million pairs drawn with seed 0, by the
    distances chosen for the columns: their sum, times the weights. Made once per table.

    Of 50,000 pairs, of 50 records with 1,000 others each, where a column has too many different values for a
    matrix. Raises UnsuitableError when a column does not suit the distance chosen for it.
    """
    return table.once("chosen-pairs", lambda: _chosen_pairs(table, tick))


def _chosen_pairs(table: Table, tick: Tick) -> Spread:
    parts, n = parts_of(table, stage(tick, 0, 0.5)), len(table)
    exact = n <= EXACT_AT_MOST
    slow = any(isinstance(part.encoding, Computed) for part in parts)
    if exact:
        one, other = np.triu_indices(n, 1)
    else:
        one, other = _drawn_pairs(n, COMPUTED_SAMPLED, _PARTNERS) if slow else _drawn_pairs(n, PAIRS_SAMPLED)
    apart, block = np.zeros(len(one)), _PARTNERS if slow else _PAIRS_PER_TICK
    for i, part in enumerate(parts):
        for first in range(0, len(one), block):
            tick(0.5 + (i + first / len(one)) / len(parts) / 2, tr("distances of pairs of records"))
            here = slice(first, first + block)
            apart[here] += part.weight * part.encoding.pairs(one[here], other[here])
    return Spread(np.sort(apart), exact)


def spread_figure(table: Table, theme: str = "light") -> look.Figure:
    """Return a figure of the distances of all pairs, as chosen for the columns; raises what `chosen_pairs`
    raises."""
    pairs, colors = chosen_pairs(table), look.theme_of(theme)
    edges = _bar_edges(pairs)
    ends = [-0.01 * edges[-1], 1.02 * edges[-1]]
    return look.figure(
        [_distance_bars(pairs, edges, pairs.name, colors.lines[0])],
        theme,
        spread_sentence(table),
        height=300,
        xaxis=look.axis(theme, tr(_TITLES["chosen"]), range=ends),
        yaxis=_share_axis(theme, tr("Share of {name}").format(name=pairs.name), nticks=5),
        shapes=[rule("x", pairs.middle, colors.accent, dash="dash")],
        annotations=[note(tr("median"), pairs.middle, 1, colors.text, paper="y", anchor="left bottom")],
        margin=margin(8, 12, 24, 8),
        bargap=0.06,
        uirevision="spread",
    )


def _bar_edges(*spreads: Spread) -> np.ndarray:
    """The ends of the bars, from 0 to the farthest pair of them all."""
    top = max(float(spread.distances.max(initial=0.0)) for spread in spreads) or 1.0
    return np.linspace(0.0, top, _BARS + 1)


def _distance_bars(spread: Spread, edges: np.ndarray, name: str, color: str, axis: str = "y") -> Settings:
    """The share of the pairs in each bar."""
    counts = np.histogram(spread.distances, edges)[0]
    facts = [look.range_text(*map(number_text, ends)) for ends in itertools.pairwise(edges.tolist())]
    more = {"yaxis": axis, "name": name, "width": 0.94 * (edges[1] - edges[0]), "hovertext": facts}
    told = "%{hovertext}<br>" + tr("{share} of the {name}").format(share="%{y:.2%}", name=name)
    return bars((edges[:-1] + edges[1:]) / 2, counts / max(1, counts.sum()), told, color, **more)


def _share_axis(theme: str, title: str = "", nticks: int = 4, **more: Any) -> Settings:
    """An axis of shares of pairs."""
    return look.axis(theme, title, tickformat=".0%", rangemode="tozero", nticks=nticks, **more)


def spread_sentence(table: Table) -> str:
    """Return a sentence on the median, the nearest 1 % and the equal pairs; raises what `chosen_pairs`
    raises."""
    pairs = chosen_pairs(table)
    if not len(pairs.distances):
        return tr("A table of one record has no pairs of records.")
    if not pairs.distances[-1]:
        return tr(_EQUAL)
    text = tr(
        "The median distance between two records is {middle}; the nearest 1 % of the pairs are at most {near}"
        " apart, the farthest pair {far}"
    ).format(
        middle=number_text(pairs.middle),
        near=number_text(float(np.percentile(pairs.distances, 1))),
        far=number_text(float(pairs.distances[-1])),
    )
    equal = 1 - pairs.farther(0.0)
    if equal:
        text += "; " + tr("{percent} % of the pairs are equal").format(percent=look.percent_text(equal))
    if not pairs.exact:
        drawn = tr("sample: {pairs} drawn at random, because the table has more than {limit:,} records")
        if len(pairs.distances) == COMPUTED_SAMPLED:
            drawn = tr(
                "sample: {records} drawn at random with {partners:,} others each, because the table has more"
                " than {limit:,} records"
            )
        facts = {"pairs": counted(PAIRS_SAMPLED, "pair"), "partners": _PARTNERS, "limit": EXACT_AT_MOST}
        text += "; " + drawn.format(records=counted(COMPUTED_SAMPLED // _PARTNERS, "record"), **facts)
    return text + "."


def measured_by(algorithm: Algorithm) -> str:
    """Return the distance that a method of k-concealment uses, a word of
    `kanon_core.distances.manhattan.WORDS`; for a method that runs another one inside, the distance of the
    inner one."""
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
    return Spread(np.sort(pair_distances(points, *_drawn_pairs(n, PAIRS_SAMPLED))), False)


def used_pairs(table: Table, release: Release) -> Spread:
    """The distances of the design's edges, without those of the identity."""
    matchings = design(release).matchings[1:]
    points = algorithms_points(table, release.recipe.algorithm)
    return Spread(np.sort(pair_distances(points, np.arange(len(table)), matchings).ravel()), True)


def histogram_figure(table: Table, release: Release, theme: str = "light") -> look.Figure:
    """Shares of the distances of all pairs, and below them, at the same scale, of the design's edges."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    colors, edges = look.theme_of(theme), _bar_edges(pairs, used)
    title = tr(_TITLES[measured_by(release.recipe.algorithm)])
    above = tr("All pairs of records") if pairs.exact else tr("A million pairs drawn at random")
    captions = ((above, 0.95), (tr("Edges of the design: records and the rows that could be theirs"), 0.39))
    return look.figure(
        [
            _distance_bars(pairs, edges, pairs.name, colors.muted),
            _distance_bars(used, edges, tr("edges of the design"), colors.lines[0], "y2"),
        ],
        theme,
        histogram_sentence(table, release),
        height=380,
        xaxis=look.axis(theme, title, range=[-0.01 * edges[-1], 1.02 * edges[-1]], anchor="y2"),
        yaxis=_share_axis(theme, domain=(0.56, 0.94)),
        yaxis2=_share_axis(theme, domain=(0.0, 0.38)),
        annotations=[
            note(text, 0, y, colors.text, 13, paper="xy", anchor="left bottom") for text, y in captions
        ],
        bargap=0.06,
        uirevision="distances",
    )


def histogram_sentence(table: Table, release: Release) -> str:
    """Return a sentence on the median length of the design's edges, compared with all pairs."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    if not len(used.distances):
        return tr("The identity is the only matching: k = 1 gives no protection.")
    if not pairs.distances[-1]:
        return tr(_EQUAL)
    text = tr(
        "The median distance between two records is {middle}. The median length of the design's edges is"
        " {used}, shorter than {percent} % of all pairs"
    ).format(
        middle=number_text(pairs.middle),
        used=number_text(used.middle),
        percent=_share_text(pairs.farther(used.middle)),
    )
    if not pairs.exact:
        text += "; " + tr("sample: {pairs} drawn at random, and all edges").format(
            pairs=counted(PAIRS_SAMPLED, "pair")
        )
    return text + "."


def _share_text(share: float) -> str:
    """A share in percent; near 100 rounded down to a tenth, so that only all pairs are 100 %."""
    return look.percent_text(share) if share < 0.99 else f"{math.floor(1000 * share) / 10:g}"
