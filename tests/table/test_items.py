"""Item sets: how cells are split, what is taken for item sets, and what is not."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import SchemaError
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.itemcells import items_notation, parts_of
from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.set_arrays import chosen_sets
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.inference import infer_kind
from kanon_core.table.schema import Attribute, Schema

DRUGS = ["a, b, d", "a, f, g", "a, d, f, y, z", "a, b, f, g", "b, c, f", "c, e, x", "e, x", "b, c", "c, e, x"]
DRUGS_IN_THE_END = [
    "{a, d}",
    "{a, f, g}",
    "{a, d}",
    "{a, f, g}",
    "{b, c}",
    "{e, x}",
    "{e, x}",
    "{b, c}",
    "{e, x}",
]
RECEIPTS = ["A, B, C", "A, B, C", "D, E", "D, E", "A, D", "E, F", "E, F", "A, D", "E, F"]


def items_of(cells, delimiter: str = "") -> Items:
    column = kc.Table.from_frame(
        pd.DataFrame({"x": pd.Series(cells, dtype=object)}),
        Schema((Attribute("x", kind="items", delimiter=delimiter),)),
    )["x"]
    assert isinstance(column, Items)
    return column


def sets_of(column: Items) -> list[set[str]]:
    return [
        {column.labels[item] for item in column.items[a:b]}
        for a, b in zip(column.starts[:-1], column.starts[1:], strict=True)
    ]


def test_every_notation():
    for delimiter, found, cells, expected in [
        ("", ";", ["a;b", "b; a ;a", "c"], [{"a", "b"}, {"a", "b"}, {"c"}]),
        ("", ",", DRUGS[:2], [{"a", "b", "d"}, {"a", "f", "g"}]),
        ("", "、", ["風邪、喘息", "風邪"], [{"風邪", "喘息"}, {"風邪"}]),
        (
            "",
            "json",
            ['["a, b", "c"]', "[1, 2.0, true, null, 1e3]", "[]", None, "", '["\\u00e9"]'],
            [{"a, b", "c"}, {"1", "2", "true", "1000"}, set(), set(), set(), {"é"}],
        ),
        ("", "{}", ["{a, b}", '{"a, b", "q\\"x"}', "{}", None], [{"a", "b"}, {"a, b", 'q"x'}, set(), set()]),
        (
            "",
            "{}",
            ["{a, b}", "{b, c}", "{c, a, b}", "{b}", "{a, c}", "{b, a}"],
            [{"a", "b"}, {"b", "c"}, {"a", "b", "c"}, {"b"}, {"a", "c"}, {"a", "b"}],
        ),
        ("", "json", ['["\\ud800", "a"]', '["\\ud800"]'], [{"\ufffd", "a"}, {"\ufffd"}]),
        ("{}", "{}", ['{"\\ud800", a}', "{}"], [{"\ufffd", "a"}, set()]),
        (";", ";", ["\ud800;a", "a"], [{"\ufffd", "a"}, {"a"}]),
        ("", " ", ["1 2  3", " 4 ", "4 1"], [{"1", "2", "3"}, {"4"}, {"1", "4"}]),
        ("", "none", ["a", "b c"], [{"a"}, {"b c"}]),
        (
            ";",
            ";",
            ["a;;b;", '"x; y";z', '"a ""b""" ;c', '12" pizza;d', '"open; d'],
            [{"a", "b"}, {"x; y", "z"}, {'a "b"', "c"}, {'12" pizza', "d"}, {'"open', "d"}],
        ),
        ("||", "||", ["a||b", "c|d"], [{"a", "b"}, {"c|d"}]),
        ("\t", "\t", ["a\tb b", "c"], [{"a", "b b"}, {"c"}]),
        ("none", "none", ["a;b", "a;b"], [{"a;b"}, {"a;b"}]),
        (" ", " ", ["milk bread", "milk"], [{"milk", "bread"}, {"milk"}]),
    ]:
        column = items_of(cells, delimiter)
        assert column.delimiter == found
        assert sets_of(column) == expected
        assert list(column.labels) == sorted(set().union(*expected))
        assert column.misfits is None
        assert column.starts.dtype == np.int64 and column.items.dtype == np.int32


def test_a_missing_cell_is_the_empty_set_and_not_missing():
    column = items_of(["a;b", None, "", "  ", "b"], ";")
    assert column.sizes.tolist() == [2, 0, 0, 0, 1]
    assert not column.missing.any()
    assert items_of([None, None]).labels == ()
    numbers = kc.Table.from_frame(
        pd.DataFrame({"x": [np.nan, np.nan]}), Schema((Attribute("x", kind="items"),))
    )
    assert numbers["x"].sizes.tolist() == [0, 0]


def test_cells_that_are_no_list_do_not_fit():
    for cell in ['{"a": 1}', "[1", "[[1]]", "a", "[01]", '["a\nb"]']:
        column = items_of(['["a"]', '["b", "a"]', cell], "json")
        assert sets_of(column)[:2] == [{"a"}, {"a", "b"}] and column.sizes[2] == 0
        assert column.misfits.rows == (3,) and column.misfits.examples == (cell,)


