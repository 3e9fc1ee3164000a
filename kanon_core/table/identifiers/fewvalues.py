"""Recognition of columns with too few different values to identify anybody, and of words for unknown
values."""

from __future__ import annotations

import re

import pandas as pd

from kanon_core.table.identifiers.national import as_texts, has_digits
from kanon_core.table.naming import spaced

FEW, OFTEN = 50, 10
"""A column identifies nobody if it has at most `FEW` different values, each in at least `OFTEN` records on
average."""
_SHOWN = 60
_UNKNOWN = (
    "|unknown|not known|unk|n/a|na|n.a.|nan|null|none|nil|-|--|–|.|?|missing|not available|not given"
    "|not stated|not applicable|refused|no answer|anonymous|unbekannt|keine angabe|k.a.|inconnu"
    "|non renseigné|desconocido|sin datos|onbekend|不明|不詳|未回答|無回答|なし|該当なし|未入力"
)
_SAYING_YES_OR_NO = (
    "yes|no|y|n|true|false|t|f|present|absent|ja|nein|oui|non|si|sí|não|sim|nee|tak|nie|x|*|registered|有|無|はい"
    "|いいえ|○|×|あり|given|private|public|home|work|business|mobile|landline|fixed|other|both"
)
UNKNOWN = frozenset(_UNKNOWN.split("|"))
"""Texts, in lower case, for unknown values; they identify nobody."""
_MARKS = UNKNOWN | frozenset(_SAYING_YES_OR_NO.split("|"))
_OF_PEOPLE = re.compile(
    r"(^| )(sur|fore|last|first|full|user|nick|middle|maiden|given|family|legal) ?names?( |$)|(^| )login( |$)"
    r"|(^| )(vornamen?|nachnamen?|familiennamen?|nom|prénom|nombre|apellidos?)( |$)"
    r"|^(?!.*(clinic|hospital|ward|city|town|country|state|region|county|district|school|class|product|item"
    r"|brand|company|firm|bank|shop|store|dep(artmen)?t|drug|species|place|project|file|event|plan|group"
    r"|category|street|road|station|course|team|variable|column|sheet)).*(^| )names?( |$)"
    r"|^(?!.*(店|施設|病院|商品|会社|学校|部署|都市|市町村|地名|駅)).*(氏名|名前|姓名|お名前)|^(姓|名)$"
)
_NUMBERED = re.compile(r"(^| )(ssn|mrn|passport|licen[cs]e|plate|url|ip|iban|imei|vin)( |$)")
"""Names of columns whose values, however few, are of one person each."""
_OF_ONE = re.compile(r"://|\d ?[a-z]? [^\W\d]{3}|[^\W\d]{3} \d++ ?[a-z]?$|[A-Z][- ][A-Z]{0,2} ?\d\d")
"""Addresses of pages, numbers of houses and plates: however often one occurs, it names one place."""
_OF_RECORDS = re.compile(
    r"(^| )(bill|invoice|order|receipt|transaction|trans|session|visit|claim|case|ticket|encounter|admission"
    r"|booking|reservation|payment|record|episode|prescription|sample|specimen)( |$)"
    r"|伝票|注文|領収|取引|予約|受付"
)


def names_nobody(name: str, present: pd.Series, distinct: int) -> bool:
    """Return whether a column has too few different present values to identify anybody: at most 50, each in
    ten records or more, none with five digits, an @, or the form of a house number, a plate or a page's
    address. A column whose name suggests names of people, or numbers of bills, visits and the like, never has
    too few. Cost O(n).

    >>> towns = pd.Series(["U", "R", "R"] * 20)
    >>> [names_nobody(name, towns, 2) for name in ("address", "full name", "bill_id")]
    [True, False, False]
    """
    if not 0 < distinct <= FEW:
        return False
    if (meant := known(present)) is not present:
        present, distinct = meant, max(1, meant.nunique())
    if len(present) < OFTEN * distinct:
        return False
    words = spaced(name).strip().casefold()
    if any(names.search(words) for names in (_OF_PEOPLE, _OF_RECORDS, _NUMBERED)):
        return False
    counts = present.value_counts()
    if counts.min() < OFTEN or has_digits(present):
        return False
    return not any(map(_OF_ONE.search, as_texts(counts.index.to_series())))


def holds_marks(present: pd.Series, distinct: int) -> bool:
    """Return whether all values are words such as yes, no and none, or sets of them as files publish them.

    >>> holds_marks(pd.Series(["yes", "{none, yes}"]), 2), holds_marks(pd.Series(["yes", "Kim"]), 2)
    (True, False)
    """
    if not 0 < distinct <= _SHOWN or pd.api.types.is_numeric_dtype(present):
        return False
    texts = {text.casefold() for text in as_texts(present.drop_duplicates())}
    members = {member.strip() for text in texts for member in _members(text)}
    return members <= _MARKS


def known(present: pd.Series) -> pd.Series:
    """Return the present values without words for an unknown value (“Unknown”, “n/a”, 不明).

    >>> known(pd.Series(["Kim", "Unknown", " - "])).tolist()
    ['Kim']
    """
    if not (pd.api.types.is_string_dtype(present) or present.dtype == object):
        return present
    missing = [value for value in present.unique() if str(value).strip().casefold() in UNKNOWN]
    return present[~present.isin(missing)] if missing else present


def _members(text: str) -> list[str]:
    return text[1:-1].split(",") if text.startswith("{") and text.endswith("}") else [text]
