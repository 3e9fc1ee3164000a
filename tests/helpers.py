"""What several tests need: tables in a line, releases of given groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.cover import Partition
from kanon_core.data.schema import Schema
from kanon_core.data.table import Table
from kanon_core.recipe import Recipe
from kanon_core.release import Release


@dataclass(frozen=True)
class Given(Algorithm):
    """Stands for whatever made the groups of `release_of`."""

    title: ClassVar[str] = "given groups"
    family: ClassVar[str] = "tests"
    summary: ClassVar[str] = "groups that a test gives"


def table_of(schema: Schema | None = None, **columns) -> Table:
    """A table of these columns."""
    return Table.from_frame(pd.DataFrame(columns), schema)


def release_of(table: Table, groups, k: int = 2) -> Release:
    """The (unaudited) release of these groups."""
    recipe = Recipe(table.schema, Given(), k, 0, table.data_digest, len(table))
    return Release.of(table, Partition(np.asarray(groups)), recipe)
