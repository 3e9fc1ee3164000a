"""k-anonymity of people who have many records each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.covers.pseudonyms import equal_histories, hiding
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.people import no_persons, persons_of

if TYPE_CHECKING:
    from kanon_core.covers.uploaded.beside import RowsBeside
    from kanon_core.guarantees.files.written import WrittenFile
    from kanon_core.table.table import Table


class _Rows(NamedTuple):
    """Published rows of people, int64 (m) each: their numbers in what is judged, the pseudonyms they bear,
    the classes of their quasi-identifiers, and the persons to whom they really belong, −1 = nobody;
    ``records``: the records of the table from which they were made; ``persons``: how many people the table
    has, published or not."""

    numbers: np.ndarray
    names: np.ndarray
    classes: np.ndarray
    owners: np.ndarray
    records: np.ndarray
    persons: int

    @classmethod
    def of(cls, table: Table, judged: Judged) -> _Rows:
        """Return the rows of a release, of a fragment, or of a file; in a file, each pseudonym is taken for a
        different person."""
        if judged.source in ("rows", "persons"):
            file = cast("WrittenFile", judged)
            (person,), shown = table.schema.of_role("person"), np.flatnonzero(~file.suppressed)
            names = pd.factorize(file.frame[person.name].iloc[shown])[0]
            return cls(shown, names, file.classes_of(file.quasi, shown), names, shown, 0)
        persons = persons_of(table)
        if judged.source == "fragment":
            own = cast("RowsBeside", judged)
            numbers = np.arange(len(own.records))
            return cls(numbers, own.pseudonyms, own.classes, own.owners, own.records, len(persons))
        shown = np.flatnonzero(~judged.suppressed)
        owners = persons.numbers[shown]
        return cls(shown, judged.pseudonyms[shown], judged.classes[shown], owners, shown, len(persons))

    def taken(self, which: np.ndarray) -> _Rows:
        """Some of these rows."""
        names, classes, owners = self.names[which], self.classes[which], self.owners[which]
        return _Rows(self.numbers[which], names, classes, owners, self.records[which], self.persons)


@dataclass(frozen=True)
class PersonKAnonymity(Hiding):
    """Every published history is shared by at least k people: the multisets of rows under their pseudonyms
    are equal.

    Only published quasi-identifiers count; people of whom nothing is published are not counted. Records that
    name no person could belong to anybody and must not be published. A pseudonym belongs to one person and is
    not that person's name. Where a person has several pseudonyms, no more than one in k pseudonyms of equal
    histories may be the same person's. Cost O(n log n · attributes).

    It may be judged fragment by fragment, where each pseudonym occurs in one fragment only. If within each
    fragment no more than one in k pseudonyms of equal histories is the same person's, then in all fragments
    together no more than one in k is.

    Purchase-history paper, §2.2.
    """

    name: ClassVar[str] = "k-anonymity of people"
    attacker: ClassVar[str] = "knows the quasi-identifiers of all records of one person"
    meaning: ClassVar[str] = (
        "Every published history, all rows of a person together, is shared by at least k people."
    )
    example: ClassVar[str] = (
        "k = 3: five purchases are published under one pseudonym; two other pseudonyms have five identical"
        " rows."
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
    def requested(self) -> str:
        """The k that was asked for."""
        return tr("{k} people").format(k=self.k)

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """Counted in people."""
        _, reached, about = super().achieved(release)
        return tr("Achieved k, people"), reached, about

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if no column has the role person."""
        return no_persons(table)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the number of people who share the history of each record; 0 = suppressed."""
        bearers = release.bearers
        among = hiding(equal_histories(bearers.numbers, release.classes), bearers.owner)
        return np.asarray(np.append(among, 0)[bearers.numbers])

    def sizes(self, release: Judged) -> np.ndarray:
        """int64: how many people share each different history."""
        bearers = release.bearers
        histories = equal_histories(bearers.numbers, release.classes)
        return hiding(histories, bearers.owner)[np.unique(histories, return_index=True)[1]]

    def about_group(self, members: int) -> str:
        """Return the meaning of a group: whole histories protect people, not single rows."""
        return tr(
            "This group has {members:,} records that are published alike, one of each of {members:,}"
            " people. Whole histories protect people, not single rows: see People, a view of Clusters."
        ).format(members=members)

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Return the fewest people who share a history; the numbers of histories that fewer than k share, and
        of their records; the rows without a person (strays) and those with a wrong pseudonym (badly); and the
        numbers of pseudonyms (bearers), of pseudonyms beyond one for each person (more), and of people."""
        every = _Rows.of(table, release)
        stray, named = every.taken(every.owners < 0), every.taken(every.owners >= 0)
        in_file = release.source in ("rows", "persons")
        badly = np.zeros(0, np.int64) if in_file else named.numbers[_badly_named(table, named)]
        among, first, held = _hiding(named)
        few, bearers = among < self.k, len(among)
        others = {
            "strays": len(stray.numbers),
            "badly": len(badly),
            "bearers": bearers,
            "more": bearers - len(np.unique(named.owners)),
            "persons": every.persons,
        }
        failing = named.numbers[few[named.names] if in_file else np.sort(first[few])]
        failing = next((wrong for wrong in (stray.numbers, badly) if len(wrong)), failing)
        worst = float(among.min()) if bearers else np.inf
        counts = (worst, int(few.sum()), int(held[few].sum()), others)
        return Tally(
            *counts, not len(every.numbers), release.source, (), failing, "rows" if in_file else "records"
        )

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict, from the published rows and pseudonyms."""
        counts, in_file = tally.others, tally.source in ("rows", "persons")
        if strays := counts["strays"]:
            said = _strays_said(strays, in_file)
            return self.verdict(False, 0, self.k, said, tally.failing, tally.named)
        if not counts["bearers"]:
            return self.nobody(self.k, counts["persons"])
        if badly := counts["badly"]:
            return self.verdict(False, 0, self.k, _badly_said(badly), tally.failing)
        smallest, few = int(tally.worst), tally.classes
        said = _few_said(few, tally.source) if few else _shared_said(counts["more"], in_file)
        said = said.format(
            histories=few,
            k=self.k,
            all=counts["bearers"],
            smallest=smallest if in_file else counted(smallest, "person"),
            more=counts["more"],
        )
        return self.verdict(not few, smallest, self.k, said, tally.failing, tally.named)


def _hiding(rows: _Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by pseudonym, ascending: the number of people who share its history, its first row, and its
    number of rows."""
    _, first, bearer, held = np.unique(rows.names, return_index=True, return_inverse=True, return_counts=True)
    return hiding(equal_histories(bearer, rows.classes), rows.owners[first]), first, held


