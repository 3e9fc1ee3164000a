"""What a check of a promise finds."""

from __future__ import annotations

from dataclasses import dataclass

WITNESSES = 20
"""How many record numbers a verdict names at most."""


@dataclass(frozen=True)
class Verdict:
    """One checked promise: whether it holds, what was found and required, a sentence, and witnesses when it
    fails.

    ``witnesses`` are up to 20 record numbers, counted from 1, for which the promise fails; ``named`` says
    what they number.
    """

    promise: str
    holds: bool
    found: float
    required: float
    sentence: str
    witnesses: tuple[int, ...] = ()
    named: str = "records"
