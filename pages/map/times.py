"""How long methods take on a table: guessed from its number of records, then learned from those that ran."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr

_QUICK = (0.003, 1.1)
_SLOW = {
    "Pairing": (0.005, 2.0),
    "GreedyConcealment": (0.05, 1.5),
    "OptimalConcealment": (0.08, 1.7),
    "Lottery": (2.4, 1.5),
    "Tours": (2.8, 3.0),
    "Clustered": (3.6, 1.1),
}
"""Seconds at 1,000 records, measured on one processor, and the power of the number of records that they grow
with; those not named are as `_QUICK`, and a search that has seconds takes these too."""
FEW_SECONDS = 3.0
"""What takes longer is not started unasked."""
_WORTH_LEARNING = 0.3
_MOST = 20.0


def guessed(algorithm: kc.Algorithm, records: int) -> float:
    """About how many seconds an algorithm takes on so many records.

    >>> guessed(kc.MDAV(), 50_000) < FEW_SECONDS < guessed(kc.OptimalConcealment(), 50_000)
    True
    """
    base, power = _SLOW.get(type(algorithm).__name__, _QUICK)
    return base * math.pow(max(records, 1) / 1000, power) + float(getattr(algorithm, "seconds", 0.0))


def about(seconds: float) -> str:
    """A time in words, for a menu.

    >>> about(2), about(34), about(200)
    ('', 'about 30 s', 'about 3 min')
    """
    if seconds <= FEW_SECONDS:
        return ""
    if seconds < 90:
        return tr("about {count:.0f} s").format(count=float(f"{seconds:.1g}"))
    return tr("about {count:,.0f} min").format(count=seconds / 60)


@dataclass
class Pace:
    """How fast this machine is beside the guesses; learned from what ran long enough."""

    taken: float = 0.0
    guessed: float = 0.0

    @property
    def factor(self) -> float:
        """Seconds for each second guessed, 1 before anything ran."""
        return min(max(self.taken / self.guessed, 1 / _MOST), _MOST) if self.guessed else 1.0

    def learn(self, taken: float, guess: float) -> None:
        """A method took so long; what is over at once teaches nothing."""
        if min(taken, guess) >= _WORTH_LEARNING:
            self.taken, self.guessed = self.taken + taken, self.guessed + guess


@dataclass
class Clock:
    """The progress of several methods as one: ``guesses`` are the seconds of each, in order."""

    guesses: list[float]
    pace: Pace
    spent: float = 0.0
    done: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def left(self, fraction: float | None, elapsed: float) -> float:
        """Seconds left, when the method under way is ``fraction`` done after ``elapsed`` seconds.

        Its own progress says more the further it is; before, the guess does, as far as it is not used up.
        """
        mine = self.pace.factor * self.guesses[self.done]
        share = min(max(fraction or 0.0, 0.0), 1.0)
        by_guess = max(mine - elapsed, 0.0)
        by_share = elapsed * (1 - share) / share if share > 0.02 else by_guess
        weight = share if by_guess else 1.0
        rest = self.pace.factor * math.fsum(self.guesses[self.done + 1 :])
        return weight * by_share + (1 - weight) * by_guess + rest

    def over(self, tick: Tick) -> Tick:
        """The tick of the method under way, which shows the whole: what is spent of what it takes in all."""

        def whole(fraction: float | None, note: str = "") -> None:
            elapsed = time.perf_counter() - self.begun
            spent = self.spent + elapsed
            tick(max(spent / (spent + self.left(fraction, elapsed) + 1e-9), 1e-6), note)

        return whole

    def finished(self) -> None:
        """The method under way is done; the next begins."""
        elapsed = time.perf_counter() - self.begun
        self.pace.learn(elapsed, self.guesses[self.done])
        self.spent += elapsed
        self.done, self.begun = self.done + 1, time.perf_counter()
