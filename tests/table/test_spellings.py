"""Numbers as people write them, and words for missing: read as meant, or left as text with a note."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.table.columnnotes import idle_notes, misfit_notes
from kanon_core.table.readers import Reading, read_frame
from kanon_core.table.readers.types import missing
from kanon_core.table.readers.types.wholetypes import as_decided, decisions, usual_facts
from kanon_core.table.writers import write_frame


def read(columns: dict[str, list[str]], delimiter: str = ",", **how: object) -> Reading:
    """A file of these columns, every cell in quotes."""
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\n" for row in rows)
    return read_frame(text.encode(), header=True, delimiter=delimiter, **how)  # type: ignore[arg-type]


def values(reading: Reading, name: str = "x") -> list[object]:
    return [None if pd.isna(cell) else cell for cell in reading.frame[name].tolist()]


def noted(reading: Reading, part: str, name: str = "x") -> bool:
    return any(part in note and f"“{name}”" in note for note in reading.notes)


MEANT = [  # cells, numbers, sign between fields, part of a note
    (["999", "1.234", "13.000"], [999, 1234, 13000], ";", "Dots were read as thousands separators"),
    (["-1.234", "999"], [-1234, 999], ";", "Dots were read as thousands separators"),
    (["1.234.567", "1.234", "5"], [1234567, 1234, 5], ",", "Dots were read as thousands separators"),
    (["1.234.567,5", "12"], [1234567.5, 12], ",", "decimal marks"),
    (["1 234,5", "12"], [1234.5, 12], ";", "Units, blanks and apostrophes"),
    (["1\u00a0234,5", "12"], [1234.5, 12], ";", "Units, blanks and apostrophes"),
    (["1\u2009234,5", "1\u202f012 345"], [1234.5, 1012345], ";", "Units, blanks and apostrophes"),
    (["1'234.50", "12"], [1234.5, 12], ",", "Units, blanks and apostrophes"),
    (["1’234.50", "12"], [1234.5, 12], ",", "Units, blanks and apostrophes"),
    (["€ 12,50", "€ 1.250,00"], [12.5, 1250], ";", "“x” (€)"),
    (["12,50 €", "0"], [12.5, 0], ";", "“x” (€)"),
    (["$5", "-$6"], [5, -6], ",", "“x” ($)"),
    (["CHF 1'000.50", "CHF 2"], [1000.5, 2], ",", "“x” (CHF)"),
    (["12 %", "7%"], [12, 7], ",", "12 % is read as 12"),
    (["5 kg", "6.5 kg"], [5, 6.5], ",", "“x” (kg)"),
    (["1 year", "20 years"], [1, 20], ",", "“x” (year)"),
    (["45歳", "38歳"], [45, 38], ",", "“x” (歳)"),
    (
        ["1,00,000", "12,34,567", "999"],
        [100000, 1234567, 999],
        ",",
        "Commas were read as thousands separators",
    ),
    (["1,234,567", "1,234"], [1234567, 1234], ";", "Commas were read as thousands separators"),
    (["−5", "6"], [-5, 6], ",", "Units, blanks and apostrophes"),
    (["１２", "３．５"], [12, 3.5], ",", "Units, blanks and apostrophes"),
    (["0,123", "1,234"], [0.123, 1.234], ",", "decimal marks"),
    (["1.5", "2,5"], [1.5, 2.5], ",", "decimal marks"),
    (["0.123", "1.234"], [0.123, 1.234], ";", ""),
    (["12.5", "1.234"], [12.5, 1.234], ";", ""),
]


@pytest.mark.parametrize(("cells", "numbers", "sign", "note"), MEANT)
def test_numbers_are_read_as_they_are_meant(cells, numbers, sign, note):
    found = read({"x": cells, "other": ["a"] * len(cells)}, sign)
    assert values(found) == numbers and found.frame["x"].dtype.kind in "if"
    assert noted(found, note) if note else not noted(found, "“x”")


TEXT = [
    (["007", "012"], "leading zeros"),
    (["612 345 678", "699 111 222"], "telephone numbers"),
    (["612.345.678", "699.111.222"], "telephone numbers"),
    (["10.100.200.100", "192.168.100.200"], "telephone numbers or network (IP) addresses"),
    (["+49 170 123", "+49 171 456"], ""),
    (["1.2.3", "1.10.2"], ""),
    (["10.0.0.1", "10.0.0.2"], ""),
    (["SEK12", "SEK13"], ""),
    (["5 kg", "7 lb"], "numbers have different units"),
    (["12 %", "0.5"], "numbers have different units"),
    (["5 kg", "7"], "numbers have different units"),
    (["1.234,5", "1.5"], "contradict"),
    (["1.234.567", "1,234,567"], "contradict"),
    (["1.234", "1,234"], "contradict"),
    (["1.234.567", "0.5"], "contradict"),
    (["1 2", "3 4"], ""),
    (["12:30", "13:45"], ""),
    (["5", "50k"], "mix numbers and words"),
    (["5", "[5, 9]"], "intervals or sets"),
    (["5", "{5, 9} or (missing)"], "intervals or sets"),
    (["5", "9-5"], "mix numbers and words"),
]


@pytest.mark.parametrize(("cells", "note"), TEXT)
@pytest.mark.parametrize("sign", [",", ";"])
def test_what_is_no_number_stays_as_it_is_written(cells, note, sign):
    found = read({"x": cells, "other": ["a"] * len(cells)}, sign)
    assert values(found) == cells
    assert not note or noted(found, note)


def test_cells_of_a_released_file_are_no_words():
    found = read({"x": ["5", "[5, 9]", "5–9", "*", "{1, 2}"], "y": ["5", "*", "*", "6", "7"]}, ",")
    assert noted(found, "“x” 3 (cells with intervals or sets)")
    assert noted(found, "mix numbers and words are read as words: “y” 2 (cells with words)", "y")
    both = read({"x": ["5", "[5, 9]", "*", "often", "90+"]}, ";")
    assert noted(both, "“x” 1 (cells with intervals or sets)") and noted(both, "“x” 2 (cells with words)")


def test_dots_go_by_the_other_numbers_of_the_file():
    dotted, bare = ["999", "1.234", "13.000"], ["999", "1234", "13000"]
    tabbed = read({"x": dotted, "y": ["0,5", "1,5", "2,5"]}, "\t")
    assert values(tabbed) == [999, 1234, 13000] and values(tabbed, "y") == [0.5, 1.5, 2.5]
    point = read({"x": dotted, "y": ["0.5", "1.5", "2.5"]}, ";")
    assert values(point) == [999, 1.234, 13] and not noted(point, "with a decimal point:")
    both = read({"x": dotted, "y": ["0.5", "1.5", "2.5"], "z": ["0,5", "1,5", "2,5"]}, ";")
    assert values(both) == [999, 1.234, 13] and noted(both, "(row 2)")
    comma = read({"x": [cell.replace(".", ",") for cell in dotted], "y": ["0,5", "1,5", "2,5"]}, ",")
    assert values(comma) == [999, 1.234, 13]
    assert values(read({"x": bare, "y": ["0,5", "1,5", "2,5"]}, ";")) == [999, 1234, 13000]


def test_dots_that_nothing_decides_stay_decimal_and_are_asked_about():
    found = read({"x": ["999", "1.234", "13.000"]}, "\t")
    assert values(found) == [999, 1.234, 13] and noted(found, "(row 2)")
    asked = read({"x": ["999", "1.234", "13.000"]}, "\t", decimal=",")
    assert values(asked) == [999, 1234, 13000] and asked.how()["decimal"] == ","
    point = read({"x": ["999", "1.234", "13.000"]}, ";", decimal=".")
    assert values(point) == [999, 1.234, 13] and not noted(point, "with a decimal point:")
    with pytest.raises(InputError, match="decimal"):
        read({"x": ["1"]}, decimal="'")


@pytest.mark.parametrize("names", [("lat", "lon"), ("緯度", "経度"), ("p", "q")])
def test_coordinates_have_decimal_points(names):
    found = read({names[0]: ["35.681", "35.702"], names[1]: ["139.767", "139.774"]}, ";")
    assert values(found, names[0]) == [35.681, 35.702] and values(found, names[1]) == [139.767, 139.774]
    assert noted(found, "with a decimal point:", "p") == (names[0] == "p")


LOCALES = [  # between thousands, decimal mark, sign between fields
    *((",", ".", ","), (".", ",", ";"), (" ", ",", ";"), ("\u00a0", ",", ";"), ("\u202f", ",", ";")),
    *(("'", ".", ";"), ("’", ".", ","), ("", ".", ","), ("", ",", ";"), ("\u2009", ".", ",")),
]


def written(number: float, group: str, mark: str, digits: int) -> str:
    return f"{number:,.{digits}f}".replace(",", "\0").replace(".", mark).replace("\0", group)


@settings(max_examples=300)
@given(
    st.sampled_from(LOCALES),
    st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8),
    st.integers(0, 4),
    st.sampled_from(["", " €", " %", " kg"]),
)
def test_numbers_of_ten_locales_are_never_read_as_another_number_in_silence(locale, whole, digits, unit):
    group, mark, sign = locale
    numbers = [number / 10**digits for number in whole]
    cells = [written(number, group, mark, digits) + unit for number in numbers]
    found = read({"x": cells, "other": ["a"] * len(cells)}, sign)
    if found.frame["x"].dtype.kind in "if":
        same = np.array_equal(found.frame["x"].to_numpy(np.float64), np.array(numbers, np.float64))
        asked = (
            noted(found, "with a decimal point:")
            or noted(found, "Commas were read as thousands")
            or noted(found, "Dots were read as thousands")
        )
        assert same or asked or noted(found, "decimal marks"), cells
    else:
        assert values(found) == cells


MISSING = [  # cells, what is left
    (["2020-01-01", "NA", ".", "none", "2020-01-05"], ["2020-01-01", None, None, None, "2020-01-05"]),
    (["flu", "NA", "N/A", "null", "NULL", "-", "--", " ", "Unknown"], ["flu", *[None] * 8]),
    (["NA", "DE", "FR", "ZA"], ["NA", "DE", "FR", "ZA"]),
    (["na", "DE", "FR", "N/A"], [None, "DE", "FR", None]),
    (["NA", "yes", "no"], [None, "yes", "no"]),
    (["NA", "NO", "SI"], [None, "NO", "SI"]),
    (["none", "yes", "no"], ["none", "yes", "no"]),
    (["None", "bachelor", "master"], ["None", "bachelor", "master"]),
    (["+", "-", "+"], ["+", "-", "+"]),
    (["A+", "-", "B-"], ["A+", None, "B-"]),
    (["?", "x"], ["?", "x"]),
    (["12", "unknown", "NA"], [12, None, None]),
]


@pytest.mark.parametrize(("cells", "left"), MISSING)
def test_missing_is_missing_in_words_and_dates_too(cells, left):
    found = read({"x": cells, "other": ["a"] * len(cells)})
    assert values(found) == left
    gone = sum(cell is None for cell in left)
    assert noted(found, f"count as missing: “x” {gone} (") if gone else not noted(found, "count as missing")


def test_words_for_missing_in_a_release_are_those_of_its_original():
    original = b"age,day,ill\n30,2020-01-01,flu\n30,unknown,.\n40,2020-01-02,-\n40,NA,cold\n"
    roles = {"age": "quasi_identifier", "day": "quasi_identifier", "ill": "sensitive"}
    table = kc.read_table(original)
    table = table.with_schema(table.schema.with_roles(roles).with_kinds({"day": "datetime"}))
    assert table["ill"].missing.sum() == 2 and table["day"].missing.sum() == 2
    read_back = kc.read_release(original, table)
    assert not any(unchanged.surplus.any() for unchanged in read_back.unchanged)


def test_words_are_kept_where_somebody_says_so():
    cells = {"x": ["NA", "a", "b"], "y": ["NA", "c", "d"]}
    assert values(read(cells, keep=["NA"]), "y") == ["NA", "c", "d"]
    own = read(cells, keep=["x=NA"])
    assert values(own) == ["NA", "a", "b"] and values(own, "y") == [None, "c", "d"]
    assert own.how()["keep"] == ("x=NA",)
    assert values(read({"x": ["12", "unknown"]}, keep=["unknown"])) == ["12", "unknown"]


def test_codes_for_missing_are_those_of_a_column():
    cells = {"income": ["12", "999998", "13"], "code": ["999998", "1", "2"]}
    found = read(cells, missing=["income=999998"])
    assert values(found, "income") == [12, None, 13] and values(found, "code") == [999998, 1, 2]
    assert values(read({"x": ["12", "refused"]}, missing=["x=refused"])) == [12, None]
    assert values(read({"x": ["12", "999.0"]}, missing=["x=999"])) == [12, None]
    with pytest.raises(InputError, match="“incom”, which the table lacks"):
        read(cells, missing=["incom=999998"])
    frame = pd.DataFrame({"income": [12, 999998, 13], "code": [999998, 1, 2]})
    book = read_frame(write_frame(frame, "xlsx"), missing=["income=999998"])
    assert values(book, "income") == [12, None, 13] and values(book, "code") == [999998, 1, 2]


def test_a_code_among_the_other_values_is_asked_about():
    ages = [str(age) for age in range(18, 60)]
    assert noted(read({"x": [*ages, "45"]}, missing=["x=45"]), "is within the range of the other values")
    assert not noted(read({"x": [*ages, "999"]}, missing=["x=999"]), "lies among")
    assert noted(read({"x": [*ages, "45"]}, missing=["45"]), "is within the range of the other values")


@pytest.mark.parametrize(
    ("cells", "asked"),
    [
        ([*map(str, range(18, 70)), "99", "99"], True),
        (["1", "2", "3", "4", "5", "9"], True),
        (["1200", "2400", "3100", "99998", "99999"], True),
        (["0", "1", "1", "-9"], True),
        ([*map(str, range(100))], False),
        (["1", "5", "7", "8", "9"], False),
        (["95", "97", "98", "99"], False),
    ],
)
def test_nines_far_from_all_others_are_asked_about(cells, asked):
    found = read({"x": cells})
    assert noted(found, "Values such as 999") == asked
    assert found.frame["x"].dtype == "int64"


@settings(max_examples=200)
@given(
    st.lists(st.integers(-50, 120), min_size=1, max_size=30),
    st.lists(st.sampled_from([99, 98, 97, 999, 9]), max_size=5),
)
def test_what_the_first_values_show_of_nines_is_true_of_all(rest, nines):
    """The shortcut that spares the sorting never hides what sorting finds."""
    values = np.array([*rest, *nines], np.float64)
    if missing._joined(values[:5], values.max()):
        assert not missing._far_nines(values)


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["0", "-0", "7", "007", "-12", "+3", " 4", "1.5", "0x10", "9" * 15, "9" * 16, None]),
        min_size=1,
        max_size=8,
    )
)
def test_usual_numbers_are_those_that_are_written_plainly(cells):
    column = pa.chunked_array([pa.array(cells, pa.string())])
    facts = usual_facts(column, False, whole=True)
    there = [cell for cell in cells if cell is not None]
    usual = all(re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?", cell) for cell in there)
    if facts is None:
        assert not there or not usual or 2 * len(set(there)) < len(there)
    else:
        found = as_decided(column, decisions({"x": facts})["x"])
        assert usual and found.dtype == ("float64" if None in cells or "." in "".join(there) else "int64")
        expected = [math.nan if cell is None else float(cell) for cell in cells]
        np.testing.assert_array_equal(found, expected)


def test_ends_count_as_the_number_at_the_end():
    cells = ["> 89", "90+", "<20", "≥90", "90 and over", "unknown", "refused", "refused", "42"]
    table = kc.Table.from_frame(pd.DataFrame({"age": cells, "other": list("abcdefghi")}))
    table = table.with_schema(table.schema.with_kinds({"age": "numeric"}))
    assert table["age"].values[:5].tolist() == [89, 90, 20, 90, 90] and table["age"].values[8] == 42
    assert table.misfits["age"].count == 3 and table.misfits["age"].ends == 5
    ends, others = misfit_notes(table)
    assert "“age” has 5 open-ended cells" in ends and "“refused” 2, “unknown” 1" in others
    assert "--kinds age=ordinal" in others
    private = table.with_schema(table.schema.with_roles({"age": "sensitive"}))
    assert "refused" not in misfit_notes(private)[1] and "3 cells" in misfit_notes(private)[1]
    assert "publishes these cells unchanged" in misfit_notes(private)[1]
    assert "as they are written" not in others


def test_a_setting_without_effect_is_told_and_one_with_effect_is_not():
    table = kc.read_table(b"age,pay,who\n30,1,a\n40,2,b\n")
    schema = table.schema.with_roles({"age": "quasi_identifier", "pay": "sensitive", "who": "identifier"})
    for chosen, told in (
        (schema, []),
        (schema.with_round_ends({"age": "5"}), []),
        (schema.with_round_ends({"pay": "100"}), ["rounding of ends"]),
        (schema.with_recodings({"pay": "mean"}), ["recoding"]),
    ):
        notes = idle_notes(table.with_schema(chosen))
        assert [note.split(", so its ")[1].split(" has no effect")[0] for note in notes] == told
