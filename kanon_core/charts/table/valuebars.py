"""Which products or categories people's records have, and how many of these records are published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.charts.canvas import theme as look
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories
from kanon_core.table.columns.texts import label_texts

if TYPE_CHECKING:
    import plotly.graph_objects as go

_NAME = 26


@dataclass(frozen=True)
class Values:
    """By value of a column, the most frequent first: ``labels``, how many ``records`` have it, how many of
    these are ``published``, and how many of them are published ``alone``, with no other value beside it."""

    name: str
    labels: tuple[str, ...]
    records: np.ndarray
    published: np.ndarray
    alone: np.ndarray


def values_of(release: Release, name: str) -> Values:
    """The values of a categorical quasi-identifier; raises UnsuitableError for another column. Cost O(n)."""
    column = release.table[name]
    if not isinstance(column, Categories):
        raise UnsuitableError(f"Column “{name}” is not categorical, so its values are not counted.")
    shown, width, published = ~release.suppressed, len(column.labels), release[name]
    single = shown & (np.append(published.cells.behind.sizes, 0)[published.cell] == 1)
    records, published, alone = (
        np.bincount(column.codes[chosen], minlength=width)
        for chosen in (np.ones(len(shown), bool), shown, single)
    )
    order = np.argsort(-records, kind="stable")
    order = order[records[order] > 0]
    texts = label_texts(column)
    return Values(
        name, tuple(texts[code] for code in order.tolist()), records[order], published[order], alone[order]
    )


def value_figure(values: Values, most: int = 20, theme: str = "light") -> go.Figure:
    """Horizontal bars of the ``most`` frequent values: published alone, published among others, left out [002
    figure 1]."""
    colors = look.theme_of(theme)
    count = min(most, len(values.labels))
    own, kept, alone = (counts[:count] for counts in (values.records, values.published, values.alone))
    places, largest = np.arange(count), int(own.max(initial=1))
    full = [look.plain(label, 80) for label in values.labels[:count]]
    bar = {
        "type": "bar",
        "orientation": "h",
        "y": places,
        "width": 0.68,
        "hovertext": full,
        "customdata": np.column_stack([own, kept, alone]).astype(np.int32),
        "hovertemplate": (
            "%{hovertext}<br>%{customdata[0]:,} records, %{customdata[1]:,} published, "
            "%{customdata[2]:,} of these alone<extra></extra>"
        ),
    }
    parts = (
        ("published alone", alone, colors.lines[0]),
        ("published in a set", kept - alone, look.faded(colors.lines[0], 0.5)),
        ("left out", own - kept, look.faded(colors.muted, 0.35)),
    )
    traces = [
        {**bar, "x": x, "name": name, "marker": {"color": color, "line": {"width": 0}}}
        for name, x, color in parts
    ]
    layout = {
        "barmode": "stack",
        "uirevision": "values",
        "dragmode": False,
        "showlegend": True,
        "xaxis": {**look.counts(largest, theme, "Records"), "fixedrange": True},
        "yaxis": {
            "tickmode": "array",
            "tickvals": places,
            "ticktext": [look.plain(label, _NAME) for label in values.labels[:count]],
            "range": [count - 0.5, -0.5],
            "showgrid": False,
            "showline": False,
            "ticklen": 6,
            "tickcolor": "rgba(0,0,0,0)",
            "fixedrange": True,
            "tickfont": {"color": colors.text, "size": 13},
        },
        "margin": {"l": 8, "r": 16, "t": 34, "b": 8},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yref": "paper",
            "xanchor": "left",
            "yanchor": "bottom",
            "traceorder": "normal",
        },
    }
    return look.figure(traces, layout, theme, values_sentence(values), height=24 * max(count, 1) + 92)


def category_figure(sizes: Mapping[str, int], theme: str = "light") -> go.Figure:
    """Horizontal bars: the number of products of each category, most first [002 table 10 and figure 1]."""
    colors, labels, counts = look.theme_of(theme), list(sizes), list(sizes.values())
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": counts,
        "y": list(range(len(labels))),
        "width": 0.68,
        "marker": {"color": colors.lines[0], "line": {"width": 0}},
        "text": [f"{count:,}" for count in counts],
        "textposition": "outside",
        "constraintext": "none",
        "textangle": 0,
        "cliponaxis": False,
        "textfont": {"color": colors.muted, "size": 12},
        "hovertext": [look.plain(label, 80) for label in labels],
        "hovertemplate": "%{hovertext}: %{x:,} products<extra></extra>",
    }
    layout = {
        "xaxis": {**look.counts(max(counts, default=1), theme, "Products"), "fixedrange": True},
        "yaxis": {
            "tickmode": "array",
            "tickvals": list(range(len(labels))),
            "ticktext": [look.plain(label, _NAME) for label in labels],
            "range": [len(labels) - 0.5, -0.5],
            "showgrid": False,
            "showline": False,
            "ticklen": 6,
            "tickcolor": "rgba(0,0,0,0)",
            "fixedrange": True,
            "tickfont": {"color": colors.text, "size": 13},
        },
        "margin": {"l": 8, "r": 48, "t": 8, "b": 8},
        "dragmode": False,
        "uirevision": "categories",
    }
    return look.figure([trace], layout, theme, category_sentence(sizes), height=24 * max(len(labels), 1) + 70)


def category_sentence(sizes: Mapping[str, int]) -> str:
    """How many products are in how many categories, and in the largest."""
    if not sizes:
        return "There are no categories."
    total, first = sum(sizes.values()), next(iter(sizes))
    kinds = "1 category" if len(sizes) == 1 else f"{len(sizes):,} categories"
    return (
        f"{look.count_text(total, 'product')} in {kinds}; the largest, “{first}”, has {sizes[first]:,} "
        f"({100 * sizes[first] / total:.0f} %)."
    )


def values_sentence(values: Values) -> str:
    """How many values there are, the most frequent one, and how many records publish theirs alone."""
    if not len(values.labels):
        return f"No record has a value of “{values.name}”."
    total, kept, alone = (int(part.sum()) for part in (values.records, values.published, values.alone))
    return (
        f"{look.count_text(len(values.labels), 'value')} of “{values.name}”; most records"
        f" ({100 * values.records[0] / total:.1f} %) have “{values.labels[0]}”."
        f" {100 * alone / max(kept, 1):.1f} % of the published records show their value alone, the others in"
        " a set with those of other people."
    )
