"""Typed names for the values that a browser session remembers; only this room touches Streamlit's own
state."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, Self, TypedDict, TypeVar, cast

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

    def of(self, *scope: object) -> Self:
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


_LASTING = "lasting values"


@dataclass(frozen=True)
class Lasting(Key[T]):
    """A place whose value a browser finds again after its page was loaded anew: it is kept with the session.
    No control writes here."""

    def get(self) -> T:
        """Return the value at this place, or the default."""
        return cast("T", _lasting().get(self.name, self.default))

    def set(self, value: T) -> None:
        """Put a value there."""
        _lasting()[self.name] = value

    def pop(self) -> T:
        """Return the value at this place, and forget it."""
        return cast("T", _lasting().pop(self.name, self.default))

    @property
    def is_set(self) -> bool:
        """Return whether anything was put there."""
        return self.name in _lasting()


def _lasting() -> dict[str, Any]:
    values: dict[str, Any] = st.session_state.setdefault(_LASTING, {})
    return values


def keep_in(values: dict[str, Any]) -> None:
    """Use these lasting values from now on."""
    st.session_state[_LASTING] = values


_PAGE = Key("page drawn", "")
_CHOSEN: Key[Any] = Lasting("kept choice", None)


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
    """The last drawn control of a name: its number, value, page and range, and whether something was chosen
    in it since."""

    number: int = 0
    value: Any = None
    page: str | None = None
    ends: object = None
    chosen: bool = False

    def differs(self, value: object) -> bool:
        """Return whether something was drawn, and it showed another value."""
        return self.page is not None and self.value != value


_CONTROL_STATE = Key("shown by a control", _ControlState())


class Linked(TypedDict):
    """The two arguments that tie a control to a value."""

    key: str
    on_change: Callable[[], None]


class LinkedNumber(Linked):
    """The arguments that tie a slider or a field of a number to a value."""

    value: Any


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


def linked(key: str, value: T, take: Callable[[T], object]) -> Linked:
    """Return the arguments that tie a control to ``value``, so that it shows ``value`` whatever was chosen
    before; ``take`` is given each new choice.

    A browser sends all its controls with every message, also one that has not yet heard that another control
    changed its value: the old value would be taken for a choice. A control whose value was changed from
    elsewhere is therefore a new one, of another name, and the old one is not listened to.

    A control shows what is put into it, even when somebody has gone on choosing meanwhile. So nothing is put
    there after a choice that was taken as it is.
    """
    return _linked(key, value, take, None)


def linked_number(key: str, value: T, take: Callable[[T], object], ends: object = ()) -> LinkedNumber:
    """Return the arguments that tie a slider or a field of a number to ``value``, as `linked` does. Nothing
    is put into it that stands there already, so that a run does not undo what is being typed.

    ``ends``: where a slider ends, for with other ends it is another control. The value is an argument too: a
    browser that draws the control only after the run that put it there starts with it.
    """
    return {**_linked(key, value, take, ends), "value": value}


def _linked(key: str, value: T, take: Callable[[T], object], ends: object) -> Linked:
    last = _CONTROL_STATE.of(key)
    shown = last.get()
    number = shown.number + (not shown.chosen and shown.differs(value))
    control = Key(f"{key} {number}" if number else key, value)
    now = _ControlState(number, value, _PAGE.get(), ends)
    stands = control.is_set and control.get() == value and (shown.page, shown.ends) == (now.page, ends)
    if not (stands and (shown.chosen or ends is not None)):
        control.set(value)
    last.set(now)

    def changed() -> None:
        if last.get().number == number:
            last.set(last.get()._replace(chosen=True))
            take(control.get())

    return {"key": control.name, "on_change": changed}
