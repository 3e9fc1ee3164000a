"""Figures of papers, reproduced: lines by k or over another number, and the papers' printed numbers beside
ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kanon_core.base.words import later, number_text, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, scatter, ticks

Line = Mapping[float, float]
"""Values by their places."""
ByK = Mapping[int, float]
"""Values by k."""
WORDS = {"number": later("number"), "category": later("category"), "both": later("both")}
"""The lines of a figure of losses, in this order; `loss_figure` takes other names for the first two."""
_TITLE = later("ILD (0 % = nothing lost)")
_NOTHING = later("There is no result yet.")
_FAR = 30.0


def _even_axis(title: str, places: Sequence[int], theme: str) -> Settings:
    """Return an axis on which these numbers are evenly spaced: from 2 to 3 is as far as from 50 to 100;
    ``title`` is escaped."""
    named = ticks(np.arange(len(places)), [f"{place:,}" for place in places])
    return look.axis(theme, title, range=[-0.3, max(len(places), 1) - 0.7], **named)


def _even_line(
    values: ByK, ks: Sequence[int], name: str, number: str, line: Settings, place: int
) -> Settings:
    """The values by k, some of ``ks``, as a line with markers. ``name`` is escaped; ``number`` is the format
    of a value under the pointer; ``line``: color, width and dash; ``place`` chooses the marker."""
    mine, symbol = sorted(values), look.MARKERS[place % len(look.MARKERS)]
    return scatter(
        "lines+markers",
        [ks.index(k) for k in mine],
        [values[k] for k in mine],
        f"k = %{{customdata[0]:,}}<br>%{{y:{number}}}<extra>{name}</extra>",
        name=name,
        customdata=[[k] for k in mine],
        line=line,
        marker={"color": line["color"], "size": 8, "symbol": symbol},
    )


def _ks(curves: Mapping[str, ByK]) -> list[int]:
    return sorted({k for values in curves.values() for k in values})


def lines_figure(lines: Mapping[str, Line], titles: tuple[str, str], theme: str = "light") -> look.Figure:
    """One line for each name, each with its color, dash and markers, over a number: loss before and after,
    densities, shares.

    ``titles``: of the two axes, not escaped. Lines of up to 60 points have markers.
    """
    across, up = (look.plain(title, 60) for title in titles)
    return look.figure(
        [_line(place, name, line, theme) for place, (name, line) in enumerate(lines.items())],
        theme,
        lines_sentence(lines, titles),
        height=280,
        xaxis=look.axis(theme, across),
        yaxis=look.axis(theme, up, rangemode="tozero"),
        showlegend=len(lines) > 1,
        uirevision="lines",
    )


def _line(place: int, name: str, line: Line, theme: str) -> Settings:
    palette, called, at = look.theme_of(theme), look.plain(name, 40), sorted(line)
    colors = (*palette.lines[:2], palette.accent, *palette.lines[2:])
    color = colors[place % len(colors)]
    return scatter(
        "lines+markers" if len(line) <= 60 else "lines",
        at,
        [line[x] for x in at],
        f"%{{x:,}}<br>%{{y:.4g}}<extra>{called}</extra>",
        name=called,
        line={"color": color, "width": 2, "dash": look.DASHES[place % len(look.DASHES)]},
        marker={"color": color, "size": 5, "symbol": look.MARKERS[place % len(look.MARKERS)]},
    )


def lines_sentence(lines: Mapping[str, Line], titles: tuple[str, str]) -> str:
    """Return each line's largest value, and where, in words; names are not escaped."""
    there = {name: line for name, line in lines.items() if line}
    if not there:
        return tr(_NOTHING)
    found = []
    for name, line in there.items():
        at = max(sorted(line), key=line.__getitem__)
        text = tr("{name} {value} at {axis} {at}").format(
            name=name, value=number_text(line[at]), axis=titles[0], at=number_text(at)
        )
        found.append(text.strip())
    return tr("Largest values: {lines}.").format(lines="; ".join(found))


