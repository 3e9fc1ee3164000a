"""Tables from files and samples, and their first schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from kanon_core.table.inference import infer_role
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

SAMPLE = "sample:"
"""The beginning of a source that names one of our samples instead of a file."""


def read_table(
    source: str | Path | bytes | IO[bytes],
    schema: Schema | None = None,
    format: str | None = None,
    **how: Any,
) -> Table:
    """Return the table in a file, path or buffer; format, encoding and delimiter are given or detected.

    ``how`` goes to `kanon_core.table.readers.read_frame` (encoding, delimiter, header, sheet, missing, long,
    names, limits, tick). A source ``"sample:NAME"`` is one of our own samples with its own schema
    (`kanon_core.table.samples`). A sample that ``kanon tune --sample`` wrote knows its cells
    (`kanon_core.table.wholecells`). Raises InputError.
    """
    if isinstance(source, str) and source.startswith(SAMPLE):
        return _read_sample(source.removeprefix(SAMPLE), schema, how.get("names", ()))
    from kanon_core.table.cellsfile import is_cells, read_cells
    from kanon_core.table.readers import file_bytes, read_frame
    from kanon_core.table.readers.base import DEFAULT_LIMITS

    data = file_bytes(source, how.get("limits", DEFAULT_LIMITS))
    if is_cells(data):
        return read_cells(data, **how)
    reading = read_frame(data, format=format, **how)
    how = reading.how()
    return Table.from_frame(reading.frame, schema or starting_schema(reading.frame, how), how, reading.notes)


def _read_sample(name: str, schema: Schema | None, names: Sequence[str]) -> Table:
    from kanon_core.table.readers.notes import given_names
    from kanon_core.table.samples import load_sample

    frame, how = load_sample(name), dict[str, Any](sample=name)
    if names:
        how["names"] = given_names(names, frame.columns)
        frame = frame.set_axis(list(how["names"]), axis=1)
    return Table.from_frame(frame, schema or starting_schema(frame, how), how)


def starting_schema(frame: pd.DataFrame, reading: Mapping[str, Any]) -> Schema:
    """Return the first schema of a table: that of the sample or of the format, or else the inferred one.
    ``reading`` as in `Table`: transaction files hold item sets, those of PWSCUP 2018 and UCI's Online Retail
    purchases; in long form one column names the records and one the items (with ``names`` of their own, these
    too are guessed)."""
    if "sample" in reading:
        from kanon_core.table.samples import sample

        known = sample(reading["sample"])
        return Schema(tuple(map(Attribute, map(str, frame), known.roles.values(), known.kinds.values())))
    if reading.get("format") in ("fimi", "spmf"):
        named = reading["format"] == "spmf" and frame.iloc[:, 0].str.startswith("[").any()
        items = partial(Attribute, kind="items", delimiter="json" if named else " ")
        return Schema(tuple(map(items, map(str, frame.columns))))
    if reading.get("format") == "pwscup":
        from kanon_core.table.readers.pwscup import ROLES, kinds_of

        return Schema(tuple(map(Attribute, map(str, frame.columns), ROLES, kinds_of(frame))))
    from kanon_core.table.readers import retail

    if retail.is_retail(frame.columns) and "long" not in reading:
        return Schema(tuple(Attribute(name, role, retail.KINDS[name]) for name, role in retail.ROLES.items()))
    inferred = Schema.infer(frame)
    if "long" not in reading or "names" in reading:
        return inferred
    record, item = reading["long"]
    role = infer_role(item, frame[item], "items")
    return inferred.with_roles({record: "identifier", item: role}).with_kinds({item: "items"})
