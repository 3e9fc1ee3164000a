"""k-anonymity of people who have many records each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.release.pseudonyms import equal_histories, hiding
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.people import Persons, no_persons, persons_of

if TYPE_CHECKING:
    from kanon_core.guarantees.files.written import WrittenFile
    from kanon_core.release.uploaded.beside import RowsBeside
    from kanon_core.table.table import Table


class _Counts(NamedTuple):
    """What is added up over fragments: rows of nobody (``strays``) and ``badly`` named ones, how many
    pseudonyms people have beyond one each (``more``), how many there are (``bearers``), and all ``persons``,
    published or not."""

    strays: int
    badly: int
    more: int
    bearers: int
    persons: int


_BEARERS = _Counts._fields.index("bearers")


@dataclass(frozen=True)
class PersonKAnonymity(Hiding):
    """Every published history hides its person among at least k: the multisets of rows under k people's
    pseudonyms are equal.

    Only published quasi-identifiers count; people of whom nothing is published are not counted. Records that
    name nobody could be anybody's and must not be published. A pseudonym is borne by one person, whose own
    name it is not; where a person has several, no more than one in k pseudonyms of equal histories may be the
    same person's. Cost O(n log n · attributes).

    It may be judged fragment by fragment, where each pseudonym is borne in one fragment only. If within each
    fragment no more than one in k pseudonyms of equal histories is the same person's, then in all fragments
    together no more than one in k is.

    Purchase-history paper, §2.2.
    """

    name: ClassVar[str] = "k-anonymity of people"
    attacker: ClassVar[str] = "knows the quasi-identifiers of all records of one person"
    meaning: ClassVar[str] = "Every published history, all rows together, is that of at least k people."
    example: ClassVar[str] = (
        "k = 3: five purchases are published under one number, and under two more numbers stand five "
        "rows that read the same."
    )
    unit: ClassVar[str] = "people"
    one: ClassVar[str] = "person"
    group: ClassVar[str] = "group of people"
    groups: ClassVar[str] = "groups of people"
    groups_title: ClassVar[str] = "Groups of people"
    alike: ClassVar[str] = "people with equal published histories"
    pseudonyms: ClassVar[bool] = True
    by_fragment: ClassVar[bool] = True

    @property
    def asked(self) -> str:
        """The k that was asked for."""
        return tr("{k} people").format(k=self.k)

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """Counted in people."""
        _, reached, about = super().achieved(release)
        return tr("Achieved k, people"), reached, about

    def unsuitable(self, table: Table) -> list[str]:
        """A column must say whose each record is."""
        return no_persons(table)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): among how many people the history of each record hides; 0 = suppressed."""
        bearers = release.bearers
        among = hiding(equal_histories(bearers.numbers, release.classes), bearers.owner)
        return np.asarray(np.append(among, 0)[bearers.numbers])

    def sizes(self, release: Judged) -> np.ndarray:
        """int64: how many people share each different history."""
        bearers = release.bearers
        histories = equal_histories(bearers.numbers, release.classes)
        return hiding(histories, bearers.owner)[np.unique(histories, return_index=True)[1]]

    def about_group(self, members: int) -> str:
        """People hide by whole histories, not row by row."""
        return tr(
            "{members:,} records, one of each of {members:,} people, are published alike here. People hide by"
            " the whole of their histories, all rows together: see the Histories page."
        ).format(members=members)

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict, from the published rows and pseudonyms."""
        persons, rows = persons_of(table), np.flatnonzero(~release.suppressed)
        if not len(rows):
            return self.nobody(self.k, len(persons))
        strays = rows[persons.numbers[rows] < 0]
        if len(strays):
            return self.verdict(False, 0, self.k, _strays_said(len(strays)), strays)
        badly = rows[_badly_named(table, rows, release.pseudonyms[rows])]
        if len(badly):
            return self.verdict(False, 0, self.k, _badly_said(len(badly)), badly)
        return self._shared(release, persons, rows)

    def _shared(self, release: Judged, persons: Persons, rows: np.ndarray) -> Verdict:
        owners = persons.numbers[rows]
        among, first, _ = _hiding(release.pseudonyms[rows], release.classes[rows], owners)
        smallest, few = int(among.min()), among < self.k
        if few.any():
            sentence = tr_n(
                "{histories:,} published history is shared by fewer than {k} people.",
                "{histories:,} published histories are shared by fewer than {k} people.",
                int(few.sum()),
            ).format(histories=int(few.sum()), k=self.k)
            return self.verdict(False, smallest, self.k, sentence, rows[np.sort(first[few])])
        more = len(among) - len(np.unique(owners))
        return self.verdict(True, smallest, self.k, _shared_said(smallest, more))

    def tally_beside(self, rows: RowsBeside) -> Tally:
        """Among how few people a history of the fragment hides its person, how many hide fewer than k and
        with how many records; then `_Counts`."""
        owners, names = rows.owners, rows.pseudonyms
        named = np.flatnonzero(owners >= 0)
        badly = _badly_named(rows.table, rows.records[named], names[named])
        among, _, held = _hiding(names[named], rows.classes[named], owners[named])
        bearers, people = len(among), len(np.unique(owners[named]))
        few, persons = among < self.k, len(persons_of(rows.table))
        counts = _Counts(len(owners) - len(named), int(badly.sum()), bearers - people, bearers, persons)
        worst = float(among.min(initial=persons))
        return Tally(worst, int(few.sum()), int(held[few].sum()), list(counts))

    def told(self, found: Sequence[Tally]) -> Verdict:
        """The verdict on all fragments."""
        counts = _Counts(*np.sum([one.others for one in found], axis=0).tolist())
        histories = sum(one.classes for one in found)
        if counts.strays:
            return self.verdict(False, 0, self.k, _strays_said(counts.strays))
        if not counts.bearers:
            return self.nobody(self.k, counts.persons)
        if counts.badly:
            return self.verdict(False, 0, self.k, _badly_said(counts.badly))
        smallest = int(min(one.worst for one in found if one.others[_BEARERS]))
        if histories:
            sentence = tr_n(
                "{histories:,} published history is shared by fewer than {k} people of their own fragment.",
                "{histories:,} published histories are shared by fewer than {k} people of their own"
                " fragment.",
                histories,
            ).format(histories=histories, k=self.k)
            return self.verdict(False, smallest, self.k, sentence)
        return self.verdict(True, smallest, self.k, _shared_said(smallest, counts.more))

    def check_file(self, file: WrittenFile, tick: Tick = silent) -> Verdict:
        """The verdict on a file: histories of pseudonyms, each taken for another person's. Two are equal when
        their rows can be paired so that all quasi-identifiers are written equally."""
        (person,), shown = file.table.schema.of_role("person"), np.flatnonzero(~file.suppressed)
        names = pd.factorize(file.frame[person.name].iloc[shown])[0]
        if not len(shown):
            return self.nobody(self.k)
        strays = shown[names < 0]
        if len(strays):
            sentence = tr_n(
                "{strays:,} row has no pseudonym, so nobody knows whose it is.",
                "{strays:,} rows have no pseudonym, so nobody knows whose they are.",
                len(strays),
            ).format(strays=len(strays))
            return self.verdict(False, 0, self.k, sentence, strays, "rows")
        histories = equal_histories(names, file.classes_of(file.quasi, shown))
        sharing = np.bincount(histories)[histories]
        few, smallest = sharing < self.k, int(sharing.min())
        if few.any():
            sentence = tr("{few:,} of {all:,} pseudonyms have a history that fewer than {k} share.").format(
                few=few.sum(), all=len(few), k=self.k
            )
        else:
            sentence = tr(
                "Every published history is that of at least {smallest} of {all:,} pseudonyms, row by row."
            ).format(smallest=smallest, all=len(few))
        return self.verdict(not few.any(), smallest, self.k, sentence, shown[few[names]], "rows")


def _hiding(
    names: np.ndarray, classes: np.ndarray, owners: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By pseudonym, ascending: among how many people its history hides its person, its first row, and how
    many it has. Of rows, int64 (n): pseudonyms, classes of quasi-identifiers, whose they really are."""
    _, first, bearer, held = np.unique(names, return_index=True, return_inverse=True, return_counts=True)
    return hiding(equal_histories(bearer, classes), owners[first]), first, held


