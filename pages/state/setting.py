"""What is asked for: an algorithm with its options, k and seed."""

from __future__ import annotations

from dataclasses import dataclass, field

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.kinds import Choice
from kanon_core.base.words import tr
from kanon_core.metrics import Metric


@dataclass(frozen=True)
class Setting:
    """What is asked for: algorithm with options, k and seed."""

    algorithm: kc.Algorithm
    k: int = 5
    seed: int = field(default=0, repr=False)

    @property
    def key(self) -> str:
        """Text that differs for different settings."""
        return f"{options.expression(self.algorithm)}|{self.k}|{self.seed}"

    @property
    def guarantee(self) -> kc.Hiding:
        """Return what says who hides among how many."""
        return self.algorithm.guarantee(self.k)

    @property
    def title(self) -> str:
        """The algorithm as people read it, with the options that differ from their defaults."""
        return describe(self.algorithm)


def describe(algorithm: kc.Algorithm | Metric) -> str:
    """Title and the options that differ from their defaults: ``V-MDAV (gamma 1)``."""
    parts = []
    for option in options.options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if value != option.default:
            words = _plain(value)
            if isinstance(option.kind, options.Nested):
                words = describe(value)
            elif isinstance(option.kind, Choice):
                words = tr(value)
            parts.append(f"{option.label} {words}")
    return algorithm.title + (f" ({', '.join(parts)})" if parts else "")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def suitable(wanted: kc.Algorithm, table: kc.Table, k: int) -> kc.Algorithm:
    """The algorithm that is wanted, or where it does not suit the table the first that does."""
    if not wanted.unsuitable(table, k):
        return wanted
    others = (cls() for cls in (type(wanted), *kc.ALGORITHMS))
    return next((algorithm for algorithm in others if not algorithm.unsuitable(table, k)), wanted)