def test_examples_of_private_cells_are_not_kept():
    schema = Schema((Attribute("x", "sensitive", "items", delimiter="{}"),))
    column = kc.Table.from_frame(pd.DataFrame({"x": ["{a}", "*"]}), schema)["x"]
    assert column.misfits.count == 1 and column.misfits.examples == ()


def test_a_cell_of_many_blanks_is_judged_at_once():
    column = items_of(["{" + 100_000 * " " + '"}', "{a}"], "{}")
    assert sets_of(column) == [set(), {"a"}]
    assert column.misfits is not None and column.misfits.rows == (1,)


labels = st.text(max_size=5).map(str.strip).filter(bool)
lists = st.lists(st.lists(labels, max_size=4), min_size=1, max_size=8)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(lists, st.booleans())
def test_lists_of_any_texts_come_back(cells, ascii_only):
    column = items_of([json.dumps(cell, ensure_ascii=ascii_only) for cell in cells], "json")
    assert sets_of(column) == [set(cell) for cell in cells]
    shown = items_of(original_texts(column, np.arange(len(cells))), "{}")
    assert sets_of(shown) == sets_of(column)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(lists, st.sampled_from([";", ",", "||", "\t"]))
def test_quoted_items_of_any_texts_come_back(cells, delimiter):
    written = [delimiter.join('"' + item.replace('"', '""') + '"' for item in cell) for cell in cells]
    assert sets_of(items_of(written, delimiter)) == [set(cell) for cell in cells]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.text(alphabet='[]{}"\\,:1a ', max_size=8), min_size=1, max_size=6))
def test_json_cells_are_each_read_alone(cells):
    """Whatever the cells hold, plain ones read at once give what each of them gives by itself."""
    together = parts_of(pa.array(cells, pa.large_string()), "json")
    alone = [parts_of(pa.array([cell], pa.large_string()), "json") for cell in cells]
    assert together.counts.tolist() == [int(part.counts[0]) for part in alone]
    assert together.bad.tolist() == [bool(part.bad[0]) for part in alone]
    texts = [text for part in alone for text in part.items.to_pylist()]
    assert [text.strip() for text in together.items.to_pylist()] == [text.strip() for text in texts]
    for cell, part in zip(cells, alone, strict=True):
        try:
            parsed = json.loads(cell)
        except ValueError:
            parsed = None
        if isinstance(parsed, list) and all(isinstance(item, str) for item in parsed):
            found = {text.strip() for text in part.items.to_pylist()}
            assert found - {""} == {text.strip() for text in parsed} - {""}  # items without text are none
        elif parsed is None:
            assert bool(part.bad[0]) == bool(cell.strip()) and not part.counts[0]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 30), max_size=40))
def test_distinct_keys_are_ascending(keys):
    assert distinct(np.array(keys, np.int64)).tolist() == sorted(set(keys))


def test_item_sets_are_recognized():
    for delimiter, cells in [
        (",", DRUGS),
        (",", RECEIPTS),
        (";", ["milk;bread", "bread", "tea", "milk;tea;bread", "tea;milk"]),
        ("|", ["red|blue", "blue", "green|red", "blue|green|red", "red"]),
        (" ", ["1 2", "2", "3 1", "2 3 1", "1"]),
        ("json", ['["a", "b"]', "[]"]),
        ("json", ["[1, 2]", "[3]"]),
    ]:
        assert items_notation(cells) == delimiter
        assert infer_kind("things", pd.Series(cells)) == "items"
        assert items_of(cells).delimiter == delimiter


def test_whatever_may_be_something_else_is_no_item_set():
    for cells in [
        ["Smith, John", "Smith, Ann", "Miller, John", "Jones, Ann", "Miller, Ann", "Smith, John, Jr."],
        ["Oslo", "Rome", "Oslo", "Paris", "Rome"],
        ["[20, 35]", "[36, 50]", "[20, 35]", "[51, 60]"],
        ["{F, M}", "{F}", "{F, M}", "{M}", "{F}"],
        ["{a, b}", "{b, c, d}", "{a, c}", "{d, b, a}", "{c}", "{b, a}"] * 3,
        [
            "12 Main St, Springfield, IL",
            "Apt 4, 3 Oak Ave, Dover, DE",
            "9 Elm St, Salem, OR",
            "1 Hill Rd, Austin, TX",
            "Box 9, 77 Lake Dr, Salem, OR",
            "5 Bay St, Boston, MA",
        ],
        [
            "first this, then that",
            "well, so be it, he said",
            "a sentence, with a comma",
            "no comma here",
            "yes, no, or",
        ],
        ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05"],
        ["090 1234 5678", "090 8765 4321", "080 1111 2222", "090 1234 9999", "080 3333 4444"],
        ["a;b", "b;a"],
        ["a;a;b", "b;b", "a;b;a", "b", "a;a"],
        [],
    ]:
        assert items_notation(cells) == ""
        assert infer_kind("things", pd.Series(cells, dtype="str")) != "items"