def marketing_figure(curves: Mapping[str, ByK], theme: str = "light") -> look.Figure:
    """Return a figure of the errors of marketing figures computed from published purchases, and of U: one
    line for each measure, by its name in the reader's language, over evenly spaced k. The first, U, is
    bold."""
    ks, colors, traces = _ks(curves), look.theme_of(theme), list[Settings]()
    for place, (name, values) in enumerate(curves.items()):
        color = colors.lines[(place - 1) % len(colors.lines)] if place else colors.accent
        line = {"color": color, "width": 2 if place else 3.5, "dash": look.DASHES[place % len(look.DASHES)]}
        traces.append(_even_line(values, ks, look.plain(name, 40), ".3f", line, place))
    return look.figure(
        traces,
        theme,
        marketing_sentence(curves),
        height=320,
        xaxis=_even_axis(tr("k, in people"), ks, theme),
        yaxis=look.axis(theme, tr("error (0 = exact)"), rangemode="tozero"),
        showlegend=True,
        uirevision="marketing",
    )


def marketing_sentence(curves: Mapping[str, ByK]) -> str:
    """The values at the least and the largest k, in words; the names are not escaped."""
    there = {name: values for name, values in curves.items() if values}
    if not there:
        return tr(_NOTHING)
    ends = _ks(there)[0], _ks(there)[-1]
    errors = []
    for name, values in there.items():
        first, last = (f"{values[k]:.3f}" if k in values else "?" for k in ends)
        errors.append(f"{name} {first} → {last}")
    return tr("From k = {first:,} to k = {last:,}: {errors}.").format(
        first=ends[0], last=ends[1], errors=", ".join(errors)
    )


def loss_figure(
    curves: Mapping[str, ByK],
    names: Mapping[str, str] | None = None,
    span: tuple[float, float] | None = None,
    theme: str = "light",
) -> look.Figure:
    """One line for each of "number", "category" and "both" that is there: its ILD, a share, by k; "both" is
    the bold one.

    ``names``: the columns that "number" and "category" stand for, not escaped. ``span``: least and greatest
    value of all figures to be compared with this one (`span_of`); default: its own. k is evenly spaced. A
    line marks 0, as values may be below it.
    """
    called = {**WORDS, **{word: look.plain(text, 40) for word, text in (names or {}).items()}}
    ks, colors, traces = _ks(curves), look.theme_of(theme), list[Settings]()
    for place, word in enumerate(WORDS):
        if curves.get(word):
            color = (*colors.lines[:2], colors.accent)[place]
            line = {
                "color": color,
                "width": 3.5 if word == "both" else 2,
                "dash": look.DASHES[(place + 1) % 3],
            }
            traces.append(_even_line(curves[word], ks, called[word], ".2%", line, place))
    low, high = span or span_of([curves])
    room = 0.06 * (high - low)
    zero = {"zeroline": True, "zerolinecolor": colors.muted, "zerolinewidth": 1}
    return look.figure(
        traces,
        theme,
        loss_sentence(curves, names),
        height=300,
        xaxis=_even_axis("k", ks, theme),
        yaxis=look.axis(theme, tr(_TITLE), tickformat=".0%", range=[low - room, high + room], **zero),
        showlegend=True,
        uirevision="losses",
    )


def span_of(figures: Sequence[Mapping[str, ByK]]) -> tuple[float, float]:
    """The least and the greatest value of some figures' curves, 0 among them; 0 to 1 when there are none."""
    values = [value for curves in figures for line in curves.values() for value in line.values()]
    low, high = min([0.0, *values]), max([0.0, *values])
    return (low, high) if high > low else (0.0, 1.0)


