"""How screens speak of what a guarantee counts and whom it is about: in one place, by kind of guarantee."""

from __future__ import annotations

from dataclasses import dataclass

import kanon_core as kc
from kanon_core.guarantees import PROMISES
from kanon_core.release.release import known_items


@dataclass(frozen=True)
class Words:
    """Nouns and captions of a release with one kind of guarantee; these are those of k-anonymity.

    ``among`` says in a sentence what the worst-protected hide among, up to how often a guess is right.
    """

    group: str = "Group"
    groups: str = "groups"
    groups_title: str = "Groups"
    equal: str = "sets of records with equal published values"
    achieved: str = "Achieved k"
    risk: str = "worst risk"
    among: str = (
        "records with the same published values, so a guess at the worst-protected person is right with at"
        " most"
    )
    sizes: str = "Sizes of the groups"
    by_size: str = "Groups by their number of records"
    one: str = "One group"
    many: str = ""


_PEOPLE = Words(
    groups_title="Groups of people",
    equal="sets of people with equal published histories",
    achieved="Achieved k, people",
    among=(
        "people with the same published history, so a guess at the worst-protected person is right with at"
        " most"
    ),
    sizes="Groups of people",
    by_size="Groups by their number of people",
    one="One group of records",
    many=" people",
)
_KNOWN = Words(
    group="Row",
    groups="different rows",
    groups_title="Distinct rows",
    sizes="Records that publish the same",
    by_size="Different rows by the number of records that publish them",
)
_OVERLAPPING = Words(
    groups_title="Distinct rows",
    risk="risk of a random pick",
    among=(
        "published rows that could be theirs; an attacker who picks one of these at random is right with at"
        " most"
    ),
)


def words_of(release: kc.Release) -> Words:
    """The nouns and captions of a release."""
    if release.protects_people:
        return _PEOPLE
    if release.known_items:
        return _KNOWN
    return Words() if isinstance(release.cover, kc.Partition) else _OVERLAPPING


def guarantee_name(release: kc.Release) -> str:
    """The guarantee with its parameters: ``k-anonymity with k = 5``."""
    named = {promise.__name__: promise.name for promise in PROMISES}
    m = release.known_items
    return (
        f"{named[release.recipe.algorithm.promise]} with k = {release.recipe.k}{f' and m = {m}' if m else ''}"
    )


def items_text(m: int) -> str:
    """So many items, in words for a sentence."""
    return "1 item" if m == 1 else f"{m} items"


def k_caption(algorithm: kc.Algorithm, table: kc.Table) -> str:
    """What k means, above its slider."""
    m = known_items(algorithm, table)
    if m:
        return f"k: an attacker who knows up to {items_text(m)} of a person finds at least k records, or none"
    return (
        "k: everybody hides among at least k people"
        if algorithm.unit == "people"
        else ("k: everybody hides among at least k")
    )


def group_note(release: kc.Release, count: int) -> str:
    """What the records of one group share."""
    if release.protects_people:
        return (
            f"{count:,} records, one of each of {count:,} people, are published alike here. People"
            " hide by the whole of their histories, all rows together: see the Histories page."
        )
    if release.known_items:
        return (
            f"{count:,} records publish the same single values here, each with items of its own. They"
            " hide among one another from an attacker who knows no item; one who knows up to"
            f" {items_text(release.known_items)} finds at least {release.recipe.k} records, or none."
        )
    return f"{count:,} records hide among one another here."
