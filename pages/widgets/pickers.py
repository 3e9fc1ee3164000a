"""Buttons, menus and rows of choices that stay as they were chosen, and the two attributes that a picture
shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.maps.boxes import places_of
from pages.state.keys import kept
from pages.state.session import Session
from pages.widgets.text import note, plain

T = TypeVar("T")
PROJECTION = later("projection of all columns")
UNLABELED = {"label_visibility": "collapsed"}
"""The option for a label that only screen readers read."""


def button(
    label: str,
    click: Callable[..., Any] | None,
    *args: object,
    icon: str = "",
    primary: bool = False,
    help: str = "",
    **options: Any,
) -> bool:
    """Show a button that calls ``click`` with these arguments; return whether it was pressed now.

    If a user types into a field and then clicks, the browser sends both at once, but the button was drawn for
    the text before. A click that asks for something about the present setting therefore only leaves a note,
    which the run takes (`Key.pop`) once it knows the setting; and the typed text is read in ``click``.
    """
    return st.button(
        plain(label),
        on_click=click,
        args=args,
        help=plain(help, 400) or None,
        icon=f":material/{icon}:" if icon else None,
        type="primary" if primary else "secondary",
        **options,
    )


def menu(
    label: str, offered: Mapping[T, str] | Iterable[T], key: str, first: T | None = None, **options: Any
) -> T:
    """Show a menu and return one of what is offered; ``first`` (else the first) until another is chosen."""
    names = _named(offered)
    start = next(iter(names)) if first is None else first
    chosen = st.selectbox(
        label, list(names), format_func=names.__getitem__, key=kept(key, start, names), **options
    )
    return start if chosen is None else chosen


def choice(
    label: str, offered: Mapping[T, str] | Iterable[T], key: str, first: T | None = None, **options: Any
) -> T:
    """Show a few in a row and return one of them; ``first`` (else the first) until another is chosen."""
    names = _named(offered)
    start = next(iter(names)) if first is None else first
    chosen = st.segmented_control(
        label,
        list(names),
        format_func=names.__getitem__,
        required=True,
        key=kept(key, start, names),
        **options,
    )
    return start if chosen is None else chosen


def _named(offered: Mapping[T, str] | Iterable[T]) -> dict[T, str]:
    return dict(offered) if isinstance(offered, Mapping) else {value: str(value) for value in offered}


def offer(session: Session, wanted: kc.Algorithm, k: int, icon: str, key: str) -> None:
    """Show a button that chooses another algorithm; if it is unsuitable, the reason."""
    reasons = wanted.unsuitable(session.table, k)
    if reasons:
        note(tr("Not for this table: {reason}").format(reason=reasons[0]))
        return
    says = tr("Show {title} at k = {k}").format(title=wanted.title, k=k)
    button(says, lambda: session.ask(algorithm=wanted, k=k), icon=icon, primary=True, key=key)


def plane_axes(session: Session) -> tuple[str | None, str | None]:
    """Return the attributes of the two menus for the axes; (None, None): a projection of all."""
    names = [column.attribute.name for column in session.table.quasi]
    if len(names) == 1:
        return None, None
    choices, digest = [PROJECTION, *names], session.table.digest
    offered = {name: tr(name) if name == PROJECTION else name for name in choices}
    across = menu(
        tr("Horizontal axis"), offered, f"Across {digest}", _first_axis(session, "longitude", choices)
    )
    up = menu(tr("Vertical axis"), offered, f"Up {digest}", _first_axis(session, "latitude", choices))
    return (None, None) if PROJECTION in (across, up) else (across, up)


def first_axes(session: Session) -> tuple[str | None, str | None]:
    """Return the default attributes across and up."""
    choices = [PROJECTION, *(column.attribute.name for column in session.table.quasi)]
    if len(choices) == 2:
        return None, None
    across, up = _first_axis(session, "longitude", choices), _first_axis(session, "latitude", choices)
    return (None, None) if PROJECTION in (across, up) else (across, up)


def _first_axis(session: Session, kind: str, choices: list[str]) -> str:
    """Return the first choice of an axis: the column of the place, one of only two columns, else the
    projection."""
    quasi = session.table.schema.quasi_identifiers
    if places := places_of(session.table):
        return places[kind == "longitude"]
    return choices[1 if kind == "longitude" else 2] if len(quasi) == 2 else PROJECTION
