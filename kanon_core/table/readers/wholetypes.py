"""Of what type a column is whose texts lie in several pieces: as `kanon_core.table.readers.cells` decides it
for all of them at once.

Each piece says what its texts allow (`facts_of`), these facts add up (`Facts.merged`), and what they decide
(`decided`) is how the texts of every piece are read (`as_decided`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.readers import cells as one
from kanon_core.table.readers.base import MISSING_NUMBERS, Limits
from kanon_core.table.readers.delimited import Texts

_WORDS = MISSING_NUMBERS | one.INFINITE
_MOST_WORDS = 4 * len(_WORDS)
_FIRST = 100
_LIKE_CODE = r"^-?0\.\d"
"""Plain numbers that would be codes without their point, where points stand between thousands."""
_PLAINLY: dict[str, Callable[[Any], Any]] = {
    "": lambda texts: texts,
    "thousands": lambda texts: pc.replace_substring(texts, ",", ""),
    "comma": lambda texts: pc.replace_substring(texts, ",", "."),
    "dotless": lambda texts: pc.replace_substring(pc.replace_substring(texts, ".", ""), ",", "."),
}
"""By the way in which numbers are written, how they are written plainly: without commas between thousands,
with a point for the decimal comma, and that without the dots between thousands."""


@dataclass(frozen=True)
class Facts:
    """What the texts of some cells of a column are.

    ``present``, ``missing``: whether there are texts, and empty cells. ``kinds``: what kinds of texts there
    are: "plain" numbers; numbers with commas, which can stand between thousands alone ("grouped"), before
    decimals alone ("comma"), or for either ("either;" in a file whose fields are separated by semicolons,
    otherwise "either,"); "other" texts. Of the numbers: some have dots before a decimal comma ("dots"),
    blanks around them or a sign ("blanks"), are codes with a leading zero if numbers are written in some way
    ("code:" and the way), are not whole ("fraction"), have too many digits ("long"). ``words``: the different
    texts that stand for no number, such as NA. ``least`` and ``greatest`` of the whole numbers and 0.
    """

    present: bool = False
    missing: bool = False
    kinds: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    least: int = 0
    greatest: int = 0

    def merged(self, other: Facts) -> Facts:
        """Those of both.

        >>> one, other = (facts_of(pa.chunked_array([[text]]), False) for text in ("8001", "08002"))
        >>> decided(one, "zip").name, decided(one.merged(other), "zip").name
        ('whole', 'text')
        """
        return Facts(
            self.present or other.present,
            self.missing or other.missing,
            self.kinds | other.kinds,
            _some(self.words | other.words),
            min(self.least, other.least),
            max(self.greatest, other.greatest),
        )

    def to_json(self) -> list[Any]:
        """Plain values, of which `from_json` makes the facts again."""
        ends = [self.least, self.greatest]
        return [self.present, self.missing, sorted(self.kinds), sorted(self.words), *ends]

    @classmethod
    def from_json(cls, plain: list[Any]) -> Facts:
        """What `to_json` wrote."""
        present, missing, kinds, words, least, greatest = plain
        return cls(present, missing, frozenset(kinds), frozenset(words), least, greatest)


@dataclass(frozen=True)
class CellType:
    """How the texts of a column are read. ``name``: "text"; "whole" numbers; "gaps": whole numbers, some
    missing; "number". ``way``: how numbers are written ("" plainly). ``words``: some cells are words for no
    number; ``blanks``: some have blanks around a number, or a sign."""

    name: str
    way: str = ""
    words: bool = False
    blanks: bool = False


def facts_of(cells: pa.ChunkedArray, semicolons: bool) -> Facts:
    """What these texts (null = missing) are; ``semicolons``: the file separates its fields by ";". Cost at
    most one hash for each cell."""
    missing = cells.null_count > 0
    if cells.null_count == len(cells):
        return Facts(False, missing)
    others = Facts(True, missing, frozenset({"other"}))
    if "other" in _kinds(_unlike(cells.slice(0, _FIRST)))[0]:
        return others
    if one.are_usual(cells):
        whole, least, greatest = _whole(cells)
        codes = {"code:dotless"} if whole and one.matches(cells, _LIKE_CODE).any() else set()
        return Facts(True, missing, frozenset({"plain"} | whole | codes), frozenset(), least, greatest)
    texts = _unlike(cells)
    found, of_kind = _kinds(texts)
    if "other" in found:
        return others
    words = _some(of_kind["word"].to_pylist())
    marks = {f"either{';' if semicolons else ','}"} if "either" in found else set()
    numbers = _joined(of_kind["plain"], _PLAINLY["thousands"](of_kind["grouped"]))
    whole, least, greatest = _whole(one.unsigned(numbers))
    kinds = frozenset(found - {"word", "either"} | marks | whole | _marks(texts, of_kind))
    return Facts(True, missing, kinds, words, least, greatest)


def _some(words: Any) -> frozenset[str]:
    """At most one more than are taken for words in a column of numbers."""
    return frozenset(sorted(words)[: _MOST_WORDS + 1])


def _unlike(cells: pa.ChunkedArray) -> pa.Array:
    """The different texts."""
    return pa.array(cells.unique().drop_null().cast(pa.large_string()))


def _joined(*texts: pa.Array) -> pa.Array:
    return pa.concat_arrays([one.cast(pa.large_string()) for one in texts])


def _kinds(texts: pa.Array) -> tuple[set[str], dict[str, pa.Array]]:
    """Which kinds of texts there are, and the texts of each; of texts other than numbers and words, not all.
    Those whose commas can be either are among the grouped and among those with a decimal comma."""
    plain, grouped, comma = (one.matches(texts, form) for form in (one.PLAIN, one.GROUPED, one.COMMA))
    word = np.zeros(len(texts), bool)
    for place in np.flatnonzero(~(plain | grouped | comma)).tolist():
        word[place] = texts[place].as_py().strip().lower() in _WORDS
        if not word[place]:
            break
    kinds = {"plain": plain, "word": word, "other": ~(plain | grouped | comma | word)}
    kinds |= {"grouped": grouped & ~comma, "comma": comma & ~grouped, "either": grouped & comma}
    masks = {"plain": plain, "grouped": grouped, "comma": comma, "word": word}
    of_kind = {name: texts.filter(pa.array(own)) for name, own in masks.items()}
    return {name for name, own in kinds.items() if own.any()}, of_kind


def _marks(texts: pa.Array, of_kind: dict[str, pa.Array]) -> set[str]:
    """What else is to be known of the numbers: codes, dots and blanks."""
    ways = {"": of_kind["plain"], "thousands": of_kind["grouped"], "comma": of_kind["comma"]}
    ways["dotless"] = _joined(of_kind["plain"], of_kind["comma"])
    found = {f"code:{way}" for way, own in ways.items() if one.matches(_PLAINLY[way](own), one.CODE).any()}
    forms = {"dots": (of_kind["comma"], one.DOTTED), "blanks": (texts, one.BLANKS)}
    return found | {name for name, (own, form) in forms.items() if one.matches(own, form).any()}


def _whole(numbers: pa.Array | pa.ChunkedArray) -> tuple[set[str], int, int]:
    """Whether some of these plain numbers are not whole, or too large; if not, the least and the greatest."""
    try:
        whole = numbers.cast(pa.int64())
    except pa.ArrowInvalid:
        return {"long" if one.matches(numbers, one.INTEGER).all() else "fraction"}, 0, 0
    ends = pc.min_max(whole).as_py()
    return set(), min(ends["min"] or 0, 0), max(ends["max"] or 0, 0)


def decided(facts: Facts, name: str) -> CellType:
    """The type of the column of this name, whose facts these are. Raises InputError where the files differ in
    what a comma within its numbers means."""
    way = _way(facts, name)
    codes = {f"code:{way}", "code:"} if way in ("thousands", "comma") else {f"code:{way}"}
    if way is None or codes & facts.kinds:
        return CellType("text")
    how = (way, bool(facts.words), "blanks" in facts.kinds)
    if way in ("comma", "dotless") or "fraction" in facts.kinds:
        return CellType("number", *how)
    gaps = facts.missing or bool(facts.words)
    if "long" in facts.kinds or (gaps and max(facts.greatest, -facts.least) > one.EXACT):
        return CellType("text")
    return CellType("gaps" if gaps else "whole", *how)


def _way(facts: Facts, name: str) -> str | None:
    """How the numbers of a column are written; None where it is one of texts."""
    kinds = facts.kinds
    commas = kinds & {"grouped", "comma", "either;", "either,"}
    if "other" in kinds or len(facts.words) > _MOST_WORDS or commas >= {"grouped", "comma"}:
        return None
    if not commas:
        return "" if "plain" in kinds else None
    if commas == {"either;", "either,"}:
        said = tr(
            "Column “{name}” holds numbers such as 1,234 in files whose fields are separated by semicolons,"
            " where the comma stands before decimals, and in others, where it stands between thousands; write"
            " all files with the same delimiter."
        )
        raise InputError(said.format(name=name))
    if "grouped" in commas or commas == {"either,"}:
        return "thousands"
    return "dotless" if "dots" in kinds else "comma"


def as_decided(cells: pa.ChunkedArray, how: CellType) -> object:
    """The column as it is decided: int64, float64 or str, missing cells NaN."""
    if how.name == "text":
        return one.text_array(cells)
    numbers = _PLAINLY[how.way](cells)
    if how.words:
        numbers = pc.if_else(pc.match_substring_regex(numbers, one.PLAIN), numbers, None)
    if how.blanks:
        numbers = one.unsigned(numbers)
    if how.name == "whole":
        return np.asarray(numbers.cast(pa.int64()).to_numpy())
    if how.name == "gaps":
        return np.asarray(numbers.cast(pa.int64()).cast(pa.float64()).to_numpy())
    values = np.asarray(numbers.cast(pa.float64()).to_numpy())
    return np.where(np.isinf(values), np.nan, values)


def typed_frame(
    texts: Texts, types: Mapping[str, CellType], wanted: Container[str] | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """The columns of which it is decided how they are read, all or those that are ``wanted``; and the names
    of all of them. Raises InputError where a text is too long."""
    present = [name for name in texts.names if name in types]
    arrays: dict[str, object] = {}
    for name, cells in zip(texts.names, texts.rows.columns, strict=True):
        if name in types and (wanted is None or name in wanted):
            arrays[name] = as_decided(cells, types[name])
            one.check_lengths(arrays[name], name, Limits())
    return pd.DataFrame(arrays, copy=False), present
