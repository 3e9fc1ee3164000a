"""The common base of guarantees on sensitive values: the columns they protect, and the values in each class.

A guarantee is computed anew from the published classes and the table; it shares no count with the algorithms
that keep it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

import numpy as np

from kanon_core.base.kinds import Choice, Columns
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.attributes.counts import Counts, Values, in_one_class, values_of
from kanon_core.guarantees.base import Guarantee, Judged, Tally, Verdict, tally_of_classes
from kanon_core.table.people import many_records_each

if TYPE_CHECKING:
    from kanon_core.guarantees.files.written import WrittenFile
    from kanon_core.table.table import Table

ROUNDING = 1e-8  # an algorithm rounds by 1e-9, and sums over a million values err by less

Protect = Annotated[
    tuple[str, ...],
    Columns(("sensitive", "other"), help="columns to protect; none: all sensitive columns"),
]

Missing = Annotated[
    str,
    Choice({"own": "a value of its own", "out": "not counted"}, help="how a missing sensitive value counts"),
]


@dataclass(frozen=True)
class SensitiveGuarantee(Guarantee):
    """A guarantee on the sensitive values of every class, in every column that ``protect`` names.

    A subclass measures each class (`measured`). It declares the bound (`required`), whether a greater number
    is better (`upward`), and the result in words (`sentence`). An attacker who knows how the classes were
    made may learn more than they show (`kanon_core.risk.minimality`).
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

    @property
    def fewest(self) -> float:
        """The least number of different values that every class must have: ℓ, where there is one."""
        return 1

    def counted(self, counts: Counts) -> Counts:
        """Return the counts with or without missing values."""
        return counts if self.missing == "own" else counts.known()

    def measured(self, counts: Counts) -> np.ndarray:
        """float64 (classes): the number of each class that must keep the bound."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def sentence(self, worst: float, failing: int) -> str:
        """The worst number found, or how many classes fail, in words."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def names(self, table: Table) -> list[str]:
        """The names of the columns that it protects."""
        return list(self.protect) or [attribute.name for attribute in table.schema.of_role("sensitive")]

    def columns(self, table: Table) -> list[Values]:
        """The columns that it protects. Raises SchemaError for a name that the table does not have."""
        return [table.once(f"values:{n}", partial(values_of, table[n])) for n in self.names(table)]

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons where there are no sensitive columns of single values, or records do not stand for
        people."""
        if reasons := misnamed_columns(table, self.protect) or many_records_each(table):
            return reasons
        columns = self.columns(table)
        if not columns:
            return [
                tr(
                    "No column has the role sensitive, so there are no values to protect; give that role to"
                    " a column on the Data page."
                )
            ]
        return [
            tr(
                "The values of column “{name}” cannot be counted as single values, so they cannot be"
                " protected; name another column."
            ).format(name=values.name)
            for values in columns
            if not values.distinct
        ]

    def too_few(self, table: Table) -> list[str]:
        """Return which columns have fewer different values than any class must have, and what is possible, in
        sentences: then no release keeps the guarantee, whatever is suppressed or merged."""
        counts = {one.name: len(self.counted(in_one_class(one)).codes) for one in self.columns(table)}
        said = tr("Column “{name}” has {values}, so ℓ can be at most {most:,}; choose a smaller ℓ.")
        return [
            said.format(name=name, values=counted(count, "different value"), most=count)
            for name, count in counts.items()
            if count < self.fewest - ROUNDING
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

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """The worst number of all protected columns; how many classes fail in any, and in each."""
        names, count = self.names(table), _classes(release)
        worst, by_column = self._best, dict[str, np.ndarray]()
        for name in names if count else ():
            tick(None, tr("audit: {guarantee}, {column}").format(guarantee=self.name, column=name))
            number, by_column[name] = self.failing(release.counts(name), count)
            worst = (min if self.upward else max)(worst, number)
        failing = np.logical_or.reduce([np.zeros(count, bool), *by_column.values()])
        tally = tally_of_classes(release, worst, failing, by_column)
        beside = [self._beside(release, names)]
        if failing.any() and release.source in ("release", "rows", "persons"):  # the whole, with its values
            beside += self.too_few(table)
        return dataclasses.replace(tally, beside=" ".join(filter(None, beside)))

    def failing(self, counts: Counts, classes: int) -> tuple[float, np.ndarray]:
        """The worst number of a column, and which of so many classes do not keep the bound in it."""
        counts, failing = self.counted(counts), np.zeros(classes, bool)
        numbers = self.measured(counts) if len(counts.owner) else np.zeros(0)
        failing[counts.of(self.broken(numbers))] = True
        return float((np.fmin if self.upward else np.fmax).reduce(numbers, initial=self._best)), failing

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict over all protected columns; where there are several, it names those that fail."""
        if tally.empty:
            found = self.nobody(self.required)
        else:
            parts = [self.sentence(tally.worst, tally.classes)]
            if len(tally.others) > 1 and tally.classes:
                parts.append(_by_column(tally))
            found = self.verdict(
                not tally.classes, tally.worst, self.required, " ".join(parts), tally.failing
            )
        return dataclasses.replace(found, sentence=" ".join(filter(None, [found.sentence, tally.beside])))

    @property
    def _best(self) -> float:
        return np.inf if self.upward else 0.0

    def _beside(self, release: Judged, names: Sequence[str]) -> str:
        """Return a sentence on the reference distribution of a file, if this guarantee compares classes with
        one; else ""."""
        if not self.compares or release.source not in ("rows", "persons"):
            return ""
        file = cast("WrittenFile", release)
        if file.original is not None and not file.own_values(names):
            return tr("The classes are compared with the original table.")
        return tr(
            "The classes are compared with the rows of this file alone; the records left out of it are not"
            " known."
        )


