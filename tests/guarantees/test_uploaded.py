"""Released files of any origin, read back beside their original: notations, counts, and files that do not
fit."""

from __future__ import annotations

import io
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.covers.cells import CommonItems, Intervals, ValueSets
from kanon_core.report import release_bytes
from kanon_core.table.writers import write_frame
from tests.helpers import looped, release_of, table_of

ROLES = {"age": "quasi_identifier", "city": "quasi_identifier", "name": "identifier", "ill": "sensitive"}


def original(**roles) -> kc.Table:
    frame = pd.DataFrame(
        {
            "name": ["Ann", "Ben", "Cid", "Dot"],
            "age": [20, 30, 35, 40],
            "city": ["Oslo", "Bergen", "Oslo", "Quito"],
            "ill": ["flu", "cold", "flu", "cold"],
        }
    )
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({**ROLES, **roles}))


def released(*rows: tuple[str, ...], columns: tuple[str, ...] = ("age", "city")) -> bytes:
    return pd.DataFrame(rows, columns=list(columns)).to_csv(index=False).encode()


def ages(*texts: str, values=(20.0, 30.0, 35.5, np.nan)) -> tuple[list, np.ndarray]:
    """The ends of the cells of these texts, and which fit which value."""
    frame = pd.DataFrame({"age": [*values, *[values[0]] * len(texts)], "x": 1})
    roles = {"age": "quasi_identifier", "x": "identifier"}
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))
    back = kc.read_release(pd.DataFrame({"age": texts}), table)
    cells = back.published[0].cells
    assert isinstance(cells, Intervals)
    fits = [
        cells.contain(table["age"], np.arange(len(values)), np.full(len(values), back.published[0].cell[row]))
        for row in range(len(texts))
    ]
    return list(back.notes), np.array(fits)


@looped(
    "text, expected",
    [
        ("20", [1, 0, 0, 0]),
        ("[20, 30]", [1, 1, 0, 0]),
        ("[20;30]", [1, 1, 0, 0]),
        ("[20, 30[", [1, 0, 0, 0]),
        ("[20,30)", [1, 0, 0, 0]),
        ("(20, 35.5]", [0, 1, 1, 0]),
        ("]20, 30]", [0, 1, 0, 0]),
        ("20-30", [1, 1, 0, 0]),
        ("20 – 30", [1, 1, 0, 0]),
        ("<30", [1, 0, 0, 0]),
        ("<=30", [1, 1, 0, 0]),
        (">30", [0, 0, 1, 0]),
        ("≥30", [0, 1, 1, 0]),
        ("3*", [0, 1, 1, 0]),
        ("**", [1, 1, 1, 1]),
        ("(missing)", [0, 0, 0, 1]),
        ("", [0, 0, 0, 1]),
        ("[20, 30] or (missing)", [1, 1, 0, 1]),
        ("30 or (missing)", [0, 1, 0, 1]),
        ("(any)", [1, 1, 1, 1]),
        ("[-inf, 30]", [1, 1, 0, 0]),
        ("[30, 20]", [0, 0, 0, 0]),
        ("nan", [1, 1, 1, 1]),
        ("20–30", [1, 1, 0, 0]),
        ("20 to 35,5", [1, 1, 1, 0]),
        ("[20,0; 35,5[", [1, 1, 0, 0]),
        ("{20, 35.5}", [1, 1, 1, 0]),
        ("30+", [0, 1, 1, 0]),
        ("under 30", [1, 0, 0, 0]),
        ("30 and over", [0, 1, 1, 0]),
        ("NA", [1, 1, 1, 1]),
        ("twenty", [0, 0, 0, 0]),
        ("[2e1, 3e1]", [1, 1, 0, 0]),
        ("[20, 30", [0, 0, 0, 0]),
    ],
)
def test_published_numbers_are_read_in_every_usual_notation(text, expected):
    notes, fits = ages(text)
    assert fits[0].astype(int).tolist() == expected
    assert bool(notes) == (not any(expected))


