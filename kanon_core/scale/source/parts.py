"""Parts of a source: runs of rows of its files, each small enough for one worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from kanon_core.base.errors import InputError, SchemaError
from kanon_core.base.infile import in_file
from kanon_core.base.words import tr
from kanon_core.scale.source import layouts
from kanon_core.scale.source.celltypes import PANDAS, beyond_exact, check_exact, common_type
from kanon_core.scale.source.pieces import Part, Piece, folders_of, is_csv, with_folders
from kanon_core.scale.source.records import Span
from kanon_core.scale.source.texts import csv_frame
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import opened, size_of, storage_errors
from kanon_core.table.readers.base import ReadOptions
from kanon_core.table.readers.notes import Notes
from kanon_core.table.rowdigest import type_of

_MOST_BYTES = 2**32


def looked_at(file: str) -> Result:
    """Return the names of a file's columns, and how many rows each row group has, without reading any; of a
    large csv file (``large``) what its beginning shows. Raises InputError naming the file."""
    if is_csv(file):
        size = int(str(size_of(file)[0]))
        with in_file(file):
            large = layouts.looked_at_head(file, size) if size > layouts.LARGE else {}
        return {"names": [], "rows": [], "csv": True, "large": large}
    import pyarrow.parquet as pq

    from kanon_core.table.readers.parquet import tidy_names

    with in_file(file), _whole(), opened(file) as source, pq.ParquetFile(source) as read:
        data, names = read.metadata, tidy_names(read.schema_arrow.names, Notes())
        rows = [data.row_group(i).num_rows for i in range(data.num_row_groups)]
    return {"names": names, "rows": rows, "csv": False}


def parts_of(
    files: Sequence[str],
    contents: Sequence[Result],
    rows_at_most: int,
    spans: Mapping[str, Sequence[Span | None]],
    roots: Sequence[str] = (),
) -> list[Part]:
    """Return the parts of these files, in order, of about ``rows_at_most`` rows or a row group each; of a csv
    file each of its ``spans``, or the whole. Folders below ``roots`` may define columns. Raises InputError
    where a file has other columns than the first."""
    parts, pieces, held = list[Part](), list[Piece](), 0
    first = next((i for i, one in enumerate(contents) if one["names"]), 0)
    for file, one in zip(files, contents, strict=True):
        if one["names"] != contents[first]["names"] and not one["csv"]:
            raise _other_columns(files[first], file, contents[first]["names"], one["names"])
        folders = folders_of(file, roots)
        if one["csv"]:
            parts += [Part((Piece(file, (), folders, span),)) for span in spans.get(file, (None,))]
            continue
        groups: list[int] = []
        for number, rows in enumerate(one["rows"]):
            if held and held + rows > rows_at_most:
                parts.append(Part((*pieces, *([Piece(file, tuple(groups), folders)] if groups else ()))))
                pieces, groups, held = [], [], 0
            if rows:
                groups.append(number)
                held += rows
        if groups:
            pieces.append(Piece(file, tuple(groups), folders))
    if pieces:
        parts.append(Part(tuple(pieces)))
    if not parts:
        raise InputError(tr("The files have no records; a table needs at least one."))
    return parts


def read(
    part: Part, columns: Sequence[str] | None = None, named: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return the rows of a part, as `kanon_core.table.readers.read_frame` reads them; only these ``columns``.
    Raises InputError naming the file, SchemaError where it has other columns than are ``named``."""
    frames = [_read_piece(piece, columns, named) for piece in part.pieces]
    for file, frame in zip(part.pieces, frames, strict=True):
        if list(frame.columns) != list(frames[0].columns):
            raise _other_columns(part.pieces[0].file, file.file, list(frames[0].columns), list(frame.columns))
    return frames[0] if len(frames) == 1 else _joined(frames, [piece.file for piece in part.pieces])


