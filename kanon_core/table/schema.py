"""The description of each attribute of a table: its role, its kind, and how it is published.

A schema is immutable; the ``with_…`` methods return a changed copy and refuse what does not fit, naming the
column.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kanon_core.base import options
from kanon_core.base.errors import OptionError, SchemaError
from kanon_core.base.words import listed, tr
from kanon_core.table.attribute import (
    CATEGORIZED_KINDS,
    HIERARCHIC_KINDS,
    KINDS,
    NUMERIC_KINDS,
    RECODINGS,
    ROLES,
    WORD_KINDS,
    Attribute,
    Comparison,
)
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.identifiers.weights import weigh_bodies
from kanon_core.table.inference import infer_attribute

__all__ = ["CATEGORIZED_KINDS", "HIERARCHIC_KINDS", "KINDS", "NUMERIC_KINDS", "RECODINGS", "ROLES"]
__all__ += ["WORD_KINDS", "Attribute", "Comparison", "Schema"]


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in column order; names are unique.

    A column of role person settles whose the records are, so undecided columns then become identifiers.

    >>> import pandas as pd
    >>> schema = Schema.infer(pd.DataFrame({"age": [30, 41], "diagnosis": ["flu", "gout"]}))
    >>> [(attribute.name, attribute.role, attribute.kind) for attribute in schema]
    [('age', 'quasi_identifier', 'numeric'), ('diagnosis', 'sensitive', 'categorical')]
    """

    attributes: tuple[Attribute, ...]

    def __post_init__(self) -> None:
        if self.of_role("person"):
            object.__setattr__(self, "attributes", tuple(map(_decided, self.attributes)))
        counts = Counter(a.name for a in self.attributes)
        repeated = sorted(name for name, count in counts.items() if count > 1)
        if repeated:
            said = tr("The column name “{name}” occurs more than once; rename one of them.")
            raise SchemaError(said.format(name=repeated[0]))
        for kind in ("latitude", "longitude"):
            places = [a.name for a in self.quasi_identifiers if a.kind == kind]
            if len(places) > 1:
                said = tr(
                    "The quasi-identifiers {columns} all have the kind {kind}, but a record has only one"
                    " place; give all but one the kind numeric."
                )
                raise SchemaError(said.format(columns=" and ".join(f"“{p}”" for p in places), kind=kind))

    @classmethod
    def infer(cls, frame: pd.DataFrame) -> Schema:
        """A guessed schema (see `kanon_core.table.inference`)."""
        frame = with_text_names(frame)
        names = [str(name) for name in frame.columns]
        of_bodies = weigh_bodies(names)
        guessed = [infer_attribute(name, frame.iloc[:, i], of_bodies) for i, name in enumerate(names)]
        return cls(tuple(_one_weight(_one_place(guessed))))

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        said = tr("There is no column “{name}”; choose one of {columns}.")
        raise SchemaError(said.format(name=name, columns=listed([f"“{one}”" for one in self.names], 12)))

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(a.name for a in self.attributes)

    def of_role(self, *roles: str) -> tuple[Attribute, ...]:
        """The attributes with one of these roles, in column order."""
        return tuple(a for a in self.attributes if a.role in roles)

    @property
    def quasi_identifiers(self) -> tuple[Attribute, ...]:
        """The attributes that are anonymized."""
        return self.of_role("quasi_identifier")

    def with_roles(self, roles: Mapping[str, str]) -> Schema:
        """A copy with these roles by column name."""
        return self._with("role", roles)

    def with_kinds(self, kinds: Mapping[str, str]) -> Schema:
        """A copy with these kinds; settings that a new kind cannot have (recoding, distance …) get their
        defaults."""
        changed = {}
        for name, kind in kinds.items():
            attribute = self[name]
            keeps = kind in NUMERIC_KINDS or attribute.recoding == "generalize"
            keeps &= not (kind == "ordinal" and attribute.recoding == "mean")
            keeps |= attribute.recoding == "mode" and kind != "items"
            measured = attribute.distance is not None and kind in attribute.distance.kinds
            kept = attribute.kept_for(kind, attribute.recoding if keeps else "generalize")
            distance = attribute.distance if measured else None
            changed[name] = dataclasses.replace(attribute, **kept, distance=distance)
        return self._replaced(changed)

    def with_weights(self, weights: Mapping[str, float]) -> Schema:
        """A copy with these weights."""
        return self._with("weight", weights)

    def with_distances(self, distances: Mapping[str, Comparison | None]) -> Schema:
        """A copy with these distances; None = the default of the column's kind."""
        return self._with("distance", distances)

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy | None]) -> Schema:
        """A copy with these value hierarchies; None = without one."""
        return self._with("hierarchy", hierarchies)

    def with_categories(self, categories: Mapping[str, CategoryMap | None]) -> Schema:
        """A copy whose values are replaced by these categories; None = the values themselves."""
        return self._with("categories", categories)

    def with_recodings(self, recodings: Mapping[str, str]) -> Schema:
        """A copy with these recodings; a column that is no longer generalized loses its round ends."""
        changed = {
            name: dataclasses.replace(
                self[name], recoding=recoding, round_to=self[name].step_for(self[name].kind, recoding)
            )
            for name, recoding in recodings.items()
        }
        return self._replaced(changed)

    def with_round_ends(self, steps: Mapping[str, str]) -> Schema:
        """A copy whose published intervals are widened outwards to multiples of these steps; "" = left as
        they are (`Attribute`)."""
        return self._with("round_to", steps)

    def with_orders(self, orders: Mapping[str, Sequence[str]]) -> Schema:
        """A copy whose ordinal values, least first, or cyclic words, once around, have these orders; () =
        guessed."""
        return self._with("order", orders)

    def with_periods(self, periods: Mapping[str, float]) -> Schema:
        """A copy whose cyclic numbers begin again after these periods, as 24 hours do; 0 = guessed."""
        return self._with("period", periods)

    def with_date_orders(self, orders: Mapping[str, str]) -> Schema:
        """A copy whose columns hold dates written in these orders, "dmy", "mdy" or "ymd"; "" = found from the
        values, and the kind stays. Columns of other kinds become dates."""
        dated = {name: "datetime" for name, order in orders.items() if order}
        return self.with_kinds(dated)._with("date_order", orders)

    def with_delimiters(self, delimiters: Mapping[str, str]) -> Schema:
        """A copy with these delimiters of item sets; "" = found out from the cells."""
        return self._with("delimiter", delimiters)

    def with_quasi(self, names: Iterable[str]) -> Schema:
        """A copy in which exactly these columns are quasi-identifiers; former ones become other."""
        wanted = set(names)
        for name in wanted:
            self[name]
        roles = {a.name: "other" for a in self.quasi_identifiers if a.name not in wanted}
        return self.with_roles({**roles, **dict.fromkeys(wanted, "quasi_identifier")})

    def _with(self, field: str, values: Mapping[str, Any]) -> Schema:
        changed = {name: dataclasses.replace(self[name], **{field: v}) for name, v in values.items()}
        return self._replaced(changed)

    def _replaced(self, changed: Mapping[str, Attribute]) -> Schema:
        return Schema(tuple(changed.get(a.name, a) for a in self.attributes))

    def to_json(self) -> list[dict[str, Any]]:
        """A list of plain dicts, one per attribute."""
        return [_plain(a) for a in self.attributes]

    @classmethod
    def from_json(cls, data: Any) -> Schema:
        """The schema that `to_json` wrote; raises SchemaError for anything else."""
        try:
            return cls(tuple(_attribute(dict(entry)) for entry in data))
        except (TypeError, ValueError):
            raise SchemaError(
                tr("A schema must be a list of columns, each with a name, a role and a kind.")
            ) from None