def test_a_mean_fits_nobody_and_the_note_says_why():
    notes, fits = ages("25.5", "20")
    assert not fits[0].any()
    assert len(notes) == 1
    assert "1 cell, in row 1, is a number that no record has and that cannot be" in notes[0]


def test_published_dates_are_read():
    born = pd.to_datetime(["1990-05-01", "1991-06-02", "2001-01-31"])
    table = kc.Table.from_frame(
        pd.DataFrame({"born": born}),
        kc.Schema.infer(pd.DataFrame({"born": born})).with_roles({"born": "quasi_identifier"}),
    )
    texts = ["[1990-05-01, 1991-06-02]", "[1991/06/02, 2001/01/31]", "*"]
    back = kc.read_release(pd.DataFrame({"born": texts}), table)
    assert back.notes == ()
    assert back.consistency().rows.tolist() == [1, 2, 1]


def test_years_and_months_are_all_of_their_days():
    born = pd.to_datetime(["1989-12-31", "1990-01-01", "1990-12-31", "1991-02-01", "1991-03-01"])
    frame = pd.DataFrame({"born": born})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"born": "quasi_identifier"}))
    for text, fits in (
        ("1990", "01100"),
        ("[1990, 1991[", "01100"),
        ("1990..1991", "01111"),
        ("1991-02", "00010"),
        ("[01/01/1990 - 31/12/1990]", "01100"),
        ("1990-01-01 – 1991-02-01", "01110"),
        (">= 1991", "00011"),
        ("]1990, 1991]", "00011"),
        ("NULL", "11111"),
    ):
        back = kc.read_release(pd.DataFrame({"born": [text]}), table)
        assert "".join(map(str, back.consistency().rows.tolist())) == fits, text


def test_cells_that_cannot_be_read_are_told_with_column_and_row():
    rows = [("[20, 30]", "Oslo"), ("20-30", "Oslo"), ("old", "Oslo"), ("[30, 40]", "?")]
    notes = "\n".join(kc.read_release(released(*rows), original()).notes)
    for said in (
        "Column “age”: 1 cell, in row 3, is neither a value nor an interval such as [20, 35] and",
        "Column “city”: 1 cell, in row 4, is neither a value, nor a set {a, b} of values",
        "“age” has intervals in 2 notations: [a, b] (first in row 1) and a-b (first in row 2)",
    ):
        assert said in notes
    frame = pd.DataFrame({"age": [20.0, 30.0, 35.5], "x": 1})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["age"]))
    *_, note = kc.read_release(pd.DataFrame({"age": ["20", "35.5", "[20,5; 30,5]"]}), table).notes
    assert "decimal commas (first in row 3) and decimal points (first in row 2)" in note


def test_masked_values_are_those_of_the_same_length_and_beginning():
    frame = pd.DataFrame({"zip": ["130", "1301", "1302", "13021", "1402", "201"] * 2})
    schema = kc.Schema.infer(frame).with_kinds({"zip": "categorical"})
    table = kc.Table.from_frame(frame, schema.with_roles({"zip": "quasi_identifier"}))
    back = kc.read_release(pd.DataFrame({"zip": ["13**", "1***", "20*", "9***", "*" * 4]}), table)
    assert back.consistency().rows.tolist() == [0, 3, 3, 0, 2, 1] * 2


