"""Guesses of the role and kind of a column, from its name and its values.

The guess errs on the side of protection: a column that is not clearly an identifier or sensitive becomes a
quasi-identifier, so that a user who changes nothing does not publish an unprotected column by oversight.

The role undecided asks the user to decide: it is given to a column whose values repeat and may identify
persons, who then have several records (`is_undecided`). The column name is only a hint: a few values that
occur in many records identify nobody.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.words import later
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.dates import ENOUGH, DateForm, are_iso, read_dates
from kanon_core.table.columns.itemcells import holds_sets, sets_notation, text_sets
from kanon_core.table.identifiers.fewvalues import holds_marks, known, names_nobody
from kanon_core.table.identifiers.freetext import reads_like_sentences
from kanon_core.table.identifiers.national import are_long, personal_number
from kanon_core.table.identifiers.rownumbers import numbers_rows
from kanon_core.table.identifiers.weights import is_survey_weight, may_be_survey_weight
from kanon_core.table.naming import (
    may_name_persons,
    names_persons,
    names_possessions,
    numbers_persons,
    spaced,
    without_things,
)

# The short forms only at the end of a name: "long" is a word of its own.
_LATITUDE = re.compile(r"latitude|緯度|(^|[^a-z])lat\d*$", re.I)
LONGITUDE = re.compile(r"longitude|経度|(^|[^a-z])(lon|lng|long)\d*$", re.I)
"""Names of columns of degrees east."""
_NAMES_PEOPLE = re.compile(
    r"(^|[^a-z])(id|ids|uid|uuid|guid|ssn|name|user ?name|full ?name|first ?name|last ?name|surname|nick"
    r" ?name|login|"
    r"e-?mail|phone|mobile|fax|tel|passport|licen[cs]e ?(no|number|plate)|iban|account ?(no|number)|card"
    r" ?number|mrn|nhs|"
    r"tax ?number|address|street|ip|ip ?address|mac ?address|url|氏名|名前|電話|番号|住所|メール)($|[^a-z])",
    re.I,
)
_SENSITIVE = re.compile(
    r"(^|[^a-z])(disease|diagnos[ie]s|illness|symptom|salary|salary.class|income|wage|religion|political|hiv|"
    r"medication|病名|診断|所得|収入|年収)($|[^a-z])",
    re.I,
)
_DATE_NAME = re.compile(
    r"date|time|day|birth|born|geb|datum|fecha|nascim|nacim|naiss|nascita|日付|日時|年月日|生"
    r"|(^|[^a-z])d\.?o\.?b\.?($|[^a-z])|admi(t|ssion)|discharge|onset|visit|aufnahme|entlass"
    r"|sterbe|urodz|nasc"
    r"|född|fødsel|födelse",
    re.I,
)
_DATED = re.compile(
    r"\s*(?:[^\W\d]{1,12}\W{0,3}[^\W\d]{0,9}\W{0,3})?(?:[0-9０-９]{1,4}|元)\s?[^\s0-9０-９;@]", re.I
)
"""The beginning of every date: a number of at most four digits, maybe after a word, and the character
after it."""
_NUMBER = re.compile(r"\s*\d+(?:\.\d+)?\s*$")
_DASHED = re.compile(r"\s*\d+[-.]")
_UNPADDED = re.compile(r"\s*(?:\d[-.]|\d\d[-.]\d[-.])")
_LOOKED_AT = 2_000
_UNIQUE_SHARE = 0.95
_FEW = 20


REASONS: dict[str, str] = {
    "place_or_date": later("a place or a date, which others may know"),
    "sentences": later("free text; Kanon does not search it for names and places"),
    "rows": later("row numbers, which differ in every record"),
    "weight": later("the column name suggests a survey weight, and all values are above 0"),
    "no_weight": later("the column name suggests a survey weight, but not all values are above 0"),
    "some_weight": later(
        "a body weight or a survey weight: if it is a survey weight, choose the role sampling_weight"
    ),
    "undecided": later(
        "the column name suggests that the values identify people, and some values occur more than once"
    ),
    "undecided_number": later(
        "nearly all values have the format and any check digits of this number, and some occur more than"
        " once: {number}"
    ),
    "number": later("nearly all values have the format and any check digits of this number: {number}"),
    "few": later(
        "the column name suggests an identifier, but there are too few different values to identify anybody"
    ),
    "name": later("the column name suggests names, numbers or addresses of people or things"),
    "different": later("nearly every record has a different value"),
    "sensitive": later("the column name suggests facts that nobody may learn about a person"),
    "others": later("nothing suggests another role; an attacker may know the values"),
}
"""Why a role is guessed, by a word; {number} is the kind of number."""


class Guess(NamedTuple):
    """A guessed role and why: a word of `REASONS`, and the kind of number that the values are, if any."""

    role: str
    reason: str
    number: str = ""


def infer_attribute(name: str, values: pd.Series, of_bodies: bool = False) -> Attribute:
    """Return the guessed attribute of one column; ``of_bodies`` as in `guess_role`. Cost O(n); date parsing
    reads at most 2,000 values."""
    if holds_sets(values):
        values = text_sets(values)
    kind = infer_kind(name, values)
    return Attribute(name, role=guess_role(name, values, kind, of_bodies).role, kind=kind)


def infer_kind(name: str, values: pd.Series) -> str:
    """Return the kind guessed by type, name, range and form; item sets where there is no doubt; else
    categories or text."""
    words = spaced(name)
    if pd.api.types.is_bool_dtype(values):
        return "categorical"
    if isinstance(values.dtype, pd.CategoricalDtype):
        return "text" if reads_like_sentences(values) else "categorical"
    if pd.api.types.is_numeric_dtype(values):
        if pd.api.types.is_integer_dtype(values) and (values.dropna().abs() > 2**53).any():
            return "categorical"  # no exact float64: a number of a person, not a measure
        if _LATITUDE.search(words) and _degrees_fit(values, 90):
            return "latitude"
        if LONGITUDE.search(words) and _degrees_fit(values, 180):
            return "longitude"
        return "numeric"
    if pd.api.types.is_datetime64_any_dtype(values):
        return "datetime"
    if looks_like_dates(name, values):
        return "datetime"
    if reads_like_sentences(values):
        return "text"
    if sets_notation(values):
        return "items"
    return "text" if _is_long_text(values) else "categorical"


def infer_role(name: str, values: pd.Series, kind: str) -> str:
    """The role of `guess_role`.

    >>> infer_role("address", pd.Series(["U", "R"] * 20), "categorical")
    'quasi_identifier'
    """
    return guess_role(name, values, kind).role


def guess_role(name: str, values: pd.Series, kind: str, of_bodies: bool = False) -> Guess:
    """Return the guessed role of a column, and why; ``of_bodies``: other columns show that a weight is a
    body's (`weigh_bodies`).

    Free text, numbers of rows and numbers of persons by their check digits are identifiers. A column is
    undecided when it may identify the persons of the records (`is_undecided`). It is an identifier when its
    name suggests people and it has enough different values, or when its texts hardly repeat; else it may be
    sensitive by name. An identifying name comes first, so that a "diagnosis_patient_id" is never published.
    """
    present = values.dropna()
    if kind in ("latitude", "longitude", "datetime"):
        return Guess("quasi_identifier", "place_or_date")
    numbers = kind == "numeric" and pd.api.types.is_numeric_dtype(present)  # texts may be said to be numbers
    if numbers and is_survey_weight(name, present, of_bodies):
        above = len(present) == len(values) and bool((present > 0).all())
        return Guess("sampling_weight", "weight") if above else Guess("identifier", "no_weight")
    distinct = present.nunique()
    if not (numbers and not bool(np.equal(np.mod(present, 1), 0).all())):
        guess = _of_persons(name, values, present, kind, distinct)
        if guess is not None:
            return guess
    if _is_unique(distinct, present) and kind not in ("numeric", "items") and len(present) >= _FEW:
        return Guess("identifier", "different")
    if numbers and may_be_survey_weight(name, of_bodies):
        return Guess("quasi_identifier", "some_weight")
    if _SENSITIVE.search(spaced(name)):
        return Guess("sensitive", "sensitive")
    return Guess("quasi_identifier", "others")


def _of_persons(name: str, values: pd.Series, present: pd.Series, kind: str, distinct: int) -> Guess | None:
    """The guess for a column of words, sets or whole numbers that may identify persons or records."""
    if kind != "items" and is_undecided(name, values, distinct):
        return Guess("undecided", "undecided")
    if kind == "text" and reads_like_sentences(present):
        return Guess("identifier", "sentences")
    unique = _is_unique(distinct, present)
    if distinct == len(present) and kind != "items" and numbers_rows(name, present):
        return Guess("identifier", "rows")
    if kind != "items" and (number := personal_number(present)) is not None:
        role, reason = ("identifier", "number") if unique else ("undecided", "undecided_number")
        return Guess(role, reason, number.title)
    if _NAMES_PEOPLE.search(without_things(name)) or (names_possessions(name) and _fits(name, present)):
        few = names_nobody(name, present, distinct) or holds_marks(present, distinct)
        if kind != "items" and few and distinct < len(present):
            return Guess("quasi_identifier", "few")
        return Guess("identifier", "name")
    own = unique and kind != "items" and (numbers_persons(name) or names_persons(name))
    return Guess("identifier", "name") if own else None


def _fits(name: str, present: pd.Series) -> bool:
    """Return whether a column whose name has other meanings too has values as numbers of persons are."""
    return not may_name_persons(name) or are_long(present)


def _is_unique(distinct: int, present: pd.Series) -> bool:
    return len(present) > 1 and distinct >= _UNIQUE_SHARE * len(present)


def is_undecided(name: str, values: pd.Series, distinct: int) -> bool:
    """Return whether a column of words or whole numbers, with so many different values, may name the persons
    of the records.

    Its name is that of a person's number (customer_id) or a word for a person (customer), and some value
    occurs more than once. These identify nobody: true and false; yes, no and none; words for unknown values
    (Unknown); two values with 20 records each or more in a column named by a word alone, as “guest” and
    “admin” in "member"; few values without digits in a column named as a phone.

    >>> [is_undecided("customer", pd.Series(v), len(set(v))) for v in ([7, 7, 8], [7, 8, 9], [0, 1] * 20)]
    [True, False, False]
    """
    number = numbers_persons(name)
    short = may_name_persons(name)
    if not (number or names_persons(name) or short) or pd.api.types.is_bool_dtype(values):
        return False
    present = values.dropna()
    if holds_marks(present, distinct):
        return False
    if (meant := known(present)) is not present:
        present, distinct = meant, meant.nunique()
    if names_possessions(name) and (names_nobody(name, present, distinct) or not _fits(name, present)):
        return False
    count = len(present)
    return distinct < count and (number or distinct > 2 or count < _FEW * distinct)


def looks_like_dates(name: str, values: pd.Series) -> bool:
    """Return whether texts are dates by one order of day, month and year, whatever their column is called;
    the name decides only where they could be codes or numbers of versions as well: 1.10.12, or 01-02-03.

    >>> columns = ["31.5.2024", "1.6.2024"], ["1.2.3"], ["13/2/2024", "2/13/2024"]
    >>> [looks_like_dates("x", pd.Series(values)) for values in columns]
    [True, False, False]
    """
    form = form_of_dates(name, values)
    return form is not None and not form.mixed


def names_dates(name: str) -> bool:
    """Return whether a column's name suggests dates, times or births."""
    return bool(_DATE_NAME.search(name))


