"""A promise to people who have many records each."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kanon_core.cells import original_texts
from kanon_core.data.persons import Persons, persons_of
from kanon_core.data.table import Table
from kanon_core.histories import equal_histories
from kanon_core.promises.base import WITNESSES, Verdict
from kanon_core.release import Release


class PersonKAnonymity:
    """Every published history is that of at least k people: the multisets of their published rows are equal [002 §2.2].

    Only published quasi-identifiers count; people of whom nothing is published are not counted. Records that name
    nobody could be anybody's and must not be published. The rows of a person
    bear one pseudonym that nobody else has and that is not the person's own name.
    """

    name: ClassVar[str] = "k-anonymity of people"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(n log n · attributes)."""
        k, name, persons = release.recipe.k, PersonKAnonymity.name, persons_of(table)
        strays = np.flatnonzero((persons.numbers < 0) & ~release.suppressed) + 1
        if len(strays):
            sentence = f"{len(strays)} records that name nobody are published."
            return Verdict(name, False, 0, k, sentence, tuple(map(int, strays[:WITNESSES])))
        histories = equal_histories(persons, release.classes)
        sizes = np.bincount(histories[histories >= 0])
        if not len(sizes):
            sentence = "No record is published, so nobody can be told apart."
            return Verdict(name, True, len(persons), k, sentence)
        alike = np.append(sizes, k)[histories]
        smallest, failing = int(sizes.min()), _first_records(persons, alike < k)
        if len(failing):
            sentence = (
                f"{int((alike < k).sum())} people have a published history that fewer than {k} people share."
            )
            return Verdict(name, False, smallest, k, sentence, failing)
        badly = _badly_named(table, release, persons)
        if badly.any():
            sentence = f"{int(badly.sum())} people are not published under one pseudonym of their own."
            return Verdict(name, False, smallest, k, sentence, _first_records(persons, badly))
        sentence = f"Every published history is shared by at least {smallest} people, row by row."
        return Verdict(name, True, smallest, k, sentence)


def _first_records(persons: Persons, which: np.ndarray) -> tuple[int, ...]:
    """Up to 20 record numbers from 1: the first of each of these people (booleans)."""
    numbers, first = np.unique(persons.numbers, return_index=True)
    return tuple(int(row) + 1 for row in np.sort(first[numbers >= 0][which])[:WITNESSES])


def _badly_named(table: Table, release: Release, persons: Persons) -> np.ndarray:
    """Booleans (people): rows bear different pseudonyms, or one that is somebody else's too, or the person's own name."""
    rows = np.flatnonzero(~release.suppressed)
    bad = np.zeros(len(persons), bool)
    if persons.column not in (frame := release.to_frame(rows)):
        return bad
    owner, shown = persons.numbers[rows], frame[persons.column].astype(str).to_numpy(object)
    pairs = set(zip(owner.tolist(), shown.tolist(), strict=True))
    for number, texts in enumerate(
        (np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs], object))
    ):
        values, counts = np.unique(texts, return_counts=True)
        repeated = set(values[counts > 1].tolist())
        bad[[pair[0] for pair in pairs if pair[number] in repeated]] = True
    own = np.array(original_texts(table[persons.column], rows), dtype=object)
    bad[owner[own == shown]] = True
    return bad
