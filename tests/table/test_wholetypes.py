"""Columns whose texts lie in pieces: of the type, and with the cells, that the whole column has."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.base.compiled import uncompiled
from kanon_core.base.errors import InputError
from kanon_core.table.readers.base import ReadOptions
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.text.records_kernels import FOUND, walk_over
from kanon_core.table.readers.types.typed import typed_columns
from kanon_core.table.readers.types.wholetypes import Facts, as_decided, decisions, facts_of
from tests.oracles import records as slow

TEXTS = (
    *("1", "2", "007", "0", "-0", "0.5", "00,5", "1,234", "1,5", "0,5", "0,123", "1.234,5", "1.5", "1e5"),
    *("1e999", "NA", "na ", " NA", "inf", "-", "x", "?", " 5", "+5", "5 ", "9007199254740993", "∞", "１"),
    *("99999999999999999999", "-9007199254740999", "9223372036854775807", "1,234,567", "1,234.5", "12."),
    *("0.5,5", ".5", "5.0", "Null", "n/a", "1.234", "0.123,5", "1.234.567", "1,00,000", "1 234,5", "€ 5"),
    *("12 %", "1'234", "−5", "612 345 678", "10.100.200.100", "35.681", "999", "unknown", "none", "DE", "+"),
    *("1234", "-1234", "12345", "123.456", "12.5", "８"),
)
WORDS = tuple(word + " " * blanks for blanks in range(46) for word in ("na", "nan"))
"""92 ways to say that there is no number, of which 84 are taken for words."""


def column(texts: list[str | None]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(texts, pa.large_string())])


def in_pieces(pieces: list[list[str | None]], semicolons: bool) -> list[object]:
    """The columns of the pieces, as all of them together decide."""
    facts = Facts()
    for piece in pieces:
        own = facts_of(column(piece), semicolons).to_json()
        facts = facts.merged(Facts.from_json(json.loads(json.dumps(own))))
    return [as_decided(column(piece), decisions({"c": facts})["c"]) for piece in pieces]


def check(pieces: list[list[str | None]], semicolons: bool) -> None:
    texts = [text for piece in pieces for text in piece]
    one = pd.Series(typed_columns({"c": column(texts)}, semicolons, ReadOptions(), Notes())["c"])
    many = [pd.Series(each) for each in in_pieces(pieces, semicolons)]
    assert {str(each.dtype) for each in many} == {str(one.dtype)}, texts
    cells = [repr(cell) for each in many for cell in each.tolist()]
    assert cells == [repr(cell) for cell in one.tolist()], texts


@st.composite
def split(draw: st.DrawFn) -> list[list[str | None]]:
    """Texts of a few kinds, in three pieces."""
    pool = draw(st.lists(st.sampled_from((*TEXTS, None)), min_size=1, max_size=5))
    texts = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=30))
    texts = [None] * (120 * draw(st.sampled_from((0, 0, 0, 1)))) + texts
    ends = sorted(draw(st.tuples(*[st.integers(0, len(texts))] * 2)))
    return [texts[a:b] for a, b in zip((0, *ends), (*ends, len(texts)), strict=True)]


@pytest.mark.deep
@settings(max_examples=1000)
@given(split(), st.booleans())
def test_pieces_are_read_as_the_whole_column(pieces, semicolons):
    check(pieces, semicolons)


@pytest.mark.parametrize("words", [80, 84, 85, 92])
def test_so_many_words_for_no_number_and_no_more(words):
    check([["1", *WORDS[:40]], [*WORDS[40:words], "2"], [*WORDS[10:50]]], False)


def test_plain_numbers_are_no_codes_until_dots_stand_between_thousands():
    check([["0.5", "0.25"], ["1.234,5"]], True)


def together(columns: dict[str, list[str | None]], semicolons: bool) -> None:
    """The columns of a file have the same types whether the file is read at once or in two pieces."""
    read = {name: column(texts) for name, texts in columns.items()}
    one = typed_columns(read, semicolons, ReadOptions(), Notes())
    facts = {
        name: facts_of(cells[:2], semicolons).merged(facts_of(cells[2:], semicolons))
        for name, cells in read.items()
    }
    for name, how in decisions(facts).items():
        cells = pd.Series(as_decided(read[name], how))
        pd.testing.assert_series_equal(cells, pd.Series(one[name]), obj=name)


def test_numbers_of_four_digits_without_a_mark_show_that_dots_are_no_marks_between_thousands():
    """Whichever numbers stand beside them, and however often; a decimal comma elsewhere outweighs it."""
    for texts in (["1.234", "1234", "5.678", "8"], ["1.234", "1234"] * 40, ["1.234", "1234", "NA", "1.234"]):
        found = pd.Series(typed_columns({"c": column(texts)}, True, ReadOptions(), Notes())["c"])
        assert found[0] == 1.234 and found[1] == 1234, texts
        together({"c": texts}, True)
    found = typed_columns(
        {"c": column(["1.234", "1234"]), "d": column(["1,5", "2"])}, True, ReadOptions(), Notes()
    )
    assert list(found["c"]) == [1234, 1234] and list(found["d"]) == [1.5, 2]


def test_a_decimal_point_in_one_column_tells_of_the_others_though_cells_are_missing():
    together({"a": ["1.234", "5.678", "9.999"], "b": ["0.5", None, "2.25"]}, True)
    found = typed_columns(
        {"a": column(["1.234", "5.678"]), "b": column(["0.5", None])}, True, ReadOptions(), Notes()
    )
    assert list(found["a"]) == [1.234, 5.678]


def test_numbers_in_one_piece_tell_what_words_in_another_mean():
    check([["1", "2", "3"], ["none", "x"]], False)
    check([["-0", "0"], ["12 %"]], False)


def test_files_that_differ_in_what_a_comma_means_are_refused():
    one, other = (facts_of(column(["1,234"]), semicolons) for semicolons in (True, False))
    assert [decisions({"c": each})["c"].way for each in (one, other)] == ["comma", "thousands"]
    with pytest.raises(InputError, match="“c” has numbers such as 1,234 in files"):
        decisions({"c": one.merged(other)})
    grouped = one.merged(facts_of(column(["1,234,567"]), False))
    assert decisions({"c": grouped})["c"].way == "thousands"


@pytest.mark.deep
@pytest.mark.parametrize("compiled", [True, False])
@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([b"a", b",", b" ", b'"', b'""', b"\n", b"\r", b"\r\n", b';"']), max_size=30),
    st.sampled_from([",", ";"]),
    st.booleans(),
    st.booleans(),
)
def test_records_end_where_the_slow_twin_says(compiled, signs, delimiter, blanks, inside):
    text, found = b"".join(signs), np.zeros(FOUND, np.int64)
    with uncompiled(not compiled):
        walk_over(np.frombuffer(text, np.uint8), ord(delimiter), blanks, inside, found)
    assert found.tolist() == slow.walk(text, ord(delimiter), blanks, inside)
