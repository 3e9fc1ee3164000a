"""A promise to people who have many records each."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kanon_core.guarantees.base import WITNESSES, Verdict
from kanon_core.release.pseudonyms import equal_histories, hiding
from kanon_core.release.release import Release
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.table import Table


class PersonKAnonymity:
    """Every published history hides its person among at least k: the multisets of rows under k people's
    pseudonyms are equal [002 §2.2].

    Only published quasi-identifiers count; people of whom nothing is published are not counted. Records that
    name nobody could be anybody's and must not be published. A pseudonym is borne by one person, whose own
    name it is not; where somebody has several, no more than one in k pseudonyms of equal histories may be the
    same person's.
    """

    name: ClassVar[str] = "k-anonymity of people"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict, from the published cells and pseudonyms; cost O(n log n · attributes)."""
        k, name, persons = release.recipe.k, PersonKAnonymity.name, persons_of(table)
        rows = np.flatnonzero(~release.suppressed)
        if not len(rows):
            sentence = "No record is published, so nobody can be told apart."
            return Verdict(name, True, len(persons), k, sentence)
        strays = rows[persons.numbers[rows] < 0]
        if len(strays):
            return _failed(0, k, f"{len(strays)} records that name nobody are published.", strays)
        badly = _badly_named(table, release, persons, rows)
        if len(badly):
            sentence = (
                f"{len(badly)} records bear a pseudonym that is not one person's alone, or the person's own"
                " name."
            )
            return _failed(0, k, sentence, badly)
        names, first, bearer = np.unique(release.pseudonyms[rows], return_index=True, return_inverse=True)
        histories = equal_histories(bearer, release.classes[rows])
        among = hiding(histories, persons.numbers[rows][first])
        smallest, few = int(among.min()), among < k
        if few.any():
            sentence = f"{int(few.sum())} published histories are shared by fewer than {k} people."
            return _failed(smallest, k, sentence, rows[np.sort(first[few])])
        sentence = f"Every published history is shared by at least {smallest} people, row by row."
        more = len(names) - len(np.unique(persons.numbers[rows]))
        if more:
            sentence += f" People have {more:,} further pseudonyms for later parts of long histories."
        return Verdict(name, True, smallest, k, sentence)


def _failed(found: int, k: int, sentence: str, records: np.ndarray) -> Verdict:
    witnesses = tuple(int(record) + 1 for record in records[:WITNESSES])
    return Verdict(PersonKAnonymity.name, False, found, k, sentence, witnesses)


def _badly_named(table: Table, release: Release, persons: Persons, rows: np.ndarray) -> np.ndarray:
    """Published records whose pseudonym somebody else bears too, or which is the person's own name, or is
    none."""
    names, owners = release.pseudonyms[rows], persons.numbers[rows]
    _, place = np.unique(names, return_inverse=True)
    least, greatest = np.full(place.max() + 1, len(persons)), np.full(place.max() + 1, -1)
    np.minimum.at(least, place, owners)
    np.maximum.at(greatest, place, owners)
    own = np.array(original_texts(table[persons.column], rows), dtype=object) == names.astype(str).astype(
        object
    )
    return rows[(least < greatest)[place] | own | (names <= 0)]
