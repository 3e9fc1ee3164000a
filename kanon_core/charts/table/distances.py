"""How far apart records are [000, figures 11 and 12], and how near those are that hide behind one another."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.concealment.matchings import points_of
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.concealment.covers import design
from kanon_core.distances.chosen import parts_of
from kanon_core.distances.encodings import Computed
from kanon_core.distances.manhattan import ManhattanPoints, distance_rows, pair_distances
from kanon_core.release.release import Release
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

EXACT_AT_MOST = 2_000
"""The pairs of more records are sampled."""
PAIRS_SAMPLED = 1_000_000
COMPUTED_SAMPLED = 50_000
"""Pairs of records of which a column computes each distance anew: a few records with many others each, as
that costs least."""
_PARTNERS = 1_000
_PAIRS_PER_TICK = 200_000
_BARS = 40
_TITLES = {
    "range": "Distance (numbers as shares of their range)",
    "plain": "Distance (numbers in their own units)",
    "chosen": "Distance (as chosen for each column)",
}


def measured_by(algorithm: Algorithm) -> str:
    """Which distance a method of k-concealment uses, a word of `kanon_core.distances.manhattan.WORDS`; of one
    that works by another inside it, that one's."""
    return getattr(getattr(algorithm, "inner", algorithm), "distance", "range")


def algorithms_points(table: Table, algorithm: Algorithm) -> ManhattanPoints:
    """The records as this method of k-concealment measures them; made once per table."""
    word = measured_by(algorithm)
    return table.once(f"points {word}", lambda: points_of(table, word))


@dataclass(frozen=True, eq=False)
class Spread:
    """Distances of pairs of different records, ascending, float64: of all pairs, or of so many drawn at
    random."""

    distances: np.ndarray
    exact: bool

    @property
    def middle(self) -> float:
        """The median; 0 without pairs."""
        return float(np.median(self.distances)) if len(self.distances) else 0.0

    def farther(self, distance: float) -> float:
        """The share of the pairs that are farther apart than this."""
        return 1 - float(np.searchsorted(self.distances, distance, "right") / max(1, len(self.distances)))


def all_pairs(table: Table, algorithm: Algorithm) -> Spread:
    """The distances of all pairs of up to 2,000 records, else of a million pairs drawn with seed 0; made once
    per table."""
    return table.once(f"pairs {measured_by(algorithm)}", lambda: _pairs(algorithms_points(table, algorithm)))


def _pairs(points: ManhattanPoints) -> Spread:
    n = len(points)
    if n <= EXACT_AT_MOST:
        return Spread(np.sort(distance_rows(points, np.arange(n))[np.triu_indices(n, 1)]), True)
    return Spread(np.sort(pair_distances(points, *_drawn(n, PAIRS_SAMPLED))), False)


