"""The guarantee of methods that have none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees import Hiding, Verdict
from kanon_core.guarantees.base import Judged
from kanon_core.table.table import Table


@dataclass(frozen=True)
class NoPromise(Hiding):
    """Nothing is promised of who hides among whom: k = 1, which every release keeps.

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
        """That nothing is promised, and where to look."""
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
    """How many records share their published quasi-identifiers with no other."""
    return int((release.class_sizes == 1).sum())


def _all(release: Judged) -> int:
    """How many are published."""
    return int(np.sum(release.class_sizes))
