"""Controls made from option declarations: nothing about an option is written here.

A control shows the setting: its value is written from the setting before it is drawn, and the setting changes
only in its callback. So undo, stop and a point opened from another page move the controls too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.release.release import known_items
from pages.state.session import Session
from pages.widgets.text import note, plain
from pages.widgets.views import fold

SLIDER_TOP = 50
FAMILIES = {
    "clustering": "Closed groups of similar records",
    "partitioning": "Cut from the top down",
    "histories": "Many records per person",
    "concealment": "Overlapping sets (k-concealment)",
}
Path = tuple[str, ...]


def setting_controls(session: Session) -> None:
    """Algorithm as a row of buttons, k, undo, the options: one column."""
    _algorithm_buttons(session)
    k_slider(session)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        k_field(session)
        undo_button(session)
    with fold(plain(f"Options of {session.setting.algorithm.title}"), ":material/tune:", "options"):
        algorithm_options(session)


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
        "Undo",
        icon=":material/undo:",
        on_click=session.undo,
        disabled=not session.history,
        key="undo",
        help="back to the previous setting" if session.history else "nothing was changed yet",
    )


def _reasons(session: Session) -> dict[str, list[str]]:
    """By class name: why an algorithm cannot be used on this table, whatever k."""
    table = session.table
    k = min(session.setting.k, session.largest_k)
    return {cls.__name__: cls().unsuitable(table, k) for cls in kc.ALGORITHMS}


def _algorithm_buttons(session: Session) -> None:
    reasons = _reasons(session)
    for family, title in FAMILIES.items():
        st.markdown(f"**{plain(title)}**")
        _family_buttons(session, family, reasons)
    note(type(session.setting.algorithm).summary)
    _barred(reasons)


def _family_buttons(session: Session, family: str, reasons: dict[str, list[str]]) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for cls in (cls for cls in kc.ALGORITHMS if cls.family == family):
            chosen = type(session.setting.algorithm) is cls
            st.button(
                plain(cls.title),
                key=f"algorithm.{cls.__name__}",
                type="primary" if chosen else "secondary",
                disabled=bool(reasons[cls.__name__]),
                help=plain(" ".join(reasons[cls.__name__]) or cls.summary, 400),
                on_click=session.ask,
                kwargs={"algorithm": cls()} if not chosen else {},
            )


def _barred(reasons: dict[str, list[str]]) -> None:
    """Which algorithms are disabled and why; those with the same reason together."""
    titles: dict[str, list[str]] = {}
    for cls in kc.ALGORITHMS:
        for reason in reasons[cls.__name__][:1]:
            titles.setdefault(reason, []).append(cls.title)
    if len(titles) == 1 and len(next(iter(titles.values()))) == len(kc.ALGORITHMS):
        return  # nothing can be computed, and where the result would stand it is said why
    for reason, named in titles.items():
        note(f"Not for this table: {listed(named)}. {reason}")


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


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
    """A control for each declared option of the chosen algorithm, and for those of the algorithm it starts
    from."""
    if not options.options_of(type(session.setting.algorithm)):
        st.caption("This algorithm has no options.")
    _options(session, session.setting.algorithm, ())
    _seed_control(session)


def _options(session: Session, algorithm: kc.Algorithm, path: Path) -> None:
    """The options of the algorithm that the path of option names leads to."""
    for option in options.options_of(type(algorithm)):
        value, here = getattr(algorithm, option.name), (*path, option.name)
        option_control(session, algorithm, option, here)
        if isinstance(option.kind, options.Nested) and options.options_of(type(value)):
            with st.container(key=f"nested-{'-'.join(here)}"):
                _options(session, value, here)


def option_control(session: Session, owner: kc.Algorithm, option: options.Option, path: Path) -> None:
    """The control of one option of ``owner``."""
    value, nested = getattr(owner, option.name), isinstance(option.kind, options.Nested)
    key = f"option {type(owner).__name__} {' '.join(path)}"
    st.session_state[key] = type(value).__name__ if nested else list(value) if _many(value) else value

    def changed() -> None:
        asked = st.session_state[key]
        asked = options.declared(asked)() if nested else asked
        session.ask(algorithm=replaced(session.setting.algorithm, path, asked))

    label = option.label.capitalize() + (f" ({option.kind.unit})" if option.kind.unit else "")
    about = {"key": key, "help": option.kind.help or None, "on_change": changed}
    draw(session, option.kind, label, value, about)


def _many(value: Any) -> bool:
    return isinstance(value, tuple)


def draw(session: Session, kind: options.Kind, label: str, value: Any, about: dict[str, Any]) -> None:
    """The widget for an option of this kind; ``about`` holds its key, help and callback."""
    if isinstance(kind, options.Flag):
        st.toggle(label, **about)
    elif isinstance(kind, options.Choice):
        st.selectbox(label, list(kind.words), format_func=lambda w: f"{w}: {kind.words[w]}", **about)
    elif isinstance(kind, options.Nested):
        st.selectbox(label, list(kind.among), format_func=lambda name: options.declared(name).title, **about)
    elif isinstance(kind, options.Columns):
        names = [a.name for a in session.table.schema.quasi_identifiers]
        # A column that lost its role stays chosen, and the algorithm says why it cannot be used.
        st.multiselect(label, [*names, *(name for name in value if name not in names)], **about)
    elif isinstance(kind, options.Integer):
        st.number_input(label, int(kind.low), int(min(kind.high, 2**53 - 1)), **about)
    elif isinstance(kind, options.Real) and kind.high - kind.low <= 10:
        step = kind.step or (kind.high - kind.low) / 20
        st.slider(label, float(kind.low), float(kind.high), step=step, **about)
    elif isinstance(kind, options.Real):
        st.number_input(label, float(kind.low), float(kind.high), **about)


def replaced(algorithm: kc.Algorithm, path: Path, value: Any) -> kc.Algorithm:
    """The algorithm with another value of the option that the path of names leads to."""
    first, *rest = path
    inner = replaced(getattr(algorithm, first), tuple(rest), value) if rest else value
    return dataclasses.replace(algorithm, **{first: inner})


def _seed_control(session: Session) -> None:
    if session.setting.algorithm.randomized:
        text = session.seed_text(session.setting.seed)
        st.session_state["seed"] = int(text) if text.isdecimal() else None
        st.number_input(
            "Seed",
            0,
            2**31,
            key="seed",
            placeholder="secret, drawn for this table",
            help="The same seed gives the same result. An attacker who knows it can run the release again.",
            on_change=lambda: session.ask_seed(st.session_state["seed"]),
        )


def k_slider(session: Session) -> None:
    """The k slider, with what its ends mean."""
    top = max(3, min(SLIDER_TOP, session.largest_k))
    st.session_state["k"] = min(session.setting.k, top)
    unit = " people" if session.setting.algorithm.unit == "people" else ""
    m = known_items(session.setting.algorithm, session.table)
    known = (
        f"whoever knows up to {m} {'item' if m == 1 else 'items'} of a person finds at least k records, or"
        " none"
    )
    st.slider(
        f"k: {known}" if m else f"k: everybody hides among at least k{unit}",
        2,
        top,
        key="k",
        on_change=lambda: session.ask(k=st.session_state["k"]),
    )
    ends("◀ more detail", "more privacy ▶")


def ends(low: str, high: str) -> None:
    """What the two ends of the slider above mean."""
    st.html(f'<div class="ends"><span>{escape(low)}</span><span>{escape(high)}</span></div>')


def k_field(session: Session) -> None:
    """A field for any k, also beyond the slider."""
    st.session_state["any k"] = session.setting.k
    st.number_input(
        "or any k",
        2,
        None,
        key="any k",
        width=120,
        help=f"any whole number from 2 to {session.largest_k:,}",
        on_change=lambda: session.ask(k=st.session_state["any k"]),
    )
