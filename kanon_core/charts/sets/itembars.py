"""Which items are published, and how often: one bar per item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, later, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, end_notes, legend, margin, rows
from kanon_core.charts.sets.itemsets import ItemView

if TYPE_CHECKING:
    import plotly.graph_objects as go

ORDERS: dict[str, str] = {
    "often": later("most frequent"),
    "lost": later("most suppressed"),
    "share": later("largest share suppressed"),
}
_NAME = 26


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


def item_figure(view: ItemView, items: np.ndarray, theme: str = "light") -> go.Figure:
    """Horizontal bars for these items in this order: how many records have it, the published part of them
    solid, that published as a group lighter.

    At the end of each bar stands the share that is published.
    """
    own, kept = (counts[items] for counts in view.counts)
    most = int(own.max(initial=1))
    shares = [f"{100 * share:.0f} %" for share in (kept / np.maximum(own, 1)).tolist()]
    labels = [look.plain(view.column.labels[code], _NAME) for code in items.tolist()]
    across = look.counts(most, theme, tr("Records with the item")) | {"range": [0, most], "side": "bottom"}
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
    parts = [(tr("published"), kept, blue), (tr("as a group"), grouped, look.faded(blue, 0.5))]
    parts = parts[: 1 + view.has_groups] + [(tr("suppressed"), lost, look.faded(colors.muted, 0.35))]
    told = tr("{item}<br>records with it: {own}<br>publish it: {kept}, do not: {lost}")
    if view.has_groups:
        told = tr(
            "{item}<br>records with it: {own}<br>publish it: {kept}, a group of it: {grouped}, do not: {lost}"
        )
    places = {name: f"%{{customdata[{i}]:,}}" for i, name in enumerate(("own", "kept", "lost", "grouped"))}
    told = told.format(item="%{hovertext}", **places)
    facts = np.column_stack([own, kept, lost, grouped]).astype(np.int32)
    full = [look.plain(view.column.labels[code], 80) for code in items.tolist()]
    more = {"orientation": "h", "width": 0.68, "hovertext": full, "customdata": facts}
    return [bars(x, np.arange(len(items)), told, color, name=name, **more) for name, x, color in parts]


def items_sentence(view: ItemView) -> str:
    """The most frequent item, and how many are never or always published."""
    own, kept = view.counts
    if not len(own) or not own.any():
        return tr("No record has any item in “{name}”.").format(name=view.name)
    first = int(np.argmax(own))
    told = tr("{item} is most frequent: {records} have it, {kept:,} publish it")
    if own[first] == 1:
        told = tr("{item} is most frequent: {records} has it, {kept:,} publish it")
    records = counted(int(own[first]), "record")
    text = told.format(item=_named(view, first), records=records, kept=int(kept[first]))
    if view.has_groups:
        text += ", " + tr("{grouped:,} a group of it").format(grouped=int(view.grouped[first]))
    return f"{text}. {_never_or_always(view)}"


def _never_or_always(view: ItemView) -> str:
    own, kept = view.counts
    present = own > 0
    never, whole = int((present & (kept + view.grouped == 0)).sum()), int((present & (kept == own)).sum())
    if view.has_groups and never:
        said = tr("Of {items} {never:,} are never published, not even as a group.")
        if whole:
            said = tr("Of {items} {never:,} are never published, not even as a group, and {whole:,} always.")
    else:
        said = tr("Of {items} {never:,} are never published.")
        if whole:
            said = tr("Of {items} {never:,} are never published and {whole:,} always.")
    items = counted(int(present.sum()), "different item")
    return said.format(items=items, never=never, whole=whole)


def _named(view: ItemView, code: int) -> str:
    return f"“{view.column.labels[code]}”"
