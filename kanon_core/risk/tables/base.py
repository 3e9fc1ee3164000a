"""Base of attacks on a table: for each person that is looked for, the chance that the attack's guess is
right.

A new attack is a subclass in a file of this folder, and one line in `kanon_core.risk.tables.TABLE_ATTACKS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.risk.tables.release_view import ReleaseView

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


class Answer(NamedTuple):
    """The answer of an attack about its targets: ``chances`` float64 (targets), the chance that each guess is
    right; ``baseline``, the chance of the `TableAttack.unaided` guess; ``column``, the sensitive column that
    is guessed, if any."""

    chances: np.ndarray
    baseline: float
    column: str = ""


@dataclass(frozen=True)
class TableAttack(Declared):
    """Base of all attacks on published rows. ``title`` and ``sentence`` (the attacker's action) are for
    people; annotated fields are its options.

    ``among`` names the targets: "published", records that have a row; "control", these and, separately, a
    control group of records that are not in the release, where success is luck or can be achieved for
    anybody; "both", equal numbers of both groups in one. ``apart``: the share of records that the control
    group has. ``unit``: the subject of a guess, if it is neither a record nor a person. ``histories``: it
    also attacks people whose histories are published. ``unaided``: the guess of somebody who knows nothing
    about the target, with whose chance the attack is compared.
    """

    title: ClassVar[str]
    sentence: ClassVar[str]
    among: ClassVar[str] = "published"
    apart: ClassVar[float] = 0.2
    unit: ClassVar[str] = ""
    histories: ClassVar[bool] = False
    unaided: ClassVar[str] = later("random guess")

    def unsuitable(self, table: Table, release: Release) -> list[str]:
        """Return the reasons why the attack cannot be tried on this release, in sentences; empty when it
        can."""
        if release.suppressed.all():
            return [tr("Every record is suppressed, so there is no row to attack.")]
        if release.pseudonymous and not self.histories:
            says = tr(
                "{title} attacks rows of single records, but this release publishes histories; choose an"
                " attack on histories."
            )
            return [says.format(title=self.title)]
        return []

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """Yield one answer, or one for each column that is guessed. ``targets`` int64: records of
        ``seen.table``; of histories, people."""
        raise NotImplementedError  # pragma: no cover - every attack overrides it
