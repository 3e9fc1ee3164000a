"""Csv files that are cut into tiny pieces, and what is read of them on one machine and in pieces."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import strategies as st

from kanon_core.base.errors import KanonError
from kanon_core.scale.fragments import first_stages
from kanon_core.scale.source import layouts, records
from kanon_core.scale.source.parts import read
from kanon_core.scale.source.pieces import Part
from kanon_core.scale.work.job import Job
from kanon_core.table.readers import read_frame
from tests.scale.inside import Inside


def tiny(patch: pytest.MonkeyPatch, large: int = 40, chunk: int = 24, rows: int = 3) -> None:
    """Files of more than so many bytes are cut, chunk by chunk; a piece has about so many rows."""
    patch.setattr(layouts, "LARGE", large)
    patch.setattr(layouts, "MOST_AT_ONCE", large)
    patch.setattr(records, "CHUNK", chunk)
    patch.setattr(first_stages, "ROWS_OF_A_PART", rows)


def parts_of(folder: Path, files: Sequence[Path]) -> list[Part]:
    """The parts of these files, found in a job of this folder."""
    with Inside() as engine:
        job = Job(folder, engine, lambda share, note="": None)
        return first_stages.parts_in(job, [str(file) for file in files])


def in_pieces(*texts: bytes) -> tuple[pd.DataFrame, int]:
    """The rows of csv files with these contents, read in tiny pieces, and how many pieces there were."""
    with tempfile.TemporaryDirectory() as name:
        files = [Path(name) / f"part-{number}.csv" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_bytes(text)
        parts = parts_of(Path(name) / "work", files)
        frames = [read(part) for part in parts]
    dtypes = [list(frame.dtypes) for frame in frames]
    assert all(one == dtypes[0] for one in dtypes)
    return pd.concat(frames, ignore_index=True), len(parts)


def outcome(text: bytes, whole: bool) -> pd.DataFrame | KanonError:
    """Return the table read from a text, as a whole or in pieces, or the error that reading raised."""
    try:
        return read_frame(text).frame if whole else in_pieces(text)[0]
    except KanonError as problem:
        return problem


def alike(one: pd.DataFrame, many: pd.DataFrame) -> bool:
    """Return whether both tables have the same columns, with the same cells of the same types."""
    same = list(one.columns) == list(many.columns) and list(one.dtypes) == list(many.dtypes)
    return same and len(one) == len(many) and all(_cells(one[name]) == _cells(many[name]) for name in one)


def _cells(column: pd.Series) -> list[Any]:
    return [None if pd.isna(cell) else repr(cell) for cell in column.tolist()]


COLUMNS: tuple[tuple[str, ...], ...] = (
    ("1", "2", "30", "-4"),
    ("1", "2", "", "NA"),
    ("8001", "8002", "08003"),
    ("1", "2", "2.5"),
    ("1,5", "2,25", "3"),
    ("1,234", "5,678", "0,123"),
    ("1.234,5", "2", "0.5"),
    (" 5", "+6", "7 "),
    ("2020-01-31", "1999-12-01", ""),
    ("Oslo", "Kyōto", "", "a b"),
    ('say "hi"', "two\nlines", "a;b,c|d\te", "\r\n", '"', "\ufeff"),
    ("9007199254740993", "1", ""),
    ("99999999999999999999", "1"),
    ("1e999", "2.5", "inf"),
    ("", "", "x"),
    ("", ""),
)
"""The cells that a column may have, for each sort of column."""


@st.composite
def csv_texts(draw: st.DrawFn, careless: bool = False) -> bytes:
    """Csv texts of every kind; ``careless``: with ragged lines, and quotes where none belong."""
    pools = draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4))
    delimiter = draw(st.sampled_from([",", ";", "\t", "|", ", "]))
    ends = draw(st.sampled_from([("\n",), ("\r\n",), ("\r",), ("\n", "\r\n", "\r", "\n\n")]))
    always = draw(st.booleans())
    rows = draw(st.lists(st.tuples(*[st.sampled_from(pool) for pool in pools]), min_size=1, max_size=30))
    lines = [[f"column {i}" if draw(st.integers(0, 9)) else "" for i in range(len(pools))]]
    lines = [] if draw(st.booleans()) and draw(st.booleans()) else lines
    text = ""
    for cells in [*lines, *rows]:
        written = [_written(cell, delimiter, always) for cell in cells]
        if careless and not draw(st.integers(0, 9)):
            place = draw(st.integers(0, len(written) - 1))
            written[place] += draw(st.sampled_from(['"', ' "', '5" x', delimiter, '""', '"\n']))
        text += delimiter.join(written) + draw(st.sampled_from(ends))
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


def _written(cell: str, delimiter: str, always: bool) -> str:
    if always or any(sign in cell for sign in (delimiter[0], '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell
