"""What controls show: choices that stay while their control is not on screen, and values kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, TypedDict, TypeVar

from pages.state.keys import Key

T = TypeVar("T")
_CHOSEN: Key[Any] = Key("kept choice", None)


class Linked(TypedDict):
    """The two arguments that tie a control to a value."""

    key: str
    on_change: Callable[[], None]


def kept(key: str, first: Any, among: Container[Any] | None = None) -> str:
    """The key of a control that is drawn next, set to what was last chosen there, before that to ``first``.

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


def linked(key: str, value: T, take: Callable[[T], object]) -> Linked:
    """For a control that shows ``value`` whatever was chosen before; ``take`` is given each new choice."""
    control = Key(key, value)
    control.set(value)

    def changed() -> None:
        take(control.get())

    return {"key": key, "on_change": changed}
