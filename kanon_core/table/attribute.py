"""The role, kind and options of one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

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
        "identifies a person directly, such as an address, or is to be left out; never published"
    ),
    "quasi_identifier": (
        later(
            "may be known to an attacker and help to find a person, such as age, sex and postal code;"
            " anonymized"
        )
    ),
    "sensitive": later(
        "holds facts that nobody may learn about a person, such as a diagnosis; published unchanged"
    ),
    "person": (
        later(
            "identifies the person of each record, such as a customer number; never published, at most"
            " replaced by a pseudonym"
        )
    ),
    "sampling_weight": (
        later(
            "holds the survey weight, the number of people in the population that a record represents;"
            " not published"
        )
    ),
    "other": later("holds anything else, such as a remark on the data collection; published unchanged"),
    "undecided": later(
        "may identify the person of each record; nothing is released until you choose another role"
    ),
}
KINDS: dict[str, str] = {
    "numeric": later("a number, such as an income"),
    "categorical": later("a value without order, such as a town"),
    "datetime": later("a date or a point in time"),
    "text": later("free text, such as a remark; compared as a whole"),
    "items": later("a set of items, such as the products on a receipt"),
    "latitude": later("degrees north, −90 to 90"),
    "longitude": later("degrees east, −180 to 180"),
    "ordinal": later("one of a few ordered values, such as low, medium and high"),
    "cyclic": later("a value on a cycle, such as an hour, a weekday, a month or a direction"),
}
WORD_KINDS = ("categorical", "text")
"""Kinds whose cells are one word each, without order."""
HIERARCHIC_KINDS = CATEGORIZED_KINDS = (*WORD_KINDS, "items")
"""Kinds whose values, or items, a hierarchy may group, and a map of categories may replace."""
LINE_KINDS = ("numeric", "datetime", "latitude", "longitude", "ordinal")
"""Kinds whose values are ordered on a line."""
NUMERIC_KINDS = (*LINE_KINDS, "cyclic")
"""`LINE_KINDS`, and the kind whose values are on a circle; they are published as intervals or arcs."""
ORDERED_KINDS = ("ordinal", "cyclic")
"""Kinds whose words may be given an order."""
RECODINGS: dict[str, str] = {
    "generalize": (
        later(
            "an interval, a set of values or a hierarchy group that contains every value of the equivalence"
            " class; for item sets, the items and hierarchy groups that all records share"
        )
    ),
    "mean": later("the mean of the equivalence class (numbers and dates)"),
    "median": later("the median of the equivalence class (numbers and dates)"),
    "mode": later("the most frequent value of the equivalence class"),
}


@dataclass(frozen=True)
class Comparison(options.Declared):
    """The part of a chosen distance that a schema knows; `kanon_core.distances.base.Distance` adds the
    rest."""

    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Attribute:
    """The name, role, kind and options of one column.

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
        for what, value, allowed in (
            ("role", self.role, ROLES),
            ("kind", self.kind, KINDS),
            ("recoding", self.recoding, RECODINGS),
        ):
            if value not in allowed:
                said = tr("The {what} of column “{name}” must be one of {allowed}.")
                raise self._refused(said, what=what, allowed=", ".join(allowed))
        weight = self.weight
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1000:
            raise self._refused(tr("The weight of column “{name}” must be a number from 0 to 1000."))
        object.__setattr__(self, "weight", float(weight))
        known = isinstance(self.delimiter, str) and encodable(self.delimiter) == self.delimiter
        if not known or len(self.delimiter) > 8 or set(self.delimiter) & set('"='):
            said = tr(
                "The delimiter of column “{name}” must be a text of at most 8 characters without quotes"
                " and equals signs."
            )
            raise self._refused(said)
        object.__setattr__(self, "delimiter", self.delimiter.strip(" ") or self.delimiter[:1])
        self._check_recoding()
        self._check_distance()
        self._check_groups(later("hierarchy"), self.hierarchy, Hierarchy)
        self._check_groups(later("map of categories"), self.categories, CategoryMap)
        self._check_step()
        self._check_order()
        self._check_date_order()

    def _refused(self, message: str, **values: str) -> SchemaError:
        """Return the error with this message, its ``{name}``, ``{kind}`` and ``values`` filled in."""
        return SchemaError(message.format(name=self.name, kind=self.kind, **values))

    def _check_recoding(self) -> None:
        if self.recoding == "mode" and self.kind == "items":
            said = tr("Column “{name}” holds item sets, which have no mode; choose generalize.")
            raise self._refused(said)
        if self.recoding in ("mean", "median") and not self.is_numeric:
            said = tr(
                "Column “{name}” has the kind {kind}, which has no {recoding}; choose generalize or mode."
            )
            raise self._refused(said, recoding=self.recoding)
        if self.recoding == "mean" and self.kind == "ordinal":
            said = tr(
                "Column “{name}” is ordinal: its values have an order but no mean; choose generalize,"
                " median or mode."
            )
            raise self._refused(said)

    def _check_order(self) -> None:
        order, period = self.order, self.period
        if not isinstance(order, tuple | list) or not all(isinstance(label, str) for label in order):
            raise self._refused(tr("The order of column “{name}” must be a list of its values."))
        object.__setattr__(self, "order", tuple(order))
        if order and (self.kind not in ORDERED_KINDS or len(set(order)) != len(order) or len(order) < 2):
            said = tr(
                "Only ordinal and cyclic columns have an order, which lists at least two different"
                " values; change the order or the kind of column “{name}”."
            )
            raise self._refused(said)
        number = isinstance(period, int | float) and not isinstance(period, bool)
        if not number or not 0 <= period <= 1e9 or (period and (self.kind != "cyclic" or order)):
            said = tr(
                "The period of column “{name}” must be a number from 0 (guessed) to 1,000,000,000; only"
                " cyclic columns of numbers have a period."
            )
            raise self._refused(said)
        object.__setattr__(self, "period", float(period))

    def _check_date_order(self) -> None:
        if self.date_order != "" and (self.date_order not in ORDERS or self.kind != "datetime"):
            said = tr(
                "The date order of column “{name}” must be one of {orders}, or empty to find it from the"
                " values; only columns of the kind datetime have one."
            )
            raise self._refused(said, orders=", ".join(ORDERS))

    def _check_step(self) -> None:
        step = self.round_to
        if isinstance(step, str):
            object.__setattr__(self, "round_to", step := step.strip())
        if step == "":
            return
        if not self.is_numeric or self.recoding != "generalize":
            said = tr(
                "Column “{name}” has the kind {kind} and the recoding {recoding}, but only numbers and dates"
                " that are generalized have round ends; leave its step empty."
            )
            raise self._refused(said, recoding=self.recoding)
        if not isinstance(step, str) or not is_step(step, self.kind):
            said = tr("The step of the round ends of column “{name}” must be a text: {allowed}.")
            raise self._refused(said, allowed=allowed_steps(self.kind))

    def _check_distance(self) -> None:
        if self.distance is None:
            return
        self._check_class(later("distance"), self.distance, Comparison)
        if self.kind not in self.distance.kinds:
            said = tr(
                "Column “{name}” has the kind {kind}, but the distance “{title}” needs the kind {kinds};"
                " choose another distance."
            )
            raise self._refused(said, title=self.distance.title, kinds=" or ".join(self.distance.kinds))

    def _check_groups(self, what: str, value: object, wanted: type) -> None:
        if value is None:
            return
        self._check_class(what, value, wanted)
        if self.kind not in HIERARCHIC_KINDS:
            said = tr(
                "The {what} of column “{name}” needs the kind categorical, text or items, not {kind}; change"
                " the kind, or remove the {what}."
            )
            raise self._refused(said, what=tr(what))

    def _check_class(self, what: str, value: object, wanted: type) -> None:
        if not isinstance(value, wanted):
            said = tr("The {what} of column “{name}” must be a {what} of kanon_core.")
            raise self._refused(said, what=tr(what))

    def step_for(self, kind: str, recoding: str) -> str:
        """Return the step of the round ends that a column of this kind and recoding can keep."""
        keeps = kind in NUMERIC_KINDS and recoding == "generalize" and is_step(self.round_to, kind)
        return self.round_to if keeps else ""

    def kept_for(self, kind: str, recoding: str) -> dict[str, Any]:
        """Return the settings, by field, that the column keeps with this kind and recoding; others get their
        defaults. Item sets and single words have different values, so neither keeps the other's hierarchy."""
        same = kind == self.kind or (kind in WORD_KINDS and self.kind in WORD_KINDS)
        return {
            "kind": kind,
            "recoding": recoding,
            "round_to": self.step_for(kind, recoding),
            "hierarchy": self.hierarchy if same else None,
            "categories": self.categories if kind in CATEGORIZED_KINDS else None,
            "order": self.order if kind in ORDERED_KINDS else (),
            "period": self.period if kind == "cyclic" else 0.0,
            "date_order": self.date_order if kind == "datetime" else "",
        }

    @property
    def is_numeric(self) -> bool:
        """True if values are on a line or a circle (numbers, dates, coordinates, ordinal and cyclic
        values)."""
        return self.kind in NUMERIC_KINDS

    @property
    def is_private(self) -> bool:
        """True if its cells must never be quoted in a message."""
        return self.role in ("identifier", "sensitive", "person", "sampling_weight", "undecided")
