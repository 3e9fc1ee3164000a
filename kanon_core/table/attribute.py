"""One column: what it means and how it is treated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kanon_core.base import options
from kanon_core.base.errors import SchemaError
from kanon_core.base.infile import encodable
from kanon_core.base.words import later, tr
from kanon_core.table.columns.datetexts import ORDERS
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.steps import allowed_steps, is_step

ROLES: dict[str, str] = {
    "identifier": later(
        "names a person directly, such as an address, or is left out otherwise; never published"
    ),
    "quasi_identifier": (
        later("may be known to others and lead to a person, such as age, sex and postal code; anonymized")
    ),
    "sensitive": later("what must not be learned about a person, such as a diagnosis; published unchanged"),
    "person": (
        later(
            "says whose record it is, such as a customer number; not published itself, at most a pseudonym in"
            " its place"
        )
    ),
    "sampling_weight": (
        later("says for how many people of the population a record stands, as surveys count; not published")
    ),
    "other": later("anything else, such as a remark on how the record was made; published unchanged"),
    "undecided": later("may say whose record it is; nothing is released until it has one of the other roles"),
}
KINDS: dict[str, str] = {
    "numeric": later("a number, such as an income"),
    "categorical": later("one of a set of values without order, such as a town"),
    "datetime": later("a date or a point in time"),
    "text": later("free text, such as a remark; compared as a whole"),
    "items": later("a set of items, such as the products on a receipt"),
    "latitude": later("degrees north, −90 to 90"),
    "longitude": later("degrees east, −180 to 180"),
    "ordinal": later("one of a few values in order, such as low, medium and high"),
    "cyclic": later(
        "a value that starts again after a full cycle, such as an hour, a weekday, a month or a direction"
    ),
}
WORD_KINDS = ("categorical", "text")
"""Kinds whose cells are one word each, without order."""
HIERARCHIC_KINDS = CATEGORIZED_KINDS = (*WORD_KINDS, "items")
"""Kinds whose values, or items, a hierarchy may group, and a map of categories may replace."""
LINE_KINDS = ("numeric", "datetime", "latitude", "longitude", "ordinal")
"""Kinds whose values lie on a line."""
NUMERIC_KINDS = (*LINE_KINDS, "cyclic")
"""`LINE_KINDS` and the kind whose values lie on a circle: published as intervals, or as arcs."""
ORDERED_KINDS = ("ordinal", "cyclic")
"""Kinds whose words may be given an order."""
RECODINGS: dict[str, str] = {
    "generalize": (
        later(
            "an interval, a set, or a group of the hierarchy that contains every value of the group; of item"
            " sets, the items, or groups of the hierarchy, that all share"
        )
    ),
    "mean": later("the group's mean (numbers and dates)"),
    "median": later("the group's median (numbers and dates)"),
    "mode": later("the group's most frequent value"),
}


@dataclass(frozen=True)
class Comparison(options.Declared):
    """The part of a chosen distance that a schema knows; `kanon_core.distances.base.Distance` adds the
    rest."""

    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Attribute:
    """One column: what it means and how it is treated.

    ``weight`` (0 … 1000) multiplies the attribute's part of every squared distance and weighted loss.
    ``recoding``: what an equivalence class publishes of a quasi-identifier (`RECODINGS`). ``delimiter``
    separates the items of an item set (`kanon_core.table.columns.itemcells`), "" = found out. ``distance`` is
    one of `kanon_core.distances.DISTANCES`, None = that of `kanon_core.distances.default`. ``hierarchy``:
    generalizing then publishes the lowest group above all values; for item sets, the items and groups of
    which every record has some item. ``categories`` replace the values. ``round_to``: intervals are then
    widened outwards to multiples of this step (`kanon_core.covers.rounding`): "auto", a positive number, of
    dates "day", "month" or "year", of latitude and longitude also meters, "500 m". "" = their ends are values
    of records. ``order``: all values of an ordinal column from the least to the greatest, or the words of a
    cyclic one once around; () = guessed from the values. ``period``: after how much a cyclic column of
    numbers begins again, 24 hours or 360 degrees; 0 = guessed (`kanon_core.table.kinds`). ``date_order``: the
    order in which dates are written, "dmy", "mdy" or "ymd"; "" = found from the values
    (`kanon_core.table.columns.dates`).

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
    order: tuple[str, ...] = ()
    period: float = 0.0
    date_order: str = ""

    def __post_init__(self) -> None:
        self._one_of("role", self.role, ROLES)
        self._one_of("kind", self.kind, KINDS)
        self._one_of("recoding", self.recoding, RECODINGS)
        weight = self.weight
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1000:
            raise SchemaError(
                tr("The weight of column “{name}” must be a number from 0 to 1000.").format(name=self.name)
            )
        object.__setattr__(self, "weight", float(weight))
        known = isinstance(self.delimiter, str) and encodable(self.delimiter) == self.delimiter
        if not known or len(self.delimiter) > 8 or set(self.delimiter) & set('"='):
            raise SchemaError(
                tr(
                    "The delimiter of column “{name}” must be a text of at most 8 characters, none a quote or"
                    " an equals sign."
                ).format(name=self.name)
            )
        object.__setattr__(self, "delimiter", self.delimiter.strip(" ") or self.delimiter[:1])
        self._check_recoding()
        self._check_distance()
        self._check_hierarchy()
        self._check_categories()
        self._check_step()
        self._check_order()
        self._check_date_order()

    def _check_recoding(self) -> None:
        if self.recoding == "mode" and self.kind == "items":
            raise SchemaError(
                tr("Column “{name}” holds item sets, which have no mode; choose generalize.").format(
                    name=self.name
                )
            )
        if self.recoding in ("mean", "median") and not self.is_numeric:
            raise SchemaError(
                tr("Column “{name}” is {kind}, which has no {recoding}; choose generalize or mode.").format(
                    name=self.name, kind=self.kind, recoding=self.recoding
                )
            )
        if self.recoding == "mean" and self.kind == "ordinal":
            raise SchemaError(
                tr(
                    "Column “{name}” is ordinal: its values have an order but no mean; choose generalize,"
                    " median or mode."
                ).format(name=self.name)
            )

    def _check_order(self) -> None:
        order = self.order
        if not isinstance(order, tuple | list) or not all(isinstance(label, str) for label in order):
            raise SchemaError(
                tr("The order of column “{name}” must be a list of its values.").format(name=self.name)
            )
        object.__setattr__(self, "order", tuple(order))
        if order and (self.kind not in ORDERED_KINDS or len(set(order)) != len(self.order) or len(order) < 2):
            raise SchemaError(
                tr(
                    "The order of column “{name}” is for ordinal and cyclic columns and names at least two"
                    " values, each once; change it, or the kind of the column."
                ).format(name=self.name)
            )
        period = self.period
        number = isinstance(period, int | float) and not isinstance(period, bool)
        if not number or not 0 <= period <= 1e9 or (period and (self.kind != "cyclic" or order)):
            raise SchemaError(
                tr(
                    "The period of column “{name}” is a number from 0 (guessed) to 1,000,000,000, for cyclic"
                    " columns of numbers alone."
                ).format(name=self.name)
            )
        object.__setattr__(self, "period", float(period))

    def _check_date_order(self) -> None:
        if self.date_order == "":
            return
        if self.date_order not in ORDERS or self.kind != "datetime":
            raise SchemaError(
                tr(
                    "The date order of column “{name}” is one of {orders}, for columns of the kind datetime"
                    " alone; it is empty where the values decide."
                ).format(name=self.name, orders=", ".join(ORDERS))
            )

    def _check_step(self) -> None:
        step, allowed = self.round_to, allowed_steps(self.kind)
        if isinstance(step, str):
            object.__setattr__(self, "round_to", step := step.strip())
        if step == "":
            return
        if not self.is_numeric or self.recoding != "generalize":
            said = tr(
                "Column “{name}” is {kind}, and round ends are for numbers and dates that are generalized to"
                " intervals; leave its step empty."
            )
            if self.is_numeric:
                said = tr(
                    "Column “{name}” is published as its {recoding}, and round ends are for numbers and dates"
                    " that are generalized to intervals; leave its step empty."
                )
            raise SchemaError(said.format(name=self.name, kind=self.kind, recoding=self.recoding))
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
            raise SchemaError(
                tr("The distance of column “{name}” must be a distance of this package.").format(
                    name=self.name
                )
            )
        if self.kind not in self.distance.kinds:
            raise SchemaError(
                tr(
                    "Column “{name}” is {kind}, and the distance “{title}” is for columns that are {kinds};"
                    " choose another distance."
                ).format(
                    name=self.name,
                    kind=self.kind,
                    title=self.distance.title,
                    kinds=" or ".join(self.distance.kinds),
                )
            )

    def _check_hierarchy(self) -> None:
        if self.hierarchy is None:
            return
        if not isinstance(self.hierarchy, Hierarchy):
            raise SchemaError(
                tr("The hierarchy of column “{name}” must be a hierarchy of this package.").format(
                    name=self.name
                )
            )
        if self.kind not in HIERARCHIC_KINDS:
            raise SchemaError(
                tr(
                    "Column “{name}” is {kind}, and a hierarchy is for columns that are categorical, text or"
                    " items; change its kind, or remove the hierarchy."
                ).format(name=self.name, kind=self.kind)
            )

    def _check_categories(self) -> None:
        if self.categories is None:
            return
        if not isinstance(self.categories, CategoryMap):
            raise SchemaError(
                tr("The categories of column “{name}” must be categories of this package.").format(
                    name=self.name
                )
            )
        if self.kind not in HIERARCHIC_KINDS:
            raise SchemaError(
                tr(
                    "Column “{name}” is {kind}, and categories are for columns that are categorical, text or"
                    " items; change its kind, or remove the categories."
                ).format(name=self.name, kind=self.kind)
            )

    def hierarchy_for(self, kind: str) -> Hierarchy | None:
        """Return what a column of another kind keeps of the hierarchy: sets have other values than single
        words."""
        same = kind == self.kind or (kind in WORD_KINDS and self.kind in WORD_KINDS)
        return self.hierarchy if same else None

    def step_for(self, kind: str, recoding: str) -> str:
        """Return what a column of another kind or recoding keeps of the step of its round ends."""
        keeps = kind in NUMERIC_KINDS and recoding == "generalize" and is_step(self.round_to, kind)
        return self.round_to if keeps else ""

    def order_for(self, kind: str) -> tuple[str, ...]:
        """Return what a column of another kind keeps of the order of its values."""
        return self.order if kind in ORDERED_KINDS else ()

    def period_for(self, kind: str) -> float:
        """Return what a column of another kind keeps of its period."""
        return self.period if kind == "cyclic" else 0.0

    def date_order_for(self, kind: str) -> str:
        """Return what a column of another kind keeps of the order of its dates."""
        return self.date_order if kind == "datetime" else ""

    def _one_of(self, what: str, value: str, allowed: Mapping[str, str]) -> None:
        if value not in allowed:
            raise SchemaError(
                tr("The {what} of column “{name}” must be one of {allowed}.").format(
                    what=what, name=self.name, allowed=", ".join(allowed)
                )
            )

    @property
    def is_numeric(self) -> bool:
        """True if values lie on a line or a circle (numbers, dates, coordinates, ordinal and cyclic
        ones)."""
        return self.kind in NUMERIC_KINDS

    @property
    def is_private(self) -> bool:
        """True if its cells must never be quoted in a message."""
        return self.role in ("identifier", "sensitive", "person", "sampling_weight", "undecided")
