"""ℓ-diversity and t-closeness: what a group's sensitive values must keep, as options that top-down algorithms
share.

    distinct ℓ-diversity   every group has at least ℓ different values entropy ℓ-diversity    −Σ p log p ≥ log
    ℓ over the shares p of a group's values t-closeness            EMD(p, q) ≤ t for the shares q in the whole
    table; values of a number are ordered and a
                           neighbor is 1 / (values − 1) away, any two other values are 1 apart

Missing is a value of its own, after all numbers. References: A. Machanavajjhala et al., ℓ-diversity, TKDD
2007; N. Li et al., t-closeness, ICDE 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

import numpy as np

from kanon_core.base.options import Columns, Flag, Real
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.constraints_kernels import Rule

Protect = Annotated[
    tuple[str, ...], Columns(help="columns whose values the next options protect; none: all sensitive ones")
]
Diversity = Annotated[
    float,
    Real(
        1, 1_000, help="ℓ: how many different sensitive values every group has at least; 1 asks for nothing"
    ),
]
Entropy = Annotated[bool, Flag(help="ℓ counts values by their entropy, so that rare ones count less")]
Closeness = Annotated[
    float,
    Real(
        0, 1, help="t: how far a group's sensitive values may be from those of the table; 1 asks for nothing"
    ),
]


class Constrained(Protocol):
    """An algorithm with the options above."""

    @property
    def protect(self) -> tuple[str, ...]:
        """Names of columns."""

    @property
    def diversity(self) -> float:
        """ℓ."""

    @property
    def entropy(self) -> bool:
        """Whether ℓ is that of the entropy."""

    @property
    def closeness(self) -> float:
        """t."""


@dataclass(frozen=True)
class Protected:
    """A sensitive column as codes: int32 (n), below ``values``; ``ordered`` when neighbors are nearer than
    others."""

    name: str
    codes: np.ndarray
    values: int
    ordered: bool


def asked(algorithm: Constrained) -> bool:
    """Whether the options ask for anything."""
    return algorithm.diversity > 1 or algorithm.closeness < 1


def protected(table: Table, algorithm: Constrained) -> tuple[Protected, ...]:
    """The sensitive columns the options speak of; none when they ask for nothing. Raises SchemaError for
    unknown names."""
    if not asked(algorithm):
        return ()
    names = algorithm.protect or tuple(a.name for a in table.schema.of_role("sensitive"))
    return tuple(_coded(table[name]) for name in names)


def _coded(column: Column) -> Protected:
    name = column.attribute.name
    if isinstance(column, Items):
        return Protected(name, np.zeros(len(column.starts) - 1, np.int32), 0, False)
    if isinstance(column, Numbers):
        distinct, codes = np.unique(column.values, return_inverse=True)
        return Protected(name, codes.astype(np.int32), len(distinct), True)
    return Protected(name, column.codes, len(column.labels), False)


def rule_of(columns: tuple[Protected, ...], algorithm: Constrained) -> Rule:
    """The rule as the kernels take it."""
    from kanon_core.algorithms.partitioning.constraints_kernels import Rule

    counts = [np.bincount(column.codes, minlength=column.values).astype(np.int64) for column in columns]
    return Rule(
        bool(columns),
        float(algorithm.diversity),
        algorithm.entropy,
        float(algorithm.closeness),
        np.concatenate([[0], np.cumsum([column.values for column in columns])]).astype(np.int64),
        np.array([column.ordered for column in columns], np.bool_),
        np.concatenate([*counts, np.zeros(0, np.int64)]),
    )


def numbered(columns: tuple[Protected, ...], n: int) -> np.ndarray:
    """int64 (n, columns): the values as `rule_of` numbers them, column after column."""
    values = np.zeros((n, len(columns)), np.int64)
    begin = 0
    for j, column in enumerate(columns):
        values[:, j] = column.codes + begin
        begin += column.values
    return values


def unkept(table: Table, algorithm: Constrained) -> list[str]:
    """Why not even one group of all records keeps what the options ask for, in sentences; empty when it
    does."""
    unknown = [name for name in algorithm.protect if name not in table.schema.names]
    if unknown:
        return [f"There is no column “{unknown[0]}” to protect; name sensitive columns of the table."]
    open_ = [name for name in algorithm.protect if table.schema[name].role == "quasi_identifier"]
    if open_:
        return [
            f"Column “{open_[0]}” is a quasi-identifier; a column to protect must have another role, such as"
            " sensitive."
        ]
    columns = protected(table, algorithm)
    if asked(algorithm) and not columns:
        return [
            "No column is sensitive, so ℓ and t have nothing to protect; give a column that role on the Data"
            " page."
        ]
    reasons = []
    for column in columns:
        if not column.values:
            reasons.append(
                f"Column “{column.name}” holds item sets, which ℓ and t cannot protect; name another column."
            )
        elif diversity_of(np.bincount(column.codes), algorithm.entropy) < algorithm.diversity - 1e-9:
            reasons.append(
                f"Column “{column.name}” has fewer values than ℓ = {algorithm.diversity:g} asks for; choose"
                " less."
            )
    return reasons


def diversity_of(counts: np.ndarray, entropy: bool) -> float:
    """ℓ of counts of values: how many occur, or exp of their entropy."""
    shares = counts[counts > 0] / counts.sum()
    return float(np.exp(-(shares * np.log(shares)).sum())) if entropy else float(len(shares))