def _badly_named(table: Table, records: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Booleans (rows): the pseudonym is another person's too, or the person's own name, or none; ``records``
    (int64): of which each row was made, all of somebody, ``names`` int64 (rows)."""
    persons = persons_of(table)
    owners, (different, place) = persons.numbers[records], np.unique(names, return_inverse=True)
    least, greatest = np.full(len(different), len(persons)), np.full(len(different), -1)
    np.minimum.at(least, place, owners)
    np.maximum.at(greatest, place, owners)
    texts = np.array(original_texts(table[persons.column], records), dtype=object)
    own = texts == names.astype(str).astype(object)
    return np.asarray((least < greatest)[place] | own | (names <= 0), bool)


def _strays_said(strays: int) -> str:
    return tr_n(
        "{strays:,} record that names nobody is published.",
        "{strays:,} records that name nobody are published.",
        strays,
    ).format(strays=strays)


def _badly_said(badly: int) -> str:
    return tr_n(
        "{badly:,} record bears a pseudonym that is not one person's alone, or the person's own name.",
        "{badly:,} records bear a pseudonym that is not one person's alone, or the person's own name.",
        badly,
    ).format(badly=badly)


def _shared_said(smallest: int, more: int) -> str:
    said = tr("Every published history is shared by at least {smallest}, row by row.").format(
        smallest=counted(smallest, "person")
    )
    if more:
        said += tr(" People have {more:,} further pseudonyms for later parts of long histories.").format(
            more=more
        )
    return said