def _classes(release: Judged) -> int:
    """Return how many classes there are, whose sizes need not be known."""
    if release.source == "counts":
        return len(release.class_sizes)
    return int(release.classes.max(initial=-1)) + 1


def _by_column(tally: Tally) -> str:
    """Return which of several columns fail: in how many classes each; where the records are known, also the
    first record, or row of a file, of one, and which columns do not fail."""
    number = tr("record") if tally.source == "release" else tr("row")
    with_first = tr("“{name}” in {classes}, for example that of {number} {first}")
    failing = {name: count for name, count in tally.others.items() if count}
    found = [
        f"“{name}” {count:,}"
        if tally.failing is None
        else with_first.format(
            name=name, classes=counted(count, "class"), number=number, first=tally.first[name] + 1
        )
        for name, count in failing.items()
    ]
    sentence = tr("Failing classes by column: {failing}.").format(failing="; ".join(found))
    kept = ", ".join(f"“{name}”" for name in tally.others if name not in failing)
    if not kept or tally.failing is None:
        return sentence
    return f"{sentence} " + tr("The guarantee holds for {names}.").format(names=kept)


def misnamed_columns(table: Table, names: tuple[str, ...]) -> list[str]:
    """Return why columns of these names cannot be protected, in sentences; empty when they can."""
    unknown = [name for name in names if name not in table.schema.names]
    if unknown:
        return [
            tr("The table has no column “{unknown}”; name sensitive columns of the table.").format(
                unknown=unknown[0]
            )
        ]
    hidden = [name for name in names if table.schema[name].role not in ("sensitive", "other")]
    if hidden:
        role = table.schema[hidden[0]].role.replace("_", "-")
        return [
            tr(
                "Column “{name}” has the role {role} and cannot be protected; only columns with the role"
                " sensitive or other can. Change its role or name another column."
            ).format(name=hidden[0], role=role)
        ]
    return []


def at_least(number: float) -> str:
    """Return the number rounded down to three digits, so that the statement always holds."""
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
