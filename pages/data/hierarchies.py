"""Value hierarchies of categories and items: read from a file, made from intervals, or drawn here."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_each
from kanon_core.charts.table.hierarchies import hierarchy_figure, hierarchy_sentence
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.hierarchy.drawing import completed, flat, gathered, redrawn
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.reading import SAMPLE
from kanon_core.table.samples import sample
from kanon_core.table.schema import HIERARCHIC_KINDS
from pages.data.column_changes import VERSION, changed, one_column
from pages.shell.frame import theme
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import download, upload_into
from pages.widgets.layout import chart
from pages.widgets.pickers import button
from pages.widgets.text import note, plain, warning

_PROBLEM, _DRAFT = Key("hierarchy problem", ""), Key[Hierarchy | None]("hierarchy draft", None)
"""By table and column: the last problem, and the hierarchy that did not fit."""
_PENDING = Key("hierarchy edit refused", False)
_WIDTHS, _START = Key("hierarchy widths", "5, 10, 20"), Key("hierarchy start", "0")
_CHOSEN, _GROUP = Key[list[str]]("hierarchy chosen", []), Key("hierarchy group", "")
_CHOICES_AT_MOST = 3_000
_HEADS = (later("name"), later("group above"), later("type"), later("level"), later("values"))


def chooser(session: Session) -> None:
    """Show the hierarchy of one column and its actions, or the ways to create one."""
    names = [a.name for a in session.table.schema.quasi_identifiers if a.kind in HIERARCHIC_KINDS]
    with st.expander(tr("Value hierarchies"), icon=":material/account_tree:"):
        name = one_column(
            tr("Column with a hierarchy"),
            "hierarchy column",
            names,
            tr(
                "Hierarchies are available for quasi-identifiers of kind categorical, text or"
                " item sets. Numbers are published as intervals. To publish your own groups of"
                " numbers, change the kind of the column to categorical first."
            ),
            tr(
                "With a hierarchy, the values of an equivalence class are published as the lowest"
                " group that contains them all, such as Europe instead of {Lyon, Paris, Rome}. In"
                " item sets, an item with too few records is published as a group with enough"
                " records, such as alcohol in {alcohol, milk}."
            ),
        )
        if name is None:
            return
        tree = session.table.schema[name].hierarchy
        if tree is None:
            _make(session, name)
        else:
            _shown(session, name, tree)
        _problem(session, name)


def _values(session: Session, name: str) -> list[str]:
    """Return the values of the column, missing not among them; of item sets the items."""
    column = session.table[name]
    assert isinstance(column, Categories | Items)
    return list(column.labels[: column.distinct])


def _attempt(session: Session, name: str, make: Callable[[], Hierarchy | None]) -> bool:
    """Give the column this hierarchy and return whether that was possible; otherwise keep the problem and
    change nothing else."""
    digest = session.table.data_digest
    problem, draft = _PROBLEM.of(digest, name), _DRAFT.of(digest, name)
    problem.pop()
    draft.pop()

    def schema() -> kc.Schema:
        tree = make()
        draft.set(tree)
        return session.table.schema.with_hierarchies({name: tree})

    if not changed(session, problem, schema):
        return False
    draft.pop()
    VERSION.set(VERSION.get() + 1)
    return True


def _problem(session: Session, name: str) -> None:
    """Show the last problem; missing values can be put at the top of the hierarchy."""
    digest = session.table.data_digest
    problem, draft = _PROBLEM.of(digest, name).get(), _DRAFT.of(digest, name).get()
    if not problem:
        return
    warning(problem)
    values = _values(session, name)
    if draft is None or any(value in draft.below for value in values):
        return
    count = sum(value not in draft.number for value in values)
    if count < len(values):
        says = tr("Use it and put the missing values at the top ({count:,})").format(count=count)
        whole = partial(completed, draft, values)
        button(says, _attempt, session, name, whole, icon="playlist_add", key="hierarchy complete")


# Without a hierarchy: three ways to create one


def _make(session: Session, name: str) -> None:
    values = _values(session, name)
    left, middle, right = st.columns(3, gap="large")
    with left:
        upload_into(
            tr("File with a hierarchy"),
            f"hierarchy file {name}",
            tr("One line for each value: value;group;larger group;* (the format of ARX)."),
            lambda content: _attempt(session, name, lambda: kc.read_hierarchy(content)),
        )
    with middle:
        _from_intervals(session, name, values)
    with right:
        note(
            tr("Start with all values ({count:,}) at one level and put them into groups.").format(
                count=len(values)
            )
        )
        drawn = partial(flat, values)
        draw, none = partial(_attempt, session, name, drawn), not values
        button(tr("Build a hierarchy"), draw, icon="draw", key="hierarchy draw", disabled=none)
        if ready := _ready_made(session, name):
            says = tr("Use the hierarchy of this sample")
            button(says, _attempt, session, name, ready, icon="category", key="hierarchy ready")


def _ready_made(session: Session, name: str) -> Callable[[], Hierarchy] | None:
    """Return a function that makes the sample's hierarchy of a column; None if the sample has none."""
    if not session.source.startswith(SAMPLE) or session.table.schema[name].categories is not None:
        return None
    return sample(session.source.removeprefix(SAMPLE)).groups.get(name)


