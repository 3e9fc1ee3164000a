"""Controls made from option declarations: nothing about an option is written here."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core import options
from pages.common.session import Session

SLIDER_TOP = 50


def setting_controls(session: Session) -> None:
    """Algorithm as a row of buttons, its options, k, undo: one column."""
    _algorithm_buttons(session)
    with st.expander(f"Options of {session.setting.algorithm.title}", icon=":material/tune:"):
        algorithm_options(session)
    k_slider(session)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        k_field(session)
        undo_button(session)


def setting_row(session: Session) -> None:
    """The same in one row, for pages whose picture wants the width; options are changed on Explore."""
    menu, slider, number = st.columns([3, 7, 2], vertical_alignment="top", gap="medium")
    with menu:
        _algorithm_menu(session)
    with slider:
        k_slider(session)
    with number:
        k_field(session)


def undo_button(session: Session) -> None:
    """Back to the previous setting."""
    st.button(
        "Undo", icon=":material/undo:", on_click=session.undo, disabled=not session.history, key="undo",
        help="back to the previous setting" if session.history else "nothing was changed yet",
    )  # fmt: skip


def _reasons(session: Session) -> dict[str, list[str]]:
    """By class name: why an algorithm cannot be used on this table, whatever k."""
    table = session.table
    made = {cls.__name__: cls() for cls in kc.ALGORITHMS}
    return {
        name: algorithm.unsuitable(table, min(session.setting.k, len(table)))
        for name, algorithm in made.items()
    }


def _algorithm_buttons(session: Session) -> None:
    reasons = _reasons(session)
    st.markdown("**Algorithm**")
    with st.container(horizontal=True, gap="xsmall"):
        for cls in kc.ALGORITHMS:
            chosen = type(session.setting.algorithm) is cls
            st.button(
                cls.title,
                key=f"algorithm.{cls.__name__}",
                type="primary" if chosen else "secondary",
                disabled=bool(reasons[cls.__name__]),
                help=" ".join(reasons[cls.__name__]) or cls.summary,
                on_click=session.ask,
                kwargs={"algorithm": cls()} if not chosen else {},
            )
    st.caption(type(session.setting.algorithm).summary)
    barred = [
        f"{cls.title}: {_short(reasons[cls.__name__])}" for cls in kc.ALGORITHMS if reasons[cls.__name__]
    ]
    if barred:
        st.caption("Not for this table — " + " · ".join(barred))


def _short(reasons: list[str]) -> str:
    return reasons[0].split(";")[0].rstrip(".")


def _algorithm_menu(session: Session) -> None:
    reasons = _reasons(session)
    usable = [cls for cls in kc.ALGORITHMS if not reasons[cls.__name__]]
    current = type(session.setting.algorithm)
    if current not in usable:
        usable = [current, *usable]
    st.session_state["algorithm menu"] = current.__name__

    def changed() -> None:
        name = st.session_state["algorithm menu"]
        if name != type(session.setting.algorithm).__name__:
            session.ask(algorithm=options.declared(name)())

    titles = {cls.__name__: cls.title for cls in usable}
    st.selectbox(
        "Algorithm", list(titles), format_func=titles.__getitem__, key="algorithm menu", on_change=changed
    )


def algorithm_options(session: Session) -> None:
    """A control for each declared option of the chosen algorithm."""
    algorithm = session.setting.algorithm
    declared = options.options_of(type(algorithm))
    if not declared:
        st.caption("This algorithm has no options.")
    for option in declared:
        value = option_control(option, getattr(algorithm, option.name), type(algorithm).__name__, session)
        if value != getattr(algorithm, option.name):
            session.ask(algorithm=dataclasses.replace(algorithm, **{option.name: value}))
            st.rerun(scope="fragment")
    _seed_control(session)


def option_control(option: options.Option, value: Any, owner: str, session: Session) -> Any:
    """The control of one option; returns the chosen value."""
    kind, key = option.kind, f"option.{owner}.{option.name}"
    label = option.label.capitalize() + (f" ({kind.unit})" if kind.unit else "")
    if isinstance(kind, options.Flag):
        return st.toggle(label, value, key=key, help=kind.help)
    if isinstance(kind, options.Choice):
        words = list(kind.words)
        return st.selectbox(
            label,
            words,
            words.index(value),
            key=key,
            help=kind.help,
            format_func=lambda w: f"{w}: {kind.words[w]}",
        )
    if isinstance(kind, options.Columns):
        names = [a.name for a in session.table.schema.quasi_identifiers]
        return tuple(st.multiselect(label, names, [n for n in value if n in names], key=key, help=kind.help))
    if isinstance(kind, options.Nested):
        names = list(kind.among)
        chosen = st.selectbox(label, names, names.index(type(value).__name__), key=key, help=kind.help)
        return value if chosen == type(value).__name__ else options.declared(chosen)()
    return _number_control(kind, label, value, key)


def _number_control(kind: options.Kind, label: str, value: Any, key: str) -> Any:
    assert isinstance(kind, options.Real)
    if isinstance(kind, options.Integer):
        top = int(min(kind.high, 2**53 - 1))
        return st.number_input(label, int(kind.low), top, int(value), key=key, help=kind.help)
    step = kind.step or (kind.high - kind.low) / 20
    if kind.high - kind.low <= 10:
        return st.slider(
            label, float(kind.low), float(kind.high), float(value), step, key=key, help=kind.help
        )
    return st.number_input(label, float(kind.low), float(kind.high), float(value), key=key, help=kind.help)


def _seed_control(session: Session) -> None:
    if not session.setting.algorithm.randomized:
        return
    seed = st.number_input(
        "Seed", 0, 2**31, session.setting.seed, help="the same seed gives the same result", key="seed"
    )
    if seed != session.setting.seed:
        session.ask(seed=int(seed))
        st.rerun(scope="fragment")


def k_slider(session: Session) -> None:
    """The k slider, with what its ends mean."""
    top = max(3, min(SLIDER_TOP, len(session.table)))
    st.session_state["k"] = min(session.setting.k, top)
    st.slider(
        "k: everybody hides among at least k",
        2,
        top,
        key="k",
        on_change=lambda: session.ask(k=st.session_state["k"]),
    )
    st.html('<div class="ends"><span>◀ more detail</span><span>more privacy ▶</span></div>')


def k_field(session: Session) -> None:
    """A field for any k, also beyond the slider."""
    st.session_state["any k"] = session.setting.k
    st.number_input(
        "or any k", 2, None, key="any k", width=120, help=f"any whole number from 2 to {len(session.table):,}",
        on_change=lambda: session.ask(k=st.session_state["any k"]),
    )  # fmt: skip
