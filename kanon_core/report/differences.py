"""How one schema differs from another, so that a script or a command line says no more than it must."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kanon_core.data.schema import Attribute, Schema
from kanon_core.data.table import SAMPLE, read_table


def starting_schema(frame: pd.DataFrame, reading: Mapping[str, Any]) -> Schema:
    """The schema before anybody says anything: that of the sample, else the inferred one."""
    return read_table(f"{SAMPLE}{reading['sample']}").schema if "sample" in reading else Schema.infer(frame)


@dataclass(frozen=True)
class Differences:
    """By column name: what a schema has that its base has not."""

    roles: dict[str, str]
    kinds: dict[str, str]
    recodings: dict[str, str]
    weights: dict[str, float]


def differences(base: Schema, schema: Schema) -> Differences:
    """What must be changed in the base to get the schema; both name the same columns in the same order."""
    pairs = list(zip(base, schema, strict=True))

    def changed(field: str) -> dict:
        return {
            new.name: getattr(new, field) for old, new in pairs if getattr(old, field) != getattr(new, field)
        }

    return Differences(changed("role"), changed("kind"), changed("recoding"), changed("weight"))


def applied(base: Schema, change: Differences) -> Schema:
    """The base with these changes, made all at once: no order of single steps can be refused where the result is fine.

    Raises SchemaError for a column that the base does not have, and for what the schema refuses.
    """
    for names in (change.roles, change.kinds, change.recodings, change.weights):
        for name in names:
            base[name]
    return Schema(tuple(_changed(attribute, change) for attribute in base))


def _changed(old: Attribute, change: Differences) -> Attribute:
    kind = change.kinds.get(old.name, old.kind)
    recoding = old.recoding if kind == old.kind else "generalize"
    return Attribute(
        old.name,
        change.roles.get(old.name, old.role),
        kind,
        change.weights.get(old.name, old.weight),
        change.recodings.get(old.name, recoding),
    )
