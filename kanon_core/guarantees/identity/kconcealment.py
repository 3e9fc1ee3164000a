"""Complete k-concealment: every record has k rows that could be its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding

if TYPE_CHECKING:
    from kanon_core.release.uploaded.beside import RowsBeside
    from kanon_core.release.uploaded.uploaded import UploadedRelease
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class KConcealment(Hiding):
    """Every original record has at least k matches among the published rows.

    A match is a row that could be the record's while every other record has a row too. The sentence also
    tells the weaker (1,k)- and (k,1)-anonymity that follow. Which of a record's rows bears its other columns
    is drawn (`kanon_core.release.draw`), so that who runs the program again is right once in k times. Cost
    O(u · v · attributes) for u different originals and v different rows.

    It may be judged fragment by fragment, where a table was cut into fragments and each keeps its own rows: a
    match within a fragment is one in all, as everybody else has a row within their own. Rows of other
    fragments can only add matches: what holds within holds in all.

    k-concealment paper, §2.3; T. Tassa, A. Mazza, A. Gionis, k-Concealment: an alternative model of k-type
    anonymity, Transactions on Data Privacy 5, 2012.
    """

    name: ClassVar[str] = "k-concealment"
    attacker: ClassVar[str] = "knows everybody's quasi-identifiers"
    meaning: ClassVar[str] = (
        "Every record has at least k published rows that could be its own while everybody else has one too."
    )
    example: ClassVar[str] = (
        "k = 3: three rows could be Anna's, and each of them still could when everybody else has been "
        "given a row of their own."
    )
    needs_original: ClassVar[bool] = True
    by_fragment: ClassVar[bool] = True
    groups: ClassVar[str] = "overlapping sets"
    disjoint: ClassVar[bool] = False
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "published rows that could be its own"
    risk: ClassVar[str] = "random pick, program not run"

    def unsuitable(self, table: Table) -> list[str]:
        """Also columns published as one number, which would tell more than the interval that is counted."""
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
        """The fewest matches, which are counted for who does not run the program."""
        return (
            tr("Achieved k, program not run"),
            self.smallest(release),
            tr(
                "how many rows could be the worst-protected record's own, to an attacker who reads the cells"
                " alone; who runs the program is left with {k}"
            ).format(k=self.k),
        )

    def about_numbers(self) -> tuple[str, ...]:
        """Matches are those for attackers who do not run the program."""
        return (
            tr(
                "It counts rows that could be a record's own to an attacker who does not run the program."
                " Who runs it is left with {k} of them, and right about one in {k}."
            ).format(k=self.k),
        )

    def reading(self, release: Judged) -> list[str]:
        """Also of who runs the program again, and so finds the k rows of the design among the matches."""
        smallest = self.smallest(release)
        return [
            tr("Every record hides among at least "),
            f"{smallest}",
            tr(
                " {alike}. An attacker who {knows}, the program and its options, but not the seed, picks the"
                " right one with at most "
            ).format(alike=self.alike, knows=self.attacker),
            f"{100 / min(smallest, self.k):.1f} %",
            tr(", as long as the other columns tell nothing"),
        ]

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict, from the count of matches."""
        found = release.consistency(tick)
        shown = ~release.suppressed
        if not shown.any():
            return self.nobody(self.k)
        fewest, failing = int(found.matches[shown].min()), np.flatnonzero(shown & (found.matches < self.k))
        if len(failing):
            sentence = tr_n(
                "{failing:,} record has fewer than {k} rows that could be its own.",
                "{failing:,} records have fewer than {k} rows that could be theirs.",
                len(failing),
            ).format(failing=len(failing), k=self.k)
        else:
            sentence = tr(
                "Every published record has at least {fewest} that could be its own; it is consistent with"
                " at least {rows}, and every row with at least {records}."
            ).format(
                fewest=counted(fewest, "row"),
                rows=counted(int(found.rows[shown].min()), "row"),
                records=counted(int(found.originals[shown].min()), "record"),
            )
        return self.verdict(not len(failing), fewest, self.k, sentence, failing)

    def check_beside(self, file: UploadedRelease, tick: Tick = silent) -> Verdict:
        """The verdict on a file; records that have no row in it are left out."""
        found, here = file.consistency(tick), file.present(tick)
        if not found.perfect:
            said = tr("Without a row for everybody there are no matches to count.")
            return self.verdict(False, 0, self.k, said)
        if not here.any():
            return self.nobody(self.k)
        fewest, failing = int(found.matches[here].min()), np.flatnonzero(here & (found.matches < self.k))
        said = tr("Every record has at least {fewest} that could be its own while everybody else has one.")
        if len(failing):
            said = tr_n(
                "{failing:,} record has fewer than {k} rows that could be its own while everybody else has"
                " one.",
                "{failing:,} records have fewer than {k} rows that could be theirs while everybody else"
                " has one.",
                len(failing),
            )
        if gone := int((~here).sum()):
            said += " " + tr_n(
                "{gone:,} record fits no row: it is left out.",
                "{gone:,} records fit no row: they are left out.",
                gone,
            )
        said = said.format(fewest=counted(fewest, "row"), failing=len(failing), k=self.k, gone=gone)
        return self.verdict(not len(failing), fewest, self.k, said, failing)

    def tally_beside(self, rows: RowsBeside) -> Tally:
        """The fewest matches within the fragment, none where a record has no row; nobody is left out."""
        found = rows.read.consistency()
        matches = found.matches if found.perfect else np.zeros(len(rows.table), np.int64)
        few = int((matches < self.k).sum())
        return Tally(float(matches.min()), few, few)

    def told(self, found: Sequence[Tally]) -> Verdict:
        """The verdict on all fragments."""
        fewest, failing = int(min(one.worst for one in found)), sum(one.records for one in found)
        said = tr(
            "Every record has at least {fewest} of its own fragment that could be its own while everybody"
            " else has one; rows of other fragments can only add to them."
        )
        if failing:
            said = tr_n(
                "{failing:,} record has fewer than {k} rows of its own fragment that could be its own"
                " while everybody else has one.",
                "{failing:,} records have fewer than {k} rows of their own fragment that could be theirs"
                " while everybody else has one.",
                failing,
            )
        said = said.format(fewest=counted(fewest, "row"), failing=failing, k=self.k)
        return self.verdict(not failing, fewest, self.k, said)
