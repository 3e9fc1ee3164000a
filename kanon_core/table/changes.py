"""The changes from one schema to another, in lines that people read."""

from __future__ import annotations

from typing import Any

from kanon_core.base.words import counted, tr
from kanon_core.table.schema import Attribute, Schema

_FEW = 3
_FIELDS = (
    "role",
    "kind",
    "weight",
    "recoding",
    "round_to",
    "delimiter",
    "distance",
    "hierarchy",
    "categories",
    "order",
    "period",
    "date_order",
)


def changes_said(before: Schema, after: Schema) -> tuple[str, ...]:
    """Return one line for each change; a change that several columns share is one line that names them. Both
    schemas have the same number of columns in the same order. New names come first, and the other lines use
    them.

    >>> old = Schema((Attribute("age", "other"), Attribute("sex", "other")))
    >>> changes_said(old, old.with_roles({"age": "quasi_identifier", "sex": "quasi_identifier"}))
    ('role of age, sex: other → quasi-identifier',)
    """
    pairs = list(zip(before, after, strict=True))
    renamed = _renamed([(old.name, new.name) for old, new in pairs if old.name != new.name])
    found: dict[tuple[str, str, str], list[str]] = {}
    for field in _FIELDS:
        for old, new in pairs:
            was, now = getattr(old, field), getattr(new, field)
            if was != now:
                key = (field, _spoken(field, was, old), _spoken(field, now, new))
                found.setdefault(key, []).append(new.name)
    return (*renamed, *(_line(*key, names) for key, names in found.items()))


def _renamed(pairs: list[tuple[str, str]]) -> list[str]:
    """Return a few new names, each with the old one, or many new names alone."""
    if len(pairs) <= _FEW:
        return [tr("{old} renamed to {new}").format(old=old, new=new) for old, new in pairs]
    names = ", ".join(new for _, new in pairs)
    return [tr("{count} renamed: {names}").format(count=counted(len(pairs), "column"), names=names)]


def spoken(word: object) -> str:
    """A word of a schema as people write it.

    >>> spoken("quasi_identifier")
    'quasi-identifier'
    """
    return str(word).replace("quasi_", "quasi-").replace("_", " ")


def _line(field: str, was: str, now: str, names: list[str]) -> str:
    what = {
        "round_to": tr("round ends"),
        "delimiter": tr("delimiter of items"),
        "hierarchy": tr("value hierarchy"),
        "categories": tr("product categories"),
        "order": tr("order of values"),
        "date_order": tr("order of dates"),
    }.get(field, field)
    about = tr("{what} of {columns}").format(what=what, columns=", ".join(names))
    if was == now:
        return tr("{about}: changed").format(about=about)
    return tr("{about}: {was} → {now}").format(about=about, was=was, now=now)


def _spoken(field: str, value: Any, attribute: Attribute) -> str:
    """Return a field's value in words; for hierarchies and categories, whose content is long, only whether
    there are any."""
    if field in ("role", "kind", "recoding"):
        return spoken(value)
    if field in ("order", "period", "date_order") and not value:
        return tr("guessed")
    if field == "order":
        return " < ".join(value)
    if field in ("weight", "period"):
        return f"{value:g}"
    if field in ("hierarchy", "categories"):
        return tr("none") if value is None else tr("given")
    if field == "distance":
        return tr("default for {kind}").format(kind=attribute.kind) if value is None else str(value.title)
    return f"“{value}”" if value else tr("as found") if field == "delimiter" else tr("none")
