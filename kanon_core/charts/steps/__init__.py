"""Pictures of one step of an algorithm."""

from __future__ import annotations

from typing import Protocol


class Scene(Protocol):
    """The state of a run that a step leads to, and what the step looks at."""

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML, as wide as its place; ``says``: its words for screen readers. Every text from
        the data is escaped. Raises OptionError for an unknown theme."""
        ...  # pragma: no cover - a protocol
