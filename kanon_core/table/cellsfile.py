"""The file of a sample of whole cells: a line with the format, a line of facts as JSON, the records as
parquet.

It is no parquet file itself, so that no other program takes it for the table. It is read only as its line of
facts says, and nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.version import __version__
from kanon_core.base.words import later, tr
from kanon_core.table.domain import Domain
from kanon_core.table.readers import read_frame
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from kanon_core.table.wholecells import DAMAGED, ENGINE_FLAGS, WholeCells

MAGIC = b"Kanon, whole cells, "
"""The first bytes of the file, before the number of its format and a line end."""
FORM = b"1"
_LONGEST = 2**26
"""Bytes that the facts have at most."""
_OTHER = later(
    "Another version of Kanon wrote this sample in a format that this version cannot read; draw it again"
    " with “kanon tune” of this version."
)


def is_cells(data: bytes) -> bool:
    """Return whether a file is a sample of whole cells, of whatever version."""
    return data.startswith(MAGIC)


def cells_bytes(table: Table) -> bytes:
    """Return the file of a sample: its records in the order of their cells, with the domain of the whole
    table."""
    cells, body = table.whole_cells, BytesIO()
    assert cells is not None and table.domain is not None
    frame = table.frame.set_axis([str(place) for place in range(len(table.schema))], axis=1)
    frame.to_parquet(body, index=False)
    facts = {
        "version": __version__,
        "records": hashlib.sha256(body.getvalue()).hexdigest(),
        "schema": table.schema.to_json(),
        "domain": table.domain.to_json(),
        "sizes": np.bincount(cells.cell).tolist(),
        "draws": cells.draws.tolist(),
        "whole": {
            "records": cells.records,
            "rows": cells.rows,
            "most_k": cells.most_k,
            "source": cells.source,
            "schema": cells.schema.to_json(),
            "engine": dict(cells.engine),
        },
    }
    return b"\n".join((MAGIC + FORM, json.dumps(facts).encode(), body.getvalue()))


def read_cells(data: bytes, **how: Any) -> Table:
    """Return the sample in such a file; ``how``: ``limits`` and ``tick``, see `read_frame`. Raises InputError
    for a file of another version, and for a damaged one."""
    first, _, rest = data.partition(b"\n")
    if first != MAGIC + FORM:
        raise InputError(tr(_OTHER))
    written, _, body = rest.partition(b"\n")
    try:
        facts = _facts(written, body)
        cells, schema = _cells(facts), Schema.from_json(facts["schema"])
        domain = Domain.from_json(facts["domain"])
        known = {name: value for name, value in how.items() if name in ("limits", "tick")}
        frame = read_frame(body, format="parquet", **known).frame
        if len(frame) != len(cells.cell) or frame.shape[1] != len(schema):
            raise InputError(tr(DAMAGED))
        frame = _typed(frame.set_axis(list(schema.names), axis=1), schema)
        table = Table.from_frame(frame, schema, {"format": "cells"}, (), domain)
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError, AttributeError):
        raise InputError(tr(DAMAGED)) from None
    except InputError:
        raise
    except KanonError:  # not a valid schema or domain
        raise InputError(tr(DAMAGED)) from None
    return replace(table, whole_cells=cells)


def _facts(written: bytes, body: bytes) -> dict[str, Any]:
    if len(written) > _LONGEST:
        raise ValueError
    facts: dict[str, Any] = json.loads(written)
    if hashlib.sha256(body).hexdigest() != facts["records"]:
        raise ValueError
    return facts


def _cells(facts: dict[str, Any]) -> WholeCells:
    whole = facts["whole"]
    sizes, draws = (_counts(facts[name]) for name in ("sizes", "draws"))
    if sizes.sum() > _LONGEST:
        raise ValueError
    records, rows, most_k = (_count(whole[name]) for name in ("records", "rows", "most_k"))
    cell = np.repeat(np.arange(len(sizes)), sizes)
    schema = Schema.from_json(whole["schema"])
    engine = whole.get("engine", {"engine": "local"})
    if not set(engine) <= set(ENGINE_FLAGS) or not all(isinstance(value, str) for value in engine.values()):
        raise ValueError
    return WholeCells(cell, draws, records, rows, most_k, str(whole["source"]), schema, engine)


def _counts(given: Any) -> np.ndarray:
    if not isinstance(given, list) or len(given) > _LONGEST:
        raise ValueError
    return np.array([_count(one) for one in given], np.int64)


def _count(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 2**62:
        raise ValueError
    return given


def _typed(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """The frame; columns without any value are texts, whatever type they were written in."""
    gone = [name for name in schema.names if frame[name].isna().all() and not schema[name].is_numeric]
    return frame.astype(dict.fromkeys(gone, "str")) if gone else frame
