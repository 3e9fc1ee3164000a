"""Decisions on the type of each column from its texts, numbers where every cell allows it and else text, and
on the meaning of points and commas within numbers, for all columns of a file.

A column is numeric when each of its cells is a number or stands for "no number" (`MISSING_NUMBERS`), and no
number is a code in disguise: leading zeros ("007") or more digits than 64 bits hold keep the column text.
Texts may lie in several pieces: each says what its texts allow (`facts_of`), these facts add up
(`Facts.merged`), and what they decide (`decisions`) is how the texts of every piece are read (`as_decided`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.readers.base import MISSING_NUMBERS, text_array
from kanon_core.table.readers.types.missing import INFINITE, NONE, Others, are_words, gone, without
from kanon_core.table.readers.types.spellings import (
    BLANKS,
    CODE,
    DIGIT,
    EITHER_DOT,
    FORMS,
    INTEGER,
    PLAIN,
    Texts,
    are_codes,
    are_dressed,
    forms_of,
    matches,
    undressed,
    units_of,
)

EXACT = 2**53
MOST_WORDS = 4 * len(MISSING_NUMBERS | INFINITE)
"""The largest number of different words for “no number” in a column of numbers."""
_MOST_UNITS = 3
_FEW = _FIRST = 100
_USUAL = r"^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$"
_SIXTEEN_DIGITS = 10**15
_THOUSAND, _UNGROUPED = 1_000, r"^\s*[+-]?\d{4,}\s*$"
_BEYOND_DEGREES = r"^\s*[+-]?(?:18[1-9]|19\d|[2-9]\d\d)\."
_DEGREES = re.compile(
    r"latitud|longitud|coord|koord|breiten?grad|l(ä|ae)ngengrad|szeroko|d(ł|l)ugo|緯度|経度"
    r"|(^|[^a-z])(lat|lon|lng|long)\d*$",
    re.I,
)
_PLAIN_KINDS, _POINT_KINDS = frozenset({"plain", "loose"}), frozenset({"plain", "loose", "point", "fraction"})
_UNITLESS = frozenset({""})
"""The ways of whole numbers without any mark, and of numbers with a decimal point and no unit."""
_POINTS, _COMMAS = frozenset({"point", "grouped", "grouped."}), frozenset({"comma", "dots,", "dots"})
_PLAINLY: dict[str, Callable[[Any], Any]] = {
    "": lambda texts: texts,
    "thousands": lambda texts: pc.replace_substring(texts, ",", ""),
    "comma": lambda texts: pc.replace_substring(texts, ",", "."),
    "dotless": lambda texts: pc.replace_substring(pc.replace_substring(texts, ".", ""), ",", "."),
}
"""For each way of writing numbers, the function that writes them plainly: it removes commas between
thousands, writes a point for the decimal comma, or does the latter after removing the dots between
thousands."""


@dataclass(frozen=True)
class Facts:
    """The facts about the texts of some cells of a column.

    ``present``, ``missing``: whether there are texts, and empty cells. ``kinds``: the forms of its numbers
    (`FORMS`), and "other" for other texts; a form that can be read in two ways is kept with the sign between
    the file's fields, ";" or ",". Of the numbers: some have a leading zero ("code"), are not whole without a
    mark ("fraction"), have too many digits ("long"), blanks around them or a sign ("blanks"), a unit or
    blanks within ("dressed"), more degrees than there are ("beyond"); some are written as telephone numbers
    are ("codes"), some are not ("loose"); some are whole, of four digits or more and without a mark
    ("ungrouped"): in such a column dots do not separate thousands. ``words``: the different texts that stand
    for no number, such as NA. ``units`` of the numbers, "" for none. ``others``: what the other texts are.
    ``least`` and ``greatest`` of the whole numbers and 0.
    """

    present: bool = False
    missing: bool = False
    kinds: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    others: Others = NONE
    least: int = 0
    greatest: int = 0

    def merged(self, other: Facts) -> Facts:
        """Return the facts about both together.

        >>> one, other = (facts_of(pa.chunked_array([[text]]), False) for text in ("8001", "08002"))
        >>> [decisions({"zip": each})["zip"].name for each in (one, one.merged(other))]
        ['whole', 'text']
        """
        return Facts(
            self.present or other.present,
            self.missing or other.missing,
            self.kinds | other.kinds,
            _some(self.words | other.words, MOST_WORDS),
            _some(self.units | other.units, _MOST_UNITS),
            self.others.merged(other.others),
            min(self.least, other.least),
            max(self.greatest, other.greatest),
        )

    def to_json(self) -> list[Any]:
        """Plain values, of which `from_json` makes the facts again."""
        sets = [sorted(self.kinds), sorted(self.words), sorted(self.units), list(self.others)]
        return [self.present, self.missing, *sets, self.least, self.greatest]

    @classmethod
    def from_json(cls, plain: list[Any]) -> Facts:
        """Return what `to_json` wrote."""
        present, missing, kinds, words, units, others, least, greatest = plain
        sets = (frozenset(kinds), frozenset(words), frozenset(units), Others(*others))
        return cls(present, missing, *sets, least, greatest)


@dataclass(frozen=True)
class CellType:
    """The decision on how the texts of a column are read. ``name``: "text"; "whole" numbers; "gaps": whole
    numbers, some missing; "number". ``way``: how numbers are written ("" plainly). ``words``: some cells are
    words for no number; ``blanks``: some have blanks around a number, or a sign; ``dressed``: a unit, or
    blanks between thousands. ``gone``: texts that mean a missing value in a column of texts. ``why``: for
    people, why numbers stay text, or "undecided" where dots before three digits were read as decimal
    points."""

    name: str
    way: str = ""
    words: bool = False
    blanks: bool = False
    dressed: bool = False
    gone: tuple[str, ...] = ()
    why: str = ""


def usual_facts(cells: pa.ChunkedArray, semicolons: bool, whole: bool = False) -> Facts | None:
    """Return the facts of numbers in the usual form, if a quick look shows that form and many different
    numbers; None for other cells. ``whole`` as in `facts_of_texts`: one number that only a decimal point
    explains then decides what all points mean."""
    first = _first(cells)
    if not _begin_usual(first):
        return None
    integers = _integers(cells, first)
    ends = None if integers is None else _ends_of_plain(integers, cells)
    if ends is None and not _all(cells, _USUAL):
        return None
    present = len(cells) - cells.null_count
    facts = Facts(True, cells.null_count > 0, others=Others(present, 0, present))
    if integers is not None:
        return _of_integers(facts, *(ends or _least_and_greatest(integers)))
    if whole and any("." in text and not re.match(EITHER_DOT, text) for text in first):
        return replace(facts, kinds=_POINT_KINDS, units=_UNITLESS)
    texts = pa.array(cells.unique().drop_null().cast(pa.large_string()))
    return _of_written(facts, texts, texts, forms_of(texts), False, semicolons)


def _integers(texts: Texts, first: Iterable[str]) -> Texts | None:
    """Return these texts as int64; None where one is no whole number of 64 bits, which is soon seen where one
    of the first has a decimal point: a cast that fails takes as long as one that does not."""
    if any("." in text for text in first):
        return None
    try:
        return texts.cast(pa.int64())
    except pa.ArrowInvalid:
        return None


def _ends_of_plain(whole: Texts, texts: Texts) -> tuple[int, int] | None:
    """Return the least and the greatest of these whole numbers and 0, where each text is written just as its
    number is, in at most 15 digits; else None. To write the numbers again takes less time than to match the
    texts."""
    least, greatest = _least_and_greatest(whole)
    short = max(greatest, -least) < _SIXTEEN_DIGITS
    plain = short and pc.all(pc.equal(whole.cast(texts.type), texts)).as_py()
    return (least, greatest) if plain else None


def _least_and_greatest(whole: Texts) -> tuple[int, int]:
    ends = pc.min_max(whole).as_py()
    return min(ends["min"] or 0, 0), max(ends["max"] or 0, 0)


def _first(cells: pa.ChunkedArray) -> list[str]:
    return [cell for cell in cells.slice(0, _FEW).to_pylist() if cell is not None]


def _begin_usual(first: list[str]) -> bool:
    return len(set(first)) >= len(first) / 2 and all(re.match(_USUAL, cell) for cell in first)


def _all(cells: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def facts_of(cells: pa.ChunkedArray, semicolons: bool, kept: frozenset[str] = frozenset()) -> Facts:
    """Return the facts about these texts (null = missing); ``semicolons``: the file separates its fields by
    ";"; ``kept``: words, in lower case, that are values. Cost at most one hash for each cell."""
    if (facts := usual_facts(cells, semicolons)) is not None:
        return facts
    return facts_of_texts(*different(cells), cells.null_count > 0, semicolons, kept)


def different(cells: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray]:
    """Return the different texts, and of each its number of cells, int64; missing cells left out."""
    counted = cells.value_counts()
    texts, counts = counted.field(0), counted.field(1).to_numpy()
    if not texts.null_count:
        return texts, counts
    there = texts.is_valid().to_numpy(zero_copy_only=False)
    return texts.filter(pa.array(there)), counts[there]


def facts_of_texts(
    texts: pa.Array,
    counts: np.ndarray,
    missing: bool,
    semicolons: bool,
    kept: frozenset[str] = frozenset(),
    whole: bool = False,
) -> Facts:
    """Return the facts of different texts, each with its number of cells; ``whole``: these are all texts of
    the column, so that the nature of the other texts matters only beside words for a missing value."""
    if not len(texts):
        return Facts(False, missing)
    word = are_words(texts)
    if kept and word.any():
        known = [text.strip().lower() in kept for text in texts.filter(pa.array(word)).to_pylist()]
        word[np.flatnonzero(word)[known]] = False
    rest, words = texts, frozenset[str]()
    if word.any():
        words = _some(texts.filter(pa.array(word)).to_pylist(), MOST_WORDS)
        rest, counts = texts.filter(pa.array(~word)), counts[~word]
    rest = rest.cast(pa.large_string())
    if _may_be_numbers(rest.slice(0, _FIRST)):
        cells = int(counts.sum())
        facts = Facts(True, missing, words=words, others=Others(cells, 0, cells))
        if (found := _of_numbers(facts, rest, semicolons)) is not None:
            return found
    others = NONE if whole and not words else Others.of(rest, counts)
    return Facts(True, missing, frozenset({"other"}), words, others=others)


def _may_be_numbers(first: pa.Array) -> bool:
    """Return whether these texts are numbers, with or without a unit; the long pattern is tried last."""
    if len(first) and not re.search(DIGIT, first[0].as_py()):
        return False
    return bool(matches(first, PLAIN).all() or (matches(first, DIGIT).all() and are_dressed(first).all()))


def _of_numbers(facts: Facts, rest: pa.Array, semicolons: bool) -> Facts | None:
    """Return the facts with those of the numbers; None where some texts are no numbers."""
    whole = _integers(rest, ())
    ends = None if whole is None else _ends_of_plain(whole, rest)
    if ends is not None:
        return _of_integers(facts, *ends)
    forms, bare, dressed = forms_of(rest), rest, False
    if forms["other"].any() and are_dressed(rest.filter(pa.array(forms["other"]))).all():
        bare, dressed = undressed(rest), True
        forms = forms_of(bare)
    if forms["other"].any():
        return None
    return _of_written(facts, rest, bare, forms, dressed, semicolons)


def _of_written(
    facts: Facts,
    rest: pa.Array,
    bare: pa.Array,
    forms: Mapping[str, np.ndarray],
    dressed: bool,
    semicolons: bool,
) -> Facts:
    """Return the facts with those of the numbers: ``rest`` as written, ``bare`` without units and blanks."""
    sign = ";" if semicolons else ","
    kinds = {f"{form}{sign}" if form[-1] == "?" else form for form in FORMS if forms[form].any()}
    whole = matches(bare, INTEGER)
    codes = are_codes(rest) if dressed or forms["dots"].any() else np.zeros(len(rest), bool)
    marks = {"code": matches(bare, CODE), "fraction": forms["plain"] & ~whole, "codes": codes}
    marks |= {"loose": ~codes, "blanks": matches(bare, BLANKS), "ungrouped": matches(bare, _UNGROUPED)}
    if forms["dot?"].any():
        marks["beyond"] = matches(bare, _BEYOND_DEGREES)
    kinds |= {name for name, own in marks.items() if own.any()} | ({"dressed"} if dressed else set())
    groups = forms["grouped"] | forms["comma?"] | forms["dots"] | forms["dot?"]
    integers = bare.filter(pa.array((forms["plain"] & whole) | groups))
    if groups.any():
        integers = pc.replace_substring_regex(integers, r"[.,]", "")
    if marks["blanks"].any():
        integers = pc.replace_substring_regex(integers, r"^\s*\+?|\s+$", "")
    long, least, greatest = _ends(integers)
    units = _some(units_of(rest), _MOST_UNITS) if dressed else _UNITLESS if len(rest) else frozenset[str]()
    return replace(facts, kinds=frozenset(kinds | long), units=units, least=least, greatest=greatest)


def _of_integers(facts: Facts, least: int, greatest: int) -> Facts:
    """The facts of whole numbers without any mark."""
    kinds = _PLAIN_KINDS | ({"ungrouped"} if max(greatest, -least) >= _THOUSAND else set())
    units = _UNITLESS if least or greatest else frozenset[str]()  # zeros need none
    return replace(facts, kinds=kinds, units=units, least=least, greatest=greatest)


def _some(words: Iterable[str], most: int) -> frozenset[str]:
    """Return at most one word more than ``most``, the first in text order."""
    return frozenset(sorted(words)[: most + 1])


def _ends(numbers: pa.Array) -> tuple[set[str], int, int]:
    """Return whether some of these whole numbers are too large; if not, the least and the greatest, and 0."""
    whole = _integers(numbers, ())
    return ({"long"}, 0, 0) if whole is None else (set(), *_least_and_greatest(whole))


def decimal_of(facts: Iterable[Facts]) -> str:
    """The decimal mark of a file, by those of its numbers that can be read in one way only: "." or ","; "?"
    where there are both, "" where there is neither.

    >>> [decimal_of([facts_of(pa.chunked_array([[text]]), True)]) for text in ("0.5", "1.234.567", "1.234")]
    ['.', ',', '']
    """
    own = [each.kinds for each in facts if "other" not in each.kinds and "code" not in each.kinds]
    point = any(kinds & _POINTS and not kinds & _COMMAS for kinds in own)
    comma = any(kinds & _COMMAS and not kinds & _POINTS for kinds in own)
    return "?" if point and comma else "." if point else "," if comma else ""


def decisions(facts: Mapping[str, Facts], decimal: str | None = None) -> dict[str, CellType]:
    """Return the type of each column by its facts; ``decimal``: the decimal mark, where it is given. Raises
    InputError where files differ in the meaning of a comma within their numbers."""
    decimal = decimal or decimal_of(facts.values())
    alike = {name for name, own in facts.items() if _may_be_degrees(own)}
    pair = alike if len(alike) > 1 and decimal != "," else set()
    degrees = {name for name in facts if _DEGREES.search(name)} | pair
    return {name: _decided(own, name, decimal, degrees) for name, own in facts.items()}


def _may_be_degrees(facts: Facts) -> bool:
    """Return whether all numbers have three decimals, and are degrees."""
    return bool(facts.kinds & {"dot?;", "dot?,"}) and not facts.kinds & {"plain", "beyond", "other"}


def _decided(facts: Facts, name: str, decimal: str, degrees: set[str]) -> CellType:
    text = CellType("text", gone=gone(facts.words, facts.others))
    kinds = facts.kinds
    if "other" in kinds or not kinds & {*FORMS, "dot?;", "dot?,", "comma?;", "comma?,"}:
        return text
    if len(facts.words) > MOST_WORDS:
        return text
    why = _why_text(facts)
    way = _way(facts, name, decimal, degrees)
    if why or way is None:
        return replace(text, why=why or "marks")
    dots, commas = kinds & {"dot?;", "dot?,"}, kinds & {"comma?;", "comma?,"}
    told = decimal == "." or kinds & {"point", "ungrouped"} or _DEGREES.search(name)
    open_ = way == "" and dots and not told
    undecided = "undecided" if open_ else ""
    how = (way, bool(facts.words), "blanks" in kinds, "dressed" in kinds, (), undecided)
    fractions = {"point", "fraction", "grouped.", "comma", "dots,"}
    if kinds & fractions or (dots and way != "dotless") or (commas and way in ("comma", "dotless")):
        return CellType("number", *how)
    gaps = facts.missing or bool(facts.words)
    if "long" in kinds or (gaps and max(facts.greatest, -facts.least) > EXACT):
        return replace(text, why="long")
    return CellType("gaps" if gaps else "whole", *how)


def _why_text(facts: Facts) -> str:
    """Return why these numbers are none, or ""."""
    if "code" in facts.kinds:
        return "zeros"
    if "codes" in facts.kinds and "loose" not in facts.kinds:
        return "codes"
    return "units" if "dressed" in facts.kinds and len(facts.units) > 1 else ""


def _way(facts: Facts, name: str, decimal: str, degrees: set[str]) -> str | None:
    """Return how the numbers of a column are written; None where its marks contradict one another."""
    kinds = facts.kinds
    points, commas = kinds & _POINTS, kinds & _COMMAS
    dots, either = kinds & {"dot?;", "dot?,"}, kinds & {"comma?;", "comma?,"}
    if points and commas:
        return None if kinds & {*FORMS} - {"plain", "point", "comma"} or dots or either else "comma"
    if points:
        return "thousands" if points - {"point"} or either else ""
    if commas:
        return "dotless" if commas - {"comma"} or dots else "comma"
    if dots and either:
        return {",": "dotless", ".": "thousands"}.get(decimal)
    if dots:
        semicolons = dots == {"dot?;"} and "ungrouped" not in kinds
        thousands = decimal == "," if decimal else semicolons
        return "dotless" if thousands and name not in degrees else ""
    return _either(either, name, decimal) if either else ""


def _either(either: frozenset[str], name: str, decimal: str) -> str:
    """Return the meaning of the commas in numbers such as 1,234."""
    if decimal in (",", "."):
        return "comma" if decimal == "," else "thousands"
    if len(either) > 1:
        said = tr(
            "Column “{name}” has numbers such as 1,234 in files with semicolons, where the comma is a"
            " decimal mark, and in other files, where it separates thousands; write all files with the same"
            " delimiter."
        )
        raise InputError(said.format(name=name))
    return "comma" if either == {"comma?;"} else "thousands"


def as_decided(cells: pa.ChunkedArray, how: CellType) -> object:
    """The column as it is decided: int64, float64 or str, missing cells NaN."""
    if how.name == "text":
        return text_array(without(cells, how.gone))
    numbers = _PLAINLY[how.way](undressed(cells) if how.dressed else cells)
    if how.words:
        numbers = pc.if_else(pc.match_substring_regex(numbers, PLAIN), numbers, None)
    if how.blanks:
        numbers = pc.replace_substring_regex(numbers, r"^\s*\+?|\s+$", "")
    if how.name == "whole":
        return np.asarray(numbers.cast(pa.int64()).to_numpy())
    if how.name == "gaps":
        return np.asarray(numbers.cast(pa.int64()).cast(pa.float64()).to_numpy())
    values = np.asarray(numbers.cast(pa.float64()).to_numpy())
    return np.where(np.isinf(values), np.nan, values)
