"""One column: what it means and how it is treated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kanon_core.base import options
from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.table.columns.characters import encodable
from kanon_core.table.hierarchy.categories import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.steps import allowed_steps, is_step

ROLES: dict[str, str] = {
    "identifier": "names a person directly, such as an address, or is left out otherwise; never published",
    "quasi_identifier": (
        "may be known to others and lead to a person, such as age, sex and postal code; anonymized"
    ),
    "sensitive": "what must not be learned about a person, such as a diagnosis; published unchanged",
    "person": (
        "says whose record it is, such as a customer number; not published itself, at most a pseudonym in its"
        " place"
    ),
    "sampling_weight": (
        "says for how many people of the population a record stands, as surveys count; not published"
    ),
    "other": "anything else, such as a remark on how the record was made; published unchanged",
    "undecided": "may say whose record it is; nothing is released until it has one of the other roles",
}
KINDS: dict[str, str] = {
    "numeric": "a number, such as an income",
    "categorical": "one of a set of values without order, such as a town",
    "datetime": "a date or a point in time",
    "text": "free text, such as a remark; compared as a whole",
    "items": "a set of items, such as the products on a receipt",
    "latitude": "degrees north, −90 to 90",
    "longitude": "degrees east, −180 to 180",
}
WORD_KINDS = ("categorical", "text")
"""Kinds whose cells are one word each, without order."""
HIERARCHIC_KINDS = CATEGORIZED_KINDS = (*WORD_KINDS, "items")
"""Kinds whose values, or items, a hierarchy may group, and a map of categories may replace."""
NUMERIC_KINDS = ("numeric", "datetime", "latitude", "longitude")
RECODINGS: dict[str, str] = {
    "generalize": (
        "an interval, a set, or a group of the hierarchy that contains every value of the group; of item"
        " sets, the items, or groups of the hierarchy, that all share"
    ),
    "mean": "the group's mean (numbers and dates)",
    "median": "the group's median (numbers and dates)",
    "mode": "the group's most frequent value",
}


@dataclass(frozen=True)
class Comparison(options.Declared):
    """What a schema knows of a chosen distance; `kanon_core.distances.base.Distance` is the rest."""

    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Attribute:
    """One column: what it means and how it is treated.

    ``weight`` (0 … 1000) multiplies the attribute's part of every squared distance and weighted loss.
    ``recoding``: what an equivalence class publishes of a quasi-identifier (`RECODINGS`). ``delimiter``
    separates the items of an item set (`kanon_core.table.columns.itemcells`), "" = found out. ``distance`` is
    one of `kanon_core.distances.DISTANCES`, None = that of `kanon_core.distances.default`. ``hierarchy``: to
    generalize is then to publish the lowest group above all values; of item sets, items and groups of which
    every record has some item. ``categories`` replace the values. ``round_to``: intervals
    are then widened outwards to multiples of this step (`kanon_core.release.rounding`): "auto", a positive
    number, of dates "day", "month" or "year", of latitude and longitude also meters, "500 m". "" = their ends
    are values of records.

    >>> Attribute("age", kind="numeric", recoding="mean").is_numeric
    True
    """

    name: str
    role: str = "quasi_identifier"
    kind: str = "categorical"
    weight: float = 1.0
    recoding: str = "generalize"
    delimiter: str = ""
    distance: Comparison | None = None
    hierarchy: Hierarchy | None = None
    categories: CategoryMap | None = None
    round_to: str = ""

    def __post_init__(self) -> None:
        self._one_of("role", self.role, ROLES)
        self._one_of("kind", self.kind, KINDS)
        self._one_of("recoding", self.recoding, RECODINGS)
        weight = self.weight
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1000:
            raise SchemaError(f"The weight of column “{self.name}” must be a number from 0 to 1000.")
        object.__setattr__(self, "weight", float(weight))
        known = isinstance(self.delimiter, str) and encodable(self.delimiter) == self.delimiter
        if not known or len(self.delimiter) > 8 or set(self.delimiter) & set('"='):
            most = "at most 8 characters, none a quote or an equals sign"
            raise SchemaError(f"The delimiter of column “{self.name}” must be a text of {most}.")
        object.__setattr__(self, "delimiter", self.delimiter.strip(" ") or self.delimiter[:1])
        if self.recoding == "mode" and self.kind == "items":
            raise SchemaError(f"Column “{self.name}” holds item sets, which have no mode; choose generalize.")
        if self.recoding in ("mean", "median") and not self.is_numeric:
            none = f"is {self.kind}, which has no {self.recoding}"
            raise SchemaError(f"Column “{self.name}” {none}; choose generalize or mode.")
        self._check_distance()
        self._check_groups("hierarchy", "a hierarchy is", Hierarchy)
        self._check_groups("categories", "categories are", CategoryMap)
        self._check_step()

    def _check_step(self) -> None:
        step, allowed = self.round_to, allowed_steps(self.kind)
        if isinstance(step, str):
            object.__setattr__(self, "round_to", step := step.strip())
        if step == "":
            return
        if not self.is_numeric or self.recoding != "generalize":
            reason = (
                tr("is published as its {recoding}").format(recoding=self.recoding)
                if self.is_numeric
                else tr("is {kind}").format(kind=self.kind)
            )
            raise SchemaError(
                tr(
                    "Column “{name}” {reason}, and round ends are for numbers and dates that are generalized"
                    " to intervals; leave its step empty."
                ).format(name=self.name, reason=reason)
            )
        if not isinstance(step, str) or not is_step(step, self.kind):
            raise SchemaError(
                tr(
                    "The step to which the ends of column “{name}” are rounded must be a text: {allowed}."
                ).format(name=self.name, allowed=allowed)
            )

    def _check_distance(self) -> None:
        if self.distance is None:
            return
        if not isinstance(self.distance, Comparison):
            raise SchemaError(f"The distance of column “{self.name}” must be a distance of this package.")
        if self.kind not in self.distance.kinds:
            raise SchemaError(
                f"Column “{self.name}” is {self.kind}, and the distance “{self.distance.title}” is for"
                f" columns that are {' or '.join(self.distance.kinds)}; choose another distance."
            )

    def _check_groups(self, what: str, they_are: str, cls: type) -> None:
        held = getattr(self, what)
        if held is not None and not isinstance(held, cls):
            them = they_are.rpartition(" ")[0]
            raise SchemaError(f"The {what} of column “{self.name}” must be {them} of this package.")
        if held is not None and self.kind not in HIERARCHIC_KINDS:
            raise SchemaError(
                f"Column “{self.name}” is {self.kind}, and {they_are} for columns that are categorical, text"
                f" or items; change its kind, or remove the {what}."
            )

    def hierarchy_for(self, kind: str) -> Hierarchy | None:
        """What a column of another kind keeps of the hierarchy: sets have other values than single words."""
        same = kind == self.kind or (kind in WORD_KINDS and self.kind in WORD_KINDS)
        return self.hierarchy if same else None

    def step_for(self, kind: str, recoding: str) -> str:
        """What a column of another kind or recoding keeps of the step of its round ends."""
        keeps = kind in NUMERIC_KINDS and recoding == "generalize" and is_step(self.round_to, kind)
        return self.round_to if keeps else ""

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
        return self.role in ("identifier", "sensitive", "person", "sampling_weight", "undecided")
