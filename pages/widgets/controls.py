"""Controls of the setting: the menu of algorithms, k, and controls made from option declarations.

A control shows the setting: its value is written from the setting before it is drawn, and the setting changes
only in its callback. So undo, stop and a point opened from another page move the controls too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base import kinds, options
from kanon_core.base.words import later, tr
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import Key, linked, linked_number
from pages.state.session import Session, current
from pages.widgets.lens import lens
from pages.widgets.pickers import button
from pages.widgets.sentences import items_text
from pages.widgets.text import note, plain, warning

SLIDER_TOP = 50
Path = tuple[str, ...]
FAMILIES = {
    "clustering": later("Groups of similar records"),
    "partitioning": later("Top-down partitioning"),
    "generalization": later("Generalization by hierarchies"),
    "histories": later("Many records per person"),
    "concealment": later("Overlapping sets (k-concealment)"),
    "fragments": later("Fragments: another algorithm on parts of the table"),
}
_REFUSED = Key("k refused at", "")
_OPEN, _CHOSEN = Key("algorithms", False), Key("algorithm chosen", False)


def setting_row(session: Session) -> None:
    """Show algorithm, k, options and undo in one row, for pages whose picture wants the width."""
    with st.container(key="setting-row"):
        menu, slider, more = st.columns([3, 6, 3], vertical_alignment="top", gap="medium")
    with menu:
        algorithm_menu(session)
    with slider:
        k_slider(session)
    with more:
        further_controls(session)


def further_controls(session: Session) -> None:
    """Show the field for k, undo and the options in one line."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="more controls"):
        k_field(session)
        undo_button(session)
        options_button(session)
    if _REFUSED.get() == session.setting.key:
        warning(tr("k must be a whole number of at least 2: k = 1 gives no protection."))


def options_button(session: Session) -> None:
    """Show the options of the algorithm, drawn only while open."""
    box = st.popover(tr("Options"), key="options", on_change="rerun")
    if box.open:
        with box:
            st.caption(f"**{plain(session.setting.algorithm.title)}**")
            algorithm_options(session)


def release_below(session: Session) -> kc.Release | None:
    """Show the status bar and the setting in one row, and return its release."""
    bar = st.container()
    setting_row(session)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    return release


@st.fragment
def with_release(draw: Callable[[Session, kc.Release], None]) -> None:
    """Show the status bar, the setting in one row, what is drawn of its release, and the person lens on a
    record that is clicked there. The slider redraws this part of the page alone."""
    session = current()
    release = release_below(session)
    if release is not None:
        draw(session, release)
        lens(session)


def undo_button(session: Session) -> None:
    """Show a button back to the previous setting."""
    says = tr("restore the previous setting") if session.history else tr("nothing has changed yet")
    button(tr("Undo"), session.undo, disabled=not session.history, key="undo", help=says)


def algorithm_options(session: Session) -> None:
    """Show a control for each option of the chosen algorithm, and for those of the one it starts from."""
    if not options.options_of(type(session.setting.algorithm)):
        st.caption(tr("This algorithm has no options."))
    _options(session, session.setting.algorithm, ())
    if session.setting.algorithm.randomized:
        text = session.seed_text(session.setting.seed)
        tied = linked_number("seed", int(text) if text.isdecimal() else None, session.ask_seed)
        about = tr(
            "The same seed gives the same result. An attacker who knows the seed and the data can"
            " reproduce the release."
        )
        st.number_input(
            tr("Seed"), 0, 2**31, placeholder=tr("secret, drawn for this table"), help=about, **tied
        )


def _options(session: Session, algorithm: kc.Algorithm, path: Path) -> None:
    """Show the options of the algorithm that the path of option names leads to."""
    for option in options.options_of(type(algorithm)):
        value, here = getattr(algorithm, option.name), (*path, option.name)
        option_control(session, algorithm, option, here)
        if isinstance(option.kind, options.Nested) and options.options_of(type(value)):
            with st.container(key=f"nested-{'-'.join(here)}"):
                _options(session, value, here)


def option_control(session: Session, owner: kc.Algorithm, option: options.Option, path: Path) -> None:
    """Show the control of one option of ``owner``."""
    value, nested = getattr(owner, option.name), isinstance(option.kind, options.Nested)

    def take(chosen: Any) -> None:
        chosen = options.declared(chosen)() if nested else chosen
        session.ask(algorithm=replaced(session.setting.algorithm, path, chosen))

    shown = type(value).__name__ if nested else list(value) if isinstance(value, tuple) else value
    tied = linked(f"option {type(owner).__name__} {' '.join(path)}", shown, take)
    label = option.label.capitalize() + (f" ({tr(option.kind.unit)})" if option.kind.unit else "")
    draw(session, option.kind, label, value, {**tied, "help": option.help or None})


