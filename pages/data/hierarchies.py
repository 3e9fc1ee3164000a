"""Value hierarchies of categories and of items: read from a file, made from intervals, or drawn and edited
here."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.charts.canvas.theme import CONFIG
from kanon_core.charts.table.hierarchies import hierarchy_figure, hierarchy_sentence
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.hierarchy.drawing import completed, flat, gathered, redrawn
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.samples import sample
from kanon_core.table.schema import HIERARCHIC_KINDS
from kanon_core.table.table import SAMPLE
from pages.shell.frame import theme
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets.text import note, plain, warning

_PROBLEM = "hierarchy problem"
_DRAFT = "hierarchy draft"
_VERSION = "hierarchy version"
_PENDING = "hierarchy edit refused"
_CHOICES_AT_MOST = 3_000


def chooser(session: Session) -> None:
    """One column at a time: its hierarchy with what can be done to it, or the ways to make one."""
    names = [a.name for a in session.table.schema.quasi_identifiers if a.kind in HIERARCHIC_KINDS]
    with st.expander("Groups of values", icon=":material/account_tree:"):
        if not names:
            st.caption(
                "For quasi-identifiers that are categorical, text or item sets. Numbers are published as"
                " intervals; make a column categorical first to publish groups of your own."
            )
            return
        st.caption(
            "A column with a hierarchy is published as the lowest group that all share, such as Europe"
            " instead of {Lyon, Paris, Rome}; of item sets, an item that too few have as a group that enough"
            " have: {alcohol, milk}."
        )
        name = st.selectbox("Column with groups", names, key=kept("hierarchy column", names[0], names))
        tree = session.table.schema[name].hierarchy
        if tree is None:
            _make(session, name)
        else:
            _shown(session, name, tree)
        _problem(session, name)


def _values(session: Session, name: str) -> list[str]:
    """The values of the column, missing not among them; of item sets the items."""
    column = session.table[name]
    assert isinstance(column, Categories | Items)
    return list(column.labels[: column.distinct])


def _key(session: Session, name: str) -> tuple[str, str]:
    return (session.table.data_digest, name)


def _attempt(session: Session, name: str, make: Callable[[], Hierarchy | None]) -> bool:
    """Give the column this hierarchy; whatever is wrong is kept to be shown, and nothing else changes."""
    problems, drafts = st.session_state.setdefault(_PROBLEM, {}), st.session_state.setdefault(_DRAFT, {})
    key, tree = _key(session, name), None
    problems.pop(key, None)
    drafts.pop(key, None)
    try:
        tree = make()
        session.change_schema(session.table.schema.with_hierarchies({name: tree}))
    except kc.KanonError as reason:
        problems[key] = f"{reason} Nothing was changed."
        if tree is not None:
            drafts[key] = tree
        return False
    st.session_state[_VERSION] = st.session_state.get(_VERSION, 0) + 1
    return True


def _take(session: Session, name: str, make: Callable[[], Hierarchy | None]) -> None:
    _attempt(session, name, make)


def _problem(session: Session, name: str) -> None:
    """What went wrong last; where only values are missing, they can be put at the top."""
    key = _key(session, name)
    problem = st.session_state.get(_PROBLEM, {}).get(key)
    if not problem:
        return
    warning(problem)
    draft = st.session_state.get(_DRAFT, {}).get(key)
    values = _values(session, name)
    if draft is None or any(value in draft.below for value in values):
        return
    count = sum(value not in draft.number for value in values)
    if count < len(values):
        st.button(
            f"Use it with the {count:,} values it misses at the top",
            key="hierarchy complete",
            on_click=_take,
            args=(session, name, lambda: completed(draft, values)),
            icon=":material/playlist_add:",
        )


# Without a hierarchy: three ways to one


def _make(session: Session, name: str) -> None:
    values = _values(session, name)
    left, middle, right = st.columns(3, gap="large")
    with left:
        _upload(session, name)
    with middle:
        _from_intervals(session, name, values)
    with right:
        note(f"Start with all {len(values):,} values side by side, and put them into groups.")
        st.button(
            "Draw one",
            key="hierarchy draw",
            icon=":material/draw:",
            disabled=not values,
            on_click=_take,
            args=(session, name, lambda: flat(values)),
        )
        if ready := _ready_made(session, name):
            st.button(
                "Use the groups of this sample",
                key="hierarchy ready",
                icon=":material/category:",
                on_click=_take,
                args=(session, name, ready),
            )


def _ready_made(session: Session, name: str) -> Callable[[], Hierarchy] | None:
    """What makes the hierarchy that a sample has for a column, if there is one and its values are still the
    sample's."""
    if not session.source.startswith(SAMPLE) or session.table.schema[name].categories is not None:
        return None
    return sample(session.source.removeprefix(SAMPLE)).groups.get(name)


