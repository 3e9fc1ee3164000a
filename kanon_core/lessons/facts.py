"""Sentences of a lesson: templates that are filled with numbers, and never hold one themselves."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text, percent_text


class Fact(float):
    """A number as sentences show it: ``{loss}`` as "0.218", ``{loss:%}`` as "22 %", and ``{groups:s}`` as "s"
    unless the number is 1.

    >>> "{0} group{0:s}, {1:%}".format(Fact(1), Fact(0.218))
    '1 group, 22 %'
    """

    def __format__(self, spec: str) -> str:
        value = float(self)
        if spec == "s":
            return "" if value == 1 else "s"
        return f"{percent_text(value)} %" if spec == "%" else number_text(value)


def filled(template: str, facts: Mapping[str, float], names: Mapping[str, str] | None = None) -> str:
    """The template in the reader's language, filled with these numbers and words out of the table. Raises
    KeyError for a number that nobody found.

    >>> filled("{rows} rows fit, so a guess is right with {chance:%}.", {"rows": 4, "chance": 0.25})
    '4 rows fit, so a guess is right with 25 %.'
    """
    numbers = {name: Fact(value) for name, value in facts.items()}
    return tr(template).format_map({**numbers, **(names or {})})
