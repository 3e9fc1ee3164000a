"""Pinned settings: up to four of each table, a letter each, which the desk shows side by side."""

from __future__ import annotations

from pages.state.session import Session
from pages.state.setting import Setting

LETTERS = "ABCD"
"""The letters of pinned settings; no more can be pinned."""


def pinned(session: Session) -> dict[str, Setting]:
    """Return the pinned settings of the present table by their letters, in the order of these."""
    return dict(sorted(session.pins.get(session.table.digest, {}).items()))


def pinned_elsewhere(session: Session) -> int:
    """Return how many settings of other tables are pinned."""
    return sum(len(found) for digest, found in session.pins.items() if digest != session.table.digest)


def letter_of(session: Session, setting: Setting) -> str:
    """Return the letter of a pinned setting, "" if it is not pinned."""
    return next((letter for letter, one in pinned(session).items() if one == setting), "")


def pin(session: Session, setting: Setting) -> bool:
    """Pin a setting of the present table under the first free letter; return False if there is none."""
    found = pinned(session)
    if setting in found.values():
        return True
    free = [letter for letter in LETTERS if letter not in found]
    if free:
        session.pins[session.table.digest] = found | {free[0]: setting}
    return bool(free)


def unpin(session: Session, letter: str) -> None:
    """Unpin the setting with this letter; the others keep theirs."""
    left = {other: one for other, one in pinned(session).items() if other != letter}
    session.pins[session.table.digest] = left
