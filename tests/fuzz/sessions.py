"""Whole sessions: upload, roles, algorithms, k, pages, stop, undo, saved and opened again, in any order."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable

from tests.fuzz.alone import alone
from tests.fuzz.steps import GRAMMAR, upload
from tests.fuzz.walk import Walk, private_marks, wrong

STEPS = 25
"""The number of steps of a session."""


def session(seed: int, number: int, steps: int = STEPS) -> tuple[list[str], str]:
    """Return what was done in the session with this number, and what was wrong after the last step; "" when
    nothing ever was."""
    rng, done = random.Random(f"session {seed} {number}"), list[str]()
    with alone() as stopper:
        walk = Walk(rng, stopper)
        while len(done) < steps:
            take = rng.choices(list(GRAMMAR), list(GRAMMAR.values()))[0] if done else upload
            found = _after(walk, take, done)
            if found:
                return done, found
    return done, ""


def _after(walk: Walk, take: Callable[[Walk], str], done: list[str]) -> str:
    """Return what is wrong after one more step; "" when nothing is."""
    before, walk.uploaded, walk.stopper.pressed = private_marks(walk.session), set(), 0
    try:
        said = take(walk)
    except Exception:
        done.append(take.__name__)
        return traceback.format_exc(limit=-6)
    if said:
        done.append(said)
    return wrong(walk, before | walk.uploaded | private_marks(walk.session))