@looped(
    "text, expected",
    [
        ("Oslo", {"Oslo"}),
        ("{Oslo, Quito}", {"Oslo", "Quito"}),
        ("{Oslo;Quito}", {"Oslo", "Quito"}),
        ('{"a, b", Oslo}', {"a, b", "Oslo"}),
        ("a, b", {"a, b"}),
        ('"a, b"', {"a, b"}),
        ("{x}", {"{x}"}),
        ("{Oslo, {x}}", set()),
        ("Os**", {"Oslo"}),
        ("Nowhere", set()),
        ("{Oslo, Nowhere}", set()),
        ("{}", set()),
        ("North", {"Oslo", "Bergen"}),
        ("'=1", {"=1"}),
        ("(missing)", {"(missing)"}),
        ("(any)", {"Oslo", "Bergen", "Quito", "a, b", "{x}", "=1", "(missing)"}),
        ("Oslo|Quito", {"Oslo", "Quito"}),
        ("{'Oslo', 'Quito'}", {"Oslo", "Quito"}),
        ("[Oslo, Quito]", {"Oslo", "Quito"}),
        ("Oslo or Quito", {"Oslo", "Quito"}),
        ("Oslo|Nowhere", set()),
        ("NA", {"Oslo", "Bergen", "Quito", "a, b", "{x}", "=1", "(missing)"}),
        ('"Oslo', set()),
        ('{"Oslo', set()),
    ],
)
def test_published_categories_are_read_in_every_usual_notation(text, expected):
    labels = ["Oslo", "Bergen", "Quito", "a, b", "{x}", "=1", None]
    tree = kc.Hierarchy.of_paths(
        [("Oslo", "North"), ("Bergen", "North"), ("Quito",), ("a, b",), ("{x}",), ("=1",)]
    )
    frame = pd.DataFrame({"city": pd.Series(labels, dtype="str")})
    schema = kc.Schema.infer(frame).with_kinds({"city": "categorical"})
    schema = schema.with_roles({"city": "quasi_identifier"}).with_hierarchies({"city": tree})
    table = kc.Table.from_frame(frame, schema)
    back = kc.read_release(pd.DataFrame({"city": [text]}), table)
    cells, column = back.published[0].cells, table["city"]
    assert isinstance(cells, ValueSets)
    assert {column.labels[code] for code in cells.codes} == expected
    assert bool(back.notes) == (not expected)


def test_item_sets_are_read_as_published_and_as_the_original_writes_them():
    frame = pd.DataFrame({"basket": ["a;b", "a;c", "b", ""]})
    schema = kc.Schema.infer(frame).with_kinds({"basket": "items"}).with_roles({"basket": "quasi_identifier"})
    table = kc.Table.from_frame(frame, schema)
    for texts in (["{a}", "{a}", "{}", "*"], ["a", "a;a", "", "{}"]):
        if texts[-1] == "{}" and texts[0] == "a":
            texts = texts[:3]
        back = kc.read_release(pd.DataFrame({"basket": texts}), table)
        assert isinstance(back.published[0].cells, CommonItems)
        assert back.consistency().rows.tolist() == [3, 3, 1, 1]
    with pytest.raises(kc.InputError, match="groups of items, of the original") as caught:
        kc.read_release(pd.DataFrame({"basket": ["{a, secret}"]}), table)
    assert "secret" not in str(caught.value)


def brute_force(table: kc.Table, back: kc.UploadedRelease) -> list[int]:
    """Matches of each record: rows it has in some assignment of different records to all rows."""
    n = len(table)
    fits = np.ones((n, n), bool)
    for published in back.published:
        column = table[published.attribute.name]
        for row in np.flatnonzero(published.cell >= 0):
            fits[row] &= published.cells.contain(column, np.arange(n), np.full(n, published.cell[row]))
    found = np.zeros((n, n), bool)
    for order in permutations(range(n)):
        if all(fits[row, record] for row, record in enumerate(order)):
            found[np.arange(n), order] = True
    return found[back.published[0].cell >= 0].sum(axis=0).tolist()


