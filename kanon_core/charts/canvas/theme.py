"""Look of every chart: colors that color-blind readers can tell apart, fonts, light and dark, escaping."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr

if TYPE_CHECKING:
    import plotly.graph_objects as go

Figure: TypeAlias = "go.Figure"
"""The type of every chart; it is named only here, so that plotly is imported when the first chart is made."""
FONT = '"Source Sans", "Source Sans Pro", "Noto Sans", "Noto Sans JP", system-ui, sans-serif'

_BLUE, _VERMILION, _GREEN, _SKY, _PURPLE, _ORANGE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#56B4E9",
    "#CC79A7",
    "#E69F00",
)
"""The palette of Okabe and Ito (2008); its yellow is too pale on white and its black too dark on black."""

MARKERS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "hexagon")
DASHES = (
    "solid",
    "dash",
    "dot",
    "dashdot",
    "longdash",
    "longdashdot",
    "9px,3px,2px,3px,2px,3px",
    "2px,5px",
)

SHADES = {
    "light": [[0.0, "#EEF3F9"], [0.5, "#6F9FCC"], [1.0, "#0B3C6F"]],
    "dark": [[0.0, "#13243A"], [0.5, "#4A7FB0"], [1.0, "#D6E8FA"]],
}
"""Colors of heat maps, by theme, from low to high: one hue, so that marks in other colors are seen."""

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "sendChartToCloud", "editInChartStudio"],
}
"""The ``config`` of every chart: nothing is sent anywhere."""


@dataclass(frozen=True)
class Theme:
    """Colors as ``#rrggbb``. ``surface``: the page; ``groups``: of neighboring groups; ``lines``: of
    algorithms, different for color-blind readers too, the last of them gray; ``loss``: of measures of
    loss."""

    surface: str
    text: str
    muted: str
    grid: str
    accent: str
    lines: tuple[str, ...]
    groups: tuple[str, ...]
    loss: str


THEMES: dict[str, Theme] = {
    "light": Theme(
        surface="#FFFFFF",
        text="#1F2430",
        muted="#5B6270",
        grid="#E4E7EC",
        accent="#111827",
        lines=(
            *(_BLUE, _VERMILION, "#3D9970", "#E0609E", "#6B3A0F", "#332288", "#117733", "#004D40"),
            "#5B6270",
        ),
        groups=(_BLUE, _ORANGE, _GREEN, _VERMILION, _SKY, _PURPLE, "#6B7280"),
        loss="#A67C00",
    ),
    "dark": Theme(
        surface="#171614",
        text="#F3F4F6",
        muted="#A8B0BD",
        grid="#2A303C",
        accent="#FFFFFF",
        lines=(
            *(_SKY, _ORANGE, "#BFFF94", "#8C6BFF", "#B5651D", "#6BFFC4", "#187086", "#9A7B4F"),
            "#A8B0BD",
        ),
        groups=("#3F9BD6", _ORANGE, "#17B588", "#E8702A", "#8CCBF0", "#DE8FBB", "#F0E442"),
        loss="#F0E442",
    ),
}


def theme_of(name: str) -> Theme:
    """The theme called "light" or "dark"; OptionError for another name."""
    if name not in THEMES:
        raise OptionError(tr("The theme of a chart must be “light” or “dark”."))
    return THEMES[name]


def faded(color: str, opacity: float) -> str:
    """``#rrggbb`` with an opacity in 0..1, as CSS."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def plain(text: object, most: int = 32) -> str:
    """A text as plotly shows it literally: at most so many characters, on one line, no markup, formula or
    template.

    Plotly reads a subset of HTML in titles, ticks, legends and hover boxes, ``%{…}`` in templates and ``$…$``
    as TeX.
    """
    line = " ".join(str(text).split())
    line = line if len(line) <= most else line[: most - 1].rstrip() + "…"
    return html.escape(line).replace("$", "&#36;").replace("{", "&#123;").replace("}", "&#125;")


def percent_text(share: float) -> str:
    """Return a share in percent with two digits, without the sign: ``48``, ``3.1``, ``0.016``."""
    percent = 100 * share
    if 0 < percent < 0.001:
        return tr("less than 0.001")
    return f"{percent:.0f}" if abs(percent) >= 10 else f"{percent:.2g}"


def figure(
    traces: Sequence[Mapping[str, Any]], theme: str, alt: str, height: int = 460, **layout: Any
) -> go.Figure:
    """A figure of plain traces in the house style; ``layout.meta["alt"]`` is for screen readers."""
    import plotly.graph_objects as go

    merged = {**base_layout(theme), "height": height, "meta": {"alt": alt}, **layout}
    merged["xaxis"] = {**axis(theme), **layout.get("xaxis", {})}
    merged["yaxis"] = {**axis(theme), **layout.get("yaxis", {})}
    return go.Figure({"data": list(traces), "layout": merged})


def base_layout(theme: str) -> dict[str, Any]:
    """The layout all charts share: transparent, margins that fit a phone, legend above."""
    colors = theme_of(theme)
    return {
        "template": {},
        "autosize": True,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colors.text},
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": colors.surface,
            "bordercolor": colors.muted,
            "font": {"family": FONT, "size": 13, "color": colors.text},
            "align": "left",
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "bgcolor": "rgba(0,0,0,0)",
            "font": {"size": 13},
        },
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colors.muted, "activecolor": colors.accent},
        "uirevision": "kanon",
        "showlegend": False,
    }


def axis(theme: str, title: str = "", **more: Any) -> dict[str, Any]:
    """A quiet axis: thin grid, outside labels that make their own room; ``title`` must be escaped."""
    colors = theme_of(theme)
    font = {"color": colors.text, "size": 13}
    return {
        "automargin": True,
        "gridcolor": colors.grid,
        "zeroline": False,
        "showline": True,
        "linecolor": colors.grid,
        "tickcolor": colors.grid,
        "ticks": "outside",
        "ticklen": 4,
        "tickfont": {"color": colors.muted, "size": 12},
        "title": {**({"text": title} if title else {}), "font": font, "standoff": 8},
        **more,
    }


def listed(words: Sequence[str]) -> str:
    """``a, b and c``; at least one."""
    if len(words) == 1:
        return words[0]
    return tr("{names} and {last}").format(names=", ".join(words[:-1]), last=words[-1])


def range_text(low: str, high: str) -> str:
    """Return ``3 to 5``; one of the two numbers where both read the same."""
    return low if low == high else tr("{low} to {high}").format(low=low, high=high)


def counts(most: int, theme: str, title: str, **more: Any) -> dict[str, Any]:
    """An axis of whole numbers from 0, without ticks between them."""
    whole = {"dtick": 1} if most < 8 else {"nticks": 6}
    return axis(theme, title, rangemode="tozero", tickformat=",d", **whole, **more)


def picked(event: Mapping[str, Any] | None) -> tuple[int, ...]:
    """The numbers of the first point clicked, from a chart's selection event; empty when none was.

    Browsers send a typed row either as a list or as an object with the keys "0", "1", …; both are read.
    """
    points = (event or {}).get("selection", {}).get("points", [])
    row = points[0].get("customdata") if points else None
    if isinstance(row, Mapping):
        row = [row[key] for key in sorted(row, key=int)]
    return (
        tuple(int(number) for number in row) if isinstance(row, Sequence) and not isinstance(row, str) else ()
    )


def picked_number(event: Mapping[str, Any] | None) -> int | None:
    """The number (from 0) of the group, record or person clicked: the first fact of a point is that number
    counted from 1. None when nothing was clicked."""
    numbers = picked(event)
    return numbers[0] - 1 if numbers and numbers[0] > 0 else None
