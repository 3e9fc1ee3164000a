"""Tables as people of ten places write them, beside what their cells mean: dates, numbers, missing cells,
titles above and notes below. Each cell is read as what it means, or a sentence names its column."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.table.reading import read_table
from tests.fuzz.case import Case

Cells = list[tuple[str, object]]
"""Each cell as written, and what it means: a float, a date, a word, or None."""
_ERAS = (("令和", date(2019, 5, 1)), ("平成", date(1989, 1, 8)), ("昭和", date(1926, 12, 25)))
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Place:
    """The way a place writes numbers and dates: the ``decimal`` mark, the marks between ``groups`` of digits,
    the ``delimiter`` of files, and forms of dates."""

    name: str
    decimal: str
    groups: tuple[str, ...]
    delimiter: str
    dates: tuple[str, ...]
    missing: tuple[str, ...] = ("", "NA", "-")


PLACES = (
    Place("en-US", ".", (",", ""), ",", ("%m/%d/%Y", "%-m/%-d/%Y", "%Y-%m-%d", "%b %-d, %Y")),
    Place("en-GB", ".", (",", ""), ",", ("%d/%m/%Y", "%-d-%b-%Y", "%Y-%m-%d")),
    Place("de-DE", ",", (".", ""), ";", ("%d.%m.%Y", "%-d.%-m.%Y"), ("", "-", "NA")),
    Place("fr-FR", ",", ("\u202f", "\u00a0", " ", ""), ";", ("%d/%m/%Y", "%d-%m-%Y")),
    Place("de-CH", ".", ("'", "’", ""), ";", ("%d.%m.%Y", "%Y-%m-%d")),
    Place("en-IN", ".", ("indian", ""), ",", ("%d-%m-%Y", "%d/%m/%Y", "%-d-%b-%Y")),
    Place("ja-JP", ".", (",", ""), ",", ("%Y/%m/%d", "%Y/%-m/%-d", "%Y年%-m月%-d日", "era")),
    Place("sv-SE", ",", (" ", "\u00a0", ""), ";", ("%Y-%m-%d",)),
    Place("pt-BR", ",", (".", ""), ";", ("%d/%m/%Y",)),
    Place("iso", ".", ("",), ",", ("%Y-%m-%d", "%Y-%m-%dT12:30:00", "%Y-%m-%dT12:30:00Z"), ("", "null", ".")),
)


def spelled_case(rng: random.Random) -> Case:
    """A file of a random place with columns of several kinds."""
    place, height = rng.choice(PLACES), rng.randint(25, 300)
    makers = {"when": _dates, "sum": _decimals, "count": _wholes, "town": _words}
    names = rng.sample(list(makers), rng.randint(2, 4))
    columns = {f"{name}_{i}": makers[name](rng, place, height) for i, name in enumerate(names)}
    lines = [place.delimiter.join(columns)]
    rows = zip(*columns.values(), strict=True)
    lines += [place.delimiter.join(_field(text, place.delimiter) for text, _ in row) for row in rows]
    above, below = _around(rng, place)
    data = "\n".join([*above, *lines, *below, ""]).encode()
    return Case(f"spelled {place.name}", data, read_table, _means(columns))


def _field(text: str, delimiter: str) -> str:
    return f'"{text}"' if delimiter in text else text


def _around(rng: random.Random, place: Place) -> tuple[list[str], list[str]]:
    """Lines above and below the table."""
    above = rng.choice(
        ([], [], [], [f"sep={place.delimiter}"], ["Register of the town"], ["Survey 2024", ""])
    )
    below = rng.choice(([], [], [], ["", "Source: the register"]))
    return list(above), list(below)


def _with_gaps(rng: random.Random, place: Place, cells: Cells) -> Cells:
    """Some cells replaced by a word that means missing."""
    if rng.random() < 0.6:
        return cells
    word = rng.choice(place.missing)
    return [(word, None) if rng.random() < 0.1 else cell for cell in cells]


def _dates(rng: random.Random, place: Place, height: int) -> Cells:
    form, first = rng.choice(place.dates), date(rng.choice((1930, 1990, 2015)), 1, 1)
    days = [first + timedelta(days=rng.randrange(3_000)) for _ in range(height)]
    return _with_gaps(rng, place, [(_date_text(day, form), day) for day in days])


def _date_text(day: date, form: str) -> str:
    if form != "era":
        month = _MONTHS[day.month - 1]
        plain = form.replace("%-d", str(day.day)).replace("%-m", str(day.month)).replace("%b", month)
        return day.strftime(plain)
    era, begin = next((name, begin) for name, begin in _ERAS if day >= begin)
    return f"{era}{day.year - begin.year + 1}年{day.month}月{day.day}日"


def _decimals(rng: random.Random, place: Place, height: int) -> Cells:
    group, digits, most = rng.choice(place.groups), rng.choice((1, 2, 3)), rng.choice((1.0, 50.0, 5e6))
    values = [round(rng.uniform(-0.1 * most, most), digits) for _ in range(height)]
    minus = rng.choice(("-", "-", "\u2212"))
    texts = [_number_text(value, digits, place.decimal, group, minus) for value in values]
    return _with_gaps(rng, place, list(zip(texts, values, strict=True)))


def _wholes(rng: random.Random, place: Place, height: int) -> Cells:
    group, most = rng.choice(place.groups), rng.choice((9, 90_000, 40_000_000))
    values = [rng.randint(1, most) for _ in range(height)]
    texts = [_number_text(value, 0, place.decimal, group, "-") for value in values]
    return _with_gaps(rng, place, list(zip(texts, map(float, values), strict=True)))


def _number_text(value: float, digits: int, decimal: str, group: str, minus: str) -> str:
    whole, _, part = f"{abs(value):.{digits}f}".partition(".")
    sign = minus if value < 0 and float(f"{abs(value):.{digits}f}") else ""
    return sign + _grouped(whole, group) + (decimal + part if digits else "")


def _grouped(digits: str, group: str) -> str:
    """The digits in groups of three, of India in groups of two above the last three.

    >>> _grouped("1234567", "."), _grouped("1234567", "indian")
    ('1.234.567', '12,34,567')
    """
    head, tail = digits[:-3], digits[-3:]
    size, mark = (2, ",") if group == "indian" else (3, group)
    parts = [head[max(0, end - size) : end] for end in range(len(head), 0, -size)][::-1]
    return mark.join([*parts, tail]) if group else digits


def _words(rng: random.Random, place: Place, height: int) -> Cells:
    words = rng.choice(
        (("Oslo", "Bern", "京都"), ("A", "B", "AB", "0"), ("yes", "no"), ("none", "mild", "severe"))
    )
    return _with_gaps(rng, place, [(word, word) for word in rng.choices(words, k=height)])


def _means(columns: dict[str, Cells]) -> Callable[[Any], None]:
    """Compare a table with what its cells mean; a column that a sentence names may be read otherwise, or stay
    as it is written."""

    def check(table: Any) -> None:
        assert list(table.schema.names) == list(columns), list(table.schema.names)
        height = len(next(iter(columns.values())))
        assert len(table) == height, f"{len(table)} records of {height}; {table.notes}"
        for name, cells in columns.items():
            spoken = any(f"“{name}”" in note for note in table.notes) or name in table.misfits
            for row, (text, meant) in enumerate(cells, start=1):
                came = _came(table, name, row - 1)
                assert spoken or _same(came, meant), f"{name}, row {row}: {text!r} became {came!r}"

    return check


def _came(table: Any, name: str, row: int) -> object:
    """The cell as the table has it: seconds, a number, a text, or None."""
    column = table[name]
    if table.schema[name].is_numeric:
        value = column.values[row]
        return None if np.isnan(value) else float(value)
    cell = table.frame[name].iloc[row]
    return None if column.missing[row] or pd.isna(cell) else str(cell)


def _same(came: object, meant: object) -> bool:
    """Return whether a cell is what was meant."""
    if isinstance(meant, date) and isinstance(came, float):
        return came // 86_400 == (meant - date(1970, 1, 1)).days
    return came == meant
