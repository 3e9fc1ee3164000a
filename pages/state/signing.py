"""What the report of a release says besides its figures, as the session keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field

from kanon_core.sweeps import SweepPoint


@dataclass
class Signing:
    """``said``: texts by field of the report (`kanon_core.report.signing.Decision`); ``noted``: settings of
    the present table that were compared, each with its comment."""

    said: dict[str, str] = field(default_factory=dict)
    noted: list[tuple[SweepPoint, str]] = field(default_factory=list)
