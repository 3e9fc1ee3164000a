"""Values or items of the records, and how many of these are published: one bar each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, end_notes, legend, margin, outside, rows
from kanon_core.charts.sets.itemsets import NO_ITEMS, ItemView
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories
from kanon_core.table.columns.texts import label_texts

_NAME = 26
_LYING = {"orientation": "h", "width": 0.68}
ORDERS: dict[str, str] = {
    "often": later("most frequent"),
    "lost": later("most suppressed"),
    "share": later("largest share suppressed"),
}


@dataclass(frozen=True)
class Values:
    """The values of a column, the most frequent first: their ``labels``, how many ``records`` have each, how
    many of these are ``published``, and how many ``alone``, with no other value in the cell."""

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
            tr("Column “{name}” is not categorical; choose a categorical column to count values.").format(
                name=name
            )
        )
    shown, width, published = ~release.suppressed, len(column.labels), release[name]
    single = shown & (np.append(published.cells.underlying.sizes, 0)[published.cell] == 1)
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


def value_figure(values: Values, most: int = 20, theme: str = "light") -> look.Figure:
    """Horizontal bars of the ``most`` frequent values: published alone, published among others, left out
    (purchase-history paper, figure 1)."""
    labels, (blue, gray) = values.labels[:most], _inks(theme)
    own, kept, alone = (counts[:most] for counts in (values.records, values.published, values.alone))
    parts = (
        (tr("published alone"), alone, blue),
        (tr("published in a set"), kept - alone, look.faded(blue, 0.5)),
        (tr("suppressed"), own - kept, gray),
    )
    told = tr("{value}<br>records: {own}, published: {kept}, of these alone: {alone}").format(
        value="%{hovertext}",
        own="%{customdata[0]:,}",
        kept="%{customdata[1]:,}",
        alone="%{customdata[2]:,}",
    )
    return _stacked(
        _bars(parts, told, (own, kept, alone), labels),
        labels,
        values_sentence(values),
        theme,
        uirevision="values",
        xaxis=look.counts(int(own.max(initial=1)), theme, tr("Records"), fixedrange=True),
        margin=margin(8, 16, 34, 8),
    )


def _inks(theme: str) -> tuple[str, str]:
    """The colors of the published and the suppressed parts."""
    colors = look.theme_of(theme)
    return colors.lines[0], look.faded(colors.muted, 0.35)


def _bars(
    parts: Sequence[tuple[str, np.ndarray, str]],
    template: str,
    facts: Sequence[np.ndarray],
    labels: Sequence[str],
) -> list[Settings]:
    """Stacked bars of named parts in their colors; ``template``: their hover text, of ``facts``."""
    full = [look.plain(label, 80) for label in labels]
    more = {**_LYING, "hovertext": full, "customdata": np.column_stack(facts).astype(np.int32)}
    return [bars(x, np.arange(len(labels)), template, color, name=name, **more) for name, x, color in parts]


def _stacked(
    traces: list[Settings], labels: Sequence[str], says: str, theme: str, **layout: Any
) -> look.Figure:
    """The figure of `_bars`."""
    return look.figure(
        traces,
        theme,
        says,
        height=24 * max(len(labels), 1) + 92,
        barmode="stack",
        dragmode=False,
        showlegend=True,
        yaxis=rows([look.plain(label, _NAME) for label in labels], theme),
        legend=legend(1, yref="paper", traceorder="normal"),
        **layout,
    )


def category_figure(sizes: Mapping[str, int], theme: str = "light") -> look.Figure:
    """Horizontal bars: the number of products of each category, most first (purchase-history paper, table 10
    and figure 1)."""
    labels, counts, color = list(sizes), list(sizes.values()), look.theme_of(theme).lines[0]
    more = outside([f"{count:,}" for count in counts], theme) | _LYING
    more["hovertext"] = [look.plain(label, 80) for label in labels]
    return look.figure(
        [bars(counts, np.arange(len(labels)), "%{hovertext}: %{x:,} products", color, **more)],
        theme,
        category_sentence(sizes),
        height=24 * max(len(labels), 1) + 70,
        xaxis=look.counts(max(counts, default=1), theme, tr("Products"), fixedrange=True),
        yaxis=rows([look.plain(label, _NAME) for label in labels], theme),
        margin=margin(8, 48, 8, 8),
        dragmode=False,
        uirevision="categories",
    )


def category_sentence(sizes: Mapping[str, int]) -> str:
    """Return a sentence on the numbers of products and categories, and the largest category."""
    if not sizes:
        return tr("There are no categories.")
    total, first = sum(sizes.values()), next(iter(sizes))
    return tr_n(
        "{products} in {categories:,} category; the largest, “{first}”, has {count:,} ({percent:.0f} %).",
        "{products} in {categories:,} categories; the largest, “{first}”, has {count:,} ({percent:.0f} %).",
        len(sizes),
    ).format(
        products=counted(total, "product"),
        categories=len(sizes),
        first=first,
        count=sizes[first],
        percent=100 * sizes[first] / total,
    )


def values_sentence(values: Values) -> str:
    """Return a sentence on the number of values, the most frequent one, and the share published alone."""
    if not len(values.labels):
        return tr("No record has a value of “{name}”.").format(name=values.name)
    total, kept, alone = (int(part.sum()) for part in (values.records, values.published, values.alone))
    return tr(
        "{values} of “{name}”; the most frequent is “{first}” ({percent:.1f} % of the records). {alone:.1f} %"
        " of the published records show their value alone; the others show it in a set with other values."
    ).format(
        values=counted(len(values.labels), "value"),
        name=values.name,
        percent=100 * values.records[0] / total,
        first=values.labels[0],
        alone=100 * alone / max(kept, 1),
    )


def ranked_items(view: ItemView, order: str = "often", search: str = "") -> np.ndarray:
    """Codes of the items whose label has the text ``search`` (upper or lower case), by a word of `ORDERS`;
    ties in text order.

    Raises OptionError for another word. Cost O(labels log labels).
    """
    if order not in ORDERS:
        raise OptionError(tr("The order of items must be “often”, “lost” or “share”."))
    own, kept = view.counts
    lost = own - kept - view.grouped
    keys = {"often": own, "lost": lost, "share": lost / np.maximum(own, 1)}
    ranked = np.lexsort((-own, -keys[order]))
    if search:
        wanted = search.casefold()
        found = np.array([wanted in label.casefold() for label in view.column.labels], bool)
        ranked = ranked[found[ranked]]
    return ranked


def item_figure(view: ItemView, items: np.ndarray, theme: str = "light") -> look.Figure:
    """Horizontal bars for these items in this order: how many records have the item, the published part
    solid, the part published as a group lighter, with the published share at the end."""
    own, kept = (counts[items] for counts in view.counts)
    most = int(own.max(initial=1))
    shares = [f"{100 * share:.0f} %" for share in (kept / np.maximum(own, 1)).tolist()]
    across = look.counts(most, theme, tr("Records with the item")) | {"range": [0, most], "side": "bottom"}
    labels = [view.column.labels[code] for code in items.tolist()]
    traces = _item_bars(view, items, labels, theme)
    return _stacked(
        traces,
        labels,
        items_sentence(view),
        theme,
        annotations=end_notes(shares, theme),
        uirevision="items",
        xaxis=across | {"fixedrange": True},
        margin=margin(8, 56, 34, 8),
    )


def _item_bars(view: ItemView, items: np.ndarray, labels: Sequence[str], theme: str) -> list[Settings]:
    """Published, published as a group where there are groups, and suppressed."""
    (own, kept), grouped = (counts[items] for counts in view.counts), view.grouped[items]
    lost, blue, gray = own - kept - grouped, *_inks(theme)
    parts = [(tr("published"), kept, blue), (tr("as a group"), grouped, look.faded(blue, 0.5))]
    parts = parts[: 1 + view.has_groups] + [(tr("suppressed"), lost, gray)]
    told = tr("{item}<br>records with it: {own}<br>publish it: {kept}, do not: {lost}")
    if view.has_groups:
        told = tr(
            "{item}<br>records with it: {own}<br>publish it: {kept}, a group of it: {grouped}, do not: {lost}"
        )
    places = {name: f"%{{customdata[{i}]:,}}" for i, name in enumerate(("own", "kept", "lost", "grouped"))}
    return _bars(parts, told.format(item="%{hovertext}", **places), (own, kept, lost, grouped), labels)


def items_sentence(view: ItemView) -> str:
    """Return sentences on the most frequent item, and the numbers of items never or always published."""
    own, kept = view.counts
    if not len(own) or not own.any():
        return tr(NO_ITEMS).format(name=view.name)
    first = int(np.argmax(own))
    text = tr("The most frequent item is “{item}”: {records}; published: {kept:,}").format(
        item=view.column.labels[first], records=counted(int(own[first]), "record"), kept=int(kept[first])
    )
    if view.has_groups:
        text += "; " + tr("published as a group: {grouped:,}").format(grouped=int(view.grouped[first]))
    return f"{text}. {_never_or_always(view)}"


def _never_or_always(view: ItemView) -> str:
    own, kept = view.counts
    present = own > 0
    never, whole = int((present & (kept + view.grouped == 0)).sum()), int((present & (kept == own)).sum())
    text = tr("Never published: {never:,} of {items}")
    if view.has_groups and never:
        text = tr("Never published, not even as a group: {never:,} of {items}")
    text = text.format(never=never, items=counted(int(present.sum()), "different item"))
    return text + ("; " + tr("always published: {whole:,}").format(whole=whole) if whole else "") + "."
