"""Pieces of a source: a part is read by one worker, and consists of pieces, each from one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

from kanon_core.scale.source.records import Span
from kanon_core.scale.work.storage import is_remote
from kanon_core.table.readers.types.wholetypes import CellType

_CSV = (".csv", ".tsv")
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"

Types = tuple[tuple[str, CellType], ...]
"""The way to read the texts of each column; a column that is not here is left out."""


@dataclass(frozen=True)
class Piece:
    """Some row groups of a parquet file, a whole csv file (no groups), or a ``span`` of a large one.
    ``folders``: the columns in the names of its folders, as in ``year=2024``. ``types``: for csv files, once
    these are decided for all of them; None for a file of another format, whatever its name says."""

    file: str
    groups: tuple[int, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    span: Span | None = None
    types: Types | None = None


@dataclass(frozen=True)
class Part:
    """Pieces that one worker reads at once."""

    pieces: tuple[Piece, ...]


def is_csv(file: str) -> bool:
    """Return whether a file is csv by its name."""
    return file.lower().endswith(_CSV)


def folders_of(file: str, roots: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the columns in the names of folders between the file and the one of ``roots`` that holds it, as
    Hive and Spark write them.

    >>> folders_of("run=5/data/year=2024/city=New%20York/part-0.parquet", ["run=5/data"])
    (('year', '2024'), ('city', 'New York'))
    """
    path = Path(file) if is_remote(file) else Path(file).absolute()
    above = [Path(root) if is_remote(root) else Path(root).absolute() for root in roots]
    depth = max((len(root.parts) for root in above if path.is_relative_to(root)), default=len(path.parts))
    steps = (step.partition("=") for step in path.parts[depth:-1])
    return tuple((unquote(name), unquote(value)) for name, sign, value in steps if sign and name)


def with_folders(frame: pd.DataFrame, piece: Piece, columns: Sequence[str] | None) -> pd.DataFrame:
    """Return the rows of a piece with what its folders say; only these ``columns``, in their order."""
    for name, value in piece.folders:
        cell = None if value == _NO_VALUE else value
        frame[name] = pd.Series([cell] * len(frame), dtype="str")
    return frame if columns is None else frame[[name for name in columns if name in frame]]
