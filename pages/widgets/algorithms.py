"""The menu of algorithms: by family with a sentence each; what does not fit the table stands last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.text import note, plain

FAMILIES = {
    "clustering": later("Closed groups of similar records"),
    "partitioning": later("Cut from the top down"),
    "generalization": later("Generalized by hierarchies"),
    "histories": later("Many records per person"),
    "concealment": later("Overlapping sets (k-concealment)"),
    "fragments": later("Another algorithm, piece by piece"),
}
_OPEN, _CHOSEN = Key("algorithms", False), Key("algorithm chosen", False)


def algorithm_menu(session: Session) -> None:
    """The chosen algorithm with its sentence, and the others behind it; drawn only while they are looked
    at."""
    chosen = session.setting.algorithm
    if _CHOSEN.get():  # said until it reached the browser: a run may be cut off before the menu is drawn
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
            _menu(session)


def _menu(session: Session) -> None:
    reasons = unsuitable(session)
    for family, title in FAMILIES.items():
        fitting = [cls for cls in kc.ALGORITHMS if cls.family == family and not reasons[cls]]
        if fitting:
            st.caption(f"**{plain(tr(title))}**")
        for cls in fitting:
            _entry(session, cls, cls.summary)
    if any(reasons.values()):
        title = tr("Not for this table")
        st.caption(f"**{plain(title)}**")
    for cls, why in reasons.items():
        if why:
            _entry(session, cls, why[0], barred=True)


def _entry(session: Session, cls: type[kc.Algorithm], says: str, barred: bool = False) -> None:
    """One line of the menu; to choose it closes the menu."""

    def take() -> None:
        _CHOSEN.set(True)
        if type(session.setting.algorithm) is not cls:
            session.ask(algorithm=cls())

    st.button(
        f"**{plain(cls.title)}** – {plain(says, 400)}",
        key=f"algorithm.{cls.__name__}",
        on_click=take,
        type="tertiary",
        width="stretch",
        disabled=barred,
        wrap=True,
        icon=":material/check:" if type(session.setting.algorithm) is cls else None,
    )


def unsuitable(session: Session) -> dict[type[kc.Algorithm], list[str]]:
    """Return why an algorithm cannot be used on this table, whatever k."""
    k = max(2, min(session.setting.k, session.largest_k))
    return {cls: cls().unsuitable(session.table, k) for cls in kc.ALGORITHMS}


def not_for_this_table(left_out: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Show which of these titles are left out and why; those with the same reason together."""
    titles: dict[str, list[str]] = {}
    for title, reasons in left_out:
        for reason in reasons[:1]:
            titles.setdefault(reason, []).append(title)
    for reason, named in titles.items():
        whose = "" if all(title in reason for title in named) else f"{listed(named)}. "
        note(tr("Not for this table: {whose}{reason}").format(whose=whose, reason=reason))


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) == 1:
        return words[0]
    return tr("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])
