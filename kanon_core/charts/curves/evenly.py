"""Lines over k whose values stand evenly: from 2 to 3 is as far as from 50 to 100."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, scatter, ticks


def even_axis(title: str, places: Sequence[int], theme: str) -> Settings:
    """The axis of these numbers; ``title`` is escaped."""
    named = ticks(np.arange(len(places)), [f"{place:,}" for place in places])
    return look.axis(theme, title, range=[-0.3, max(len(places), 1) - 0.7], **named)


def even_line(
    values: Mapping[int, float], ks: Sequence[int], name: str, number: str, line: Settings, symbol: str
) -> Settings:
    """The values by k, some of ``ks``, as a line with markers. ``name`` is escaped; ``number`` is the format
    of a value under the pointer; ``line``: color, width and dash."""
    mine = sorted(values)
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