def _drawn(n: int, count: int, partners: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """So many pairs of different records, with seed 0; as many in a row share their first record as
    ``partners`` says."""
    rng = generator(0)
    one = np.repeat(rng.integers(0, n, count // partners), partners)
    return one, (one + rng.integers(1, n, len(one))) % n


def chosen_pairs(table: Table, tick: Tick = silent) -> Spread:
    """As `all_pairs`, by the distances chosen for the columns, whatever they are: their sum, times the
    weights. Made once per table.

    Of 50,000 pairs, of 50 records with 1,000 others each, where a column has too many different values for a
    matrix. Raises UnsuitableError when a column does not suit the distance chosen for it.
    """
    return table.once("pairs of records", lambda: _chosen_pairs(table, tick))


def _chosen_pairs(table: Table, tick: Tick) -> Spread:
    parts, n = parts_of(table, stage(tick, 0, 0.5)), len(table)
    exact = n <= EXACT_AT_MOST
    slow = any(isinstance(part.encoding, Computed) for part in parts)
    if exact:
        one, other = np.triu_indices(n, 1)
    else:
        one, other = _drawn(n, COMPUTED_SAMPLED, _PARTNERS) if slow else _drawn(n, PAIRS_SAMPLED)
    apart, block = np.zeros(len(one)), _PARTNERS if slow else _PAIRS_PER_TICK
    for i, part in enumerate(parts):
        for first in range(0, len(one), block):
            tick(0.5 + (i + first / len(one)) / len(parts) / 2, "distances of pairs of records")
            here = slice(first, first + block)
            apart[here] += part.weight * part.encoding.pairs(one[here], other[here])
    return Spread(np.sort(apart), exact)


def used_pairs(table: Table, release: Release) -> Spread:
    """The distances of the design's edges but the identity's: between each record and the rows it hides
    behind."""
    matchings = design(release).matchings[1:]
    points = algorithms_points(table, release.recipe.algorithm)
    return Spread(np.sort(pair_distances(points, np.arange(len(table)), matchings).ravel()), True)


def histogram_figure(table: Table, release: Release, theme: str = "light") -> go.Figure:
    """Shares of the distances of all pairs, and below them at the same scale of the edges used."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    colors = look.theme_of(theme)
    top = max(float(pairs.distances.max(initial=0.0)), float(used.distances.max(initial=0.0))) or 1.0
    edges = np.linspace(0.0, top, _BARS + 1)
    traces: list[dict[str, Any]] = [
        _bars(pairs, edges, "y", colors.muted, "all pairs" if pairs.exact else "sampled pairs"),
        _bars(used, edges, "y2", colors.lines[0], "edges used"),
    ]
    title = _TITLES[measured_by(release.recipe.algorithm)]
    layout = {
        "xaxis": {"title": look.titled(title, theme), "range": [-0.01 * top, 1.02 * top], "anchor": "y2"},
        "yaxis": {"domain": [0.56, 0.94], "tickformat": ".0%", "rangemode": "tozero", "nticks": 4},
        "yaxis2": {
            **look.axis(theme),
            "domain": [0.0, 0.38],
            "tickformat": ".0%",
            "rangemode": "tozero",
            "nticks": 4,
        },
        "annotations": [
            _caption(
                "All pairs of records" if pairs.exact else "A million pairs drawn at random", 0.95, theme
            ),
            _caption("Edges used: records and those they hide behind", 0.39, theme),
        ],
        "bargap": 0.06,
        "uirevision": "distances",
    }
    return look.figure(traces, layout, theme, histogram_sentence(table, release), height=380)


def histogram_sentence(table: Table, release: Release) -> str:
    """How near the partners are, in words made from the numbers."""
    pairs, used = all_pairs(table, release.recipe.algorithm), used_pairs(table, release)
    if not len(used.distances):
        return "There is one matching, the identity, so nobody hides behind another."
    if not pairs.distances[-1]:
        return "All records are equal, so every distance is 0."
    text = (
        f"Half of all pairs of records are {look.number_text(pairs.middle)} or more apart. Half of the edges"
        f" used are {look.number_text(used.middle)} or less long, nearer than"
        f" {_share_text(pairs.farther(used.middle))} % of all pairs"
    )
    if not pairs.exact:
        text += f"; counted on {PAIRS_SAMPLED:,} pairs drawn at random, all the edges"
    return text + "."


def spread_figure(table: Table, theme: str = "light") -> go.Figure:
    """The distances of all pairs of records by the distances chosen for the columns; raises as
    `chosen_pairs`."""
    pairs, colors = chosen_pairs(table), look.theme_of(theme)
    top = float(pairs.distances.max(initial=0.0)) or 1.0
    name = "all pairs" if pairs.exact else "sampled pairs"
    middle = {"x0": pairs.middle, "x1": pairs.middle, "y0": 0, "y1": 1, "yref": "paper"}
    layout = {
        "xaxis": {"title": look.titled(_TITLES["chosen"], theme), "range": [-0.01 * top, 1.02 * top]},
        "yaxis": {
            "title": look.titled(f"Share of {name}", theme),
            "tickformat": ".0%",
            "rangemode": "tozero",
            "nticks": 5,
        },
        "shapes": [
            {"type": "line", **middle, "line": {"color": colors.accent, "width": 1.5, "dash": "dash"}}
        ],
        "annotations": [
            {
                "x": pairs.middle,
                "y": 1,
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "text": "half",
                "font": {"size": 12, "color": colors.text},
            }
        ],
        "margin": {"l": 8, "r": 12, "t": 24, "b": 8},
        "bargap": 0.06,
        "uirevision": "spread",
    }
    bars = _bars(pairs, np.linspace(0.0, top, _BARS + 1), "y", colors.lines[0], name)
    return look.figure([bars], layout, theme, spread_sentence(table), height=300)


def spread_sentence(table: Table) -> str:
    """The middle and the nearest hundredth of the pairs, and how many pairs are equal; raises as
    `chosen_pairs`."""
    pairs = chosen_pairs(table)
    if not len(pairs.distances):
        return "There is one record, and so no pair."
    if not pairs.distances[-1]:
        return "All records are equal, so every distance is 0."
    near = look.number_text(float(np.percentile(pairs.distances, 1)))
    text = (
        f"Half of all pairs of records are {look.number_text(pairs.middle)} or more apart, the nearest"
        f" hundredth at most {near}, the farthest {look.number_text(float(pairs.distances[-1]))}"
    )
    equal = 1 - pairs.farther(0.0)
    if equal:
        text += f"; {look.percent_text(equal)} % of the pairs are equal"
    if not pairs.exact:
        drawn = f"{PAIRS_SAMPLED:,} pairs drawn at random"
        if len(pairs.distances) == COMPUTED_SAMPLED:
            drawn = f"{COMPUTED_SAMPLED // _PARTNERS} records drawn at random with {_PARTNERS:,} others each"
        text += f"; counted on {drawn}, as there are more than {EXACT_AT_MOST:,} records"
    return text + "."


def _share_text(share: float) -> str:
    """A share in percent; near 100 rounded down to a tenth, so that it is not said of all what is true of
    almost all."""
    return look.percent_text(share) if share < 0.99 else f"{math.floor(1000 * share) / 10:g}"


def _bars(spread: Spread, edges: np.ndarray, axis: str, color: str, name: str) -> dict[str, Any]:
    counts = np.histogram(spread.distances, edges)[0]
    facts = [f"{look.number_text(a)} to {look.number_text(b)}" for a, b in itertools.pairwise(edges.tolist())]
    return {
        "type": "bar",
        "x": (edges[:-1] + edges[1:]) / 2,
        "y": counts / max(1, counts.sum()),
        "yaxis": axis,
        "name": name,
        "width": 0.94 * (edges[1] - edges[0]),
        "marker": {"color": color, "line": {"width": 0}},
        "hovertext": facts,
        "hovertemplate": "%{hovertext}<br>%{y:.2%} of the " + name + "<extra></extra>",
    }


def _caption(text: str, y: float, theme: str) -> dict[str, Any]:
    return {
        "text": text,
        "x": 0,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": look.theme_of(theme).text},
    }
