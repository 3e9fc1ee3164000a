"""Utility against safety: what histories lose, the chance to tell whose they are, and the k at which the sum
is least."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.sweeps import SweepPoint

if TYPE_CHECKING:
    import plotly.graph_objects as go

PARTS = ("PurchaseUtility", "WorstRisk")
"""The metrics whose weighted sum is the total."""
_LOOKS = (
    ("solid", "circle"),
    ("dash", "square"),
    ("dot", "diamond"),
    ("longdash", "triangle-up"),
    ("dashdot", "cross"),
)


@dataclass(frozen=True)
class Balance:
    """Utility and safety of one method by k, ascending: ``ks`` int64, ``utility`` and ``safety`` float64, all
    of one length."""

    name: str
    ks: np.ndarray
    utility: np.ndarray
    safety: np.ndarray

    @classmethod
    def of(cls, name: str, points: Iterable[SweepPoint]) -> Balance:
        """From finished points; those with a problem are left out."""
        found = sorted((point.k, *map(point.value, PARTS)) for point in points if not point.problem)
        columns = np.array(found, np.float64).reshape(-1, 3).T
        return cls(name, columns[0].astype(np.int64), columns[1], columns[2])

    def total(self, weight: float) -> np.ndarray:
        """Utility + weight · safety [002 §3]."""
        return self.utility + weight * self.safety

    def best(self, weight: float) -> int | None:
        """The position of the least total, the smaller k of equal ones; None without points."""
        return int(np.argmin(self.total(weight))) if len(self.ks) else None


def balance_figure(
    curves: Sequence[Balance], weight: float = 1.0, k: int | None = None, theme: str = "light"
) -> go.Figure:
    """Utility, safety and total of each curve against k; the least total is a star, ``k`` a line [002 figure
    2].

    Curves differ in dash and marker, the three quantities in color. Lower is better everywhere.
    """
    colors = look.theme_of(theme)
    safety = "safety" if weight == 1 else f"{weight:g} × safety"
    inks = {"utility": colors.lines[0], safety: colors.lines[1], "total": colors.text}
    traces, notes = [], []
    for number, curve in enumerate(curves):
        parts = {"utility": curve.utility, safety: weight * curve.safety, "total": curve.total(weight)}
        for what, values in parts.items():
            if what != safety or _differs(curves, number, weight):
                traces.append(_line(curves, number, (what, inks[what]), values))
        best = curve.best(weight)
        if best is not None:
            total = float(curve.total(weight)[best])
            traces.append(_star(curve, best, total, theme))
            notes.append(_best_note(curve, number, best, total, theme))
    shapes = [] if k is None else [look.line_at(k, theme)]
    notes += [] if k is None else [_here_note(k, theme)]
    layout = {
        "xaxis": {"title": look.titled("k, in people", theme), "tickformat": "d", "nticks": 12},
        "yaxis": {"title": look.titled("Lower is better", theme), "rangemode": "tozero"},
        "annotations": notes,
        "shapes": shapes,
        "showlegend": True,
        "uirevision": "balance",
    }
    return look.figure(traces, layout, theme, " ".join(balance_sentences(curves, weight)), height=470)


def balance_sentences(curves: Sequence[Balance], weight: float = 1.0) -> list[str]:
    """Where each curve's total is least, and how the others compare with the first at every k they share."""
    told = []
    for curve in curves:
        best = curve.best(weight)
        if best is None:
            continue
        utility, safety = float(curve.utility[best]), float(curve.safety[best])
        weighted = f"{safety:.3f}" if weight == 1 else f"{weight:g} × {safety:.3f}"
        told.append(
            f"{curve.name}: best at k = {curve.ks[best]}, where utility {utility:.3f} + safety {weighted} = "
            f"{utility + weight * safety:.3f} is least of k = {curve.ks[0]} to {curve.ks[-1]}."
        )
    return told + [text for other in curves[1:] if (text := _compared(curves[0], other))]


def _compared(first: Balance, other: Balance) -> str:
    """How much less the other method loses at the k that both have."""
    ks, mine, its = np.intersect1d(first.ks, other.ks, return_indices=True)
    if not len(ks):
        return ""
    gain = first.utility[mine] - other.utility[its]
    low, high = float(gain.min()), float(gain.max())
    if low > 0:
        spread = f"{low:.3f}" if f"{low:.3f}" == f"{high:.3f}" else f"{low:.3f} to {high:.3f}"
        return f"{other.name} loses {spread} less than {first.name} at every k shown."
    if high <= 0:
        return f"{other.name} loses no less than {first.name} at any k shown."
    return f"{other.name} loses less than {first.name} at {int((gain > 0).sum())} of {len(ks)} k."


def _differs(curves: Sequence[Balance], number: int, weight: float) -> bool:
    """Whether a curve's safety is drawn: that of the first, and whatever is not the same."""
    first, curve = curves[0], curves[number]
    if not number:
        return True
    shared, mine, its = np.intersect1d(first.ks, curve.ks, return_indices=True)
    return len(shared) < len(curve.ks) or not np.array_equal(first.safety[mine], curve.safety[its])


def _line(
    curves: Sequence[Balance], number: int, what: tuple[str, str], values: np.ndarray
) -> Mapping[str, Any]:
    curve, (dash, marker), (part, color) = curves[number], _LOOKS[number % len(_LOOKS)], what
    name = part if len(curves) == 1 or "safety" in part else f"{part}, {look.plain(curve.name, 40)}"
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": curve.ks,
        "y": values,
        "name": name,
        "line": {"color": color, "dash": dash, "width": 2.5 if part == "total" else 1.8},
        "marker": {"color": color, "symbol": marker, "size": 6},
        "hovertemplate": f"{name}<br>k = %{{x}}: %{{y:.4f}}<extra></extra>",
    }


def _star(curve: Balance, best: int, total: float, theme: str) -> Mapping[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [int(curve.ks[best])],
        "y": [total],
        "showlegend": False,
        "hoverinfo": "skip",
        "marker": {
            "symbol": "star",
            "size": 15,
            "color": look.theme_of(theme).lines[1],
            "line": {"width": 1, "color": look.theme_of(theme).surface},
        },
    }


def _best_note(curve: Balance, number: int, best: int, total: float, theme: str) -> Mapping[str, Any]:
    return {
        "x": int(curve.ks[best]),
        "y": total,
        "text": f"best k = {curve.ks[best]}",
        "showarrow": False,
        "yanchor": "top" if number else "bottom",
        "yshift": -9 if number else 9,
        "font": {"size": 12, "color": look.theme_of(theme).text},
    }


def _here_note(k: int, theme: str) -> Mapping[str, Any]:
    return {
        "x": k,
        "y": 0,
        "yref": "paper",
        "text": f"now k = {k}",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "xshift": 4,
        "font": {"size": 12, "color": look.theme_of(theme).muted},
    }
