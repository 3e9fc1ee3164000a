"""Two releases side by side, compared measure by measure in a radar chart and in words; no overall
verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, legend, margin
from kanon_core.charts.curves.linestyles import two_styles
from kanon_core.metrics import Measured, Metric

_NAMED = 4
_EQUAL = 1e-9


@dataclass(frozen=True)
class Duel:
    """One metric of two releases; ``better`` is "A", "B", "" for equal (to nine digits), "?" where one is not
    defined, and "±" where they differ by no more than ``error``, the sum of both sampling errors."""

    metric: Metric
    a: float
    b: float
    error: float = 0.0

    @property
    def better(self) -> str:
        """Return which release is better, by the metric's own direction."""
        if self.a != self.a or self.b != self.b:
            return "?"
        if abs(self.a - self.b) <= _EQUAL * max(abs(self.a), abs(self.b)):
            return ""
        if abs(self.a - self.b) <= self.error:
            return "±"
        return "A" if (self.a < self.b) == (self.metric.direction == "lower") else "B"

    @property
    def change(self) -> str:
        """Return the change from A to B as people read it: ``+1.20 points``, ``−12 records``; "" where equal
        or not defined."""
        if self.better in ("", "?"):
            return ""
        step, sign = abs(self.b - self.a), "+" if self.b > self.a else "−"
        if not self.metric.percent:
            return f"{sign}{self.metric.text(float(f'{step:.4g}'))}"
        return (
            tr("{sign}{points:.2f} points").format(sign=sign, points=100 * step)
            if step >= 5e-5
            else tr("{sign}less than 0.01 points").format(sign=sign)
        )

    @property
    def spokes(self) -> tuple[float, float]:
        """Return how good A and B are in 0..1, the better one 1: half as good is twice the loss, or half the
        k. NaN where a number is negative or not defined and has no ratio."""
        if self.better == "?" or min(self.a, self.b) < 0:
            return np.nan, np.nan
        if not self.better:
            return 1.0, 1.0
        low, high = sorted((self.a, self.b))
        first = (self.a < self.b) == (self.metric.direction == "lower")
        return (1.0, low / high) if first else (low / high, 1.0)


def duels(
    metrics: Sequence[Metric], a: Mapping[str, Measured], b: Mapping[str, Measured]
) -> tuple[Duel, ...]:
    """The numbers of two releases, by metric class name, metric by metric; those that both have."""
    names = [(metric, type(metric).__name__) for metric in metrics]
    return tuple(
        Duel(metric, a[name].total, b[name].total, a[name].error + b[name].error)
        for metric, name in names
        if name in a and name in b
    )


def duel_sentence(duels: Sequence[Duel]) -> str:
    """Return a sentence on the measures by which each release is better; the verdict is left to the
    reader."""
    found = []
    for letter in "AB":
        names = [duel.metric.short for duel in duels if duel.better == letter]
        if names:
            found.append(tr("{letter} is better by {metrics}").format(letter=letter, metrics=_listed(names)))
    equal = sum(not duel.better for duel in duels)
    unclear = [duel.metric.short for duel in duels if duel.better == "±"]
    if not found and not unclear:
        return tr("A and B are equal by every measure.") if equal else tr("No measure is defined for both.")
    if unclear:
        found.append(
            tr("A and B differ by no more than the sampling error by {metrics}").format(
                metrics=_listed(unclear)
            )
        )
    if equal:
        found.append(tr("A and B are equal by {measures}").format(measures=counted(equal, "measure")))
    return "; ".join(found) + "."


def _listed(names: list[str]) -> str:
    if len(names) > _NAMED:
        return tr("{names} and {more} more measures").format(
            names=", ".join(names[: _NAMED - 1]), more=len(names) - _NAMED + 1
        )
    return look.listed(names)


def radar_figure(
    duels: Sequence[Duel], algorithms: tuple[Algorithm, Algorithm], theme: str = "light"
) -> look.Figure | None:
    """One spoke for each metric, the better release at the rim, the other at the ratio of both values.

    ``algorithms``: those of A and of B, whose colors they have. None when fewer than three metrics have a
    ratio; metrics with a negative number have none.
    """
    shown = [duel for duel in duels if not np.isnan(duel.spokes[0])]
    if len(shown) < 3:
        return None
    colors = look.theme_of(theme)
    quiet = {"gridcolor": colors.grid, "linecolor": colors.grid}
    out = {"range": [0, 1.04], "tickvals": [0.25, 0.5, 0.75, 1], "showticklabels": False, "ticks": ""}
    around = {"direction": "clockwise", "tickfont": {"color": colors.text, "size": 12}}
    axes = {"radialaxis": quiet | out, "angularaxis": quiet | around}
    return look.figure(
        [_side(shown, side, style) for side, style in enumerate(two_styles(algorithms, theme))],
        theme,
        duel_sentence(duels),
        height=380,
        polar={"bgcolor": "rgba(0,0,0,0)", **axes},
        margin=margin(68, 68, 40, 24),
        showlegend=True,
        uirevision="radar",
        dragmode=False,
        legend=legend(1.1, bgcolor="rgba(0,0,0,0)"),
    )


def _side(shown: Sequence[Duel], side: int, style: tuple[str, str, str]) -> Settings:
    """The closed line of A (0) or of B (1)."""
    letter, (color, dash, symbol), around = "AB"[side], style, [*shown, shown[0]]
    return {
        "type": "scatterpolar",
        "theta": [look.plain(duel.metric.short) for duel in around],
        "r": [duel.spokes[side] for duel in around],
        "name": letter,
        "mode": "lines+markers",
        "text": [f"{letter}: {look.plain(d.metric.text((d.a, d.b)[side]))}" for d in around],
        "hovertemplate": "%{theta}<br>%{text}<extra></extra>",
        "fill": "toself",
        "fillcolor": look.faded(color, 0.14),
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"symbol": symbol, "size": 8, "color": color},
    }


def radar_sentence(duels: Sequence[Duel]) -> str:
    """Return how to read the radar, and the measures that are not drawn."""
    text = tr(
        "For each measure, the better release is at the rim. Halfway to the center means half as good: twice"
        " the loss, twice the risk or half the k."
    )
    left = [duel.metric.short for duel in duels if np.isnan(duel.spokes[0])]
    if left:
        text += " " + tr("Not drawn, because a negative or undefined value has no ratio: {metrics}.").format(
            metrics=_listed(left)
        )
    return text
