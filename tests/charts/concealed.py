"""Tables and releases of k-concealment that several tests of charts need."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kanon_core.algorithms import OptimalConcealment
from kanon_core.charts.concealment.matches import planned
from kanon_core.covers.cover import Concealment
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from tests.helpers import table_of

EVIL = "<img src=x onerror=alert(1)> $a$ %{x}"


def four() -> Table:
    """Table 1 of the k-concealment paper: Alice, Bob, Carol and David."""
    frame = {"name": ["Alice", "Bob", "Carol", "David"], "age": [10, 20, 40, 50], "sex": list("FMMF")}
    schema = Schema.infer(pd.DataFrame(frame)).with_roles({"name": "identifier", "age": "quasi_identifier"})
    return table_of(
        schema.with_roles({"sex": "quasi_identifier"}).with_kinds({"sex": "categorical"}), **frame
    )


def concealed(table: Table, matchings, distance: str = "range") -> Release:
    """The (unaudited) release of these matchings, as planned."""
    matchings = np.asarray(matchings)
    algorithm = OptimalConcealment(distance=distance)
    recipe = Recipe(table.schema, algorithm, len(matchings), 0, table.data_digest, len(table))
    return planned(Release.of(table, Concealment(matchings), recipe))


def shifted(n: int, k: int) -> np.ndarray:
    """Matching m leads every record to the one m places on."""
    return (np.arange(n) + np.arange(k)[:, None]) % n


def numbers(**columns) -> Table:
    """A table whose columns are all numeric quasi-identifiers."""
    schema = Schema.infer(pd.DataFrame(columns))
    schema = schema.with_quasi(columns).with_kinds(dict.fromkeys(columns, "numeric"))
    return table_of(schema, **columns)


def mixed(n: int, seed: int) -> Table:
    """Random records with repeated values and missing ones."""
    rng = np.random.default_rng(seed)
    age = np.where(rng.random(n) < 0.15, np.nan, rng.integers(0, 4, n))
    frame = {"age": age, "city": pd.Series(rng.choice([*"AB", None], n), dtype="str")}
    schema = Schema.infer(pd.DataFrame(frame)).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    return table_of(schema.with_kinds({"age": "numeric", "city": "categorical"}), **frame)
