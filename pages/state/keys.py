"""Typed names for the values that a browser session remembers; only this room touches Streamlit's own
state."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, cast

import streamlit as st

T = TypeVar("T")


@dataclass(frozen=True)
class Key(Generic[T]):
    """A place in the browser session, and its default.

    A control with ``key.name`` as its Streamlit key writes its value there. The default is never changed in
    place: use an immutable one.
    """

    name: str
    default: T

    def of(self, *scope: object) -> Key[T]:
        """Return the key for one table, column or setting: these words are added to the name."""
        return replace(self, name=" ".join(map(str, (self.name, *scope))))

    def get(self) -> T:
        """Return the value at this place, or the default."""
        return cast("T", st.session_state.get(self.name, self.default))

    def set(self, value: T) -> None:
        """Put a value there; for a control, only before it is drawn, or in a callback."""
        st.session_state[self.name] = value

    def pop(self) -> T:
        """Return the value at this place, and forget it."""
        return cast("T", st.session_state.pop(self.name, self.default))

    @property
    def is_set(self) -> bool:
        """Return whether anything was put there."""
        return self.name in st.session_state


_PAGE = Key("page drawn", "")
_CHOSEN: Key[Any] = Key("kept choice", None)
_JUST_CHOSEN = Key("just chosen in a control", False)


def note_page(name: str) -> bool:
    """Remember which page is drawn: Streamlit forgets the controls of the one before. Return whether another
    was drawn before."""
    entered = name != _PAGE.get()
    _PAGE.set(name)
    return entered


def drawn_page() -> str:
    """Return the name of the page that is drawn."""
    return _PAGE.get()


def forget_all() -> None:
    """Drop everything that this tab remembers."""
    st.session_state.clear()


class _ControlState(NamedTuple):
    """The last drawn control of a name: its number, value, page and range."""

    number: int = 0
    value: Any = None
    page: str | None = None
    ends: object = None

    def differs(self, value: object) -> bool:
        """Return whether something was drawn, and it showed another value."""
        return self.page is not None and self.value != value


_CONTROL_STATE = Key("shown by a control", _ControlState())


class Linked(TypedDict):
    """The two arguments that tie a control to a value."""

    key: str
    on_change: Callable[[], None]


def kept(key: str, first: Any, among: Container[Any] | None = None) -> str:
    """Return the key of a control that is drawn next, set to what was last chosen there, before that to
    ``first``.

    Streamlit forgets a control that a run does not draw. Where ``first`` itself was left standing, it may be
    another one when the control comes back. ``among``: what is offered now; of a list the rest is taken out,
    and one value that is not offered any more gives way to ``first``.
    """
    control, known = Key(key, first), _CHOSEN.of(key)
    chosen = control.get() if control.is_set else known.get() if known.is_set else first
    if among is not None and isinstance(chosen, list):
        chosen = [one for one in chosen if one in among]
    elif among is not None and chosen not in among:
        chosen = first
    control.set(chosen)
    known.pop()
    if chosen != first:
        known.set(chosen)
    return key


def latest(place: Key[tuple[str, T] | None], key: str, make: Callable[[], T]) -> T:
    """Return the value kept at this place for ``key``, made now if the place has that of another key."""
    known = place.get()
    if known is None or known[0] != key:
        known = key, make()
        place.set(known)
    return known[1]


def linked(key: str, value: T, take: Callable[[T], object], ends: object = None) -> Linked:
    """Return the arguments that tie a control to ``value``, so that it shows ``value`` whatever was chosen
    before; ``take`` is given each new choice.

    A browser sends all its controls with every message, also one that has not yet heard that another control
    changed its value: the old value would be taken for a choice. A control whose value was changed from
    elsewhere is therefore a new one, of another name, and the old one is not listened to.

    A control shows what is put into it, even when somebody has gone on choosing meanwhile. So nothing is put
    there after a choice that was taken as it is; and nothing at all that stands there already, where
    ``ends`` says what a slider ends at, for with other ends it is another control.
    """
    last, chosen = _CONTROL_STATE.of(key), _JUST_CHOSEN.of(key)
    shown, mine = last.get(), chosen.pop()
    now = _ControlState(shown.number + (not mine and shown.differs(value)), value, _PAGE.get(), ends)
    control = Key(f"{key} {now.number}" if now.number else key, value)
    stands = control.is_set and control.get() == value
    if not (stands and (mine or ends is not None) and (shown.page, shown.ends) == (now.page, ends)):
        control.set(value)
    last.set(now)

    def changed() -> None:
        if last.get().number == now.number:
            chosen.set(True)
            take(control.get())

    return {"key": control.name, "on_change": changed}