def _from_intervals(session: Session, name: str, values: list[str]) -> None:
    numbers = [_number(value) for value in values]
    if not numbers or any(number is None for number in numbers):
        note(
            tr(
                "Intervals are available only if all values are numbers. This column has values that are"
                " not numbers."
            )
        )
        return
    for key in (_WIDTHS, _START):
        key.set(key.get())

    def made() -> None:
        _attempt(session, name, lambda: _intervals(values, _WIDTHS.get(), _START.get()))

    st.text_input(tr("Interval widths"), key=_WIDTHS.name)
    note(tr("From small to large; each width is a multiple of the previous one."))
    st.text_input(tr("Start of the first interval"), key=_START.name)
    button(tr("Make intervals"), made, icon="straighten", key="hierarchy intervals")


def _intervals(values: list[str], widths: str, start: str) -> Hierarchy:
    numbers = [_number(part) for part in (*widths.replace(";", ",").split(","), start)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        raise kc.InputError(tr("The interval widths and the start must be numbers, such as 5, 10, 20 and 0."))
    return Hierarchy.of_intervals(values, known[:-1], known[-1])


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


# With a hierarchy: show, change, remove


def _shown(session: Session, name: str, tree: Hierarchy) -> None:
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = session.picture(("hierarchy", name, theme()), lambda: hierarchy_figure(tree, theme()))
        chart(figure, "hierarchy chart", height=int(figure.layout.height))
        note(hierarchy_sentence(tree))
    with right:
        _gather(session, name, tree)
    _editor(session, name, tree)
    with st.container(horizontal=True):
        download(tr("Download as csv"), tree.to_csv(), "hierarchy.csv", key="hierarchy csv")
        says = tr("Remove the hierarchy")
        button(says, _attempt, session, name, lambda: None, icon="delete", key="hierarchy remove")


def _gather(session: Session, name: str, tree: Hierarchy) -> None:
    """Show controls that put several values or groups into one group, at once."""
    chosen = _CHOSEN.of(name)
    nodes = tree.nodes[1:]
    if len(nodes) > _CHOICES_AT_MOST:
        note(
            tr(
                "The hierarchy has too many values to group them here. Download the hierarchy, edit"
                " the file, remove the hierarchy, and upload the file."
            )
        )
        return
    chosen.set([node for node in chosen.get() if node in tree.number])

    def put() -> None:
        if _attempt(session, name, lambda: gathered(tree, chosen.get(), _GROUP.get())):
            chosen.set([])
            _GROUP.set("")

    st.multiselect(tr("Values or groups to combine"), nodes, key=chosen.name, placeholder=tr("choose some"))
    st.text_input(tr("Group"), key=_GROUP.name, placeholder=tr("a new or existing group"))
    button(tr("Combine"), put, icon="group_work", key="hierarchy gather")


def _editor(session: Session, name: str, tree: Hierarchy) -> None:
    """Show every value and group with the group above it; an invalid change stays on screen with the
    reason."""
    depth, spread = tree.depth.tolist(), tree.spread.tolist()
    rows = [
        (node, tree.above[node], tr("group") if node in tree.below else tr("value"), depth[i], int(spread[i]))
        for i, node in enumerate(tree.nodes[1:], 1)
    ]
    shown = pd.DataFrame(rows, columns=list(_HEADS))
    about = tr(
        "The column “group above” holds the next larger group; * is the top. A new name creates a new group."
    )
    edited = st.data_editor(
        shown,
        key=f"hierarchy rows {name} {VERSION.get()}",
        hide_index=True,
        disabled=list(_HEADS[2:]),
        column_config=tr_each(dict(zip(_HEADS, _HEADS, strict=True))),
        height=min(38 + 35 * len(shown), 420),
        alt=plain(tr("Values and groups of {name}, each with the group above").format(name=name)),
    )
    note(tr("You can rename groups. {about}").format(about=about))
    before, after = _rows(shown), _rows(edited)
    if before != after:
        if _attempt(session, name, lambda: redrawn(tree, after)):
            st.rerun()
        _PENDING.set(True)
    elif _PENDING.pop():
        _PROBLEM.of(session.table.data_digest, name).pop()


def _rows(frame: pd.DataFrame) -> list[tuple[str, str]]:
    texts = frame[["name", "group above"]].fillna("").astype(str)
    return list(texts.itertuples(index=False, name=None))
