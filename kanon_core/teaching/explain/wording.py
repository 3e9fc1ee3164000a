"""Wording of the stories: numbers, cells and names of records, and limits to the length of stories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.table.columns.columns import MISSING, Categories, Numbers
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.table import Table
from kanon_core.teaching.explain.narration import Logged, Step

_LONGEST = 24
_NAMED = 12


def amount(value: float, digits: int = 4) -> str:
    """Return a number with this many significant digits, whole numbers in full; exponents only far from 1.

    >>> amount(-57.75), amount(2 / 3), amount(12345.6), amount(1e-7), amount(math.inf)
    ('−57.75', '0.6667', '12,346', '1e-07', '∞')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if value and not 1e-4 <= abs(value) < 1e15:
        text = f"{value:.{digits}g}"
    elif float(value).is_integer():
        text = f"{value:,.0f}"
    else:
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if decimals else text
    return text.replace("-", "−", 1) if value < 0 else text


def apart(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with as many digits as distinguish them, at most twelve.

    >>> apart(3.2, 4.1), apart(0.12341, 0.12342)
    (('3.2', '4.1'), ('0.12341', '0.12342'))
    """
    for digits in range(4, 13):
        texts = amount(first, digits), amount(second, digits)
        if texts[0] != texts[1]:
            return texts
    return amount(first), amount(second)


def nearest_text(count: int) -> str:
    """Return a text on the nearest neighbors of a record.

    >>> nearest_text(1), nearest_text(2)
    ('its nearest neighbor', 'its 2 nearest neighbors')
    """
    return tr_n("its nearest neighbor", "its {count} nearest neighbors", count).format(count=count)


def value_of(table: Table, name: str, record: int) -> str:
    """Return the cell of a record in a column of numbers, dates or categories, at most 24 characters."""
    column = table[name]
    if isinstance(column, Numbers):
        return short_texts(column, column.values[[record]])[0]
    assert isinstance(column, Categories)
    return shortened(column.labels[column.codes[record]])


def short_texts(column: Numbers, values: np.ndarray) -> list[str]:
    """Return numbers, with at most six digits where they have more than ten characters; dates in full."""
    texts = number_texts(values, column)
    if column.attribute.kind == "datetime":
        return texts
    return [
        text if len(text) <= 10 else amount(value, 6)
        for text, value in zip(texts, values.tolist(), strict=True)
    ]


def shortened(text: object) -> str:
    """Return a text on one line, at most 24 characters; the name of missing values for an empty text."""
    line = " ".join(str(text).split())
    return (line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…") or MISSING


def values_of(table: Table, name: str, records: np.ndarray) -> list[str]:
    """Return the different cells of some records in a column of categories, in the order of the column's
    labels."""
    column = table[name]
    assert isinstance(column, Categories)
    return [shortened(column.labels[code]) for code in np.unique(column.codes[records]).tolist()]


STEPS_AT_MOST = 150
"""The most steps of a story."""


def named(run: Logged, records: np.ndarray) -> str:
    """Return a text such as ``record 7`` or ``records 2, 5–9 and 12``; for many records, the first and the
    number of others."""
    numbers = np.sort(run.records[records]) + 1
    if len(numbers) == 1:
        return tr("record {number}").format(number=numbers[0])
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    if len(runs) > _NAMED:
        text = _and_others(_texts(runs[: _NAMED - 1]), sum(map(len, runs[_NAMED - 1 :])))
    else:
        text = listed(_texts(runs))
    return tr("records {numbers}").format(numbers=text)


def _and_others(texts: Sequence[str], count: int) -> str:
    return tr("{numbers} and {count} others").format(numbers=", ".join(texts), count=count)


def _texts(runs: Sequence[np.ndarray]) -> list[str]:
    """Return the texts of runs of numbers: ``7``; ``7`` and ``8``; ``7–9``."""
    found = list[str]()
    for run in runs:
        found += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run.tolist())
    return found


def left_out(count: int) -> str:
    """Return a sentence on the number of records left out."""
    return tr_n("{count:,} record is left out.", "{count:,} records are left out.", count).format(count=count)


def numbered(numbers: np.ndarray) -> str:
    """Return a text such as ``2, 5 and 9``; for more than 12 numbers, the first 11 and the number of
    others."""
    texts = [str(number) for number in numbers.tolist()]
    if len(texts) <= _NAMED:
        return listed(texts)
    return _and_others(texts[: _NAMED - 1], len(texts) - _NAMED + 1)


def thinned(steps: Iterable[Step], most: int = STEPS_AT_MOST) -> tuple[Step, ...]:
    """Return these steps or, if there are more than ``most``, that many: the first, and the last of each run
    of others, with the number of steps skipped."""
    told = tuple(steps)
    if len(told) <= most:
        return told
    edges = np.linspace(1, len(told), most).round().astype(int).tolist()
    found = [told[0]]
    for start, end in pairwise(edges):
        step, passed = told[end - 1], end - start - 1
        if passed:
            said = tr_n(
                "After {count:,} more step of this kind:", "After {count:,} more steps of this kind:", passed
            ).format(count=passed)
            step = replace(step, sentence=f"{said} {step.sentence}")
        found.append(step)
    return tuple(found)
