"""What every attack is: a declared object that says what its attacker does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kanon_core.base.options import Declared


@dataclass(frozen=True)
class Declaration(Declared):
    """Base of all attacks, on histories (`kanon_core.risk.attacks`) and on tables (`kanon_core.risk.tables`):
    ``title`` and ``sentence`` (what the attacker does) for people; annotated fields are its options."""

    title: ClassVar[str]
    sentence: ClassVar[str]