def _upload(session: Session, name: str) -> None:
    key = f"hierarchy file {name}"

    def changed() -> None:
        file = st.session_state[key]
        if file is not None:
            _attempt(session, name, lambda: kc.read_hierarchy(file.getvalue()))

    st.file_uploader(
        "File of a hierarchy",
        type=["csv", "txt", "tsv"],
        key=key,
        on_change=changed,
        help="one line for each value: value;group;larger group;* – as ARX writes them. Kept in memory only.",
    )


def _from_intervals(session: Session, name: str, values: list[str]) -> None:
    numbers = [_number(value) for value in values]
    if not numbers or any(number is None for number in numbers):
        note("Intervals can be made where all values are numbers, and these are not.")
        return
    widths, start = "hierarchy widths", "hierarchy start"
    st.session_state.setdefault(widths, "5, 10, 20")
    st.session_state.setdefault(start, "0")

    def made() -> None:
        _attempt(session, name, lambda: _intervals(values, st.session_state[widths], st.session_state[start]))

    st.text_input(
        "Widths of intervals", key=widths, help="from small to large, each a multiple of the one before"
    )
    st.text_input("First interval begins at", key=start)
    st.button("Make intervals", key="hierarchy intervals", icon=":material/straighten:", on_click=made)


def _intervals(values: list[str], widths: str, start: str) -> Hierarchy:
    numbers = [_number(part) for part in (*widths.replace(";", ",").split(","), start)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        raise kc.InputError("Widths and the first interval must be numbers, such as 5, 10, 20 and 0.")
    return Hierarchy.of_intervals(values, known[:-1], known[-1])


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


# With a hierarchy: see it, change it, take it away


def _shown(session: Session, name: str, tree: Hierarchy) -> None:
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = session.picture(("hierarchy", name, theme()), lambda: hierarchy_figure(tree, theme()))
        st.plotly_chart(
            figure,
            key="hierarchy chart",
            theme=None,
            config=CONFIG,
            alt=figure.layout.meta["alt"],
            height=int(figure.layout.height),
        )
        note(hierarchy_sentence(tree))
    with right:
        _gather(session, name, tree)
    _editor(session, name, tree)
    with st.container(horizontal=True):
        st.download_button(
            "Download as csv",
            tree.to_csv(),
            file_name="hierarchy.csv",
            mime="text/csv",
            key="hierarchy csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.button(
            "Remove the hierarchy",
            key="hierarchy remove",
            icon=":material/delete:",
            on_click=_take,
            args=(session, name, lambda: None),
        )


def _gather(session: Session, name: str, tree: Hierarchy) -> None:
    """Several values or groups into one group, at once."""
    chosen, group = f"hierarchy chosen {name}", "hierarchy group"
    nodes = tree.nodes[1:]
    if len(nodes) > _CHOICES_AT_MOST:
        note(
            "So many values are grouped more easily in a file: download it, change it, remove this one, and"
            " upload it."
        )
        return
    st.session_state[chosen] = [node for node in st.session_state.get(chosen, []) if node in tree.number]

    def put() -> None:
        if _attempt(session, name, lambda: gathered(tree, st.session_state[chosen], st.session_state[group])):
            st.session_state[chosen], st.session_state[group] = [], ""

    st.multiselect("Put these values or groups", nodes, key=chosen, placeholder="choose some")
    st.text_input("into the group", key=group, placeholder="a new name, or a group there is")
    st.button("Put together", key="hierarchy gather", icon=":material/group_work:", on_click=put)


def _editor(session: Session, name: str, tree: Hierarchy) -> None:
    """Every value and group with what it is below; a change that leaves no tree stays on screen with the
    reason."""
    depth = tree.depth.tolist()
    shown = pd.DataFrame(
        [
            (
                node,
                tree.above[node],
                "value" if node not in tree.below else "group",
                depth[i],
                int(tree.spread[i]),
            )
            for i, node in enumerate(tree.nodes[1:], 1)
        ],
        columns=["name", "below", "is a", "level", "values"],
    )
    edited = st.data_editor(
        shown,
        key=f"hierarchy rows {name} {st.session_state.get(_VERSION, 0)}",
        hide_index=True,
        disabled=["is a", "level", "values"],
        height=min(38 + 35 * len(shown), 420),
        alt=plain(f"Values and groups of {name}, each with the group above it"),
        column_config={
            "name": st.column_config.TextColumn(help="groups can be renamed"),
            "below": st.column_config.TextColumn(
                help="the group above it, a star for the top; a new name makes a new group"
            ),
        },
    )
    before, after = _rows(shown), _rows(edited)
    if before != after:
        if _attempt(session, name, lambda: redrawn(tree, after)):
            st.rerun()
        st.session_state[_PENDING] = True
    elif st.session_state.pop(_PENDING, False):
        st.session_state[_PROBLEM].pop(_key(session, name), None)


def _rows(frame: pd.DataFrame) -> list[tuple[str, str]]:
    texts = frame[["name", "below"]].fillna("").astype(str)
    return list(texts.itertuples(index=False, name=None))
