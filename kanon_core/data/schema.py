"""What each attribute of a table is: its role, its kind, and how it is published.

A schema is immutable; the ``with_…`` methods return a changed copy and refuse what does not fit, naming the column.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from kanon_core import options
from kanon_core.data.hierarchy import Hierarchy
from kanon_core.errors import OptionError, SchemaError

ROLES: dict[str, str] = {
    "identifier": "names a person directly; never published",
    "quasi_identifier": "may be known to others and lead to a person; anonymized",
    "sensitive": "what must not be learned about a person; published unchanged",
    "person": "says whose record it is; never published as it stands",
    "other": "published unchanged",
}
KINDS: dict[str, str] = {
    "numeric": "a number",
    "categorical": "one of a set of values without order",
    "datetime": "a date or a point in time",
    "text": "free text; compared as a whole",
    "items": "a set of items",
    "latitude": "degrees north, −90 to 90",
    "longitude": "degrees east, −180 to 180",
}
HIERARCHIC_KINDS = ("categorical", "text")
NUMERIC_KINDS = ("numeric", "datetime", "latitude", "longitude")
RECODINGS: dict[str, str] = {
    "generalize": "an interval, a set, or a group of the hierarchy that contains every value of the group; of item sets, the items that all share",
    "mean": "the group's mean (numbers and dates)",
    "median": "the group's median (numbers and dates)",
    "mode": "the group's most frequent value",
}


@dataclass(frozen=True)
class Comparison(options.Declared):
    """What a schema knows of the distance chosen for a column; `kanon_core.distances.base.Distance` is the rest."""

    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Attribute:
    """One column: what it means and how it is treated.

    ``weight`` multiplies the attribute's part of every squared distance and of every weighted loss (0 … 1000).
    ``recoding`` says what a group publishes for it (see `RECODINGS`); it concerns quasi-identifiers only.
    ``delimiter`` separates the items of an item set (see `kanon_core.data.itemcells`); "" = found out from the cells.
    ``distance`` is one of `kanon_core.distances.DISTANCES`; None = the one that `kanon_core.distances.default` gives its kind.
    ``hierarchy`` of a categorical or text column: "generalize" then publishes the lowest group that has all values of the
    group below it.
    """

    name: str
    role: str = "quasi_identifier"
    kind: str = "categorical"
    weight: float = 1.0
    recoding: str = "generalize"
    delimiter: str = ""
    distance: Comparison | None = None
    hierarchy: Hierarchy | None = None

    def __post_init__(self) -> None:
        self._one_of("role", self.role, ROLES)
        self._one_of("kind", self.kind, KINDS)
        self._one_of("recoding", self.recoding, RECODINGS)
        weight = self.weight
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1000:
            raise SchemaError(f"The weight of column “{self.name}” must be a number from 0 to 1000.")
        object.__setattr__(self, "weight", float(weight))
        if not isinstance(self.delimiter, str) or len(self.delimiter) > 8 or set(self.delimiter) & set('"='):
            raise SchemaError(
                f"The delimiter of column “{self.name}” must be a text of at most 8 characters, none a quote or an equals sign."
            )
        object.__setattr__(self, "delimiter", self.delimiter.strip(" ") or self.delimiter[:1])
        if self.recoding == "mode" and self.kind == "items":
            raise SchemaError(f"Column “{self.name}” holds item sets, which have no mode; choose generalize.")
        if self.recoding in ("mean", "median") and not self.is_numeric:
            raise SchemaError(
                f"Column “{self.name}” is {self.kind}, which has no {self.recoding}; choose generalize or mode."
            )

        self._check_distance()
        self._check_hierarchy()

    def _check_distance(self) -> None:
        if self.distance is None:
            return
        if not isinstance(self.distance, Comparison):
            raise SchemaError(f"The distance of column “{self.name}” must be a distance of this package.")
        if self.kind not in self.distance.kinds:
            raise SchemaError(
                f"Column “{self.name}” is {self.kind}, and the distance “{self.distance.title}” is for columns that are "
                f"{' or '.join(self.distance.kinds)}; choose another distance."
            )

    def _check_hierarchy(self) -> None:
        if self.hierarchy is None:
            return
        if not isinstance(self.hierarchy, Hierarchy):
            raise SchemaError(f"The hierarchy of column “{self.name}” must be a hierarchy of this package.")
        if self.kind not in HIERARCHIC_KINDS:
            what = "holds item sets" if self.kind == "items" else f"is {self.kind}"
            raise SchemaError(
                f"Column “{self.name}” {what}, and a hierarchy is for columns that are categorical or text; change its kind, "
                "or remove the hierarchy."
            )

    def _one_of(self, what: str, value: str, allowed: Mapping[str, str]) -> None:
        if value not in allowed:
            raise SchemaError(f"The {what} of column “{self.name}” must be one of {', '.join(allowed)}.")

    @property
    def is_numeric(self) -> bool:
        """Whether values lie on a number line (numbers, dates, coordinates)."""
        return self.kind in NUMERIC_KINDS

    @property
    def is_private(self) -> bool:
        """Whether its cells must never be quoted in a message."""
        return self.role in ("identifier", "sensitive", "person")


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in column order; names are unique."""

    attributes: tuple[Attribute, ...]

    def __post_init__(self) -> None:
        names = [a.name for a in self.attributes]
        repeated = (
            sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
        )
        if repeated:
            raise SchemaError(f"The column name “{repeated[0]}” occurs more than once; rename one of them.")
        for kind in ("latitude", "longitude"):
            places = [a.name for a in self.quasi_identifiers if a.kind == kind]
            if len(places) > 1:
                raise SchemaError(
                    f"The columns {' and '.join(f'“{p}”' for p in places)} are both {kind} quasi-identifiers; "
                    "a table can hold one place per record. Make one of them numeric."
                )

    @classmethod
    def infer(cls, frame: pd.DataFrame) -> Schema:
        """A guessed schema: kinds from the values, roles from names and uniqueness (see `kanon_core.data.inference`)."""
        from kanon_core.data.inference import infer_attribute

        frame = _with_text_names(frame)
        guessed = [infer_attribute(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
        return cls(tuple(_one_place(guessed)))

    def __iter__(self):
        return iter(self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise SchemaError(f"There is no column “{name}”; the columns are {_listed(self.names)}.")

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
        """A copy with these kinds; what the new kind does not have (recoding, distance, hierarchy) falls back to its default."""
        changed = {}
        for name, kind in kinds.items():
            attribute = self[name]
            keeps = kind in NUMERIC_KINDS or attribute.recoding == "generalize"
            keeps |= attribute.recoding == "mode" and kind != "items"
            measured = attribute.distance is not None and kind in attribute.distance.kinds
            changed[name] = dataclasses.replace(
                attribute, kind=kind, recoding=attribute.recoding if keeps else "generalize",
                distance=attribute.distance if measured else None,
                hierarchy=attribute.hierarchy if kind in HIERARCHIC_KINDS else None,
            )  # fmt: skip
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

    def with_recodings(self, recodings: Mapping[str, str]) -> Schema:
        """A copy with these recodings."""
        return self._with("recoding", recodings)

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
        return self._replaced(
            {name: dataclasses.replace(self[name], **{field: v}) for name, v in values.items()}
        )

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
                "A schema is a list of columns, each with name, role, kind, weight and recoding."
            ) from None


def _plain(attribute: Attribute) -> dict[str, Any]:
    """As JSON; a distance and a hierarchy are written where there is one."""
    fields = {field.name: getattr(attribute, field.name) for field in dataclasses.fields(attribute)}
    distance, hierarchy = fields.pop("distance"), fields.pop("hierarchy")
    if distance is not None:
        fields["distance"] = options.to_json(distance)
    return fields if hierarchy is None else {**fields, "hierarchy": hierarchy.to_json()}


def _attribute(entry: dict[str, Any]) -> Attribute:
    chosen, pairs = entry.pop("distance", None), entry.pop("hierarchy", None)
    try:
        distance = None if chosen is None else options.from_json(chosen)
    except OptionError as problem:
        raise SchemaError(f"The distance of column “{entry.get('name')}”: {problem}") from None
    hierarchy = None if pairs is None else Hierarchy.from_json(pairs)
    return Attribute(**entry, distance=distance, hierarchy=hierarchy)


def _one_place(attributes: list[Attribute]) -> Iterable[Attribute]:
    """The first latitude and longitude stay; a second place's degrees are plain numbers (a table holds one place)."""
    seen: set[str] = set()
    for attribute in attributes:
        again = attribute.kind in ("latitude", "longitude") and attribute.kind in seen
        seen.add(attribute.kind)
        yield dataclasses.replace(attribute, kind="numeric") if again else attribute


def _listed(names: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def _with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    if not isinstance(frame, pd.DataFrame):
        raise SchemaError("A table is made from a pandas DataFrame; read files with read_table.")
    return frame.set_axis([str(name) for name in frame.columns], axis=1)
