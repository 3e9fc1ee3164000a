"""What guarantees on sensitive values have in common: the columns they protect, and their values by class.

A guarantee is computed anew from the published classes and the table; it shares no count with the algorithms
that keep it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Columns
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.counts import Counts, Values, values_of
from kanon_core.guarantees.base import Guarantee, Judged, Tally, Verdict
from kanon_core.table.people import many_records_each

if TYPE_CHECKING:
    from kanon_core.guarantees.files.written import WrittenFile
    from kanon_core.table.table import Table

ROUNDING = 1e-8  # an algorithm rounds by 1e-9; sums over a million values err by less than 1e-9

Protect = Annotated[
    tuple[str, ...],
    Columns(("sensitive", "other"), help="columns whose values are protected; none: all sensitive ones"),
]

Missing = Annotated[
    str,
    Choice({"own": "a value of its own", "out": "not counted"}, help="how a missing sensitive value counts"),
]


@dataclass(frozen=True)
class SensitiveGuarantee(Guarantee):
    """A guarantee on the sensitive values of every class, in every column that ``protect`` names.

    A subclass measures each class (`measured`), and says what it asks for (`required`), whether less or more
    is better (`upward`), and what it found in words (`sentence`). Who knows how the classes were made may
    learn more than they show (`kanon_core.risk.minimality`).
    """

    attacker: ClassVar[str] = "knows all quasi-identifiers of one person, but not how classes were made"
    upward: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    by_class: ClassVar[bool] = True
    tallied: ClassVar[bool] = True

    protect: Protect = ()
    missing: Missing = dataclasses.field(default="own", kw_only=True)

    @property
    def required(self) -> float:
        """The bound that every class must keep."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def counted(self, counts: Counts) -> Counts:
        """With or without missing values."""
        return counts if self.missing == "own" else counts.known()

    def measured(self, counts: Counts) -> np.ndarray:
        """float64 (classes): the number of each class that must keep the bound."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def sentence(self, found: float, failing: int) -> str:
        """The worst number found, or how many classes fail, in words."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def names(self, table: Table) -> list[str]:
        """The names of the columns that it protects."""
        return list(self.protect) or [attribute.name for attribute in table.schema.of_role("sensitive")]

    def columns(self, table: Table) -> list[Values]:
        """The columns that it protects. Raises SchemaError for a name that the table does not have."""
        return [table.once(f"values:{n}", partial(values_of, table[n])) for n in self.names(table)]

    def unsuitable(self, table: Table) -> list[str]:
        """There must be sensitive columns of single values, and records must stand for people."""
        if reasons := misnamed_columns(table, self.protect) or many_records_each(table):
            return reasons
        columns = self.columns(table)
        if not columns:
            return [
                tr(
                    "No column is sensitive, so there are no values to protect; give a column that role on"
                    " the Data page."
                )
            ]
        return [
            tr(
                "Column “{name}” holds item sets, whose values cannot be protected; name another column."
            ).format(name=values.name)
            for values in columns
            if not values.distinct
        ]

    def unkept(self, table: Table) -> list[str]:
        """Return why no release of this table can keep it, in sentences; empty where one class of all records
        does."""
        return []

    def broken(self, numbers: np.ndarray) -> np.ndarray:
        """Booleans (classes): the number does not keep the bound."""
        if self.upward:
            return numbers < self.required - ROUNDING
        return numbers > self.required + ROUNDING

    def reached(self, verdict: Verdict) -> str:
        """The strongest parameter that is kept, rounded so that it is; "" where none is."""
        if not math.isfinite(verdict.found):
            return tr("no {symbol}").format(symbol=self.symbol)
        return f"{self.symbol} = {(at_least if self.upward else at_most)(verdict.found)}"

    def check_file(self, file: WrittenFile, tick: Tick = silent) -> Verdict:
        """The verdict on the rows of a file; where classes are compared with the table, that is this file."""
        found = super().check_file(file, tick)
        if not self.compares:
            return found
        beside = tr("It is compared with the original.")
        alone = tr(
            "It is compared with the rows of this file alone: which records were left out of it is not known."
        )
        with_original = file.original is not None and not file.own_values(self.names(file.table))
        return dataclasses.replace(found, sentence=f"{found.sentence} {beside if with_original else alone}")

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict over all protected columns."""
        if not (release.classes >= 0).any():
            return self.nobody(self.required)
        worst, by_column = self._best, dict[str, np.ndarray]()
        for name in self.names(table):
            tick(None, tr("audit: {guarantee}, {column}").format(guarantee=self.name, column=name))
            by_column[name] = np.zeros(int(release.classes.max()) + 1, bool)
            worst = self._measure(release.counts(name), worst, by_column[name])
        failing = np.logical_or.reduce(list(by_column.values()))
        records = np.flatnonzero(np.append(failing, False)[release.classes])
        parts = [self.sentence(worst, int(failing.sum()))]
        if len(by_column) > 1 and failing.any():
            parts.append(_by_column(by_column, release))
        return self.verdict(not failing.any(), worst, self.required, " ".join(parts), records)

    def tally(self, sizes: np.ndarray, counts: Mapping[str, Counts]) -> Tally:
        """The worst number of all protected columns; how many classes fail in any, and in each (others)."""
        worst, by_column = self._best, list[np.ndarray]()
        for each in counts.values():
            by_column.append(np.zeros(len(sizes), bool))
            worst = self._measure(each, worst, by_column[-1])
        failing = np.logical_or.reduce([np.zeros(len(sizes), bool), *by_column])
        others = [int(marked.sum()) for marked in by_column]
        return Tally(worst, int(failing.sum()), int(sizes[failing].sum()), others)

    def told(self, found: Sequence[Tally], names: Sequence[str] = ()) -> Verdict:
        """The verdict on all classes; ``names``: of the protected columns, which fail is said where there
        are several."""
        worst = (min if self.upward else max)(one.worst for one in found)
        failing = sum(one.classes for one in found)
        sentence = self.sentence(worst, failing)
        if failing and len(names) > 1:
            each = np.sum([one.others for one in found], axis=0).tolist()
            said = [f"“{name}” {count:,}" for name, count in zip(names, each, strict=True) if count]
            words = tr("Classes that fail, by column: {failing}.").format(failing="; ".join(said))
            sentence = f"{sentence} {words}"
        return self.verdict(not failing, worst, self.required, sentence)

    @property
    def _best(self) -> float:
        return np.inf if self.upward else 0.0

    def _measure(self, counts: Counts, worst: float, failing: np.ndarray) -> float:
        """Mark the classes that fail in a column; returns the worst number until now."""
        counts = self.counted(counts)
        numbers = self.measured(counts) if len(counts.owner) else np.zeros(0)
        failing[counts.of(self.broken(numbers))] = True
        return float((np.fmin if self.upward else np.fmax).reduce(numbers, initial=worst))


def _by_column(failing: Mapping[str, np.ndarray], release: Judged) -> str:
    """Return which of several columns fail: in how many classes each, and the first record, or row of a file,
    of one."""
    words = {"row": tr("row"), "record": tr("record")}
    number = words[getattr(release, "numbered", "record")]
    said, found = tr("“{name}” in {classes:,}, such as that of {number} {first:,}"), list[str]()
    for name, marked in failing.items():
        if marked.any():
            first = int(np.argmax(np.append(marked, False)[release.classes])) + 1
            found.append(said.format(name=name, classes=int(marked.sum()), number=number, first=first))
    kept = [f"“{name}”" for name, marked in failing.items() if not marked.any()]
    sentence = tr("Classes that fail, by column: {failing}.").format(failing="; ".join(found))
    return f"{sentence} " + tr("It holds of {names}.").format(names=", ".join(kept)) if kept else sentence


def misnamed_columns(table: Table, names: tuple[str, ...]) -> list[str]:
    """Return why columns of these names cannot be protected, in sentences; empty when they can."""
    unknown = [name for name in names if name not in table.schema.names]
    if unknown:
        return [
            tr("There is no column “{unknown}” to protect; name sensitive columns of the table.").format(
                unknown=unknown[0]
            )
        ]
    hidden = [name for name in names if table.schema[name].role not in ("sensitive", "other")]
    if hidden:
        role = table.schema[hidden[0]].role.replace("_", "-")
        return [
            tr(
                "Column “{name}” is a {role}; a column to protect must have another role, such as sensitive."
            ).format(name=hidden[0], role=role)
        ]
    return []


def at_least(number: float) -> str:
    """The number rounded down to three digits, so that nothing is said that does not hold."""
    return _rounded(number, math.floor)


def at_most(number: float) -> str:
    """The number rounded up to three digits."""
    return _rounded(number, math.ceil)


def _rounded(number: float, way: Callable[[float], int]) -> str:
    if not math.isfinite(number) or float(number).is_integer():
        return f"{number:,.0f}"
    scale = 10.0 ** (2 - math.floor(math.log10(abs(number))))
    near = round(number * scale)
    return f"{(near if abs(near - number * scale) < 1e-6 else way(number * scale)) / scale:g}"
