"""Typed names of what a browser session remembers; only this room touches Streamlit's own state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import streamlit as st

T = TypeVar("T")


@dataclass(frozen=True)
class Key(Generic[T]):
    """A place in the browser session, and what counts while nothing was put there.

    A control with ``key.name`` as its Streamlit key writes its value there. The default is never changed in
    place: give an immutable one.
    """

    name: str
    default: T

    def of(self, *scope: object) -> Key[T]:
        """The same for one table, column or setting: its name goes on with these words."""
        return replace(self, name=" ".join(map(str, (self.name, *scope))))

    def get(self) -> T:
        """What stands there, or the default."""
        return st.session_state.get(self.name, self.default)

    def set(self, value: T) -> None:
        """Put a value there; of a control only before it is drawn, or in a callback."""
        st.session_state[self.name] = value

    def pop(self) -> T:
        """What stands there, which is then forgotten."""
        return st.session_state.pop(self.name, self.default)

    @property
    def is_set(self) -> bool:
        """Whether anything was put there."""
        return self.name in st.session_state
