"""How far apart two values of a column are: the choice of its distance, with its options and a look at what
it does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.charts.canvas.theme import number_text
from kanon_core.distances import AXIOMS, default, distance_of
from kanon_core.distances.chosen import names_of
from kanon_core.distances.extremes import Extremes, extremes, source_of
from kanon_core.distances.values.given import Listed
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets.controls import draw
from pages.widgets.text import info, line, note, warning

_DRAFTS = "distance drafts"
_MOST = 60


def chooser(session: Session) -> None:
    """One column at a time: its distance, what it needs to know, and its nearest and farthest values."""
    names = _measured(session.table)
    with st.expander("How far apart two values are", icon=":material/straighten:"):
        if not names:
            st.caption("Give a column the role quasi-identifier first.")
            return
        st.caption(
            "Used by the losses that measure distances, and by k-concealment with the option “distance:"
            " chosen”. Weights stand in the table above."
        )
        left, right = st.columns([2, 3], gap="large")
        with left:
            name = st.selectbox("Column", names, key=kept("distance column", names[0], names))
            distance = _choice(session, name)
        with right:
            _about(session, name, distance)


def _measured(table: kc.Table) -> list[str]:
    """The quasi-identifiers, a longitude only where it is not part of a place."""
    found = [c.attribute for c in table.quasi]
    place = any(isinstance(distance_of(a), kc.GreatCircle) for a in found)
    return [a.name for a in found if not (place and a.kind == "longitude")]


def words(table: kc.Table) -> dict[str, str]:
    """By column: what measures it, for a table of columns; empty for columns that nothing measures."""
    measured = _measured(table)
    of_place = {a.name: "with the latitude" for a in table.schema.quasi_identifiers if a.name not in measured}
    return {name: distance_of(table.schema[name]).title for name in measured} | of_place


def _current(session: Session, name: str) -> kc.Distance:
    """What is shown: a distance that still lacks something, or the column's own."""
    drafts = st.session_state.setdefault(_DRAFTS, {})
    draft = drafts.get((session.table.data_digest, name))
    if draft is not None and session.table.schema[name].kind in draft.kinds:
        return draft
    return distance_of(session.table.schema[name])


def _take(session: Session, name: str, distance: kc.Distance) -> None:
    """Give the column this distance; one that does not suit it yet stays a draft."""
    drafts, key = st.session_state[_DRAFTS], (session.table.data_digest, name)
    drafts.pop(key, None)
    if distance.unsuitable(source_of(session.table, name, distance)):
        drafts[key] = distance
        return
    schema = session.table.schema
    own = None if distance == default(schema[name].kind) else distance
    if own != schema[name].distance:
        session.change_schema(schema.with_distances({name: own}))


def _choice(session: Session, name: str) -> kc.Distance:
    """The menu of distances that take this kind of column, and the options of the chosen one."""
    kind, current = session.table.schema[name].kind, _current(session, name)
    usable, reasons = _usable(session, name, kind)
    titles = {cls.__name__: cls.title for cls in usable}
    key = f"distance {name}"
    st.session_state[key] = type(current).__name__

    def changed() -> None:
        asked = options.declared(st.session_state[key])
        _take(session, name, asked())

    st.selectbox("Distance", list(titles), format_func=titles.__getitem__, key=key, on_change=changed)
    for reason in reasons:
        note(f"Not for this column: {reason}")
    for option in options.options_of(type(current)):
        _option(session, name, current, option)
    return current


def _usable(session: Session, name: str, kind: str) -> tuple[list[type[kc.Distance]], list[str]]:
    """The distances for this kind, and why those that take the kind but not this column are left out."""
    usable, reasons = [], []
    for cls in kc.DISTANCES:
        if kind not in cls.kinds:
            continue
        needs_data = any(isinstance(option.kind, Listed) for option in options.options_of(cls))
        why = [] if needs_data else cls().unsuitable(source_of(session.table, name, cls()))
        if why and cls is not type(_current(session, name)):
            reasons.append(f"{cls.title}. {why[0]}")
        else:
            usable.append(cls)
    return usable, reasons


def _option(session: Session, name: str, owner: kc.Distance, option: options.Option) -> None:
    """The control of one option; data are typed in, one entry a line."""
    key = f"distance {name} {type(owner).__name__} {option.name}"
    label = option.label.capitalize()
    if isinstance(option.kind, Listed):
        _text_option(session, name, owner, option, key)
        return
    st.session_state[key] = getattr(owner, option.name)

    def changed() -> None:
        _take(session, name, dataclasses.replace(owner, **{option.name: st.session_state[key]}))

    draw(session, option.kind, label, getattr(owner, option.name), _about_control(key, option, changed))


def _text_option(session: Session, name: str, owner: kc.Distance, option: options.Option, key: str) -> None:
    kind = option.kind
    assert isinstance(kind, Listed)
    problems = st.session_state.setdefault("distance problems", {})
    if key not in st.session_state:  # a text that was refused before is not on screen any more
        st.session_state[key] = kind.text(getattr(owner, option.name))
        problems.pop(key, None)

    def changed() -> None:
        problems.pop(key, None)
        try:
            value = kind.parse(st.session_state[key])
            _take(session, name, dataclasses.replace(owner, **{option.name: value}))
        except kc.KanonError as reason:
            problems[key] = str(reason)
        except ValueError as allowed:
            problems[key] = f"These lines must be {allowed}."

    st.text_area(
        option.label.capitalize(),
        height=30 + 36 * len(kind.example.splitlines()),
        placeholder=kind.example,
        **_about_control(key, option, changed),
    )
    if key in problems:
        warning(f"{problems[key]} Nothing was changed.")


def _about_control(key: str, option: options.Option, changed: Callable[[], None]) -> dict[str, Any]:
    return {"key": key, "help": option.kind.help or None, "on_change": changed}


def _about(session: Session, name: str, distance: kc.Distance) -> None:
    """What the distance means, and the pairs it calls near and far; or what it still lacks."""
    line("", distance.title, f". {distance.sentence}")
    st.latex(type(distance).formula)
    source = source_of(session.table, name, distance)
    reasons = distance.unsuitable(source)
    if reasons:
        info(f"{' '.join(reasons)} Until then the column keeps its former distance.")
        return
    unit = f" {distance.unit}" if distance.unit else ""
    note(
        f"No two values are farther apart than {distance.bound(source):,.4g}{unit}. "
        f"{distance.axioms.capitalize()}: {AXIOMS[distance.axioms]}."
    )
    if session.table.schema[name].is_private:
        return
    found = session.picture(
        ("distances", name, options.expression(distance)), lambda: extremes(session.table, name, distance)
    )
    _pairs(session.table, names_of(source), found, distance.unit)


def _pairs(table: kc.Table, names: tuple[str, ...], found: Extremes, unit: str) -> None:
    if not found.nearest:
        st.caption("The column has fewer than two different values: there is no pair to show.")
        return
    for word, pairs in (("Nearest", found.nearest), ("Farthest", found.farthest)):
        note(f"{word} different values")
        for a, b, apart in pairs:
            amount = f"{number_text(apart)} {unit}".strip()
            line("", amount, f" – {_text(table, names, a)} and {_text(table, names, b)}")
    if found.compared < found.distinct:
        note(f"Among {found.compared:,} of the {found.distinct:,} different values.")


def _text(table: kc.Table, names: tuple[str, ...], row: int) -> str:
    text = ", ".join(str(table.frame[name].iloc[row]) for name in names)
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"