def test_baskets_that_are_all_different_are_no_identifiers():
    rng = np.random.default_rng(0)
    cells = [";".join(map(str, rng.choice(40, size, replace=False))) for size in rng.integers(3, 9, 200)]
    schema = Schema.infer(pd.DataFrame({"basket": cells, "diagnosis": cells, "phone": cells}))
    assert [a.kind for a in schema] == ["items"] * 3
    assert [a.role for a in schema] == ["quasi_identifier", "sensitive", "identifier"]


def test_columns_of_python_lists_and_sets():
    for cells in [
        [["b", "a"], ["c"], []],
        [("a", "b"), ("c",), None],
        [{"b", "a"}, {"c"}, set()],
        [np.array(["a", "b"]), np.array(["c"]), None],
        [None, ["a", "b"], ["c"]],
        [np.nan, ["a", None, "b", np.nan], ["c"]],
    ]:
        frame = pd.DataFrame({"tags": pd.Series(cells, dtype=object), "x": [1, 2, 3]})
        table = kc.Table.from_frame(frame)
        assert table["tags"].attribute.kind == "items"
        assert {frozenset(held) for held in sets_of(table["tags"])} == {
            frozenset(("a", "b")),
            frozenset("c"),
            frozenset(),
        }
        assert table.data_digest == kc.Table.from_frame(frame.copy()).data_digest
        assert isinstance(frame["tags"].iloc[1], type(cells[1])), "the frame given is not modified"


def test_another_delimiter_splits_anew():
    table = kc.Table.from_frame(
        pd.DataFrame({"x": ["a|b;c", "c;a|b"]}), Schema((Attribute("x", kind="items"),))
    )
    assert table["x"].delimiter == ";" and table["x"].labels == ("a|b", "c")
    bars = table.with_schema(table.schema.with_delimiters({"x": "|"}))
    assert bars["x"].labels == ("a", "b", "b;c", "c;a")
    weighted = table.with_schema(table.schema.with_weights({"x": 2}))
    assert weighted["x"].items is table["x"].items


def test_what_item_sets_cannot_have_is_refused():
    for change in [
        {"delimiter": 'a"'},
        {"delimiter": "="},
        {"delimiter": "123456789"},
        {"delimiter": 3},
        {"delimiter": "\ud800"},
        {"recoding": "mode"},
        {"recoding": "mean"},
    ]:
        with pytest.raises(SchemaError, match="“x”"):
            Attribute("x", kind="items", **change)


def test_the_kind_and_the_delimiter_in_a_schema():
    assert Attribute("x", kind="items", delimiter=" ; ").delimiter == ";"
    assert Attribute("x", kind="items", delimiter="  ").delimiter == " "
    schema = (
        Schema((Attribute("x", recoding="mode"),)).with_kinds({"x": "items"}).with_delimiters({"x": "\t"})
    )
    assert schema["x"].recoding == "generalize"
    assert Schema.from_json(json.loads(json.dumps(schema.to_json()))) == schema


@pytest.mark.parametrize(
    ("cells", "distinct_items", "largest"),
    [
        (["a"] * 4, 1, 1),
        (["common;" + str(i) for i in range(5)], 6, 2),
        ([";".join(map(str, range(10_000))), "1;2"], 10_000, 10_000),
        ([";".join(map(str, range(i, 50_000, 10))) for i in range(10)], 50_000, 5_000),
    ],
)
def test_extreme_vocabularies(cells, distinct_items, largest):
    column = items_of(cells, ";")
    assert len(column.labels) == column.distinct == distinct_items
    assert column.sizes.max() == largest
    assert sets_of(column) == [set(cell.split(";")) for cell in cells]


def test_numbers_and_dates_as_items_are_texts():
    column = items_of([1, 2.0, 2.5, True])
    assert sets_of(column) == [{"1"}, {"2"}, {"2.5"}, {"True"}]


def test_chosen_sets_take_minus_one_for_the_empty_set():
    starts, items = np.array([0, 2, 3]), np.array([4, 5, 6])
    found = chosen_sets(starts, items, np.array([1, -1, 0]))
    assert [part.tolist() for part in found] == [[0, 1, 1, 3], [6, 4, 5]]
    assert [part.tolist() for part in chosen_sets(np.array([0]), items[:0], np.array([-1]))] == [[0, 0], []]


def test_a_column_of_lists_may_have_any_name_and_the_frame_stays_as_it_is():
    frame = pd.DataFrame({"self": [["a"], ["a", "b"]], "x": [1, 2]})
    table = kc.Table.from_frame(frame)
    assert table["self"].labels == ("a", "b")
    assert frame["self"].tolist() == [["a"], ["a", "b"]]
