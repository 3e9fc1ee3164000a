"""Choices of Learn: table, algorithm, k, options, and a second algorithm beside the first."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from pages.learn.begin import BESIDE, beside
from pages.learn.study import TABLE, TOLD, choices, study
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.controls import options_button
from pages.widgets.text import note

_NONE = ""


def choose(session: Session) -> None:
    """Show all choices in one row; on a phone two to a line."""
    with st.container(key="learn-choices", gap="xsmall"):
        table, algorithm, k, more, other, right = st.columns([5, 4, 2, 2, 4, 2], vertical_alignment="bottom")
        summary = st.container()
    with table:
        table_menu(session)
    one = study(session)
    with algorithm:
        algorithm_menu(one)
    with k:
        st.number_input("k", 2, None, **linked("learn-k", one.setting.k, lambda asked: one.ask(k=asked)))
    with more:
        options_button(one)
    with other:
        _beside(one)
    with right:
        _its_k(one)
    with summary:
        note(type(one.setting.algorithm).summary)


def table_menu(session: Session) -> None:
    """Show the menu of tables: the loaded one and samples."""
    names = choices(session)
    shown = TABLE.get() if TABLE.get() in names else next(iter(names))
    tied = linked("learn-table", shown, TABLE.set)
    st.selectbox(tr("Table"), list(names), format_func=names.__getitem__, **tied)


def algorithm_menu(session: Session) -> None:
    """Show the menu of algorithms; those that do not suit the table come last and say so."""
    named = {cls.__name__: cls for cls in TOLD}

    def take(name: str) -> None:
        if type(session.setting.algorithm) is not named[name]:
            session.ask(algorithm=named[name]())

    tied = linked("learn-algorithm", type(session.setting.algorithm).__name__, take)
    names = _fitting_first(session, named.values())
    st.selectbox(tr("Algorithm"), list(names), format_func=names.__getitem__, **tied)


def _beside(session: Session) -> None:
    now = next((type(setting.algorithm).__name__ for setting in beside(session)), _NONE)

    def take(name: str) -> None:
        BESIDE.set(f"{name}@{session.setting.k}" if name else _NONE)

    names = {_NONE: tr("none"), **_fitting_first(session, TOLD)}
    tied = linked("learn-beside", now, take)
    st.selectbox(tr("Compare with"), list(names), format_func=names.__getitem__, **tied)


def _its_k(session: Session) -> None:
    said, _, _ = BESIDE.get().rpartition("@")
    for setting in beside(session):
        tied = linked("learn-its-k", setting.k, lambda k: BESIDE.set(f"{said}@{k}"))
        st.number_input(tr("k of the second"), 2, None, **tied)


def _fitting_first(session: Session, among: Iterable[type[kc.Algorithm]]) -> dict[str, str]:
    """Return the titles by name; those of algorithms that the table does not suit come last."""
    k = max(2, min(session.setting.k, session.largest_k))
    unfit = {cls: bool(cls().unsuitable(session.table, k)) for cls in among}
    says = tr("{title} – not for this table")
    return {
        cls.__name__: says.format(title=cls.title) if unfit[cls] else cls.title
        for cls in sorted(unfit, key=unfit.__getitem__)
    }
