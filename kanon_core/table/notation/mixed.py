"""Sentences on a column whose cells are written in several ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.base.words import tr
from kanon_core.table.notation.cell_parts import parts_of, ways
from kanon_core.table.notation.numbers import decimals_of


def mixed_notations(name: str, texts: Sequence[str], codes: np.ndarray, dates: bool = False) -> list[str]:
    """Return sentences on odd ways in which intervals and numbers of a column are written, each with the
    first row where it occurs. ``texts``: the different cells; ``codes`` int64 (rows): which of them each row
    has. Cost O(characters).

    >>> (said,) = mixed_notations("age", ["[10, 20]", "10-20"], np.array([0, 0, 1]))
    >>> said[:79]
    'Column “age” has intervals in 2 notations: [a, b] (first in row 1) and a-b (fir'
    """
    parts, found = [parts_of(text, dates) for text in texts], list[str]()
    written = ways(parts)
    if len(written) > 1:
        each = tr(" and ").join(
            tr("{style} (first in row {row})").format(style=style, row=_row(place, codes))
            for style, place in written.items()
        )
        sentence = tr(
            "Column “{name}” has intervals in {count} notations: {each}. All of them are read, but cells in"
            " different notations count as different cells; use one notation."
        )
        found.append(sentence.format(name=name, count=len(written), each=each))
    if dates:
        return found
    ends = [(end, place) for place, part in enumerate(parts) for end in part.ends]
    decimals = decimals_of(end for end, _ in ends)
    if decimals.mixed:
        sentence = tr(
            "Column “{name}” has decimal commas (first in row {comma}) and decimal points (first in row"
            " {point}); each number is read with the decimal mark that fits it. Use one decimal mark."
        )
        rows = {
            sign: _row(ends[place][1], codes)
            for sign, place in (("comma", decimals.with_comma), ("point", decimals.with_point))
        }
        found.append(sentence.format(name=name, **rows))
    return found


def _row(place: int, codes: np.ndarray) -> int:
    return int(np.flatnonzero(codes == place)[0]) + 1
