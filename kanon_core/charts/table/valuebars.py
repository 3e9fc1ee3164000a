"""Which products or categories people's records have, and how many of these records are published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import bars, legend, margin, outside, rows
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
        raise UnsuitableError(
            tr("Column “{name}” is not categorical, so its values are not counted.").format(name=name)
        )
    shown, width, published = ~release.suppressed, len(column.labels), release[name]
    single = shown & (np.append(published.cells.behind.sizes, 0)[published.cell] == 1)
    records, there, alone = (
        np.bincount(column.codes[chosen], minlength=width)
        for chosen in (np.ones(len(shown), bool), shown, single)
    )
    order = np.argsort(-records, kind="stable")
    order = order[records[order] > 0]
    texts = label_texts(column)
    return Values(
        name, tuple(texts[code] for code in order.tolist()), records[order], there[order], alone[order]
    )


def value_figure(values: Values, most: int = 20, theme: str = "light") -> go.Figure:
    """Horizontal bars of the ``most`` frequent values: published alone, published among others, left out
    (purchase-history paper, figure 1)."""
    colors, count = look.theme_of(theme), min(most, len(values.labels))
    own, kept, alone = (counts[:count] for counts in (values.records, values.published, values.alone))
    blue, labels = colors.lines[0], values.labels[:count]
    parts = (
        (tr("published alone"), alone, blue),
        (tr("published in a set"), kept - alone, look.faded(blue, 0.5)),
        (tr("left out"), own - kept, look.faded(colors.muted, 0.35)),
    )
    told = tr("{value}<br>records: {own}, published: {kept}, of these alone: {alone}").format(
        value="%{hovertext}",
        own="%{customdata[0]:,}",
        kept="%{customdata[1]:,}",
        alone="%{customdata[2]:,}",
    )
    facts = np.column_stack([own, kept, alone]).astype(np.int32)
    full = [look.plain(label, 80) for label in labels]
    more = {"orientation": "h", "width": 0.68, "hovertext": full, "customdata": facts}
    return look.figure(
        [bars(x, np.arange(count), told, color, name=name, **more) for name, x, color in parts],
        theme,
        values_sentence(values),
        height=24 * max(count, 1) + 92,
        barmode="stack",
        uirevision="values",
        dragmode=False,
        showlegend=True,
        xaxis=look.counts(int(own.max(initial=1)), theme, "Records", fixedrange=True),
        yaxis=rows([look.plain(label, _NAME) for label in labels], theme),
        margin=margin(8, 16, 34, 8),
        legend=legend(1, yref="paper", traceorder="normal"),
    )


def category_figure(sizes: Mapping[str, int], theme: str = "light") -> go.Figure:
    """Horizontal bars: the number of products of each category, most first (purchase-history paper, table 10
    and figure 1)."""
    labels, counts, color = list(sizes), list(sizes.values()), look.theme_of(theme).lines[0]
    more = outside([f"{count:,}" for count in counts], theme) | {"orientation": "h", "width": 0.68}
    more["hovertext"] = [look.plain(label, 80) for label in labels]
    return look.figure(
        [bars(counts, np.arange(len(labels)), "%{hovertext}: %{x:,} products", color, **more)],
        theme,
        category_sentence(sizes),
        height=24 * max(len(labels), 1) + 70,
        xaxis=look.counts(max(counts, default=1), theme, "Products", fixedrange=True),
        yaxis=rows([look.plain(label, _NAME) for label in labels], theme),
        margin=margin(8, 48, 8, 8),
        dragmode=False,
        uirevision="categories",
    )


def category_sentence(sizes: Mapping[str, int]) -> str:
    """How many products are in how many categories, and in the largest."""
    if not sizes:
        return tr("There are no categories.")
    total, first = sum(sizes.values()), next(iter(sizes))
    said = tr(
        "{products} in {categories:,} categories; the largest, “{first}”, has {count:,} ({percent:.0f} %)."
    )
    if len(sizes) == 1:
        said = tr("{products} in 1 category; the largest, “{first}”, has {count:,} ({percent:.0f} %).")
    return said.format(
        products=counted(total, "product"),
        categories=len(sizes),
        first=first,
        count=sizes[first],
        percent=100 * sizes[first] / total,
    )


def values_sentence(values: Values) -> str:
    """How many values there are, the most frequent one, and how many records publish theirs alone."""
    if not len(values.labels):
        return tr("No record has a value of “{name}”.").format(name=values.name)
    total, kept, alone = (int(part.sum()) for part in (values.records, values.published, values.alone))
    return tr(
        "{values} of “{name}”; most records ({percent:.1f} %) have “{first}”. {alone:.1f} % of the published"
        " records show their value alone, the others in a set with those of other people."
    ).format(
        values=counted(len(values.labels), "value"),
        name=values.name,
        percent=100 * values.records[0] / total,
        first=values.labels[0],
        alone=100 * alone / max(kept, 1),
    )