def loss_sentence(curves: Mapping[str, ByK], names: Mapping[str, str] | None = None) -> str:
    """Return a sentence on the loss at the largest k; the names are not escaped."""
    called = {**WORDS, **(names or {})}
    there = {word: curves[word] for word in WORDS if curves.get(word)}
    if not there:
        return tr(_NOTHING)
    k = _ks(there)[-1]
    shares = {word: values[k] for word, values in there.items() if k in values}
    losses = [f"{called[w]} {'' if s >= 0 else '−'}{look.percent_text(abs(s))} %" for w, s in shares.items()]
    text = tr("Loss at k = {k:,}: {losses}.").format(k=k, losses=", ".join(losses))
    if any(value < 0 for values in there.values() for value in values.values()):
        text += " " + tr(
            "A loss below 0 means that published values are farther apart than the originals, for example"
            " when a frequent value replaces rarer ones."
        )
    return text


def reproduced_figure(
    places: Sequence[int],
    values: Sequence[Sequence[float]],
    printed: Sequence[float | None],
    titles: tuple[str, str],
    theme: str = "light",
) -> look.Figure:
    """Return a paper's figure, reproduced: the mean over the samples at each place as a line, a band from the
    least to the most, the paper's printed numbers as diamonds.

    ``titles``: of the two axes, not escaped. Places are evenly spaced; the axis is logarithmic if the largest
    value is more than 30 times the smallest.
    """
    means = np.array([float(np.mean(samples)) for samples in values])
    every = np.array([*means, *(number for number in printed if number is not None)])
    far = bool(len(every)) and every.min() > 0 and every.max() > _FAR * every.min()
    scale: Settings = {"type": "log", "dtick": 1, "tickformat": "~g"} if far else {"rangemode": "tozero"}
    across, up = (look.plain(title, 60) for title in titles)
    return look.figure(
        _traces(values, means, printed, theme),
        theme,
        reproduced_sentence(places, means, titles),
        height=280,
        xaxis=_even_axis(across, places, theme),
        yaxis=look.axis(theme, up + " " + tr("(logarithmic)") if far else up, **scale),
        showlegend=any(number is not None for number in printed),
        uirevision="again",
    )


def _traces(
    values: Sequence[Sequence[float]], means: np.ndarray, printed: Sequence[float | None], theme: str
) -> list[Settings]:
    """The band, our means, and the paper's numbers where it prints some."""
    (blue, red), across = look.theme_of(theme).lines[:2], np.arange(len(values))
    least, most = ([end(samples) for samples in values] for end in (min, max))
    band: Settings = {"showlegend": False, "line": {"width": 0}}
    filled = {"fill": "tonexty", "fillcolor": look.faded(blue, 0.2)}
    ours = {"line": {"color": blue, "width": 2}, "marker": {"color": blue, "size": 8}}
    known = [(i, float(number)) for i, number in enumerate(printed) if number is not None]
    at, papers = [i for i, _ in known], [number for _, number in known]
    diamond = {"color": red, "size": 11, "symbol": "diamond"}
    here, paper = tr("reproduced here"), tr("printed in the paper")
    return [
        scatter("lines", across, least, **band),
        scatter("lines", across, most, **band, **filled),
        scatter("lines+markers", across, means, f"%{{y:.4g}}<extra>{here}</extra>", name=here, **ours),
        scatter("markers", at, papers, f"%{{y:,}}<extra>{paper}</extra>", name=paper, marker=diamond),
    ]


def reproduced_sentence(places: Sequence[int], means: np.ndarray, titles: tuple[str, str]) -> str:
    """The first and the last value in words."""
    if not len(places):
        return tr(_NOTHING)
    axis, unit = titles[0].split(",")[0], titles[1]
    ends = [
        tr("{value} at {axis} {place:,}").format(
            value=f"{number_text(float(means[i]))} {unit}".strip(), axis=axis, place=places[i]
        )
        for i in dict.fromkeys((0, len(places) - 1))
    ]
    return tr("Reproduced here: {values}.").format(values=look.range_text(ends[0], ends[-1]))