def draw(session: Session, kind: kinds.Kind, label: str, value: Any, about: dict[str, Any]) -> None:
    """Show the widget for an option of this kind; ``about`` holds its key, help and callback."""
    if isinstance(kind, kinds.Flag):
        st.toggle(label, **about)
    elif isinstance(kind, kinds.Choice):
        st.selectbox(label, list(kind.words), format_func=lambda w: f"{tr(w)}: {tr(kind.words[w])}", **about)
    elif isinstance(kind, options.Nested):
        st.selectbox(label, list(kind.among), format_func=lambda name: options.declared(name).title, **about)
    elif isinstance(kind, kinds.Columns):
        names = [
            a.name
            for a in session.table.schema.of_role(*kind.roles)
            if a.kind != "items" or "quasi_identifier" in kind.roles
        ]
        # A column that lost its role stays chosen, and the algorithm says why it cannot be used.
        st.multiselect(label, [*names, *(name for name in value if name not in names)], **about)
    elif isinstance(kind, kinds.Integer):
        st.number_input(label, int(kind.low), int(min(kind.high, 2**53 - 1)), **about)
    elif isinstance(kind, kinds.Real) and kind.high - kind.low <= 10:
        step = kind.step or (kind.high - kind.low) / 20
        st.slider(label, float(kind.low), float(kind.high), step=step, format="%g", **about)
    elif isinstance(kind, kinds.Real):
        st.number_input(label, float(kind.low), float(kind.high), format="%g", **about)


def replaced(algorithm: kc.Algorithm, path: Path, value: Any) -> kc.Algorithm:
    """Return the algorithm with another value of the option that the path of names leads to."""
    first, *rest = path
    inner = replaced(getattr(algorithm, first), tuple(rest), value) if rest else value
    return dataclasses.replace(algorithm, **{first: inner})


def slider_top(session: Session) -> int:
    """Return the k at which the slider ends."""
    return max(3, min(SLIDER_TOP, session.largest_k))


def k_slider(session: Session) -> None:
    """Show the k slider, with the meaning of its ends."""
    top = slider_top(session)
    shown = min(session.setting.k, top)
    tied = linked_number("k", shown, lambda k: session.ask(k=k), ends=top)
    held = session.setting.guarantee
    says = tr("k: every {one} hides among at least k {unit}").format(one=held.one, unit=tr(held.unit))
    if held.known_items:
        few = items_text(held.known_items)
        says = tr("k: an attacker who knows up to {few} of a person finds at least k records or none").format(
            few=few
        )
    if session.setting.k > top:
        says = tr("{says}. k = {k:,} is above this slider, which ends at {top}").format(
            says=says, k=session.setting.k, top=top
        )
    st.slider(says, 2, top, **tied)
    ends(tr("◀ more detail"), tr("more privacy ▶"))


def ends(low: str, high: str) -> None:
    """Show the meaning of the two ends of the slider above."""
    st.html(f'<div class="ends"><span>{escape(low)}</span><span>{escape(high)}</span></div>')


def k_field(session: Session) -> None:
    """Show a field for any k, also above the slider's. With a least value the browser would color the field
    and keep silent."""

    def take(k: int) -> None:
        _REFUSED.set("" if k >= 2 else session.setting.key)
        if k >= 2:
            session.ask(k=k)

    about = tr("any whole number from 2 to {largest:,}").format(largest=session.largest_k)
    tied = linked_number("any k", session.setting.k, take)
    st.number_input(tr("Any k"), width=92, help=about, label_visibility="collapsed", step=1, **tied)


def algorithm_menu(session: Session) -> None:
    """Show the chosen algorithm with its sentence, and the others in a menu that is drawn only while open."""
    chosen = session.setting.algorithm
    if _CHOSEN.get():  # kept until the browser has it: a run may be interrupted before the menu is drawn
        _OPEN.set(False)
    menu = st.popover(
        plain(tr("Algorithm: {title}").format(title=chosen.title)),
        key=_OPEN.name,
        on_change="rerun",
        width="stretch",
    )
    _CHOSEN.pop()
    note(type(chosen).summary)
    if menu.open:
        with menu, st.container(gap=None, key="algorithm-menu"):
            _algorithms(session)


def _algorithms(session: Session) -> None:
    reasons = _unsuitable(session)
    for family, title in FAMILIES.items():
        fitting = [cls for cls in kc.ALGORITHMS if cls.family == family and not reasons[cls]]
        if fitting:
            st.caption(f"**{plain(tr(title))}**")
        for cls in fitting:
            _entry(session, cls, cls.summary)
    if any(reasons.values()):
        title = tr("Not available for this table")
        st.caption(f"**{plain(title)}**")
    for cls, why in reasons.items():
        if why:
            _entry(session, cls, why[0], barred=True)


def _entry(session: Session, cls: type[kc.Algorithm], about: str, barred: bool = False) -> None:
    """Show one line of the menu; choosing it closes the menu."""

    def take() -> None:
        _CHOSEN.set(True)
        if type(session.setting.algorithm) is not cls:
            session.ask(algorithm=cls())

    st.button(
        f"**{plain(cls.title)}** – {plain(about, 400)}",
        key=f"algorithm.{cls.__name__}",
        on_click=take,
        type="tertiary",
        width="stretch",
        disabled=barred,
        wrap=True,
        icon=":material/check:" if type(session.setting.algorithm) is cls else None,
    )


def _unsuitable(session: Session) -> dict[type[kc.Algorithm], list[str]]:
    k = max(2, min(session.setting.k, session.largest_k))
    return {cls: cls().unsuitable(session.table, k) for cls in kc.ALGORITHMS}