def form_of_dates(name: str, values: pd.Series) -> DateForm | None:
    """Return how the dates of a column of texts are written; None where they are no dates. Cost O(1) for
    columns without dates, else O(n)."""
    sample = values.dropna().astype(str).head(_LOOKED_AT)
    if not len(sample) or sample.head(_FEW).str.match(_DATED).mean() < ENOUGH / 2:
        return None
    dates, form = read_dates(sample)
    if form.share < ENOUGH or sample.str.match(_NUMBER).mean() > 1 - ENOUGH:
        return None
    if not names_dates(name) and _may_be_codes(sample, dates, form):
        return None
    if len(values) > _LOOKED_AT and not are_iso(sample):
        form = read_dates(values)[1]
    return form if form.share >= ENOUGH else None


def _may_be_codes(texts: pd.Series, dates: pd.Series, form: DateForm) -> bool:
    """Return whether dates look like codes: two-digit years that could be a month or a day, fields of one
    digit between dots or dashes, or implausible years."""
    if form.short and (texts.str.match(_UNPADDED).any() or (form.asks and texts.str.match(_DASHED).any())):
        return True
    if are_iso(texts):
        return False
    years = dates.dt.year.dropna()
    return bool(((years >= 1500) & (years < 2200) | (years == 9999)).mean() < ENOUGH)


def _is_long_text(values: pd.Series) -> bool:
    present = values.dropna().astype(str)
    if len(present) < _FEW:
        return False
    return present.nunique() >= 0.5 * len(present) and present.str.len().mean() >= 12


def _degrees_fit(values: pd.Series, limit: float) -> bool:
    """Return whether all present values are finite degrees within ±limit."""
    present = values.dropna()
    edges = (present.min(), present.max()) if len(present) else (np.nan,)
    return all(np.isfinite(edge) and abs(edge) <= limit for edge in edges)
