"""Product categories of a column: read from a file, proposed from descriptions, edited here with undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.table.valuebars import category_figure, category_sentence
from kanon_core.table.columns.columns import Items
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.proposals import CATEGORIES, described, propose_categories
from kanon_core.table.readers.lines import read_categories
from kanon_core.table.schema import CATEGORIZED_KINDS, WORD_KINDS
from pages.data.column_changes import VERSION, changed, one_column
from pages.shell.frame import theme
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import download, upload_into
from pages.widgets.layout import chart
from pages.widgets.pickers import button
from pages.widgets.text import bold, line, note, warning

_PROBLEM = Key("categories problem", "")
_HISTORY: Key[tuple[CategoryMap | None, ...]] = Key("categories history", ())
"""By table and column: the previous categories, the latest last."""
_SOURCE: Key[str | None] = Key("column of descriptions", None)
_DESCRIBED: Key[tuple[tuple[str, ...], Any]] = Key("described", ((), None))
_MOST = Key("categories at most", CATEGORIES)
_OLD, _NEW = Key("category to rename", ""), Key("category name", "")
_UNDO = 20
_ALL = later("all categories")
_CLOSED = ("person", "sensitive", "sampling_weight", "undecided")
"""Roles of columns whose texts are never read as descriptions of products."""
_DESCRIBES = re.compile(r"descr|name|title|商品名|説明", re.IGNORECASE)


def chooser(session: Session) -> None:
    """Show the categories of one column and their actions, or the ways to create categories."""
    names = [a.name for a in session.table.schema.quasi_identifiers if a.kind in CATEGORIZED_KINDS]
    with st.expander(tr("Product categories"), icon=":material/category:"):
        name = one_column(
            tr("Column with products"),
            "categories column",
            names,
            tr(
                "Categories are available for quasi-identifiers of kind categorical, text or item"
                " sets, such as products."
            ),
            tr(
                "Each product is replaced by its category before anonymization, such as a mug by"
                " kitchenware. With fewer different values, less generalization is needed. The"
                " measured loss does not include the detail that the categories remove."
            ),
        )
        if name is None:
            return
        categories = session.table.schema[name].categories
        if categories is None:
            _make(session, name)
        else:
            _shown(session, name, categories)
        if problem := _PROBLEM.of(session.table.data_digest, name).pop():
            warning(problem)


def _take_categories(session: Session, name: str, make: Callable[[], CategoryMap | None]) -> bool:
    """Give the column these categories and return whether that was possible; editors then start again."""
    problem = _PROBLEM.of(session.table.data_digest, name)
    taken = changed(session, problem, lambda: session.table.schema.with_categories({name: make()}))
    VERSION.set(VERSION.get() + taken)
    return taken


def _take(session: Session, name: str, make: Callable[[], CategoryMap | None]) -> None:
    """Give the column these categories, and keep the ones before for undo."""
    before, history = session.table.schema[name].categories, _HISTORY.of(session.table.data_digest, name)
    if _take_categories(session, name, make):
        history.set((*history.get(), before)[-_UNDO:])


def _read(session: Session, name: str, content: bytes) -> None:
    _take(session, name, lambda: read_categories(content))


def _undo(session: Session, name: str) -> None:
    history = _HISTORY.of(session.table.data_digest, name)
    if history.get() and _take_categories(session, name, lambda: history.get()[-1]):
        history.set(history.get()[:-1])


def _undo_button(session: Session, name: str) -> None:
    nothing = not _HISTORY.of(session.table.data_digest, name).get()
    button(tr("Undo"), _undo, session, name, icon="undo", key="categories undo", disabled=nothing)


# Without categories: two ways to create them


def _make(session: Session, name: str) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        about = tr("One line for each product: product;category.")
        take = partial(_read, session, name)
        upload_into(tr("File with categories"), f"categories file {name} {VERSION.get()}", about, take)
    with right:
        _propose(session, name)
    if _HISTORY.of(session.table.data_digest, name).get():
        _undo_button(session, name)


def _propose(session: Session, name: str) -> None:
    """Show the proposal of categories from the words of another column."""
    if session.table.schema[name].kind == "items":
        note(tr("Categories for item sets are read from a file with one line for each item."))
        return
    texts = _texts(session, name)
    if not texts:
        note(
            tr(
                "Kanon can propose categories from product descriptions, but this table has no"
                " column with texts."
            )
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = (
            st.selectbox(tr("Column with descriptions"), texts, key=f"descriptions of {name}") or texts[0]
        )
        _SOURCE.of(session.table.data_digest, name).set(source)
        st.number_input(tr("Maximum number"), 2, 200, CATEGORIES, key=_MOST.name, width=110)
    frame = session.table.frame

    def proposed() -> CategoryMap:
        return propose_categories(frame[name], frame[source], int(_MOST.get()))

    says = tr("Propose categories")
    button(says, _take, session, name, proposed, icon="auto_awesome", key="categories propose")
    note(
        tr(
            "Products whose descriptions share characteristic words get the same category. Check the"
            " categories before you use them."
        )
    )


def _texts(session: Session, name: str) -> list[str]:
    """Return the columns whose texts may describe the products, those with a typical name first."""
    found = [a for a in session.table.schema if a.kind in WORD_KINDS and a.role not in _CLOSED]
    texts = [a.name for a in found if a.name != name]
    return sorted(texts, key=lambda text: not _DESCRIBES.search(text))


# With categories: show and change


def _shown(session: Session, name: str, categories: CategoryMap) -> None:
    products = _products(session, name)
    unknown = categories.unknown(products.unique())
    says = tr(
        "Products: *{products:,}*. Categories: *{categories:,}*. Products without a category"
        " become “unknown”: *{unknown:,}* (records: *{count:,}*)."
    )
    if session.table.schema[name].kind == "items":
        says = tr(
            "Products: *{products:,}*. Categories: *{categories:,}*. Products without a category"
            " become “unknown”: *{unknown:,}* (occurrences: *{count:,}*)."
        )
    counts = {"products": products.nunique(), "categories": len(categories.sizes), "unknown": len(unknown)}
    line(*bold(says, count=int(products.isin(unknown).sum()), **counts))
    with st.container(horizontal=True):
        _undo_button(session, name)
        remove = tr("Remove the categories")
        button(remove, _take, session, name, lambda: None, icon="delete", key="categories remove")
        download(
            tr("Download the categories (csv)"),
            categories.to_csv(),
            "categories.csv",
            key="categories download",
        )
    chart(category_figure(categories.sizes, theme()), "categories figure")
    note(category_sentence(categories.sizes))
    _rename(session, name, categories)
    _edit(session, name, categories)


def _products(session: Session, name: str) -> pd.Series:
    """Return the products of all records as texts, of item sets one after another."""
    if session.table.schema[name].kind != "items":
        return session.table.frame[name].dropna().astype(str).str.strip()
    return session.picture(("items as they are", name), lambda: _items(session.table, name))


def _items(table: kc.Table, name: str) -> pd.Series:
    plain = table.with_schema(table.schema.with_categories({name: None}))[name]
    assert isinstance(plain, Items)
    return pd.Series(np.array(plain.labels, dtype=object)[plain.items])


def _rename(session: Session, name: str, categories: CategoryMap) -> None:
    """Show controls to rename a category; an existing name merges two categories."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = list(categories.sizes)
        st.selectbox(tr("Category"), names, key=_OLD.name)
        new = st.text_input(tr("New name"), key=_NEW.name, placeholder=tr("an existing name merges both"))

        def rename() -> None:
            if _NEW.get().strip():
                _take(session, name, lambda: categories.renamed(_OLD.get() or names[0], _NEW.get()))

        button(tr("Rename"), rename, icon="edit", key="category rename", disabled=not new.strip())


