"""Entries of the glossary, and functions that make them from declarations, so that no text is written
twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kanon_core.base.words import tr
from kanon_core.findings import FINDINGS
from kanon_core.findings.base import Search
from kanon_core.guarantees.base import Guarantee
from kanon_core.metrics.base import Metric
from kanon_core.table.changes import spoken


@dataclass(frozen=True)
class Entry:
    """A word with its meaning in one to three sentences, an ``example``, other words for it (``also``), and
    the names of related entries (``see``). ``part``: its heading. ``written``: its names in the sources, by
    which it is found in every language; ``see`` uses those too."""

    name: str
    says: str
    example: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    part: str = ""
    written: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the name, with the other words for it in parentheses."""
        return f"{self.name} ({', '.join(self.also)})" if self.also else self.name


def sentence(text: str) -> str:
    """Return a fragment as a sentence.

    >>> sentence("a date or a point in time")
    'A date or a point in time.'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def of_metric(metric: type[Metric] | Metric) -> Entry:
    """Return the entry of a measure: its meaning, its better direction, and an example."""
    better = tr("Lower is better.") if metric.direction == "lower" else tr("Higher is better.")
    also = tuple(word for word in (metric.symbol, metric.short) if word != metric.title)
    return Entry(metric.title, f"{metric.sentence} {better}", metric.example, also, part=tr("Measures"))


def of_guarantee(guarantee: type[Guarantee] | Guarantee) -> Entry:
    """Return the entry of a guarantee: its meaning and its attacker."""
    against = tr("The attacker {knows}.").format(knows=guarantee.attacker)
    says = f"{guarantee.meaning} {against}"
    name, part = tr(guarantee.name), tr("Guarantees")
    return Entry(name, says, guarantee.example, see=("attacker",), part=part, written=(guarantee.name,))


def of_search(search: type[Search] | Search) -> Entry:
    """Return the entry of a finding: its question and its attacker."""
    against = tr("The attacker {knows}.").format(knows=search.attacker)
    says, part = f"{search.asks} {against}", tr("Findings")
    return Entry(tr(search.name), says, see=("finding",), part=part, written=(search.name,))


def of_finding(name: str) -> Entry:
    """Return the entry of a finding by its name."""
    return of_search(next(cls for cls in FINDINGS if cls.name == name))


def named(words: Mapping[str, str], part: str) -> Iterator[Entry]:
    """Yield entries of words that are declared with a fragment each: roles, kinds, recodings."""
    for name, means in words.items():
        yield Entry(tr(spoken(name)), sentence(tr(means)), part=part, written=(spoken(name),))