def head_of(piece: Piece, columns: Sequence[str] | None, rows: int) -> pd.DataFrame:
    """Return the first rows of a piece of a parquet file, or of a csv file that is read at once; only these
    ``columns``. Of parquet only so many are read. Raises InputError naming the file."""
    if is_csv(piece.file):
        return read(Part((piece,)), columns).head(rows).copy()
    with in_file(piece.file):
        frame, _ = _parquet(piece, columns, rows)
    return with_folders(frame, piece, columns)


def _joined(frames: Sequence[pd.DataFrame], files: Sequence[str]) -> pd.DataFrame:
    """Return the rows of all frames, each column of one type."""
    found: dict[str, pd.Series] = {}
    for name in frames[0].columns:
        cells = [frame[name] for frame in frames]
        kinds = {type_of(each): Path(file).name for each, file in zip(cells, files, strict=True)}
        kind = common_type(str(name), kinds)
        check_exact(str(name), kind, any(beyond_exact(each) for each in cells))
        dtype: Any = PANDAS[kind]
        found[name] = pd.concat([each.astype(dtype) for each in cells], ignore_index=True)
    return pd.DataFrame(found)


def _read_piece(piece: Piece, columns: Sequence[str] | None, named: Sequence[str] | None) -> pd.DataFrame:
    with in_file(piece.file):
        frame, present = csv_frame(piece, columns) if is_csv(piece.file) else _parquet(piece, columns)
        if twice := [name for name, _ in piece.folders if name in present]:
            raise InputError(
                tr(
                    "Column “{name}” occurs both in the file and in the name of its folder; remove"
                    " one of the two."
                ).format(name=twice[0])
            )
        if named is not None:
            _check_columns({*present, *(name for name, _ in piece.folders)}, named)
    return with_folders(frame, piece, columns)


def _check_columns(present: set[str], named: Sequence[str]) -> None:
    if absent := [name for name in named if name not in present]:
        said = tr("The schema names a column “{name}” that the table does not have.")
        raise SchemaError(said.format(name=absent[0]))
    if extra := sorted(present - set(named)):
        raise SchemaError(
            tr("The table has a column “{name}” that the schema does not name.").format(name=extra[0])
        )


def _parquet(
    piece: Piece, columns: Sequence[str] | None, rows: int | None = None
) -> tuple[pd.DataFrame, list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from kanon_core.table.readers.parquet import tidy_names, typed_columns

    with _whole(), opened(piece.file) as source, pq.ParquetFile(source) as read:
        known = read.schema_arrow.names
        names = tidy_names(known, Notes())
        wanted = names if columns is None else [name for name in names if name in columns]
        groups, named = list(piece.groups), wanted if names == known else None
        if rows is None:
            found = read.read_row_groups(groups, named)
        else:
            first = next(read.iter_batches(rows, groups, named))
            found = pa.Table.from_batches([first])
        found = found if named is not None else found.rename_columns(names).select(wanted)
    return typed_columns(found, ReadOptions(), Notes(), _MOST_BYTES), names


@contextmanager
def _whole() -> Iterator[None]:
    """Within this context, turn an error on a parquet file into a sentence. Raises InputError for a damaged
    file; StorageError for an error of the system, after which the same call resumes."""
    import pyarrow as pa

    try:
        with storage_errors():
            try:
                yield
            except OSError as problem:
                if problem.errno is None:  # the error of Arrow for a file that it cannot read
                    raise ValueError from None
                raise
    except (pa.ArrowException, ValueError, KeyError):
        raise InputError(
            tr("The parquet file is damaged or incomplete; write it again, or remove it from the folder.")
        ) from None


def _other_columns(first: str, file: str, expected: list[str], names: list[str]) -> InputError:
    absent = [name for name in expected if name not in names]
    extra = [name for name in names if name not in expected]
    said = tr("The columns have another order than in “{first}”; write all files with the same columns.")
    if absent:
        said = tr("Column “{name}”, which “{first}” has, is missing; write all files with the same columns.")
    elif extra:
        said = tr("Column “{name}” is not in “{first}”; write all files with the same columns.")
    with in_file(file):
        raise InputError(said.format(name=next(iter(absent or extra), ""), first=Path(first).name))
