"""Complete k-concealment: every record has k rows that can be its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.guarantees.identity.kkanonymity import Fits, tally_of_counts

if TYPE_CHECKING:
    from kanon_core.covers.uploaded.beside import RowsBeside
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class KConcealment(Hiding):
    """Every original record has at least k matches among the published rows.

    A match is a row that can be the record's while every other record has a row too. The sentence also states
    the weaker (1,k)- and (k,1)-anonymity that follow. The row that bears a record's other columns is drawn
    among its rows (`kanon_core.covers.draw`), so that an attacker who runs the program again is right once in
    k times. Cost O(u · v · attributes) for u different originals and v different rows.

    It may be judged fragment by fragment, where a table was cut into fragments and each keeps its own rows: a
    match within a fragment is one in all, as every other record has a row within its own fragment. Rows of
    other fragments can only add matches, so a guarantee that holds within each fragment holds in the whole.

    k-concealment paper, §2.3; T. Tassa, A. Mazza, A. Gionis, k-Concealment: an alternative model of k-type
    anonymity, Transactions on Data Privacy 5, 2012.
    """

    name: ClassVar[str] = "k-concealment"
    attacker: ClassVar[str] = "knows everybody's quasi-identifiers"
    meaning: ClassVar[str] = (
        "Every record has at least k matches: published rows that can be its own while every other record"
        " has a row too."
    )
    example: ClassVar[str] = (
        "k = 3: each of three rows can be Anna's, and in each case every other person can have a row of"
        " their own."
    )
    needs_original: ClassVar[bool] = True
    by_fragment: ClassVar[bool] = True
    groups: ClassVar[str] = "overlapping sets"
    disjoint: ClassVar[bool] = False
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "published rows that can be its own"
    risk: ClassVar[str] = "worst risk if the attacker does not run the program"

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons as for other guarantees, and one for each column published as one number, which
        would disclose more than the interval that is counted."""
        return [
            *(
                tr(
                    "Column “{name}” is published as a mean, median or mode; k-concealment needs intervals"
                    " and sets, so set its recoding to generalize."
                ).format(name=column.attribute.name)
                for column in table.quasi
                if column.attribute.recoding != "generalize"
            ),
            *super().unsuitable(table),
        ]

    def prepare(self, release: Judged, tick: Tick = silent) -> None:
        """The count of matches."""
        release.consistency(tick)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the matches of each record."""
        return release.consistency().matches

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """Return the fewest matches, counted for attackers who do not run the program."""
        return (
            tr("Achieved k if the attacker does not run the program"),
            self.smallest(release),
            tr(
                "least number of rows that can be a record's own, for an attacker who reads the cells"
                " alone; an attacker who runs the program is left with {k}"
            ).format(k=self.k),
        )

    def about_numbers(self) -> tuple[str, ...]:
        """Return sentences: matches are counted for attackers who do not run the program."""
        return (
            tr(
                "The figure counts the rows that can be a record's own for an attacker who does not run the"
                " program. An attacker who runs it is left with {k} of them, and right about one in {k}."
            ).format(k=self.k),
        )

    def reading(self, release: Judged) -> list[str]:
        """Return the meaning, also for attackers who run the program again and so find the k rows of the
        design among the matches."""
        smallest = self.smallest(release)
        return [
            tr("The anonymity set of every record has at least "),
            f"{smallest}",
            tr(
                " {alike}. An attacker who {knows}, the program and its options, but not the seed, picks"
                " the right one with a probability of at most "
            ).format(alike=self.alike, knows=self.attacker),
            f"{100 / min(smallest, self.k):.1f} %",
            tr(", if the other columns disclose nothing"),
        ]

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """The fewest matches of a record. Within a fragment no record is left out, and if one record has no
        row, no record has a match."""
        if release.source == "fragment":
            found = cast("RowsBeside", release).read.consistency(tick)
            matches = found.matches if found.perfect else np.zeros(len(table), np.int64)
            return tally_of_counts(release, matches, np.ones(len(table), bool), self.k, "records")
        found, here, _, _ = Fits.of(release, tick)
        tally = tally_of_counts(release, found.matches, here, self.k, "records")
        others = {"unmatched": int((~here).sum()), "perfect": int(found.perfect)}
        if not tally.empty:
            others |= {"rows": int(found.rows[here].min()), "records": int(found.originals[here].min())}
        return replace(tally, others=others)

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict. Of a file beside its original records without a row are left out; over many files it
        is on all fragments."""
        beside = tally.source == "beside"
        if beside and not tally.others["perfect"]:
            said = tr(
                "The rows cannot be assigned to the records one to one, so there are no matches to count."
            )
            return self.verdict(False, 0, self.k, said)
        if tally.empty:
            return self.nobody(self.k)
        fewest, others = int(tally.worst), tally.others
        said = _failing(tally.source, tally.records) if tally.records else _holding(tally.source)
        if beside and others["unmatched"]:
            said += " " + tr_n(
                "{gone:,} record fits no row and counts as suppressed.",
                "{gone:,} records fit no row and count as suppressed.",
                others["unmatched"],
            )
        said = said.format(
            fewest=counted(fewest, "row"),
            failing=tally.records,
            k=self.k,
            rows=counted(others.get("rows", 0), "row"),
            records=counted(others.get("records", 0), "record"),
            gone=others.get("unmatched", 0),
        )
        return self.verdict(not tally.records, fewest, self.k, said, tally.failing)


def _holding(source: str) -> str:
    """Return the sentence that all records have k matches in what was judged, with places to fill in."""
    if source == "fragment":
        return tr(
            "Every record has at least {fewest} of its own fragment that can be its own while every other"
            " record has one; rows of other fragments can only add to them."
        )
    if source == "beside":
        return tr("Every record has at least {fewest} that can be its own while every other record has one.")
    return tr(
        "Every published record has at least {fewest} that can be its own; it is consistent with at least"
        " {rows}, and every row with at least {records}."
    )


def _failing(source: str, failing: int) -> str:
    """Return the sentence that ``failing`` records have fewer than k matches, with places to fill in."""
    if source == "fragment":
        return tr_n(
            "{failing:,} record has fewer than {k} rows of its own fragment that can be its own while every"
            " other record has one.",
            "{failing:,} records have fewer than {k} rows of their own fragment that can be theirs while"
            " every other record has one.",
            failing,
        )
    return tr_n(
        "{failing:,} record has fewer than {k} rows that can be its own while every other record has one.",
        "{failing:,} records have fewer than {k} rows that can be theirs while every other record has one.",
        failing,
    )