@looped("seed", range(40))
def test_matches_of_any_file_equal_brute_force(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    frame = pd.DataFrame({"age": rng.integers(0, 4, n), "city": rng.choice(["a", "b", "c"], n)})
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    table = kc.Table.from_frame(frame, schema.with_kinds({"age": "numeric"}))
    rows = []
    for record in rng.permutation(n)[: int(rng.integers(1, n + 1))]:
        age, city = int(frame["age"][record]), str(frame["city"][record])
        other = str(rng.choice(["a", "b", "c"]))
        rows.append(
            (
                f"[{age - int(rng.integers(0, 2))}, {age + int(rng.integers(0, 3))}]",
                f"{{{city}, {other}}}" if other != city else city,
            )
            if rng.random() < 0.9
            else ("*", "*")
        )
    back = kc.read_release(pd.DataFrame(rows, columns=["age", "city"]), table)
    assert back.consistency().matches.tolist() == brute_force(table, back)


def test_verdicts_name_the_records_below_k():
    table = original()
    back = kc.read_release(
        released(
            ("[35, 40]", "{Oslo, Quito}"), ("[20, 30]", "*"), ("[35, 40]", "{Oslo, Quito}"), ("20", "Oslo")
        ),
        table,
    )
    verdicts = {verdict.guarantee: verdict for verdict in kc.audit_uploaded(back, 2)}
    assert {name: verdict.holds for name, verdict in verdicts.items()} == {
        "k-anonymity": False,
        "agreement with the original": True,
        "k-concealment": False,
        "(1,k)-anonymity": False,
        "(k,1)-anonymity": False,
        "(k,k)-anonymity": False,
    }
    # Ann fits two rows, but one is all that Ben has.
    assert verdicts["k-concealment"].witnesses == (1, 2)
    assert verdicts["(1,k)-anonymity"].witnesses == (2,)
    assert (verdicts["(k,1)-anonymity"].witnesses, verdicts["(k,1)-anonymity"].named) == ((4,), "rows")
    assert (verdicts["k-anonymity"].witnesses, verdicts["k-anonymity"].named) == ((2, 4), "rows")


def test_matches_are_fewer_than_rows_that_fit():
    """Everybody fits two rows and every row two records; but 1 and 2 need each other's rows, so that 3 has
    one: found is 1, not 2."""
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5], "y": "a"})
    schema = kc.Schema.infer(frame).with_kinds({"x": "numeric"}).with_quasi(["x"])
    texts = ["[1, 3]", "[1, 2]", "[3, 4]", "[4, 5]", "[4, 5]"]
    back = kc.read_release(pd.DataFrame({"x": texts}), kc.Table.from_frame(frame, schema))
    verdicts = {verdict.guarantee: verdict for verdict in kc.audit_uploaded(back, 2)}
    assert verdicts["(k,k)-anonymity"].holds and verdicts["(k,k)-anonymity"].found == 2
    concealed = verdicts["k-concealment"]
    assert (concealed.holds, concealed.found, concealed.witnesses) == (False, 1, (3,))


def test_a_file_that_is_not_true_has_no_match_and_names_its_rows():
    back = kc.read_release(released(("[20, 40]", "Oslo"), ("[50, 60]", "*")), original())
    verdicts = {verdict.guarantee: verdict for verdict in kc.audit_uploaded(back, 2)}
    assert verdicts["agreement with the original"].witnesses == (2,)
    assert not verdicts["k-concealment"].holds
    assert verdicts["k-concealment"].found == 0
    # Nobody is taken as left out: whether everybody fits k rows is judged of all four.
    assert verdicts["(1,k)-anonymity"].witnesses == (1, 2, 3, 4)
    assert not verdicts["(k,k)-anonymity"].holds


def test_records_without_a_row_are_left_out_and_rows_of_stars_count_for_nobody():
    table = original()
    for rows in ([("[20, 35]", "Oslo")] * 2, [("[20, 35]", "Oslo")] * 2 + [("*", "*")] * 2):
        verdicts = {v.guarantee: v for v in kc.audit_uploaded(kc.read_release(released(*rows), table), 2)}
        assert all(verdict.holds for verdict in verdicts.values())
        assert "2 records fit no row and count as suppressed." in verdicts["k-concealment"].sentence


def test_a_row_with_a_star_in_one_column_is_still_a_row():
    """Whichever column it is: it counts for those that fit the rest of it. A row of nothing but stars counts
    for nobody."""
    for row, fit in ((("*", "Oslo"), 2), (("[20, 35]", "*"), 3), (("*", " *"), 0)):
        back = kc.read_release(released(row, row), original())
        assert back.consistency().originals.tolist() == [fit, fit, 0, 0]


