"""Base of all maskings: a declared object that publishes other values, or fewer records, and promises no k.

A new masking is one file with a subclass and one line in `kanon_core.masking.MASKINGS`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.guarantees import Guarantees, Hiding, Verdict
from kanon_core.guarantees.base import Judged
from kanon_core.release.altered import NOTHING_ALTERED, nothing_altered
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Masking(Algorithm):
    """Base of all maskings. Each record has a row of its own; columns that `cells` leaves alone are published
    as they are.

    A changed cell publishes one value and knows what that value may stand for: rounded to tens, 40 stands for
    35 to 45. Distances see the value; the certainty penalty, and the search for rows that fit, see what it
    stands for. k is 1 (`NoPromise`): no masking promises anything. Columns of which it changes no value, or
    few, are found by `kanon_core.findings.MaskedValues`, which counts on what is published; `mask` refuses a
    masking that changes nothing.

    Reference: ILD paper, §2.2.1.
    """

    family: ClassVar[str] = "masking"
    promises: ClassVar[bool] = False
    numbers_only: ClassVar[bool] = True
    takes_items: ClassVar[bool] = True

    def guarantees(self, k: int) -> Guarantees:
        """Nothing."""
        return (NoPromise(),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of every algorithm, and a reason where there is nothing that the masking
        changes."""
        reasons = super().unsuitable(table, k)
        if k != 1:
            says = tr("{title} promises no k, so k must be 1; kc.mask asks for that.")
            reasons.append(says.format(title=self.title))
        if self.numbers_only and table.quasi and not any(map(self.changes, table.quasi)):
            says = tr(
                "{title} changes numbers and dates, and no quasi-identifier holds any; choose another"
                " masking, or give such a column that role."
            )
            reasons.append(says.format(title=self.title))
        return reasons

    def changes(self, column: Column) -> bool:
        """Return whether a masking that changes `numbers_only` has something to change in such a column."""
        return isinstance(column, Numbers)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Each record by itself; the changed columns go to ``run.shown``."""
        draw = Draw(run.rng, run.report)
        for done, column in enumerate(table.quasi):
            run.tick(done / len(table.quasi), self.title)
            made = self.cells(column, draw)
            if made is not None:
                shown = replace(column.attribute, recoding="generalize")  # it is not the mean of a group
                run.shown[shown.name] = PublishedColumn(shown, *made)
        return Partition(np.arange(len(table)))

    def cells(self, column: Column, draw: Draw) -> tuple[Cells, np.ndarray] | None:
        """Return the cells, and the cell that each record has, int64 (n); None where the column is published
        as it is."""
        made = self.of_numbers(column, draw) if isinstance(column, Numbers) else None
        return None if made is None else (made, np.arange(len(made)))

    def of_numbers(self, column: Numbers, draw: Draw) -> Cells | None:
        """One cell for each record of a column of numbers or dates, missing values as they are."""
        return None


class Draw(NamedTuple):
    """The things that a masking is given beside a column: the source of its random numbers, and the
    ``report``, which collects, by subject, what the masking did otherwise than asked."""

    rng: np.random.Generator
    report: dict[str, float]


def mask(table: Table, masking: Masking, seed: int | None = None, progress: Tick | None = None) -> Release:
    """The release of a table by a masking: measured, attacked and judged as every other (`kc.score`,
    `kc.attack`, `kc.judge`), with k = 1, for it promises nothing.

    Same table, masking and seed give the same bytes; without a seed a secret one is drawn.
    Raises OptionError for what is no masking, UnsuitableError with the reasons why it cannot work here, and
    where it would publish the values as they are.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age\\n31\\n34\\n35\\n48\\n")
    >>> release = kc.mask(table, kc.Rounding(base=10), seed=1)
    >>> release.to_frame()["age"].tolist(), release.recipe.k
    ([30, 30, 40, 50], 1)
    """
    if not isinstance(masking, Masking):
        raise OptionError(tr("The masking must be an object such as Rounding(base=10) or Swapping()."))
    release = anonymize(table, masking, 1, seed, progress)
    if nothing_altered(release):
        raise UnsuitableError(tr(NOTHING_ALTERED).format(title=masking.title))
    return release


@dataclass(frozen=True)
class NoPromise(Hiding):
    """No promise of who hides among whom: k = 1, which every release keeps.

    The verdict holds and says how many records have published quasi-identifiers that no other record has.

    Reference: ILD paper, §2.2.1.
    """

    name: ClassVar[str] = "no promise"
    attacker: ClassVar[str] = "is whoever has the rows: nobody is held off"
    meaning: ClassVar[str] = "A record may be the only one with its published quasi-identifiers."
    example: ClassVar[str] = (
        "Ages rounded to tens: one person of 95 is published as 100, and is the only one."
    )

    own_rows: ClassVar[bool] = True

    k: Annotated[int, Integer(1, 1, help="1: a record may be alone")] = 1

    def reading(self, release: Judged) -> list[str]:
        """Return a statement that nothing is promised, and where to look."""
        return [
            tr("Nothing is promised of who hides among whom: "),
            tr("{alone:,} of {all:,}").format(alone=_alone(release), all=_all(release)),
            tr(
                " published records have quasi-identifiers that no other has. How often attackers find them"
                " is"
            ),
            tr(" measured by attacks"),
        ]

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """Always holds; the sentence says how many are alone."""
        sentence = tr(
            "Nothing is promised: {alone:,} of {all:,} published records have quasi-identifiers that no other"
            " has."
        ).format(alone=_alone(release), all=_all(release))
        return self.verdict(True, int(release.class_sizes.min(initial=len(table))), 1, sentence)


def _alone(release: Judged) -> int:
    """Return how many records share their published quasi-identifiers with no other."""
    return int((release.class_sizes == 1).sum())


def _all(release: Judged) -> int:
    """Return how many records are published."""
    return int(np.sum(release.class_sizes))
