"""Base of all maskings: declared objects that publish changed values, or fewer records, and guarantee no k.

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
    """Base of all maskings. Each record has its own row; columns for which `cells` returns None are published
    unchanged.

    A changed cell publishes one value and holds the range that the value stands for: rounded to tens, 40
    stands for 35 to 45. Distances use the value; the certainty penalty and the search for consistent rows use
    the range. k is 1 (`NoPromise`): no masking guarantees anything. `kanon_core.findings.MaskedValues` finds
    columns of which few values, or none, changed; `mask` refuses a masking that changes nothing.

    Reference: ILD paper, §2.2.1.
    """

    family: ClassVar[str] = "masking"
    promises: ClassVar[bool] = False
    numbers_only: ClassVar[bool] = True
    takes_items: ClassVar[bool] = True

    def guarantees(self, k: int) -> Guarantees:
        """Return the guarantee of k = 1, which every release keeps."""
        return (NoPromise(),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of every algorithm, and a reason if the masking has no column to change."""
        reasons = super().unsuitable(table, k)
        if k != 1:
            says = tr("{title} guarantees no k, so k must be 1; use kc.mask, which sets k to 1.")
            reasons.append(says.format(title=self.title))
        if self.numbers_only and table.quasi and not any(map(self.changes, table.quasi)):
            says = tr(
                "{title} changes only numbers and dates, but no quasi-identifier holds any; choose another"
                " masking, or make a column of numbers or dates a quasi-identifier."
            )
            reasons.append(says.format(title=self.title))
        return reasons

    def changes(self, column: Column) -> bool:
        """Return whether a masking of `numbers_only` can change this column."""
        return isinstance(column, Numbers)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return groups of one record each; the changed columns go to ``run.shown``."""
        draw = Draw(run.rng, run.report)
        for done, column in enumerate(table.quasi):
            run.tick(done / len(table.quasi), self.title)
            made = self.cells(column, draw)
            if made is not None:
                shown = replace(column.attribute, recoding="generalize")  # it is not the mean of a group
                run.shown[shown.name] = PublishedColumn(shown, *made)
        return Partition(np.arange(len(table)))

    def cells(self, column: Column, draw: Draw) -> tuple[Cells, np.ndarray] | None:
        """Return the cells, and the cell of each record, int64 (n); None if the column stays unchanged."""
        made = self.of_numbers(column, draw) if isinstance(column, Numbers) else None
        return None if made is None else (made, np.arange(len(made)))

    def of_numbers(self, column: Numbers, draw: Draw) -> Cells | None:
        """Return one cell for each record of a column of numbers or dates; None if it stays unchanged."""
        return None


class Draw(NamedTuple):
    """The source of a masking's random numbers, and its ``report``: by subject, figures on where the masking
    differs from its options."""

    rng: np.random.Generator
    report: dict[str, float]


def mask(table: Table, masking: Masking, seed: int | None = None, progress: Tick | None = None) -> Release:
    """Return the release of a table by a masking, with k = 1. `kc.score`, `kc.attack` and `kc.judge` accept
    it as they accept every release.

    The same table, masking and seed give the same bytes; without a seed, a secret one is drawn. Raises
    OptionError if ``masking`` is not a masking, and UnsuitableError, with the reasons, if it cannot process
    the table or would change no value.

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
    """No guaranteed anonymity sets: k = 1, which every release keeps.

    The verdict always holds; its sentence counts the records whose published quasi-identifiers are unique.

    Reference: ILD paper, §2.2.1.
    """

    name: ClassVar[str] = "no guarantee"
    attacker: ClassVar[str] = "is anyone who has the rows; no attacker is excluded"
    meaning: ClassVar[str] = "A record's published quasi-identifiers may be unique."
    example: ClassVar[str] = (
        "Ages rounded to tens: the only person aged 95 is published as 100, and stays unique."
    )

    own_rows: ClassVar[bool] = True

    k: Annotated[int, Integer(1, 1, help="1: a record may be unique")] = 1

    def reading(self, release: Judged) -> list[str]:
        """Return the number of unique records, and the way to measure their risk."""
        return [
            tr("No anonymity set is guaranteed: "),
            tr("{alone:,} of {all:,}").format(alone=_alone(release), all=_all(release)),
            tr(
                " published records have quasi-identifiers that no other record has. To measure how often"
                " attackers re-identify them,"
            ),
            tr(" run attacks"),
        ]

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """Return a verdict that holds, with the number of unique records."""
        sentence = tr(
            "No anonymity set is guaranteed: {alone:,} of {all:,} published records have quasi-identifiers"
            " that no other record has."
        ).format(alone=_alone(release), all=_all(release))
        return self.verdict(True, int(release.class_sizes.min(initial=len(table))), 1, sentence)


def _alone(release: Judged) -> int:
    """Return how many records share their published quasi-identifiers with no other."""
    return int((release.class_sizes == 1).sum())


def _all(release: Judged) -> int:
    """Return how many records are published."""
    return int(np.sum(release.class_sizes))
