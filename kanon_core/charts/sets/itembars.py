"""Which items are published, and how often: one bar per item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, end_notes, legend, margin, rows
from kanon_core.charts.sets.itemsets import ItemView

if TYPE_CHECKING:
    import plotly.graph_objects as go

ORDERS: dict[str, str] = {
    "often": "most frequent",
    "lost": "most suppressed",
    "share": "largest share suppressed",
}
_NAME = 26


def ranked_items(view: ItemView, order: str = "often", search: str = "") -> np.ndarray:
    """Codes of the items whose label has the text ``search`` (upper or lower case), by a word of `ORDERS`;
    ties in text order.

    Raises OptionError for another word. Cost O(labels log labels).
    """
    if order not in ORDERS:
        raise OptionError("The order of items must be “often”, “lost” or “share”.")
    own, kept = view.counts
    lost = own - kept - view.grouped
    keys = {"often": own, "lost": lost, "share": lost / np.maximum(own, 1)}
    ranked = np.lexsort((-own, -keys[order]))
    if search:
        wanted = search.casefold()
        found = np.array([wanted in label.casefold() for label in view.column.labels], bool)
        ranked = ranked[found[ranked]]
    return ranked


def item_figure(view: ItemView, items: np.ndarray, theme: str = "light") -> go.Figure:
    """Horizontal bars for these items in this order: how many records have it, the published part of them
    solid, that published as a group lighter.

    At the end of each bar stands the share that is published.
    """
    own, kept = (counts[items] for counts in view.counts)
    most = int(own.max(initial=1))
    shares = [f"{100 * share:.0f} %" for share in (kept / np.maximum(own, 1)).tolist()]
    labels = [look.plain(view.column.labels[code], _NAME) for code in items.tolist()]
    across = look.counts(most, theme, "Records with the item") | {"range": [0, most], "side": "bottom"}
    return look.figure(
        _bars(view, items, theme),
        theme,
        items_sentence(view),
        height=24 * max(len(items), 1) + 92,
        barmode="stack",
        annotations=end_notes(shares, theme),
        uirevision="items",
        dragmode=False,
        showlegend=True,
        xaxis=across | {"fixedrange": True},
        yaxis=rows(labels, theme),
        margin=margin(8, 56, 34, 8),
        legend=legend(1, yref="paper", traceorder="normal"),
    )


def _bars(view: ItemView, items: np.ndarray, theme: str) -> list[Settings]:
    """Published, published as a group where there are groups, and suppressed."""
    colors, (own, kept, grouped) = look.theme_of(theme), (c[items] for c in (*view.counts, view.grouped))
    lost, blue = own - kept - grouped, colors.lines[0]
    parts = [("published", kept, blue), ("as a group", grouped, look.faded(blue, 0.5))]
    parts = parts[: 1 + view.has_groups] + [("suppressed", lost, look.faded(colors.muted, 0.35))]
    told = (
        "%{hovertext}<br>%{customdata[0]:,} records have it<br>%{customdata[1]:,} publish it, "
        + ("%{customdata[3]:,} a group of it, " if view.has_groups else "")
        + "%{customdata[2]:,} do not"
    )
    facts = np.column_stack([own, kept, lost, grouped]).astype(np.int32)
    full = [look.plain(view.column.labels[code], 80) for code in items.tolist()]
    more = {"orientation": "h", "width": 0.68, "hovertext": full, "customdata": facts}
    return [bars(x, np.arange(len(items)), told, color, name=name, **more) for name, x, color in parts]


def items_sentence(view: ItemView) -> str:
    """The most frequent item, and how many are never or always published."""
    own, kept = view.counts
    if not len(own) or not own.any():
        return f"No record has any item in “{view.name}”."
    first = int(np.argmax(own))
    text = (
        f"{_named(view, first)} is most frequent: {look.count_text(int(own[first]), 'record')} "
        f"{'has' if own[first] == 1 else 'have'} it, {int(kept[first]):,} publish it"
        + (f", {int(view.grouped[first]):,} a group of it" if view.has_groups else "")
    )
    present = own > 0
    never, whole = int((present & (kept + view.grouped == 0)).sum()), int((present & (kept == own)).sum())
    text += f". Of {look.count_text(int(present.sum()), 'different item')} {never:,} are never published"
    text += ", not even as a group," if view.has_groups and never else ""
    return text + (f" and {whole:,} always." if whole else ".")


def _named(view: ItemView, code: int) -> str:
    return f"“{view.column.labels[code]}”"