def test_columns_are_told_when_they_should_not_be_there_or_are_not():
    rows = released(("Ann", "[20, 40]"), columns=("name", "age"))
    back = kc.read_release(rows, original())
    assert back.notes == (
        "The file has the column “name”, an identifier of the original.",
        "The column “city” is not in the file and counts as not published.",
        "The column “ill” of the original is not in the file.",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (released(*[("*", "*")] * 5), "5 rows, but the original has 4 records"),
        (released(("x", "y"), columns=("a", "b")), "none of the original's quasi-identifiers"),
        (b"age,city\n", "no rows|no records"),
        (b"", "empty"),
    ],
)
def test_files_that_cannot_be_a_release_are_refused_in_words(content, message):
    with pytest.raises(kc.InputError, match=message):
        kc.read_release(io.BytesIO(content), original())


def test_a_frame_may_mark_missing_cells_in_any_way_and_names_no_column_twice():
    table = kc.Table.from_frame(pd.DataFrame({"age": [1.0, 2.0, np.nan], "sex": ["f", None, "m"]}))
    frames = (
        pd.DataFrame({"age": pd.array(["1", None], "string"), "sex": ["f", "m"]}),
        pd.DataFrame({"age": pd.array([1, None], "Int64"), "sex": ["f", "m"]}),
        pd.DataFrame({"age": [1, pd.NaT], "sex": ["f", "m"]}, dtype=object),
    )
    for frame in frames:
        cells = kc.read_release(frame, table).published[0].cells
        assert isinstance(cells, Intervals)
        assert np.array_equal(cells.low, [1.0, np.nan], equal_nan=True)
    with pytest.raises(kc.InputError, match="two columns of the same name"):
        kc.read_release(frames[0].set_axis(["age", "age"], axis=1), table)
    with pytest.raises(kc.InputError, match="two columns of the same name"):
        kc.read_release(frames[0].set_axis([1, "1"], axis=1), table)


def test_a_table_of_people_with_many_records_is_refused():
    with pytest.raises(kc.UnsuitableError, match="several records"):
        kc.read_release(released(("*", "*")), original(name="person"))


@pytest.mark.parametrize("format", ["csv", "xlsx", "parquet"])
def test_our_own_files_are_read_back_whatever_the_values_look_like(format):
    """Negative numbers beside missing ones bear an apostrophe in csv; blanks and signs belong to the
    values."""
    town = [" Oslo", " Oslo", "Oslo ", "Oslo", "a;b", "b", "=x", None, "a", "a"]
    frame = pd.DataFrame({"debt": [-5.0, np.nan, -4.0, -4.0, 3.0, 3.0, -1.0, -1.0, 7.0, 7.0], "town": town})
    roles = {"debt": "quasi_identifier", "town": "quasi_identifier"}
    schema = kc.Schema.infer(frame).with_roles(roles).with_kinds({"town": "categorical"})
    table = kc.Table.from_frame(frame, schema)
    release = kc.anonymize(table, kc.MDAV(), 2)
    assert any(text.startswith("-") and "missing" in text for text in release.to_frame()["debt"])
    data = write_frame(release.publish(), format=format)
    back = kc.read_release(data, table, format=format, **({"header": True} if format != "parquet" else {}))
    assert back.notes == ()
    for count in ("rows", "matches"):
        assert getattr(back.consistency(), count).tolist() == getattr(release.consistency(), count).tolist()


@pytest.mark.parametrize("format", ["csv", "xlsx"])
@pytest.mark.parametrize(("name", "cells"), [("letter", ["letter", "b"] * 2), ("2019", ["7", "9"] * 2)])
def test_a_name_that_looks_like_a_cell_is_found(format, name, cells):
    """Without the table nobody could tell that the first row is none of its records."""
    table = table_of(kc.Schema((kc.Attribute(name),)), **{name: cells})
    file = release_bytes(release_of(table, [0, 1, 0, 1]), format)
    for source in (file, io.BytesIO(file)):
        assert kc.read_release(source, table).consistency().originals.tolist() == [2] * 4
    with pytest.raises(kc.InputError):
        kc.read_release(file, table, header=False)
