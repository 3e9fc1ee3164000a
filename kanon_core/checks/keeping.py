"""An option that holds several guarantees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanon_core.base import options
from kanon_core.base.errors import OptionError
from kanon_core.base.kinds import Kind
from kanon_core.base.words import tr
from kanon_core.guarantees import GUARANTEES, Guarantee


@dataclass(frozen=True)
class Kept(Kind):
    """Guarantees that a file alone can be judged by, as a tuple."""

    def check(self, value: Any) -> tuple[Guarantee, ...]:
        """The guarantees themselves."""
        kept = tuple(value) if isinstance(value, tuple | list) else (None,)
        if not all(isinstance(one, Guarantee) and not one.needs_original for one in kept):
            raise ValueError(tr("a list of guarantees that need no original"))
        return kept

    def parse(self, text: str) -> tuple[Guarantee, ...]:
        """Names, with commas between them; their parameters are the usual ones."""
        known = {cls.__name__.lower(): cls for cls in GUARANTEES}
        names = [name.strip().lower() for name in text.split(",") if name.strip()]
        if not set(names) <= set(known):
            raise ValueError(tr("names of guarantees"))
        return self.check([known[name]() for name in names])

    def illegal(self) -> tuple[Any, ...]:
        """One that needs an original, and things that are none."""
        return ("kanonymity", (3,), None, (next(cls for cls in GUARANTEES if cls.needs_original)(),))

    def to_json(self, value: Any) -> list[dict[str, Any]]:
        """Each with its name and options."""
        return [options.to_json(one) for one in value]

    def from_json(self, value: Any) -> tuple[Guarantee, ...]:
        """From names and options."""
        if not isinstance(value, list):
            raise ValueError(tr("a list of guarantees"))
        try:
            return self.check([options.from_json(one) for one in value])
        except OptionError as reason:
            raise ValueError(str(reason)) from None
