"""Split the texts of dates into fields, before it is known which of the fields is the day.

In a text such as 05.03.2024 only the year is certain; the column as a whole decides which of the other fields
is the month (`kanon_core.table.columns.dates`). A year that comes first in four digits, a month that is a
word, and Japanese years leave nothing to decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

ORDERS = ("dmy", "mdy", "ymd")
"""Orders of day, month and year; the first is taken where the texts leave the choice."""
LATEST_YEAR = 2026
"""Two digits of a year mean this year or one of the 99 before it, so that no birth lies in the future; it is
raised with new versions and never taken from the clock, so that a file is always read in the same way."""

_MONTHS: tuple[tuple[str, ...], ...] = (
    ("jan", "january", "januar", "jän", "jänner", "janv", "janvier", "ene", "enero", "gen", "gennaio")
    + ("janeiro", "januari"),
    ("feb", "february", "februar", "févr", "fév", "février", "febrero", "febbraio", "fev", "fevereiro")
    + ("februari",),
    ("mar", "march", "mär", "märz", "mrz", "mars", "marzo", "março", "mrt", "maart"),
    ("apr", "april", "avr", "avril", "abr", "abril", "aprile"),
    ("may", "mai", "mayo", "mag", "maggio", "maio", "mei"),
    ("jun", "june", "juni", "juin", "junio", "giu", "giugno", "junho"),
    ("jul", "july", "juli", "juil", "juillet", "julio", "lug", "luglio", "julho"),
    ("aug", "august", "août", "ago", "agosto", "augustus", "augusti"),
    ("sep", "sept", "september", "septembre", "septiembre", "set", "settembre", "setembro"),
    ("oct", "october", "okt", "oktober", "octobre", "octubre", "ott", "ottobre", "out", "outubro"),
    ("nov", "november", "novembre", "noviembre", "novembro"),
    ("dec", "december", "dez", "dezember", "déc", "décembre", "dic", "diciembre", "dicembre", "dezembro"),
)
_NAMES = pa.array([name for names in _MONTHS for name in names])
_NUMBERS = np.array([month for month, names in enumerate(_MONTHS, 1) for _ in names])
_ERAS = {
    "明治": "1868-10-23",
    "大正": "1912-07-30",
    "昭和": "1926-12-25",
    "平成": "1989-01-08",
    "令和": "2019-05-01",
}
_LETTERS = "mtshr"
_FIRST_DAYS = np.array(list(_ERAS.values()), "datetime64[us]")
_LENGTHS = np.array([45, 15, 64, 31, 81])
"""The number of years that each era has, or may yet have."""

_WEEKDAY = r"(?:(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?\.?,? +)?"
_TIME = (
    r"(?:(?:[ ,t:]+|\([日月火水木金土]\) *)?(?P<hour>\d{1,2})[:時](?P<minute>\d{2})分?"
    r"(?::?(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?秒?)?"
    r"(?: ?(?P<half>[ap])\.?m\.?)?(?: ?(?P<zone>z|utc|gmt|[+-]\d{2}:?\d{2}))?|\([日月火水木金土]\))?$"
)
_NUMERIC = r"^(?P<a>\d{1,4})(?P<sep>[-/.]) ?(?P<b>\d{1,2})(?P<same>[-/.]) ?(?P<c>\d{1,4})(?:\. |\.?)" + _TIME
_MONTH_ONLY = r"^(?P<a>\d{4})(?:[-/](?P<b>\d{1,2})|[年년] ?(?P<kanji>\d{1,2})[月월])$"
_SIGNS = r"^(?P<a>\d{4})[年년] ?(?P<b>\d{1,2})[月월] ?(?P<c>\d{1,2})[日일]" + _TIME
_ERA = (
    r"^(?P<era>明治|大正|昭和|平成|令和|[mtshr])\.? ?(?P<a>\d{1,2}|元)(?:年 ?|[-/.])"
    r"(?P<b>\d{1,2})(?:月 ?|[-/.])(?P<c>\d{1,2})日?" + _TIME
)
_WORD = r"(?P<month>\pL{3,10})\.?"
_DAY_WORD = (
    rf"^{_WEEKDAY}(?P<c>\d{{1,2}})(?:st|nd|rd|th)?\.?[-/ ,.]*(?:(?:de|of) )?{_WORD}[-/ ,.]*(?:(?:de|del) )?"
    r"(?P<a>\d{4}|\d{2})" + _TIME
)
_WORD_DAY = (
    rf"^{_WEEKDAY}{_WORD}[-/ .]*(?P<c>\d{{1,2}})(?:st|nd|rd|th)?[-/ ,.]+(?P<a>\d{{4}}|\d{{2}})" + _TIME
)
_YEAR_WORD = rf"^(?P<a>\d{{4}})[-/ .]*{_WORD}[-/ .]*(?P<c>\d{{1,2}})" + _TIME

_NONE = np.iinfo(np.int64).min


@dataclass(frozen=True)
class DateTexts:
    """The fields of m texts, independent of what the column decides. ``shape`` int8 (m): 0 = no date, 1 =
    nothing to decide, 2 = year first in four digits, 3 = a year of four digits last, 4 = a year of two
    digits. ``fields`` int64 (3, m): the fields in the order in which they are written; for shapes 1 and 2,
    year, month and day. ``time`` int64 (m): microseconds since midnight, less the zone. ``short`` bool (m):
    the year has two digits."""

    shape: np.ndarray
    fields: np.ndarray
    time: np.ndarray
    short: np.ndarray

    def stamps(self, order: str) -> np.ndarray:
        """datetime64[us] (m): the texts by this order, NaT where they are no dates by it. Whatever the order,
        a year of four digits that comes first is a year."""
        decided = self.shape >= 3
        places = [order.index(letter) for letter in "ymd"]
        year, month, day = np.where(decided, self.fields[places], self.fields)
        year = np.where(self.short, year + (LATEST_YEAR - year) // 100 * 100, year)
        fits = (self.shape > 0) & ~((self.shape == 3) & (order == "ymd"))
        return _stamps(year, month, day, self.time, fits)


def read_texts(texts: pa.Array) -> DateTexts:
    """The fields of m texts, none of them missing. Cost O(characters)."""
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(pc.utf8_normalize(texts, "NFKC")))
    count = len(plain)
    found = DateTexts(
        np.zeros(count, np.int8),
        np.zeros((3, count), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, bool),
    )
    left = np.arange(count)
    for pattern, read in (
        (_NUMERIC, _numeric),
        (_MONTH_ONLY, _month_only),
        (_SIGNS, _plainly),
        (_ERA, _era),
        (_DAY_WORD, _word),
        (_WORD_DAY, _word),
        (_YEAR_WORD, _word),
    ):
        if not len(left):
            break
        groups = pc.extract_regex(plain.take(pa.array(left)), pattern)
        matched = groups.is_valid().to_numpy(zero_copy_only=False)
        if matched.any():
            read(found, left[matched], groups.filter(pa.array(matched)))
            left = left[~matched]
    return found


def _numeric(texts: DateTexts, rows: np.ndarray, groups: pa.StructArray) -> None:
    """Read three numbers; their digits tell which of them is the year."""
    first, last = (pc.utf8_length(groups.field(name)).to_numpy() for name in "ac")
    alike = pc.equal(groups.field("sep"), groups.field("same")).to_numpy(zero_copy_only=False)
    shapes = [(first == 4) & (last <= 2), (first <= 2) & (last == 4), (first <= 2) & (last == 2)]
    texts.shape[rows] = np.where(alike, np.select(shapes, [2, 3, 4]), 0)
    texts.fields[:, rows] = [_whole(groups.field(name)) for name in "abc"]
    texts.time[rows] = _time(groups)
    texts.short[rows] = shapes[2]


def _month_only(texts: DateTexts, rows: np.ndarray, groups: pa.StructArray) -> None:
    """A month of a year: its first day."""
    texts.shape[rows] = 2
    month = np.maximum(_whole(groups.field("b")), _whole(groups.field("kanji")))
    texts.fields[:, rows] = [_whole(groups.field("a")), month, np.ones(len(rows), np.int64)]


def _plainly(texts: DateTexts, rows: np.ndarray, groups: pa.StructArray) -> None:
    """Year, month and day, each named by a sign."""
    texts.shape[rows] = 1
    texts.fields[:, rows] = [_whole(groups.field(name)) for name in "abc"]
    texts.time[rows] = _time(groups)


def _era(texts: DateTexts, rows: np.ndarray, groups: pa.StructArray) -> None:
    """A year of a Japanese era, of which 元 is the first; by its letter only from its first day on, as S1.1.1
    is the number of a section."""
    _plainly(texts, rows, groups)
    names = [*_ERAS, *_LETTERS]
    place = pc.index_in(groups.field("era"), pa.array(names)).to_numpy()
    era, lettered = place % len(_ERAS), place >= len(_ERAS)
    count = np.where(
        pc.equal(groups.field("a"), "元").to_numpy(zero_copy_only=False), 1, texts.fields[0, rows]
    )
    first = _FIRST_DAYS[era]
    texts.fields[0, rows] = first.astype("datetime64[Y]").astype(np.int64) + 1969 + count
    fits = (count >= 1) & (count <= _LENGTHS[era])
    year, month, day = texts.fields[:, rows]
    fits &= ~lettered | (_stamps(year, month, day, np.zeros(len(rows), np.int64), fits) >= first)
    texts.shape[rows] = fits


def _word(texts: DateTexts, rows: np.ndarray, groups: pa.StructArray) -> None:
    """A month as a word."""
    month = pc.fill_null(pc.index_in(groups.field("month"), _NAMES), -1).to_numpy(zero_copy_only=False)
    texts.shape[rows] = month >= 0
    texts.fields[:, rows] = [_whole(groups.field("a")), _NUMBERS[month], _whole(groups.field("c"))]
    texts.time[rows] = _time(groups)
    texts.short[rows] = pc.utf8_length(groups.field("a")).to_numpy() == 2


def _time(groups: pa.StructArray) -> np.ndarray:
    """int64: microseconds since midnight, less the zone; `_NONE` where there is no such time of day."""
    hour, minute, second = (
        np.maximum(_whole(groups.field(name)), 0) for name in ("hour", "minute", "second")
    )
    part = np.maximum(_whole(pc.utf8_slice_codeunits(pc.utf8_rpad(groups.field("part"), 6, "0"), 0, 6)), 0)
    half = groups.field("half")
    twelve, afternoon = (pc.equal(half, x).to_numpy(zero_copy_only=False) for x in ("", "p"))
    twelve = ~twelve
    fits = (hour <= 23) & (minute <= 59) & (second <= 59) & ~(twelve & ((hour < 1) | (hour > 12)))
    hour = np.where(twelve, hour % 12 + 12 * afternoon, hour)
    zone = pc.replace_substring(groups.field("zone"), ":", "")
    east = np.maximum(_whole(pc.utf8_slice_codeunits(zone, 1, 5)), 0)
    behind = pc.starts_with(zone, "-").to_numpy(zero_copy_only=False)
    away = (east // 100 * 60 + east % 100) * np.where(behind, -1, 1)
    return np.where(fits, ((hour * 60 + minute - away) * 60 + second) * 1_000_000 + part, _NONE)


def _whole(texts: pa.Array) -> np.ndarray:
    """int64: digits as a number, −1 for anything else."""
    digits = pc.match_substring_regex(texts, r"^[0-9]+$")
    return np.asarray(pc.cast(pc.if_else(digits, texts, "-1"), pa.int64()))


def _stamps(
    year: np.ndarray, month: np.ndarray, day: np.ndarray, time: np.ndarray, fits: np.ndarray
) -> np.ndarray:
    """datetime64[us]: these days and times; NaT where they do not fit, or there is no such day."""
    fits = fits & (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (time != _NONE)
    months = (np.where(fits, (year - 1970) * 12 + month - 1, 0)).astype("datetime64[M]")
    days = months.astype("datetime64[D]") + np.where(fits, day - 1, 0)
    fits &= days.astype("datetime64[M]") == months
    stamps = days.astype("datetime64[us]") + np.where(fits, time, 0)
    return np.where(fits, stamps, np.datetime64("NaT", "us"))
