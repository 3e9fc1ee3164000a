"""ℓ-diversity and t-closeness as options that algorithms of cuts share.

What they ask for is said in `kanon_core.guarantees.LDiversity` and `TCloseness`. Missing is a value of its
own, after all numbers. A cut that was not made reveals something about sensitive values: see the finding
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


@runtime_checkable
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
        """True if ℓ is that of the entropy."""

    @property
    def closeness(self) -> float:
        """t."""


def protected(table: Table, algorithm: Constrained) -> tuple[Values, ...]:
    """The sensitive columns the options speak of; none when they ask for nothing. Raises SchemaError."""
    asked_for = sensitive_guarantees(algorithm)
    return tuple(asked_for[0].columns(table)) if asked_for else ()


def rule_of(columns: tuple[Values, ...], algorithm: Constrained) -> Rule:
    """The rule as the kernels take it."""
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
    """int64 (n, columns): the values as `rule_of` numbers them, column after column."""
    values = np.zeros((n, len(columns)), np.int64)
    begin = 0
    for j, column in enumerate(columns):
        values[:, j] = column.codes + begin
        begin += column.distinct
    return values


def sensitive_guarantees(algorithm: Constrained) -> tuple[SensitiveGuarantee, ...]:
    """Return what the options ask for."""
    found: tuple[SensitiveGuarantee, ...] = ()
    if algorithm.diversity > 1:
        found += (LDiversity(algorithm.protect, algorithm.diversity, algorithm.entropy),)
    if algorithm.closeness < 1:
        found += (TCloseness(algorithm.protect, algorithm.closeness),)
    return found


def without_rule(algorithm: Algorithm) -> Algorithm | None:
    """The same algorithm asking for neither ℓ nor t; None where it asks for none as it is.

    >>> import kanon_core as kc
    >>> without_rule(kc.Mondrian(diversity=3.0)) == kc.Mondrian(), without_rule(kc.Mondrian())
    (True, None)
    """
    if not isinstance(algorithm, Constrained) or not sensitive_guarantees(algorithm):
        return None
    nothing: dict[str, Any] = {"diversity": 1.0, "closeness": 1.0}
    return dataclasses.replace(algorithm, **nothing)


def misnamed(table: Table, algorithm: Constrained) -> list[str]:
    """Return, in sentences, why columns that are to be protected cannot be (also where neither ℓ nor t is
    asked for yet), or cannot keep ℓ."""
    asked = sensitive_guarantees(algorithm)
    if not asked:
        return misnamed_columns(table, algorithm.protect)
    return [reason for each in asked if not each.unsuitable(table) for reason in each.unkept(table)]
