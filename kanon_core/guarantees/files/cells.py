"""The quasi-identifiers of a file: which of its different cells each row has, and which cells count as equal:
missing and suppressed ones, and those written differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.options import Declared
from kanon_core.table.notation.cell_parts import NOTHING, parts_of, says_nothing
from kanon_core.table.notation.numbers import Decimals, decimals_of, number_of

OWN, ANY, OUT = "own", "any", "out"
WRITTEN, MEANT = "written", "meant"


@dataclass(frozen=True)
class Counting(Declared):
    """The rules by which a verdict on a file takes cells for equal.

    ``missing``: missing and suppressed cells of quasi-identifiers are values of their own, as most programs
    count; or they fit every value, so that a row looks like all rows that it could be equal to, as sdcMicro
    counts; or their rows are not judged at all. ``equal``: cells must be written equally, or mean the same,
    such as "10-20" and "[10, 20]". ``stars``: rows whose quasi-identifiers hold only stars are judged like
    all others; else they are left out, because they publish nothing there.
    """

    missing: Annotated[
        str,
        Choice(
            {OWN: "a value of their own", ANY: "they fit every value", OUT: "their rows are not judged"},
            help="how missing and suppressed cells of quasi-identifiers count",
        ),
    ] = OWN
    equal: Annotated[
        str,
        Choice(
            {WRITTEN: "those written equally", MEANT: "those that mean the same"},
            help="which cells of quasi-identifiers are equal",
        ),
    ] = WRITTEN
    stars: Annotated[bool, Flag(help="rows that hold only stars are judged too")] = False


@dataclass(frozen=True, eq=False)
class Coded:
    """One column of texts: ``codes`` int64 (rows) into ``texts``, the different cells in the order in which
    they first appear; of each of these, whether it is missing or suppressed (``gap``) and whether it is
    nothing but stars (``star``)."""

    name: str
    codes: np.ndarray
    texts: tuple[str, ...]
    gap: np.ndarray
    star: np.ndarray


def coded(name: str, cells: pd.Series, counting: Counting) -> Coded:
    """The cells of a column; missing ones are an empty text. Cost O(rows + characters)."""
    codes, distinct = pd.factorize(cells, use_na_sentinel=True)
    texts = ["" if text is None else str(text) for text in distinct.tolist()]
    if (codes < 0).any():
        codes = np.where(codes < 0, len(texts), codes)
        texts.append("")
    if counting.equal == MEANT:
        found = meanings(texts)
        number = {meaning: i for i, meaning in enumerate(dict.fromkeys(found))}
        which = np.array([number[meaning] for meaning in found], np.int64)
        codes = which[codes]
        texts = [texts[i] for i in np.unique(which, return_index=True)[1]]
    gap = np.array([text.strip() in NOTHING or says_nothing(text.strip()) for text in texts], bool)
    star = np.array([bool(text.strip()) and not text.strip().strip("*") for text in texts], bool)
    return Coded(name, codes.astype(np.int64), tuple(texts), gap, star)


def meanings(texts: list[str]) -> list[object]:
    """Return, for each text, an object that is equal for texts of equal meaning: the ends of an interval, the
    values of a set, or the text.

    >>> a, b, c, d = meanings(["[10, 20]", "10-20", "{F, M}", "{M,F}"])
    >>> a == b, c == d, a == c
    (True, True, False)
    """
    decimals = decimals_of(end for text in texts for end in parts_of(text).ends)
    return [_meaning(text, decimals) for text in texts]


def _meaning(text: str, decimals: Decimals) -> object:
    text = text.strip()
    if text in NOTHING or says_nothing(text):
        return None
    part = parts_of(text)
    ends = tuple(number_of(end, decimals.comma) for end in part.ends)
    if not np.isnan(ends).any():
        return (frozenset(ends) if part.members else ends, part.open_low, part.open_high, part.gaps)
    if text[:1] == "{" and text[-1:] == "}":
        return frozenset(member.strip() for member in text[1:-1].replace(";", ",").split(","))
    return text
