"""What attackers who know the original make of published histories: people identified against k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, rule, scatter
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
    chance = [result.by_chance / max(result.tried, 1) for result in results]
    lines = (
        (tr("1 in k"), [1 / each for each in ks], colors.lines[0], "dash"),
        (tr("unsafe by the contest's rule"), _limits(results, "contest_limit"), colors.lines[1], "solid"),
        (tr("unsafe by the binomial rule"), _limits(results, "exact_limit"), colors.lines[1], "dot"),
        (tr("at random"), chance, colors.muted, "dashdot"),
    )
    traces = [_line(ks, y, name, color, dash) for name, y, color, dash in lines]
    return look.figure(
        [*traces, _shares(ks, results, colors.text)],
        theme,
        attack_sentence(found),
        height=420,
        xaxis=look.axis(theme, tr("k, in people"), tickformat="d", nticks=12),
        yaxis=look.axis(theme, tr("Identified of those tried"), tickformat=".0%", rangemode="tozero"),
        shapes=[] if k is None else [rule("x", k, colors.muted, layer="below")],
        showlegend=True,
        uirevision="attack",
    )


def _line(ks: list[int], y: list[float], name: str, color: str, dash: str) -> Settings:
    line = {"color": color, "dash": dash, "width": 1.8}
    return scatter("lines", ks, y, f"{name}: %{{y:.1%}}", name=name, line=line, connectgaps=False)


def _shares(ks: list[int], results: list[Reidentification], color: str) -> Settings:
    """The shares identified, with their intervals."""
    share, low, high = (np.array([getattr(r, name) for r in results]) for name in ("share", "low", "high"))
    ends = {"type": "data", "symmetric": False, "array": high - share, "arrayminus": share - low}
    return scatter(
        "markers",
        ks,
        share,
        "k = %{x}: %{customdata[0]:,} of %{customdata[1]:,}, %{y:.1%}",
        name="identified, 95 % interval",
        error_y={**ends, "thickness": 1.6, "width": 5, "color": color},
        marker={"size": 9, "color": color},
        customdata=[[r.identified, r.tried] for r in results],
    )


def attack_sentence(found: Mapping[int, Reidentification]) -> str:
    """From which k on the attack proves nothing any more, by both criteria, and what it finds at the ends."""
    if not found:
        return tr("No attack has been made yet.")
    ks = sorted(found)
    parts = []
    for each in dict.fromkeys((ks[0], ks[-1])):
        result = found[each]
        parts.append(
            tr("{identified:,} of {tried:,} at k = {each}").format(
                identified=result.identified, tried=result.tried, each=each
            )
        )
    text = (
        tr("{title} identifies {parts}.").format(title=found[ks[0]].attack.title, parts=look.listed(parts))
        + " "
    )
    unsafe = [each for each in ks if found[each].unsafe]
    strict = [each for each in ks if exactly_unsafe(found[each])]
    contest = _verdict(
        unsafe,
        tr("No k shown is unsafe by the contest's rule."),
        tr("Unsafe by the contest's rule: k = {ks}."),
    )
    binomial = _verdict(
        strict,
        tr("No k shown is unsafe by the exact binomial rule."),
        tr("Unsafe by the exact binomial rule: k = {ks}."),
    )
    return f"{text}{contest} {binomial}"


def exactly_unsafe(result: Reidentification) -> bool:
    """Whether so many right names are shown to be no accident by the binomial distribution."""
    return result.identified >= result.exact_limit


def _verdict(unsafe: list[int], none: str, some: str) -> str:
    return some.format(ks=", ".join(map(str, unsafe))) if unsafe else none


def _limits(results: list[Reidentification], name: str) -> list[float]:
    """The least share that is unsafe; NaN where no number of successes would be."""
    return [
        getattr(r, name) / r.tried if r.tried and getattr(r, name) <= r.tried else float("nan")
        for r in results
    ]
