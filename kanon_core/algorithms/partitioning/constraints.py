"""ℓ-diversity and t-closeness as options of the algorithms that cut.

`kanon_core.guarantees.LDiversity` and `TCloseness` define them. Missing is a separate value, after all
numbers. A cut that was not made discloses something about sensitive values: see the finding
`kanon_core.findings.cuts`.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any, Protocol, runtime_checkable

import numpy as np

from kanon_core.base.kinds import Flag, Real
from kanon_core.guarantees import LDiversity, TCloseness
from kanon_core.guarantees.attributes.counts import Values
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, misnamed_columns
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.base import Algorithm
    from kanon_core.algorithms.partitioning.constraints_kernels import Rule

Diversity = Annotated[
    float,
    Real(1, 1_000, help="ℓ: least number of different sensitive values in every group; 1 = no requirement"),
]
Entropy = Annotated[bool, Flag(help="measure ℓ by entropy, so that rare values count less")]
Closeness = Annotated[
    float,
    Real(
        0,
        1,
        help=(
            "t: largest distance between the sensitive values of a group and of the table; 1 = no requirement"
        ),
    ),
]


@runtime_checkable
class Constrained(Protocol):
    """An algorithm with the options above."""

    @property
    def protect(self) -> tuple[str, ...]:
        """Return the names of the sensitive columns to protect."""

    @property
    def diversity(self) -> float:
        """Return ℓ."""

    @property
    def entropy(self) -> bool:
        """True if ℓ is measured by entropy."""

    @property
    def closeness(self) -> float:
        """Return t."""


def protected(table: Table, algorithm: Constrained) -> tuple[Values, ...]:
    """Return the sensitive columns that ℓ or t protects; none if neither is required. Raises SchemaError."""
    asked_for = sensitive_guarantees(algorithm)
    return tuple(asked_for[0].columns(table)) if asked_for else ()


def rule_of(columns: tuple[Values, ...], algorithm: Constrained) -> Rule:
    """Return the rule for the kernels."""
    from kanon_core.algorithms.partitioning.constraints_kernels import Rule

    counts = [column.counts.astype(np.int64) for column in columns]
    return Rule(
        bool(columns),
        float(algorithm.diversity),
        algorithm.entropy,
        float(algorithm.closeness),
        np.concatenate([[0], np.cumsum([column.distinct for column in columns])]).astype(np.int64),
        np.array([column.ordered for column in columns], np.bool_),
        np.concatenate([*counts, np.zeros(0, np.int64)]),
    )


def numbered(columns: tuple[Values, ...], n: int) -> np.ndarray:
    """Return the values as numbered by `rule_of`, int64 (n, columns)."""
    values = np.zeros((n, len(columns)), np.int64)
    begin = 0
    for j, column in enumerate(columns):
        values[:, j] = column.codes + begin
        begin += column.distinct
    return values


def sensitive_guarantees(algorithm: Constrained) -> tuple[SensitiveGuarantee, ...]:
    """Return the guarantees that the options require."""
    found: tuple[SensitiveGuarantee, ...] = ()
    if algorithm.diversity > 1:
        found += (LDiversity(algorithm.protect, algorithm.diversity, algorithm.entropy),)
    if algorithm.closeness < 1:
        found += (TCloseness(algorithm.protect, algorithm.closeness),)
    return found


def without_rule(algorithm: Algorithm) -> Algorithm | None:
    """Return the same algorithm without ℓ and t; None if it requires neither.

    >>> import kanon_core as kc
    >>> without_rule(kc.Mondrian(diversity=3.0)) == kc.Mondrian(), without_rule(kc.Mondrian())
    (True, None)
    """
    if not isinstance(algorithm, Constrained) or not sensitive_guarantees(algorithm):
        return None
    nothing: dict[str, Any] = {"diversity": 1.0, "closeness": 1.0}
    return dataclasses.replace(algorithm, **nothing)


def misnamed(table: Table, algorithm: Constrained) -> list[str]:
    """Return reasons, in sentences, why columns cannot be protected, even if neither ℓ nor t is required yet,
    or cannot keep ℓ."""
    asked = sensitive_guarantees(algorithm)
    if not asked:
        return misnamed_columns(table, algorithm.protect)
    return [reason for each in asked if not each.unsuitable(table) for reason in each.unkept(table)]
