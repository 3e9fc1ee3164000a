"""What an entry of the glossary is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A word with what it means: one to three sentences, an ``example``, other words for it (``also``), and
    the names of entries that help to understand it (``see``). ``part``: the heading under which it stands.
    ``written``: its names in the sources, by which it is found in every language; ``see`` names those too.
    """

    name: str
    says: str
    example: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    part: str = ""
    written: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name, with the other words for it in brackets."""
        return f"{self.name} ({', '.join(self.also)})" if self.also else self.name


def sentence(text: str) -> str:
    """A fragment as a sentence.

    >>> sentence("a date or a point in time")
    'A date or a point in time.'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