def _plain(attribute: Attribute) -> dict[str, Any]:
    """Return the attribute as plain JSON; a distance, a hierarchy, categories, a step, an order, a period and
    the order of dates are written only where there are any."""
    fields = {field.name: getattr(attribute, field.name) for field in dataclasses.fields(attribute)}
    distance, hierarchy, categories = (fields.pop(name) for name in ("distance", "hierarchy", "categories"))
    for name in ("round_to", "order", "period", "date_order"):
        if not fields[name]:
            del fields[name]
    if attribute.order:
        fields["order"] = list(attribute.order)
    if distance is not None:
        fields["distance"] = options.to_json(distance)
    if hierarchy is not None:
        fields["hierarchy"] = hierarchy.to_json()
    return fields if categories is None else {**fields, "categories": categories.to_json()}


def _attribute(entry: dict[str, Any]) -> Attribute:
    chosen, pairs, mapped = (entry.pop(name, None) for name in ("distance", "hierarchy", "categories"))
    try:
        distance = None if chosen is None else options.from_json(chosen)
    except OptionError as problem:
        said = tr("The distance of column “{name}”: {problem}")
        raise SchemaError(said.format(name=entry.get("name"), problem=problem)) from None
    hierarchy = None if pairs is None else Hierarchy.from_json(pairs)
    categories = None if mapped is None else CategoryMap.from_json(mapped)
    return Attribute(**entry, distance=distance, hierarchy=hierarchy, categories=categories)


def _decided(attribute: Attribute) -> Attribute:
    undecided = attribute.role == "undecided"
    return dataclasses.replace(attribute, role="identifier") if undecided else attribute


def _one_place(attributes: list[Attribute]) -> Iterable[Attribute]:
    """The first latitude and longitude stay; those of a second place become plain numbers."""
    seen: set[str] = set()
    for attribute in attributes:
        again = attribute.kind in ("latitude", "longitude") and attribute.kind in seen
        seen.add(attribute.kind)
        yield dataclasses.replace(attribute, kind="numeric") if again else attribute


def _one_weight(attributes: Iterable[Attribute]) -> Iterable[Attribute]:
    """The first sampling weight stays; further ones, such as those of replicates, are left out."""
    weighed = False
    for attribute in attributes:
        again = attribute.role == "sampling_weight" and weighed
        weighed |= attribute.role == "sampling_weight"
        yield dataclasses.replace(attribute, role="identifier") if again else attribute


def with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its column names as texts; raises SchemaError for any other object."""
    if not isinstance(frame, pd.DataFrame):
        raise SchemaError(tr("A table needs a pandas DataFrame; read files with read_table."))
    return frame.set_axis([str(name) for name in frame.columns], axis=1)
