"""Correlations of the columns of numbers and dates, before and after, as heat maps on one scale from −1 to
1."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, margin, note, rows, ticks
from kanon_core.metrics.utility.base import read_numbers
from kanon_core.metrics.utility.statistics import correlation
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

COLUMNS_AT_MOST = 10
"""The most columns of a heat map: the first ones."""
_ENDS = {
    "light": ("#B35806", "#F4F4F4", "#2166AC"),
    "dark": ("#E08214", "#2B2F38", "#4393C3"),
}
"""Colors of −1, 0 and 1, by theme: orange and blue are different for color-blind readers too."""


def correlated(table: Table) -> list[Numbers]:
    """Return the quasi-identifiers that have correlations: numbers and dates, the first of many; none where
    there is only one."""
    found = [column for column in table.quasi if isinstance(column, Numbers)][:COLUMNS_AT_MOST]
    return found if len(found) > 1 else []


def correlations(table: Table, release: Release | None = None, tick: Tick = silent) -> np.ndarray:
    """Return Pearson's r of each pair of the `correlated` columns, float64 (c, c), of the originals or as a
    reader of the release takes its cells. A record counts in a pair where it has both values; a column that
    does not vary has r = 0 with the others. Cost O(n · c²)."""
    columns = correlated(table)
    values = [one.values if release is None else read_numbers(one, release) for one in columns]
    found = np.eye(len(columns))
    for a in range(len(columns)):
        tick(a / len(columns), tr("correlations"))
        for b in range(a):
            found[a, b] = found[b, a] = correlation(values[a], values[b])
    return found


def correlation_figure(names: list[str], r: np.ndarray, theme: str = "light") -> look.Figure:
    """Return a heat map with a row and a column for each name; the columns have the numbers of the rows."""
    places, font = range(len(names)), {"color": look.theme_of(theme).muted, "size": 12}
    quiet = {"showgrid": False, "showline": False, "ticks": "", "tickfont": font}
    across = ticks(list(places), [str(i + 1) for i in places], range=[-0.5, len(names) - 0.5], **quiet)
    return look.figure(
        [],
        theme,
        _alt(names, r),
        height=30 + 24 * len(names),
        margin=margin(4, 4, 4, 4),
        shapes=[_box(a, b, r, theme) for a in places for b in places],
        annotations=[_number(a, b, r, theme) for a in places for b in places],
        xaxis=across,
        yaxis=rows([look.plain(f"{i + 1} {name}", 14) for i, name in enumerate(names)], theme),
    )


def color_of(r: float, theme: str) -> str:
    """Return the color of a correlation: between orange at −1 and blue at 1.

    >>> color_of(1.0, "light"), color_of(0.0, "light"), color_of(-1.0, "light")
    ('#2166AC', '#F4F4F4', '#B35806')
    """
    below, middle, above = ([int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in _ENDS[theme])
    end, share = (above, r) if r > 0 else (below, -r)
    mixed = (round(a + (b - a) * min(share, 1.0)) for a, b in zip(middle, end, strict=True))
    return "#" + "".join(f"{part:02X}" for part in mixed)


def _box(a: int, b: int, r: np.ndarray, theme: str) -> Settings:
    ends = {"x0": b - 0.48, "x1": b + 0.48, "y0": a - 0.48, "y1": a + 0.48}
    color = color_of(float(r[a, b]), theme)
    return {"type": "rect", **ends, "fillcolor": color, "line": {"width": 0}, "layer": "below"}


def _number(a: int, b: int, r: np.ndarray, theme: str) -> Settings:
    """Return the number in a box, black or white, whichever stands out more."""
    value = float(r[a, b])
    red, green, blue = (int(color_of(value, theme)[i : i + 2], 16) / 255 for i in (1, 3, 5))
    bright = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18
    return note(number(value), int(b), int(a), "#000000" if bright else "#FFFFFF", 11)


def number(r: float) -> str:
    """Return a correlation with two digits.

    >>> number(0.5), number(-0.014), number(1.0), number(0.004)
    ('.50', '−.01', '1', '0')
    """
    text = {"0.00": "0", "1.00": "1"}.get(f"{abs(r):.2f}", f"{abs(r):.2f}"[1:])
    return text if r >= 0 or text == "0" else f"−{text}"


def _alt(names: list[str], r: np.ndarray) -> str:
    """Return the correlation of each pair, for screen readers."""
    told = [
        tr("{one} and {other} {r}").format(one=names[b], other=names[a], r=f"{r[a, b]:.2f}")
        for a in range(len(names))
        for b in range(a)
    ]
    return tr("Correlations: {pairs}.").format(pairs=", ".join(told))
