"""What attackers who know the original make of published histories: people identified against k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.risk.reidentification import Reidentification

if TYPE_CHECKING:
    import plotly.graph_objects as go


def attack_figure(
    found: Mapping[int, Reidentification], k: int | None = None, theme: str = "light"
) -> go.Figure:
    """The share of its attempts that an attack gets right at each k, with 95 % intervals; beside it 1/k, the
    shares at which both criteria call a release unsafe, and what naming anybody at random gives. ``k`` is
    marked by a line.
    """
    colors, ks = look.theme_of(theme), sorted(found)
    results = [found[each] for each in ks]
    share = np.array([result.share for result in results])
    low, high = (np.array([getattr(result, end) for result in results]) for end in ("low", "high"))
    lines = (
        ("1 in k", [1 / each for each in ks], colors.lines[0], "dash"),
        ("unsafe by the contest's rule", _limits(results, "contest_limit"), colors.lines[1], "solid"),
        ("unsafe by the binomial rule", _limits(results, "exact_limit"), colors.lines[1], "dot"),
        (
            "at random",
            [result.by_chance / max(result.tried, 1) for result in results],
            colors.muted,
            "dashdot",
        ),
    )
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": ks,
            "y": y,
            "name": name,
            "line": {"color": color, "dash": dash, "width": 1.8},
            "hovertemplate": f"{name}: %{{y:.1%}}<extra></extra>",
            "connectgaps": False,
        }
        for name, y, color, dash in lines
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": ks,
            "y": share,
            "name": "identified, 95 % interval",
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": high - share,
                "arrayminus": share - low,
                "thickness": 1.6,
                "width": 5,
                "color": colors.text,
            },
            "marker": {"size": 9, "color": colors.text},
            "customdata": [[r.identified, r.tried] for r in results],
            "hovertemplate": "k = %{x}: %{customdata[0]:,} of %{customdata[1]:,}, %{y:.1%}<extra></extra>",
        }
    )
    shapes = [] if k is None else [look.line_at(k, theme)]
    layout = {
        "xaxis": {"title": look.titled("k, in people", theme), "tickformat": "d", "nticks": 12},
        "yaxis": {
            "title": look.titled("Identified of those tried", theme),
            "tickformat": ".0%",
            "rangemode": "tozero",
        },
        "shapes": shapes,
        "showlegend": True,
        "uirevision": "attack",
    }
    return look.figure(traces, layout, theme, attack_sentence(found), height=420)


def attack_sentence(found: Mapping[int, Reidentification]) -> str:
    """From which k on the attack proves nothing any more, by both criteria, and what it finds at the ends."""
    if not found:
        return "No attack has been made yet."
    ks = sorted(found)
    parts = []
    for each in dict.fromkeys((ks[0], ks[-1])):
        result = found[each]
        parts.append(f"{result.identified:,} of {result.tried:,} at k = {each}")
    text = f"{found[ks[0]].attack.title} identifies {' and '.join(parts)}. "
    unsafe = [each for each in ks if found[each].unsafe]
    strict = [each for each in ks if exactly_unsafe(found[each])]
    text += _verdict(unsafe, "by the contest's rule") + " " + _verdict(strict, "by the exact binomial rule")
    return text


def exactly_unsafe(result: Reidentification) -> bool:
    """Whether so many right names are shown to be no accident by the binomial distribution."""
    return result.identified >= result.exact_limit


def _verdict(unsafe: list[int], rule: str) -> str:
    if not unsafe:
        return f"No k shown is unsafe {rule}."
    return f"Unsafe {rule}: k = {', '.join(map(str, unsafe))}."


def _limits(results: list[Reidentification], name: str) -> list[float]:
    """The least share that is unsafe; NaN where no number of successes would be."""
    return [
        getattr(r, name) / r.tried if r.tried and getattr(r, name) <= r.tried else float("nan")
        for r in results
    ]
