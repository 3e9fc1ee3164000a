"""A short part of the fuzzer, and what a longer one found. ``python -m tests.fuzz`` takes its time."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.base.errors import InputError, KanonError
from kanon_core.table.readers import FORMATS, read_frame
from kanon_core.table.reading import read_table
from tests.fuzz.__main__ import findings
from tests.fuzz.case import Late, at_most

SEED, FILES = 18, 120

CELLS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.integers().map(str)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=6)
HOW: dict[str, st.SearchStrategy[Any]] = {
    "format": st.sampled_from([one.name for one in FORMATS]),
    "encoding": st.sampled_from(["utf-8", "cp932", "utf-16", "latin-1", "utf-8\0", "idna", "utf-7"])
    | st.text(),
    "delimiter": st.characters() | st.sampled_from([", ", "", "ab"]),
    "header": st.booleans(),
    "sheet": st.text(max_size=3),
    "missing": st.lists(st.text(max_size=3), max_size=2),
    "typed": st.booleans(),
    "long": st.tuples(st.text(max_size=3), st.text(max_size=3)),
    "names": st.lists(st.text(max_size=3), max_size=3),
    "without": st.lists(st.sampled_from(["returns", "nobody", "x"]), max_size=2),
}


@pytest.mark.deep
def test_made_up_files_are_read_or_refused() -> None:
    """Damaged, hostile and true files: a sentence or the right values, in time."""
    found = list(findings(SEED, iter(range(FILES)), math.inf))
    assert len(found) == FILES
    assert not [(number, name, said) for number, name, what, said in found if what == "FOUND"]


@pytest.mark.deep
def test_a_late_refusal_is_found_also_where_another_process_took_the_time() -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    with pytest.raises(Late), at_most(0.3):
        subprocess.run([sys.executable, "-c", busy], check=True)
        raise InputError("This file cannot be read.")


@pytest.mark.deep
@settings(max_examples=150, deadline=None, derandomize=True)
@given(rows=ROWS, how=st.fixed_dictionaries({}, optional=HOW), sign=st.sampled_from(",;\t| "))
def test_any_table_is_read_in_any_way(rows: list[list[str]], how: dict[str, Any], sign: str) -> None:
    text = "\n".join(sign.join(row) for row in rows)
    try:
        reading = read_frame(text.encode(), **how)
    except KanonError as problem:
        assert str(problem)
        return
    assert len(reading.frame) and len(set(reading.frame.columns)) == reading.frame.shape[1]
    again = read_frame(text.encode(), **reading.how())
    assert again.frame.equals(reading.frame)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(rows=ROWS, sign=st.sampled_from(",;\t|"))
def test_any_table_gets_a_schema(rows: list[list[str]], sign: str) -> None:
    try:
        table = read_table("\n".join(sign.join(row) for row in rows).encode())
    except KanonError:
        return
    assert len(table.schema) == table.frame.shape[1]


# What it found


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_a_table_after_many_empty_lines_is_read(end):
    """The head of the file, in which delimiter and header are looked for, held no row."""
    reading = read_frame(end * 1_000_000 + b"age,town" + end + b"3,Oslo" + end)
    assert reading.frame.to_dict("list") == {"age": [3], "town": ["Oslo"]}
