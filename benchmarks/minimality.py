"""Minimality attack: what is learned from the cuts that ℓ or t forbade, computed exactly over small random
tables.

    python -m benchmarks minimality       takes about a minute

Each row: 40 tables of 9 people with two numbers (10 and 4 values) and a diagnosis (50, 30 and 20 %), k = 2,
without those that cannot keep the rule.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.risk import minimality_attack

TABLES, PEOPLE, K = 40, 9, 2
RULES: tuple[dict[str, Any], ...] = (
    {"diversity": 2.0},
    {"diversity": 2.0, "entropy": True},
    {"closeness": 0.3},
)


def rows() -> Iterator[dict[str, Any]]:
    """One row for each algorithm and rule: shares of records, in percent, and gains."""
    for cls in (kc.Mondrian, kc.TopDown):
        for rule in RULES:
            yield _row(cls(**rule))


def patients(seed: int) -> kc.Table:
    """A small table with a sensitive column."""
    rng = np.random.default_rng(seed)
    columns = {"age": rng.integers(20, 30, PEOPLE), "zone": rng.integers(1, 5, PEOPLE)}
    frame = pd.DataFrame(columns | {"diagnosis": rng.choice(list("abc"), PEOPLE, p=[0.5, 0.3, 0.2])})
    kinds = {"age": "numeric", "zone": "numeric", "diagnosis": "categorical"}
    roles = dict.fromkeys(columns, "quasi_identifier") | {"diagnosis": "sensitive"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds(kinds).with_roles(roles))


def _row(algorithm: kc.Algorithm) -> dict[str, Any]:
    begun = time.perf_counter()
    fit = [table for table in map(patients, range(TABLES)) if not algorithm.unsuitable(table, K)]
    found = [minimality_attack(table, kc.anonymize(table, algorithm, K)) for table in fit]
    gains = np.concatenate([each.gain for each in found])
    broken = np.concatenate([each.broken(each.guarantees[0]) for each in found])
    certain = np.concatenate([each.certain for each in found])
    half = np.concatenate([each.beliefs[0].above(0.5) for each in found])
    note = (
        f"{len(found)} tables, {sum(each.ways for each in found):,} layouts; somebody gains in"
        f" {sum(each.gain.max() > 1e-9 for each in found)}; gain: largest {gains.max():.2f}, mean"
        f" {gains.mean():.3f}; rule broken {100 * broken.mean():.1f} %, certain {100 * certain.mean():.1f} %,"
        f" above 1/2 {100 * half.mean():.1f} %"
    )
    return {"work": expression(algorithm), "ours_s": time.perf_counter() - begun, "note": note}
