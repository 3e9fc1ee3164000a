"""Collection of all entries, and the search for one by its word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.distances import DISTANCES
from kanon_core.findings import FINDINGS
from kanon_core.guarantees import ALWAYS, GUARANTEES
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.risk.attackers import ATTACKERS
from kanon_core.risk.attacks import ATTACKS, Attack
from kanon_core.risk.tables import TABLE_ATTACKS, TableAttack
from kanon_core.runs.sweeps import quantity
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from kanon_core.teaching.glossary.attackers import ATTACKERS as WORDS
from kanon_core.teaching.glossary.entries import Entry, named, of_guarantee, of_metric, of_search
from kanon_core.teaching.glossary.publishing import PUBLISHING


def entries() -> tuple[Entry, ...]:
    """Return all entries in the reader's language, part by part; within a part in the order of menus."""
    return tuple(_all())


def entry(word: str) -> Entry:
    """Return the entry of a word: by its exact name, by its name in any case, or by another word for it, in
    the sources' or the reader's language. Raises OptionError for a word without an entry.

    >>> entry("NCP").name, entry("adversary").name
    ('Certainty penalty', 'attacker')
    """
    wanted, all_of_them = word.casefold(), entries()
    others = ((name, one) for one in reversed(all_of_them) for name in (*one.also, *one.written[1:]))
    firsts = [(name, one) for one in reversed(all_of_them) for name in (*one.written[:1], one.name)]
    names = {name.casefold(): one for name, one in (*others, *firsts)}
    written = dict(firsts)
    found = written.get(word) or names.get(wanted)
    if found is None:
        raise OptionError(tr("The glossary has no entry “{word}”.").format(word=word))
    return found


def of_quantity(name: str) -> Entry:
    """Return the entry of a quantity of curves, by its name in `kanon_core.runs.sweeps.QUANTITIES`: a
    measure, k or the run time."""
    metric = next((cls for cls in (*METRICS, *UTILITIES) if cls.__name__ == name), None)
    return of_metric(metric) if metric else entry(quantity(name).title)


def _all() -> Iterator[Entry]:
    yield from _written(WORDS, tr("Risk and disclosure"))
    yield from _written(PUBLISHING, tr("Releases"))
    yield from (Entry(cls.title, cls.sentence, cls.example, part=tr("Attackers")) for cls in ATTACKERS)
    yield from named(ROLES, tr("Roles of columns"))
    yield from map(of_guarantee, GUARANTEES)
    yield from map(of_guarantee, ALWAYS)
    yield from map(of_search, FINDINGS)
    yield from map(of_metric, (*METRICS, *UTILITIES))
    attacks: tuple[type[Attack | TableAttack], ...] = (*ATTACKS, *TABLE_ATTACKS)
    yield from (Entry(cls.title, cls.sentence, part=tr("Attacks")) for cls in attacks)
    yield from (Entry(cls.title, cls.summary, part=tr("Algorithms")) for cls in ALGORITHMS)
    yield from named(KINDS, tr("Kinds of values"))
    yield from named(RECODINGS, tr("Recodings"))
    yield from (Entry(cls.title, cls.sentence, part=tr("Distances")) for cls in DISTANCES)


def _written(words: Iterable[Entry], part: str) -> Iterator[Entry]:
    """Yield the entries that are written in this room, in the reader's language."""
    for one in words:
        also, written = tuple(map(tr, one.also)), (one.name, *one.also)
        said = replace(one, name=tr(one.name), says=tr(one.says), also=also, part=part, written=written)
        yield replace(said, example=tr(one.example)) if one.example else said
