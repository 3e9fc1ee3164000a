"""Parts of the view Item sets: items, pairs of items and groups."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from kanon_core.base.words import later, tr, tr_each
from kanon_core.charts.sets.itempairs import pair_figure, pairs_of, pairs_sentence
from kanon_core.charts.sets.itemsets import Groups, ItemView, groups_of, groups_sentence
from kanon_core.charts.table.valuebars import ORDERS, item_figure, items_sentence, ranked_items
from kanon_core.table.columns.set_arrays import chosen_sets
from pages.shell.frame import theme
from pages.state.keys import Key, kept, linked
from pages.state.session import Session
from pages.widgets.beforeafter import set_html
from pages.widgets.layout import chart
from pages.widgets.pickers import choice, menu
from pages.widgets.tables import Cell, cell, html_table, named, number
from pages.widgets.text import note

BARS, PAIRS = (20, 50, 100), (8, 15, 25)
ROWS = 25
_OTHERS = 4
_PAGE = Key("wanted page of groups", 1)
_BY = {
    "records": later("most records"),
    "items": later("most items published"),
    "lost": later("most items suppressed"),
}


def items_view(session: Session, view: ItemView) -> None:
    """Show one bar per item: the records that have it and the share that publishes it."""
    left, middle, right = st.columns([3, 2, 1], vertical_alignment="bottom")
    with left:
        order = choice(tr("Order"), tr_each(ORDERS), "items by", "often")
    with middle:
        says, part = tr("Search"), tr("part of a name")
        search = st.text_input(says, placeholder=part, key=kept("items with", "")).strip()
    with right:
        most = menu(tr("Maximum number"), BARS, "items at most")
    ranked = session.picture(("ranked", view.name, order, search), lambda: ranked_items(view, order, search))
    if not len(ranked):
        note(tr("No item name contains this text.") if search else items_sentence(view))
        return
    figure = session.picture(
        ("items", view.name, order, search, most, theme()), lambda: item_figure(view, ranked[:most], theme())
    )
    chart(figure, "items")
    said = [items_sentence(view)]
    if len(ranked) > most:
        said.append(tr("The first {most} of {count:,} are shown.").format(most=most, count=len(ranked)))
    said.append(
        tr(
            "Each bar shows how many records have the item. The percentage is the share that is"
            " published as this item, not as a group."
        )
        if view.has_groups
        else tr(
            "Each bar shows how many records have the item. The percentage is the share that is published."
        )
    )
    note(" ".join(said))


def pairs_view(session: Session, view: ItemView) -> None:
    """Show which items occur together, before and after, on one color scale."""
    most = choice(tr("Most frequent items"), PAIRS, "pairs of", 15, width="content")
    pairs = session.picture(("pairs", view.name, most), lambda: pairs_of(view, most))
    if not pairs.largest:
        note(pairs_sentence(view, pairs))
        return
    for side, title, after in zip(
        st.columns(2, gap="medium"), (tr("In the records"), tr("As published")), (False, True), strict=True
    ):
        with side:
            st.markdown(f"**{title}**")
            figure = session.picture(
                ("pairs", view.name, most, after, theme()), partial(pair_figure, view, pairs, after, theme())
            )
            chart(figure, f"pairs {after}")
    note(pairs_sentence(view, pairs))


def groups_view(session: Session, view: ItemView) -> None:
    """Show the groups with their sizes, a page at a time."""
    groups = session.picture(("groups", view.name), lambda: groups_of(view))
    note(session.picture(("groups said", view.name), lambda: groups_sentence(view, groups)))
    count = len(groups.records)
    if not count:
        return
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        by = choice(tr("Sort by"), tr_each(_BY), "groups by")
    pages = -(-count // ROWS)
    with right:
        page = _page(pages)
    order = session.picture(("group order", view.name, by), lambda: groups.order(by))
    shown = order[(page - 1) * ROWS : page * ROWS]
    _group_table(view, groups, shown)
    first = (page - 1) * ROWS + 1
    gone = int((view.cell < 0).sum())
    if view.release.guarantee.known_items:
        note(
            tr(
                "Each line stands for all records with the same published items. Other records of the"
                " group publish other items."
            )
        )
    kind, last = view.release.guarantee.groups.capitalize(), first + len(shown) - 1
    says = tr("{groups} {first:,} to {last:,} of {count:,}.")
    if gone:
        says += " " + tr("Suppressed records belong to no group ({gone:,}).")
    note(says.format(groups=kind, first=first, last=last, count=count, gone=gone))


def _page(pages: int) -> int:
    """Return the number of the page, from 1."""
    tied = linked("page of groups", min(_PAGE.get(), pages), _PAGE.set)
    says = tr("Page of {pages:,}").format(pages=pages)
    return 1 if pages == 1 else int(st.number_input(says, 1, pages, **tied))


def _group_table(view: ItemView, groups: Groups, shown: np.ndarray) -> None:
    """Show published set, records, suppressed items, and the published cells of other columns."""
    release = view.release
    others = [one for one in release.published if one.attribute.name != view.name][:_OTHERS]
    sets = set_html(view.column.closure.sets, *chosen_sets(view.lowest.starts, view.lowest.items, shown))
    texts = [one.texts(release.table[one.attribute.name], release.first[shown]) for one in others]
    heads = [
        cell(tr("published {column}").format(column=view.name)),
        number(tr("records")),
        number(tr("items suppressed")),
    ]
    rows = (
        [
            Cell(sets[i], "set"),
            number(f"{groups.records[group]:,}"),
            number(f"{groups.lost[group]:,}"),
            *(cell(column[i][:200]) for column in texts),
        ]
        for i, group in enumerate(shown.tolist())
    )
    html_table([*heads, *named(one.attribute.name for one in others)], rows, lead=False)
