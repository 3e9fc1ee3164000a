"""Candidates for one person: the records that agree with the attacker's knowledge, the published rows that
fit it, and their common values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.errors import OptionError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, percent, quoted, tr
from kanon_core.covers.matching.fitting import fits
from kanon_core.release.release import Release
from kanon_core.risk.knowledge import Known, knowledge
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table

_NAMED = 5


@dataclass(frozen=True)
class InCommon:
    """The cells of the candidate rows in one column: ``shares``, the frequency of each of the most frequent
    cells; ``different``: the number of different cells. If all rows agree, the cell is certain."""

    column: str
    role: str
    shares: tuple[tuple[str, float], ...]
    different: int

    @property
    def certain(self) -> bool:
        """Return whether all rows have the same value, which the attacker then knows without knowing the
        row."""
        return self.different == 1


@dataclass(frozen=True, eq=False)
class Candidates:
    """The possible records of a person for an attacker who knows some of the person's quasi-identifiers.

    ``before`` int64: the records of the table that agree with the knowledge, including the person's own.
    ``after`` int64: the published records whose rows fit it. ``matches`` int64: those of ``after`` that
    remain possible for an attacker who knows everybody's quasi-identifiers, if every record has a row; None
    if not requested. ``unit``: "records", or "people" where histories are published; ``count_before`` and
    ``count_after`` count these. ``published``: the person has a row. ``in_common``: the values of the rows of
    ``after`` in each column.
    """

    record: int
    known: tuple[Known, ...]
    before: np.ndarray
    after: np.ndarray
    count_before: int
    count_after: int
    unit: str
    published: bool
    in_common: tuple[InCommon, ...]
    matches: np.ndarray | None = None

    @property
    def certain(self) -> tuple[str, ...]:
        """Return the sensitive columns in which all candidate rows have the same value."""
        return tuple(one.column for one in self.in_common if one.role == "sensitive" and one.certain)

    @property
    def sentence(self) -> str:
        """Return the result in words; no cell is quoted."""
        nouns = {"records": ("record", "row"), "people": ("person", "history")}
        looked_for, published = nouns[self.unit]
        said = tr(
            "An attacker who knows {knows} of record {number} finds {before} in the original and {after} in"
            " the release that agree with this."
        ).format(
            knows=", ".join(map(str, self.known)) or tr("nothing"),
            number=self.record + 1,
            before=counted(self.count_before, looked_for),
            after=counted(self.count_after, published),
        )
        return " ".join([said, *self._beside])

    @property
    def _beside(self) -> list[str]:
        found = []
        if not self.published:
            found.append(tr("The record itself is suppressed: it has no row."))
        elif self.count_after:
            chance = percent(1, self.count_after)
            found.append(
                tr("A random pick among them is right with a chance of {chance}.").format(chance=chance)
            )
        if self.matches is not None:
            says = tr(
                "For an attacker who knows everybody's quasi-identifiers, the number of possible rows is"
                " {count:,}."
            )
            found.append(says.format(count=len(self.matches)))
        if names := quoted(self.certain):
            says = tr(
                "All of them have the same value in {names}, so the attacker learns it without knowing the"
                " row."
            )
            found.append(says.format(names=names))
        return found


def candidates(
    table: Table,
    release: Release,
    record: int,
    known: Mapping[str, float] | None = None,
    everybody: bool | None = None,
    progress: Tick | None = None,
) -> Candidates:
    """Return the candidates for record ``record`` (from 0), before and after.

    ``known``: how roughly each quasi-identifier is known, by its name; all exactly when left out. 0 means
    exactly; otherwise a number is known within ± this amount (a date: days), a category by its group this
    many levels up in its hierarchy. In histories, the attacker knows this of all records of the person.
    ``everybody``: also find the possible rows for an attacker who knows everybody's quasi-identifiers; by
    default where rows overlap (k-concealment). An aggregate counts as the interval or set of its group.

    Raises RecipeError for another table's release, OptionError for an unknown record or column. Cost O(n ·
    columns); with ``everybody`` that of `Release.consistency`, once for a release.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,ill\\n20,flu\\n21,flu\\n22,flu\\n60,ok\\n61,gout\\n62,ok\\n")
    >>> table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    >>> release = kc.anonymize(table, kc.MDAV(), k=3, seed=1)
    >>> found = kc.candidates(table, release, 0, known={"age": 1})
    >>> found.before.tolist(), found.after.tolist(), found.certain
    ([0, 1], [0, 1, 2], ('ill',))
    """
    release.recipe.check_table(table)
    if isinstance(record, bool) or not 0 <= record < len(table):
        most = len(table) - 1
        raise OptionError(
            tr("There is no record {record}; records are numbered 0 to {most}.").format(
                record=record, most=most
            )
        )
    facts, tick = knowledge(table, known), progress or silent
    tick(0.0, tr("finding candidates"))
    if release.pseudonymous:
        return _of_people(table, release, record, facts)
    before, after = (_as_known(table, facts, record), _rows_fitting(table, release, facts, record))
    rows = np.flatnonzero(after & ~release.suppressed)
    wanted = release.cover.overlap if everybody is None else everybody
    return Candidates(
        record,
        facts,
        np.flatnonzero(before),
        rows,
        int(before.sum()),
        len(rows),
        "records",
        not release.suppressed[record],
        common_values(release, rows),
        _matches(release, record, rows, tick) if wanted else None,
    )


def _as_known(table: Table, known: Sequence[Known], record: int) -> np.ndarray:
    """Booleans (n): the record agrees with the knowledge of this record."""
    found = np.ones(len(table), bool)
    for one in known:
        found &= one.values(table[one.column], record)
    return found


def _rows_fitting(table: Table, release: Release, known: Sequence[Known], record: int) -> np.ndarray:
    """Booleans (n): the published row of the record fits the knowledge of this record."""
    found = np.ones(len(table), bool)
    for one in known:
        published = release[one.column]
        found &= np.append(one.cells(table[one.column], published, record), False)[published.cell]
    return found


def _matches(release: Release, record: int, rows: np.ndarray, tick: Tick) -> np.ndarray:
    """Return those of the rows that share an edge with the record in some perfect matching: they fit all of
    its quasi-identifiers, and lie in the same strongly connected component."""
    found = release.consistency(tick)
    near = rows[found.row_parts[rows] == found.record_parts[record]]
    fitting = fits(release.table, release.published, near, np.array([record])).toarray()[0]
    return np.asarray(near[fitting.astype(bool)])


def common_values(release: Release, rows: np.ndarray) -> tuple[InCommon, ...]:
    """Return the common values of the rows of these records, int64, column by column, without the
    pseudonym."""
    if not len(rows):
        return ()
    frame, schema = release.to_frame(rows), release.table.schema
    return tuple(
        _shares(name, schema[name].role, frame[name])
        for name in map(str, frame)
        if schema[name].role != "person"
    )


def _shares(name: str, role: str, cells: pd.Series) -> InCommon:
    # Equally frequent values by their text: the order of the rows would tell whose value is first.
    counts = cells.astype("str").fillna("").value_counts().sort_index()
    counts = counts.sort_values(ascending=False, kind="stable")
    named = tuple((str(text), float(count) / len(cells)) for text, count in counts.head(_NAMED).items())
    return InCommon(name, role, named, len(counts))


def _of_people(table: Table, release: Release, record: int, known: tuple[Known, ...]) -> Candidates:
    """Return the people who agree with the knowledge in all of their records, and the histories whose rows
    all fit records of the person."""
    numbers = persons_of(table).numbers
    person = int(numbers[record])
    if person < 0:
        raise OptionError(
            tr(
                "Record {record} has no person, so there is nobody to look for; choose another record."
            ).format(record=record)
        )
    own = np.flatnonzero(numbers == person)
    people = int(numbers.max()) + 1
    seen, covered, fitting = np.ones(people, bool), np.zeros(len(table), bool), np.zeros(len(table), bool)
    for one in own:
        alike = _as_known(table, known, int(one))
        seen &= np.bincount(numbers[alike & (numbers >= 0)], minlength=people) > 0
        covered |= alike
        fitting |= _rows_fitting(table, release, known, int(one))
    counts = np.bincount(numbers[numbers >= 0], minlength=people)
    seen &= (np.bincount(numbers[covered & (numbers >= 0)], minlength=people) == counts) & (
        counts == len(own)
    )
    shown = np.flatnonzero(~release.suppressed)
    names, history = np.unique(release.pseudonyms[shown], return_inverse=True)
    sizes = np.bincount(history, minlength=len(names))
    possible = (np.bincount(history, fitting[shown], len(names)) == sizes) & (sizes <= len(own))
    rows = shown[possible[history]]
    return Candidates(
        record,
        known,
        np.flatnonzero((numbers >= 0) & np.append(seen, False)[numbers]),
        rows,
        int(seen.sum()),
        int(possible.sum()),
        "people",
        bool((~release.suppressed[own]).any()),
        common_values(release, rows),
    )
