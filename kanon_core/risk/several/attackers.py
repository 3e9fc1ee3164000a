"""Attackers who have several releases, by their knowledge, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, stage
from kanon_core.covers.uploaded.uploaded import UploadedRelease
from kanon_core.risk.several.backward import backward
from kanon_core.risk.several.intersection import Intersection, intersect
from kanon_core.risk.several.sides import Published, as_read
from kanon_core.risk.several.trajectories import trajectories
from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class ByAttacker:
    """The result of each attacker who has all releases (``found``; the attacker who knows one person comes
    first), and the ``reasons`` why an attack was not tried."""

    found: tuple[Intersection, ...]
    reasons: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Return all results in words."""
        return " ".join([*(one.sentence for one in self.found), *self.reasons])


def by_attacker(
    table: Table, releases: Sequence[Published], targets: int, added: Sequence[int], tick: Tick
) -> ByAttacker:
    """Return the results of `intersect`, of `trajectories`, and of `backward` where records were added: those
    in ``added`` or, if none are named, the last records, if an earlier file has fewer rows than the table has
    records.

    Raises what `intersect` raises; if one of the others cannot be tried, ``reasons`` say why.
    """
    read = [as_read(table, one) for one in releases]
    found, reasons = [intersect(table, read, targets=targets, progress=stage(tick, 0.0, 0.4))], []
    if not found[0].compared:
        return ByAttacker(tuple(found))
    try:
        found.append(trajectories(table, read, progress=stage(tick, 0.4, 0.8)))
    except UnsuitableError as reason:
        reasons.append(str(reason))
    if added or any(isinstance(one, UploadedRelease) and one.rows < len(table) for one in read[1:]):
        try:
            found.append(backward(table, read, added or None, progress=stage(tick, 0.8, 1.0)))
        except UnsuitableError as reason:
            reasons.append(str(reason))
    return ByAttacker(tuple(found), tuple(reasons))
