"""Setting: the requested algorithm with its options, k and seed; and the known population."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.kinds import Choice
from kanon_core.base.words import tr
from kanon_core.guarantees.files.cells import OWN
from kanon_core.metrics import Metric
from pages.state.keys import Key


@dataclass(frozen=True)
class Setting:
    """A request: algorithm with options, k and seed."""

    algorithm: kc.Algorithm
    k: int = 5
    seed: int = field(default=0, repr=False)

    @property
    def key(self) -> str:
        """Return a text that differs for different settings."""
        return f"{options.expression(self.algorithm)}|{self.k}|{self.seed}"

    @property
    def guarantee(self) -> kc.Hiding:
        """Return the guarantee, which says who hides among how many."""
        return self.algorithm.guarantee(self.k)

    @property
    def title(self) -> str:
        """Return the algorithm as people read it, with the options that differ from their defaults."""
        return describe(self.algorithm)


def describe(algorithm: kc.Algorithm | Metric) -> str:
    """Return title and the options that differ from their defaults: ``V-MDAV (gamma 1)``."""
    parts = []
    for option in options.options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if value != option.default:
            words = _value_text(value)
            if isinstance(option.kind, options.Nested):
                words = describe(value)
            elif isinstance(option.kind, Choice):
                words = tr(value)
            parts.append(f"{option.label} {words}")
    return algorithm.title + (f" ({', '.join(parts)})" if parts else "")


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def suitable(wanted: kc.Algorithm, table: kc.Table, k: int) -> kc.Algorithm:
    """Return the algorithm that is wanted or, where it does not suit the table, the first one that does."""
    if not wanted.unsuitable(table, k):
        return wanted
    others = (cls() for cls in (type(wanted), *kc.ALGORITHMS))
    return next((algorithm for algorithm in others if not algorithm.unsuitable(table, k)), wanted)


NOTHING = "nothing"


class KnownPopulation(NamedTuple):
    """The population set on the Risk page: the population and how ``missing`` cells count, as
    `kanon_core.risks` takes them, and a ``key`` for the population."""

    population: kc.Population | kc.Table | None = None
    key: str = NOTHING
    missing: str = OWN


_POPULATION: Key[KnownPopulation] = Key("population assumed", KnownPopulation())


def known_population(table: kc.Table) -> Key[KnownPopulation]:
    """Return the key under which the known population of this table is kept."""
    return _POPULATION.of(table.digest)
