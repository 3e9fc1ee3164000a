"""Cells as other programs write them: every notation, and none that takes long to refuse."""

from __future__ import annotations

import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.table.notation.cell_parts import parts_of, says_nothing
from kanon_core.table.notation.mixed import mixed_notations
from kanon_core.table.notation.numbers import decimals_of, number_of
from tests.helpers import looped

LONG = 100_000
WORST = (
    "[ 1," + " " * LONG + "x",
    "[" * LONG,
    "1" * LONG + "x",
    "1 " * (LONG // 2) + "x",
    "1," * (LONG // 2),
    "1-" * (LONG // 2),
    "*" * LONG + "x",
    "1" * LONG + "*",
    "{" + "a," * (LONG // 2) + "}",
    '{"' + "\\" * LONG + "}",
    "1e" * (LONG // 2),
    " " * LONG + "x",
    "..".join("1" * (LONG // 3)),
    "-" * LONG,
    '"' * LONG,
    "'" * LONG,
)


@looped(
    "text, low, high, left_out",
    [
        ("[10, 20]", "10", "20", ""),
        ("[10,20[", "10", "20", "high"),
        ("]10;20]", "10", "20", "low"),
        ("(10.5, 20]", "10.5", "20", "low"),
        ("10-20", "10", "20", ""),
        ("20–29", "20", "29", ""),
        ("-10--5", "-10", "-5", ""),
        ("[-10, -5)", "-10", "-5", "high"),
        ("10 ~ 20", "10", "20", ""),
        ("10..20", "10", "20", ""),
        ("１０〜２０", "10", "20", ""),
        ("[10,5, 20,5]", "10,5", "20,5", ""),
        ("[10,5,20,5]", "10,5", "20,5", ""),
        ("2*", "20", "30", "high"),
        ("130**", "13000", "13100", "high"),
        ("≥ 90", "90", "inf", ""),
        (">=90", "90", "inf", ""),
        ("> 90", "90", "inf", "low"),
        ("90+", "90", "inf", ""),
        ("90以上", "90", "inf", ""),
        ("20未満", "-inf", "20", "high"),
        ("Under 20", "-inf", "20", "high"),
        ("*", "-inf", "inf", ""),
        ("1e-5", "1e-5", "1e-5", ""),
        ("-7", "-7", "-7", ""),
    ],
)
def test_the_ends_of_every_usual_notation(text, low, high, left_out):
    part = parts_of(text)
    assert (part.low, part.high) == (low, high)
    assert (part.open_low, part.open_high) == (left_out == "low", left_out == "high")


@looped(
    "text, point, comma",
    [
        ("12", 12, 12),
        ("12.5", 12.5, math.nan),
        ("12,5", math.nan, 12.5),
        ("1,234", 1234, 1.234),
        ("1.234", 1.234, 1234),
        ("1,234,567.5", 1234567.5, math.nan),
        ("1.234.567,5", math.nan, 1234567.5),
        ("1 234", 1234, 1234),
        ("1'234", 1234, 1234),
        ("12,34,5", math.nan, math.nan),
        ("−4", -4, -4),
        ("+4", 4, 4),
        (".5", 0.5, math.nan),
        ("5.", 5, math.nan),
        ("2e3", 2000, 2000),
        ("2e", math.nan, math.nan),
        ("", math.nan, math.nan),
        ("-", math.nan, math.nan),
        ("1_0", math.nan, math.nan),
        ("0x10", math.nan, math.nan),
        ("nan", math.nan, math.nan),
        ("inf", math.inf, math.inf),
        ("--3", math.nan, math.nan),
    ],
)
def test_numbers_with_decimal_points_and_commas(text, point, comma):
    np.testing.assert_equal((number_of(text), number_of(text, comma=True)), (point, comma))


@given(st.floats(allow_nan=False), st.booleans())
def test_every_number_is_read_as_it_is_written(value, comma):
    text = repr(value).replace(".", ",") if comma else repr(value)
    assert number_of(text, comma) == value


@given(st.text("0123456789.,-–[]();*{} aexinf|'\"≥<+~", max_size=30))
def test_any_text_is_read_without_an_error(text):
    part = parts_of(text)
    assert part.style and (part.members or isinstance(part.low, str))
    decimals_of(part.ends)
    mixed_notations("x", [text, "[1, 2]"], np.array([0, 1]))


def test_the_decimal_sign_is_that_of_the_column():
    assert decimals_of(["1,234", "10,5"]) == (True, -1, 1)
    assert decimals_of(["1,234", "10.5"]) == (False, 1, -1)
    assert decimals_of(["1,234"]) == (False, -1, -1)
    assert decimals_of(["1,5", "2.5"]).mixed


def test_words_for_no_value():
    assert all(map(says_nothing, ["*", "***", "NA", "<NA>", "null", "(any)"]))
    assert not any(map(says_nothing, ["", "(missing)", "1*", "Nauru", "0", "none", "na"]))


@pytest.mark.parametrize("dates", [False, True])
def test_no_cell_takes_long_to_read_or_refuse(dates):
    """A quadratic pattern takes minutes for 100,000 characters."""
    start = time.perf_counter()
    for text in WORST:
        for end in parts_of(text, dates).ends[:10]:
            number_of(end)
    assert time.perf_counter() - start < 5


@pytest.mark.deep
@pytest.mark.parametrize("values", [[20.0, 30.0], ["a", "b"], pd.to_datetime(["1990-01-01", "1991-01-01"])])
def test_no_released_file_takes_long_to_refuse(values):
    frame = pd.DataFrame({"x": values, "y": 1})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["x"]))
    start = time.perf_counter()
    for text in WORST:
        kc.read_release(pd.DataFrame({"x": [text]}), table)
    assert time.perf_counter() - start < 20
