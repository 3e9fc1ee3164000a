"""Questions and notes for the user about the order of day, month and year in columns of dates, and about
their century."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.words import later, tr
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.columns.dates import DateForm
from kanon_core.table.columns.datetexts import LATEST_YEAR
from kanon_core.table.inference import form_of_dates, names_dates
from kanon_core.table.table import Table

ORDER_WORDS: dict[str, str] = {
    "dmy": later("day first (day, month, year)"),
    "mdy": later("month first (month, day, year)"),
    "ymd": later("year first (year, month, day)"),
}
"""The meanings of the orders of dates."""
_SHORT_WORDS = {"dmy": later("day first"), "mdy": later("month first"), "ymd": later("year first")}


@dataclass(frozen=True)
class DateQuestion:
    """A question to the user about a ``column`` of dates, in one ``sentence``. ``stays``: the column stays
    text until the user says in which order its dates are written."""

    column: str
    sentence: str
    stays: bool


def date_questions(table: Table) -> tuple[DateQuestion, ...]:
    """Return a question for each column whose dates allow several orders or mix two; none for a column with a
    given order (`Attribute.date_order`) or one that is left out. Found once for a table, O(n) per column that
    holds dates.

    >>> import kanon_core as kc
    >>> (question,) = date_questions(kc.read_table(b"born,sex\\n1/2/2020,F\\n2/12/2020,M\\n"))
    >>> question.sentence[:77]
    'The dates in column “born” fit several orders, day first or month first; they'
    """

    def make() -> tuple[DateQuestion, ...]:
        return tuple(
            found for column in table.columns if (found := _question_about(table, column)) is not None
        )

    return table.once("date-questions", make)


def date_notes(table: Table) -> list[str]:
    """Return the questions and, as sentences, the century of two-digit years and numbers that may be
    dates."""
    found = [question.sentence for question in date_questions(table)]
    for column in table.columns:
        name = column.attribute.name
        if isinstance(column, Numbers) and column.form is not None and column.form.short:
            said = tr(
                "Two-digit years in column “{name}” were read as {first} to {last}. If this is wrong, write"
                " years with four digits."
            )
            found.append(said.format(name=name, first=LATEST_YEAR - 99, last=LATEST_YEAR))
        elif names_dates(name) and isinstance(column, Numbers) and _written_as_numbers(table, column):
            said = tr(
                "The numbers in column “{name}” may be dates without separators, such as 20240305. They stay"
                " numbers unless you give the column the kind datetime (on the command line: --kinds"
                " {pair})."
            )
            found.append(said.format(name=name, pair=f"{name}=datetime"))
    return found


def _question_about(table: Table, column: Column) -> DateQuestion | None:
    name, cells = column.attribute.name, table.frame[column.attribute.name]
    if column.attribute.date_order or column.attribute.role in ("identifier", "person", "sampling_weight"):
        return None
    if isinstance(column, Numbers):
        form = column.form
        stays = False
    elif isinstance(column, Categories) and not pd.api.types.is_numeric_dtype(cells):
        form, stays = form_of_dates(name, cells), True
        form = form if form is not None and form.mixed else None
    else:
        return None
    if form is None or not form.asks:
        return None
    return DateQuestion(name, _two(name, form, stays) if form.mixed else _several(name, form), stays)


def _several(name: str, form: DateForm) -> str:
    words = [tr(_SHORT_WORDS[order]) for order in sorted(form.possible)]
    flags = tr(" or ").join(" ".join(("--date-order", f"{name}={order}")) for order in sorted(form.possible))
    said = tr(
        "The dates in column “{name}” fit several orders, {orders}; they were read {order}. Choose the order"
        " under “Date formats” on the Data page (on the command line: {flags})."
    )
    read = tr(_SHORT_WORDS[form.order])
    return said.format(name=name, orders=tr(" or ").join(words), order=read, flags=flags)


def _two(name: str, form: DateForm, stays: bool) -> str:
    first, second = (place + 1 for place in form.mixed)
    said = tr(
        "Column “{name}” mixes two orders of dates: no order fits both record {first} and record"
        " {second}. The dates were read {order}; dates that do not fit this order count as missing. Write"
        " all dates in one order, or confirm this order under “Date formats” on the Data page (on"
        " the command line: --date-order {pair})."
    )
    if stays:
        said = tr(
            "Column “{name}” mixes two orders of dates: no order fits both record {first} and record"
            " {second}. The column stays text. Write all dates in one order, or choose an order under “Date"
            " formats” on the Data page (on the command line: --date-order {pair}); dates that do"
            " not fit it then count as missing."
        )
    order, pair = tr(_SHORT_WORDS[form.order]), f"{name}={form.order}"
    return said.format(name=name, first=first, second=second, order=order, pair=pair)


def _written_as_numbers(table: Table, column: Numbers) -> bool:
    """Return whether whole numbers are all days from 1850 to 2100, as 20240305."""
    if column.attribute.kind != "numeric" or not column.integral or not len(column.present):
        return False
    low, high = column.range
    if not 18500101 <= low <= high <= 21001231:
        return False
    values = np.unique(column.present).astype(np.int64)
    days = pd.to_datetime(pd.Series(values.astype("str")), format="%Y%m%d", errors="coerce")
    return bool(days.notna().all())