def _edit(session: Session, name: str, categories: CategoryMap) -> None:
    """Show the map as a table whose categories can be typed over."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        offered = [_ALL, *categories.sizes]
        only = st.selectbox(
            tr("Category shown"),
            offered,
            format_func=lambda choice: tr(choice) if choice == _ALL else choice,
            key="categories shown",
        )
        about = tr("part of a product name or description")
        search = st.text_input(tr("Search"), placeholder=about, key="categories search")
    shown = _rows(session, name, categories)
    if only in categories.sizes:
        shown = shown[shown["category"] == only]
    if search.strip():
        texts = shown.drop(columns="category").astype(str).agg(" ".join, axis=1)
        shown = shown[texts.str.casefold().str.contains(search.strip().casefold(), regex=False)]
    edited = st.data_editor(
        shown,
        hide_index=True,
        height=360,
        disabled=[column for column in shown.columns if column != "category"],
        key=f"categories edited {VERSION.get()} {name} {only} {search}",
        alt=tr("Products and their categories"),
    )
    typed = moved(categories, shown, edited)
    if typed is not None:
        _take(session, name, lambda: typed)
        st.rerun()


def _rows(session: Session, name: str, categories: CategoryMap) -> pd.DataFrame:
    """Return product, its description where there is a column for it, and its category."""
    rows = pd.DataFrame(list(categories.pairs), columns=["product", "category"])
    source = _SOURCE.of(session.table.data_digest, name).get()
    if source is not None and source in _texts(session, name):
        key, frame = (session.table.data_digest, name, source), session.table.frame
        if _DESCRIBED.get()[0] != key:
            _DESCRIBED.set((key, described(frame[name], frame[source])))
        texts = _DESCRIBED.get()[1]
        rows.insert(1, "description", rows["product"].map(texts).fillna(""))
    return rows


def moved(categories: CategoryMap, shown: pd.DataFrame, edited: pd.DataFrame) -> CategoryMap | None:
    """Return the map with the categories that were edited; None if none was. An emptied cell keeps its
    category."""
    names = edited["category"].fillna("").astype(str).str.strip()
    changed = (names != shown["category"]) & (names != "")
    for product, category in zip(shown["product"][changed], names[changed], strict=True):
        categories = categories.with_products([product], category)
    return categories if changed.any() else None
