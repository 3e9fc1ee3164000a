"""Transaction files and tables in long form."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.table.readers import check_reading, from_long, read_frame
from kanon_core.table.reading import starting_schema
from tests.table.test_items import sets_of

LONG = b'who,age,city,what\n7,30,Rome,a\n2,40,Oslo,"b, c"\n7,30,Bern,b\n7,30,Rome,a\n3,50,Oslo,\n,60,Oslo,x\n'


def test_one_basket_a_line():
    table = kc.read_table(b"3 1 2\r\n\r\n2\r\n10 2\r\n")
    assert table.reading == {"format": "fimi", "header": False, "encoding": "utf-8"}
    assert sets_of(table["items"]) == [{"1", "2", "3"}, set(), {"2"}, {"10", "2"}]
    assert table["items"].attribute.role == "quasi_identifier"
    assert any("1 record has no items" in note for note in table.notes)


def test_baskets_of_words_when_said():
    table = kc.read_table(b"milk bread\nmilk\n", format="fimi")
    assert sets_of(table["items"]) == [{"milk", "bread"}, {"milk"}]


def test_sequences_become_sets():
    table = kc.read_table(b"# made by hand\n1 2 -1 3 1 -1 -2\n\n4 -1 -2\n-2\n")
    assert table.reading["format"] == "spmf"
    assert sets_of(table["items"]) == [{"1", "2", "3"}, {"4"}, set()]


def test_named_items_of_sequences():
    table = kc.read_table(b"@CONVERTED_FROM_TEXT\n@ITEM=1=ice, cream\n@ITEM=2=tea\n1 -1 2 -1 -2\n3 -1 -2\n")
    assert sets_of(table["items"]) == [{"ice, cream", "tea"}, {"3"}]


def test_an_item_whose_name_is_empty_keeps_its_number():
    table = kc.read_table(b"@ITEM=1=ice\n@ITEM=3=\n1 3 -1 -2\n3 -1 -2\n")
    assert sets_of(table["items"]) == [{"ice", "3"}, {"3"}]


def test_sequences_of_words_when_said():
    table = kc.read_table(b"milk bread -1 tea -1 -2\nmilk -1 -2\n", format="spmf")
    assert sets_of(table["items"]) == [{"milk", "bread", "tea"}, {"milk"}]


@pytest.mark.parametrize(
    "content", [b"1\n2\n3\n", b"1 2\n3 4\n", b"a b\nc\n", b"age 2\n3\n", b"x;y\n1 2;3\n"]
)
def test_other_files_are_not_taken_for_baskets(content):
    assert read_frame(content).format == "csv"


@pytest.mark.parametrize(
    ("content", "format"),
    [
        (b"1 -1 2\n", "spmf"),
        (b"", "fimi"),
        (b"\n\n", "fimi"),
        (b"1 2\n" * 9 + b"\0\n", "fimi"),
        (b"\x89PNG 1", "fimi"),
    ],
)
def test_broken_baskets_are_refused(content, format):
    with pytest.raises(InputError, match=r"[.]$"):
        read_frame(content, format=format)


def test_the_way_of_reading_reads_again():
    for content in (b"1 2\n3\n", b"1 -1 2 -2\n3 -1 -2\n"):
        table = kc.read_table(content)
        again = kc.read_table(content, **table.reading)
        assert again.digest == table.digest and again.schema == starting_schema(table.frame, table.reading)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.frozensets(st.integers(0, 99), max_size=6), min_size=1, max_size=9).filter(any))
def test_any_baskets_come_back(baskets):
    lines = [" ".join(map(str, basket)) for basket in baskets]
    expected = [{str(item) for item in basket} for basket in baskets]
    fimi = kc.read_table(("\n".join(lines) + "\n").encode(), format="fimi")
    assert sets_of(fimi["items"]) == expected
    spmf = kc.read_table(
        "".join(f"{line.replace(' ', ' -1 ')} -2\n" for line in lines).encode(), format="spmf"
    )
    assert sets_of(spmf["items"]) == expected


def test_bms_webview_2(kanon_data):
    column = kc.read_table(kanon_data / "baskets/BMS-WebView-2.fimi.txt")["items"]
    assert (len(column.sizes), len(column.labels), len(column.items)) == (77_512, 3_340, 358_278)
    assert column.sizes.max() == 161 and column.sizes.min() == 1
    assert (
        len({tuple(column.items[a:b]) for a, b in zip(column.starts, column.starts[1:], strict=False)})
        == 48_684
    )


def test_long_form():
    table = kc.read_table(LONG, long=("who", "what"))
    assert table.schema.names == ("who", "age", "what")
    assert sets_of(table["what"]) == [{"a", "b"}, {"b, c"}, set()]
    assert table.frame["age"].tolist() == [30, 40, 50]
    assert [a.role for a in table.schema] == ["identifier", "quasi_identifier", "quasi_identifier"]
    assert table.reading["long"] == ("who", "what")
    said = " ".join(table.notes)
    assert (
        "6 rows were grouped into 3 records" in said and "1 row without a record" in said and "“city”" in said
    )
    assert (
        kc.read_table(LONG, **check_reading(json.loads(json.dumps(dict(table.reading))))).digest
        == table.digest
    )


def test_long_form_of_a_frame_leaves_it_as_it_is():
    frame = pd.read_csv(io.BytesIO(LONG))
    kept = frame.copy()
    assert from_long(frame, "who", "what")["what"].tolist() == ['["a", "b"]', '["b, c"]', "[]"]
    pd.testing.assert_frame_equal(frame, kept)


@pytest.mark.parametrize("pair", [("who", "who"), ("who", "nothing"), ("nothing", "what")])
def test_a_long_form_without_its_columns_is_refused(pair):
    with pytest.raises(InputError, match="column"):
        read_frame(LONG, long=pair)


@pytest.mark.parametrize("said", ["who", ("who",), ("a", "b", "c"), (1, 2), None])
def test_long_must_name_two_columns(said):
    with pytest.raises(InputError, match="two columns"):
        check_reading({"long": said})


def test_without_any_record_the_long_form_is_refused():
    with pytest.raises(InputError, match="empty"):
        from_long(pd.DataFrame({"r": [None, None], "i": ["a", "b"]}), "r", "i")
    with pytest.raises(InputError, match="are 2 columns “r”"):
        from_long(pd.DataFrame([["x", "y", "a"]], columns=["r", "r", "i"]), "r", "i")


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(["a", 'q"', "x,y", "[", " b"])), min_size=1, max_size=20
    )
)
def test_long_form_equals_grouping_by_hand(rows):
    frame = pd.DataFrame(rows, columns=["r", "i"])
    by_hand: dict[int, set[str]] = {}
    for record, item in rows:
        by_hand.setdefault(record, set()).add(item.strip())
    grouped = from_long(frame, "r", "i")
    assert grouped["r"].tolist() == list(by_hand)
    assert [set(json.loads(cell)) for cell in grouped["i"]] == list(by_hand.values())


def test_numbers_as_items_of_a_long_form():
    frame = pd.DataFrame({"r": [1, 1, 2], "i": [5.0, np.nan, 7.0]})
    assert from_long(frame, "r", "i")["i"].tolist() == ['["5"]', '["7"]']


@pytest.mark.parametrize("delimiter", [";", ",", "|", "\t"])
def test_a_single_column_of_item_sets_is_one_column(delimiter):
    lines = ["basket", "a,b,c", "b,c", "a", "c,a"] + ["b,c,a,d"] * 3
    table = kc.read_table("\n".join(lines).replace(",", delimiter).encode())
    assert table.schema.names == ("basket",) and len(table) == 7
    assert table["basket"].attribute.kind == "items" and table["basket"].delimiter == delimiter
    assert (
        kc.read_table("\n".join(lines).replace(",", delimiter).encode(), **table.reading).digest
        == table.digest
    )