def _badly_named(table: Table, rows: _Rows) -> np.ndarray:
    """Booleans (rows): the pseudonym also belongs to another person, is the person's own name, or is missing;
    every row belongs to somebody."""
    persons = persons_of(table)
    different, place = np.unique(rows.names, return_inverse=True)
    least, greatest = np.full(len(different), len(persons)), np.full(len(different), -1)
    np.minimum.at(least, place, rows.owners)
    np.maximum.at(greatest, place, rows.owners)
    texts = np.array(original_texts(table[persons.column], rows.records), dtype=object)
    own = texts == rows.names.astype(str).astype(object)
    return np.asarray((least < greatest)[place] | own | (rows.names <= 0), bool)


def _strays_said(strays: int, in_file: bool) -> str:
    said = tr_n(
        "{strays:,} published record names no person.",
        "{strays:,} published records name no person.",
        strays,
    )
    if in_file:
        said = tr_n(
            "{strays:,} row has no pseudonym, so its person is unknown.",
            "{strays:,} rows have no pseudonym, so their people are unknown.",
            strays,
        )
    return said.format(strays=strays)


def _badly_said(badly: int) -> str:
    return tr_n(
        "{badly:,} record has a pseudonym that is missing, is shared by several people, or is the person's"
        " own name.",
        "{badly:,} records have a pseudonym that is missing, is shared by several people, or is the"
        " person's own name.",
        badly,
    ).format(badly=badly)


def _few_said(histories: int, source: str) -> str:
    """Return the sentence that ``histories`` histories are shared by too few people, with places to fill
    in."""
    if source == "fragment":
        return tr_n(
            "{histories:,} published history is shared by fewer than {k} people of its own fragment.",
            "{histories:,} published histories are shared by fewer than {k} people of their own fragment.",
            histories,
        )
    if source == "release":
        return tr_n(
            "{histories:,} published history is shared by fewer than {k} people.",
            "{histories:,} published histories are shared by fewer than {k} people.",
            histories,
        )
    return tr_n(
        "{histories:,} of {all:,} pseudonyms has a history that fewer than {k} pseudonyms share.",
        "{histories:,} of {all:,} pseudonyms have a history that fewer than {k} pseudonyms share.",
        histories,
    )


def _shared_said(more: int, in_file: bool) -> str:
    """Return the sentence that all histories are shared, with places to fill in; ``more``: the number of
    further pseudonyms of the same people."""
    if in_file:
        return tr(
            "Every published history is shared by at least {smallest} of {all:,} pseudonyms, row by row."
        )
    said = tr("Every published history is shared by at least {smallest}, row by row.")
    if more:
        said += tr_n(
            " {more:,} further pseudonym covers a later part of a long history.",
            " {more:,} further pseudonyms cover later parts of long histories.",
            more,
        )
    return said
