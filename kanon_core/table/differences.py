"""The differences of one schema from another, so that a script or a command line states only these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.schema import Attribute, Comparison, Schema

_FIELDS = {
    "roles": "role",
    "kinds": "kind",
    "recodings": "recoding",
    "weights": "weight",
    "delimiters": "delimiter",
    "distances": "distance",
    "hierarchies": "hierarchy",
    "categories": "categories",
    "round_ends": "round_to",
    "orders": "order",
    "periods": "period",
    "date_orders": "date_order",
}
"""By field of `Differences`, the field of `Attribute`."""


@dataclass(frozen=True)
class Differences:
    """The differences of a schema from its base, by column name."""

    roles: dict[str, str]
    kinds: dict[str, str]
    recodings: dict[str, str]
    weights: dict[str, float]
    delimiters: dict[str, str]
    distances: dict[str, Comparison | None] = field(default_factory=dict)
    hierarchies: dict[str, Hierarchy | None] = field(default_factory=dict)
    categories: dict[str, CategoryMap | None] = field(default_factory=dict)
    round_ends: dict[str, str] = field(default_factory=dict)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    periods: dict[str, float] = field(default_factory=dict)
    date_orders: dict[str, str] = field(default_factory=dict)


def differences(base: Schema, schema: Schema) -> Differences:
    """Return the changes that turn the base into the schema; both have the same columns in the same order.

    >>> old = Schema((Attribute("age", "other", "numeric"),))
    >>> differences(old, old.with_roles({"age": "quasi_identifier"})).roles
    {'age': 'quasi_identifier'}
    """
    pairs = list(zip(base, schema, strict=True))

    def changed(one: str) -> dict[str, Any]:
        return {b.name: getattr(b, one) for a, b in pairs if getattr(a, one) != getattr(b, one)}

    return Differences(**{many: changed(one) for many, one in _FIELDS.items()})


def applied(base: Schema, change: Differences) -> Schema:
    """The base with all changes made at once, so that only the result must be a valid schema, not each step.

    Raises SchemaError for a column that the base does not have, and for what the schema refuses.

    >>> old = Schema((Attribute("age", "other", "numeric"),))
    >>> applied(old, differences(old, old.with_weights({"age": 2}))) == old.with_weights({"age": 2})
    True
    """
    for many in _FIELDS:
        for name in getattr(change, many):
            base[name]
    return Schema(tuple(_changed(attribute, change) for attribute in base))


def _changed(old: Attribute, change: Differences) -> Attribute:
    changes = ((one, getattr(change, many)) for many, one in _FIELDS.items())
    given = {one: values[old.name] for one, values in changes if old.name in values}
    kind = given.get("kind", old.kind)
    same = kind == old.kind
    recoding = given.get("recoding", old.recoding if same else "generalize")
    kept = {**old.kept_for(kind, recoding), "distance": old.distance if same else None}
    return replace(old, **{**kept, **given})
