"""The differences of one schema from another, so that a script or a command line states only these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.schema import CATEGORIZED_KINDS, Attribute, Comparison, Schema


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
    """Return what must be changed in the base to get the schema; both name the same columns in the same
    order.

    >>> old = Schema((Attribute("age", "other", "numeric"),))
    >>> differences(old, old.with_roles({"age": "quasi_identifier"})).roles
    {'age': 'quasi_identifier'}
    """
    pairs = list(zip(base, schema, strict=True))

    def changed(field: str) -> dict[str, Any]:
        return {
            new.name: getattr(new, field) for old, new in pairs if getattr(old, field) != getattr(new, field)
        }

    return Differences(
        changed("role"),
        changed("kind"),
        changed("recoding"),
        changed("weight"),
        changed("delimiter"),
        changed("distance"),
        changed("hierarchy"),
        changed("categories"),
        changed("round_to"),
        changed("order"),
        changed("period"),
        changed("date_order"),
    )


def applied(base: Schema, change: Differences) -> Schema:
    """The base with these changes, made all at once: no order of single steps can be refused where the result
    is fine.

    Raises SchemaError for a column that the base does not have, and for what the schema refuses.

    >>> old = Schema((Attribute("age", "other", "numeric"),))
    >>> applied(old, differences(old, old.with_weights({"age": 2}))) == old.with_weights({"age": 2})
    True
    """
    for names in (
        change.roles,
        change.kinds,
        change.recodings,
        change.weights,
        change.delimiters,
        change.distances,
        change.hierarchies,
        change.categories,
        change.round_ends,
        change.orders,
        change.periods,
        change.date_orders,
    ):
        for name in names:
            base[name]
    return Schema(tuple(_changed(attribute, change) for attribute in base))


def _changed(old: Attribute, change: Differences) -> Attribute:
    kind = change.kinds.get(old.name, old.kind)
    recoding = change.recodings.get(old.name, old.recoding if kind == old.kind else "generalize")
    return replace(
        old,
        role=change.roles.get(old.name, old.role),
        kind=kind,
        weight=change.weights.get(old.name, old.weight),
        recoding=recoding,
        delimiter=change.delimiters.get(old.name, old.delimiter),
        distance=change.distances.get(old.name, old.distance if kind == old.kind else None),
        hierarchy=change.hierarchies.get(old.name, old.hierarchy_for(kind)),
        categories=change.categories.get(old.name, old.categories if kind in CATEGORIZED_KINDS else None),
        round_to=change.round_ends.get(old.name, old.step_for(kind, recoding)),
        order=change.orders.get(old.name, old.order_for(kind)),
        period=change.periods.get(old.name, old.period_for(kind)),
        date_order=change.date_orders.get(old.name, old.date_order_for(kind)),
    )
