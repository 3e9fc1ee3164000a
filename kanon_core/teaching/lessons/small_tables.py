"""Small tables for the lessons: invented people, named by letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.release.release import Release
from kanon_core.risk.attackers import Attacker, Prosecutor
from kanon_core.risk.measured import Risk
from kanon_core.risk.measuring import risks
from kanon_core.runs.run import anonymize
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

SEED = 1
"""The seed of the lessons, so that everybody sees the same; a real release draws its seed in secret."""


def table_of(columns: Mapping[str, object], roles: Mapping[str, str], kinds: Mapping[str, str]) -> Table:
    """Return a table in the given order; columns without a role are quasi-identifiers."""
    frame = pd.DataFrame(dict(columns))
    wanted = {**dict.fromkeys(map(str, frame), "quasi_identifier"), **roles}
    schema = Schema.infer(frame).with_kinds(kinds).with_roles(wanted)
    return Table.from_frame(frame, schema).in_given_order()


@cache
def released(table: Table, algorithm: Algorithm, k: int, seed: int = SEED) -> Release:
    """Return the release of a lesson's table, made once; raises what `kanon_core.anonymize` raises."""
    return anonymize(table, algorithm, k, seed)


def chances(
    table: Table,
    release: Release | None = None,
    attacker: Attacker | None = None,
    population: Table | None = None,
) -> Risk:
    """Return the risk for one attacker (the prosecutor by default) in a table or in its release."""
    found = risks(table, release, [attacker or Prosecutor()], population).found[0]
    risk = found.before if release is None else found.after
    assert risk is not None
    return risk


@cache
def clinic() -> Table:
    """Return a table of twelve patients: person, age, sex, district and illness."""
    return table_of(
        {
            "person": list("ABCDEFGHIJKL"),
            "age": np.repeat([23, 27, 34, 41, 52, 57], 2),
            "sex": list("FMFFMMFMFMFF"),
            "district": ["North", "North", "North", "South", "South", "North"]
            + ["South", "South", "North", "South", "South", "South"],
            "illness": ["flu", "asthma", "flu", "flu", "gout", "gout"]
            + ["gout", "asthma", "flu", "ulcer", "asthma", "gout"],
        },
        {"person": "identifier", "illness": "sensitive"},
        {"age": "numeric", "sex": "categorical", "district": "categorical", "illness": "categorical"},
    )
