"""Elements of charts, as plain settings of plotly: traces, lines and notes at places, ticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from kanon_core.charts.canvas.theme import SHADES, theme_of

Settings: TypeAlias = dict[str, Any]
"""A trace, an axis, a shape or an annotation as plotly takes it."""
Numbers: TypeAlias = np.ndarray | Sequence[Any]

UNDIMMED: Settings = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
UNSEEN: Settings = {"selected": {"marker": {"opacity": 0}}, "unselected": {"marker": {"opacity": 0}}}
"""Settings that make points look the same whether they are selected or not."""
NOTHING: tuple[np.ndarray, np.ndarray] = (np.zeros(0), np.zeros(0))
"""The places of a trace that is empty for now: figures are updated in place and keep their traces."""


def scatter(mode: str, x: Numbers, y: Numbers, hover: str | None = None, **more: Any) -> Settings:
    """Return a scatter trace of ``mode`` "lines", "markers", …; without the template ``hover``, it has no
    hover box."""
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **_says(hover), **more}


def bars(x: Numbers, y: Numbers, hover: str | None = None, color: Any = None, **more: Any) -> Settings:
    """Bars without outlines, in one color or in one each."""
    marker = {} if color is None else {"marker": flat(color)}
    return {"type": "bar", "x": x, "y": y, **_says(hover), **marker, **more}


def _says(hover: str | None) -> Settings:
    if hover is None:
        return {"hoverinfo": "skip"}
    return {"hovertemplate": hover if "<extra>" in hover else f"{hover}<extra></extra>"}


def flat(color: Any) -> Settings:
    """A filled mark without an outline."""
    return {"color": color, "line": {"width": 0}}


def heat(z: Numbers, x: Numbers, y: Numbers, hover: str, theme: str, **more: Any) -> Settings:
    """A heat map in the colors `SHADES`, with the color of the lowest value for 0."""
    said = {"hovertemplate": f"{hover}<extra></extra>", "hoverongaps": False}
    return {"type": "heatmap", "z": z, "x": x, "y": y, "zmin": 0, "colorscale": SHADES[theme], **said, **more}


def area(x: Numbers, y: Numbers, color: str, width: float, fill: str | None, **more: Any) -> Settings:
    """Closed outlines, NaN between them, filled where a color is given."""
    filled = {} if fill is None else {"fill": "toself", "fillcolor": fill}
    return scatter("lines", x, y, line={"color": color, "width": width}, **filled, **more)


def clicks(x: Numbers, y: Numbers, facts: np.ndarray, hover: str, **more: Any) -> Settings:
    """Unseen points that answer the pointer, over a painted picture; ``facts``: their ``customdata``."""
    marker = {"size": 12, "opacity": 0, "maxdisplayed": 1}
    return scatter("markers", x, y, hover, customdata=facts, marker=marker, **UNSEEN, **more)


def ring(x: Numbers, y: Numbers, color: str, width: float = 2.5, **more: Any) -> Settings:
    """Return a ring around what is chosen; an empty trace where nothing is."""
    marker = {"symbol": "circle-open", "size": 18, "color": color, "line": {"width": width}}
    return scatter("markers", x, y, marker=marker, **UNDIMMED, **more)


def between(starts: Sequence[np.ndarray], ends: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return lines from places (x, y) to others, as one broken line with NaN after each."""
    gaps = np.full(len(starts[0]), np.nan)
    x, y = (np.column_stack([a, b, gaps]).ravel() for a, b in zip(starts, ends, strict=True))
    return x, y


def rule(letter: str, at: float, color: str, width: float = 1.5, dash: str = "dot", **more: Any) -> Settings:
    """A line across the whole chart at this place of axis ``letter``, "x" or "y"."""
    other = "y" if letter == "x" else "x"
    ends = {f"{letter}0": at, f"{letter}1": at, f"{other}0": 0, f"{other}1": 1, f"{other}ref": "paper"}
    return {"type": "line", **ends, "line": {"color": color, "width": width, "dash": dash}, **more}


def note(
    text: str, x: Any, y: Any, color: str, size: int = 12, paper: str = "", anchor: str = "", **more: Any
) -> Settings:
    """A text at a place. ``paper``: the letters whose place is a share of the chart; ``anchor``: one or two
    words such as "left bottom"."""
    across = ("left", "right", "center")
    anchors = {"xanchor" if word in across else "yanchor": word for word in anchor.split()}
    shares = {f"{letter}ref": "paper" for letter in paper}
    font = {"size": size, "color": color}
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **shares, **anchors, **more}


def end_notes(texts: Sequence[str], theme: str) -> list[Settings]:
    """One text at the right end of each row of a chart of horizontal bars."""
    color = theme_of(theme).text
    return [note(text, 1, i, color, paper="x", anchor="left", xshift=6) for i, text in enumerate(texts)]


def ticks(places: Numbers, names: Sequence[str], **more: Any) -> Settings:
    """Ticks of an axis at these places with these names, which must be escaped."""
    return {"tickmode": "array", "tickvals": places, "ticktext": names, **more}


def rows(names: Sequence[str], theme: str) -> Settings:
    """The axis of horizontal bars: a name for each row, from the top."""
    font = {"color": theme_of(theme).text, "size": 13}
    quiet = {"showgrid": False, "showline": False, "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
    ends = {"range": [len(names) - 0.5, -0.5], "fixedrange": True}
    return ticks(np.arange(len(names)), names, tickfont=font, **quiet, **ends)


def margin(left: int, right: int, top: int, bottom: int) -> Mapping[str, int]:
    """Pixels around the axes."""
    return {"l": left, "r": right, "t": top, "b": bottom}


def legend(y: float = 1.02, top: bool = False, **more: Any) -> Settings:
    """A legend in a line above the chart, or with its ``top`` at this place."""
    yanchor = "top" if top else "bottom"
    return {"orientation": "h", "x": 0, "y": y, "xanchor": "left", "yanchor": yanchor, **more}


def outside(texts: Sequence[str] | None, theme: str) -> Settings:
    """Texts written above or beside bars, however narrow these are."""
    font = {"color": theme_of(theme).muted, "size": 12}
    place = {"textposition": "outside", "constraintext": "none", "textangle": 0, "cliponaxis": False}
    return {"text": texts, "textfont": font, **place}
