"""Every reproduction is in its tuple and documented; the paper's numbers are all there; rows and texts."""

from __future__ import annotations

import re

import pytest

import kanon_core.papers
from kanon_core.base.errors import OptionError
from kanon_core.base.options import options_of
from kanon_core.papers import REPRODUCTIONS, Part, Reproduction, Row, frame_of, reproduction
from kanon_core.papers.frame import above_text, compared_text, papers_text
from kanon_core.papers.printed import PRINTED, printed
from kanon_core.table.readers import read_frame
from kanon_core.table.writers import write_frame
from tests.contracts.test_tuples import subclasses

PART = Part("table 9", "Table 9", "shares", "2 samples of “=1+1”", "other data", False, 1_000, 2)


def row(values=(3.0, 5.0), paper=None, floor=None, is_floor=False, part=PART, **place) -> Row:
    return Row(part, {"k": 2, "method": "tours", **place}, values, paper, floor, is_floor)


def test_every_reproduction_is_in_its_tuple():
    assert subclasses(Reproduction, kanon_core.papers) == set(REPRODUCTIONS)
    assert len({cls.name for cls in REPRODUCTIONS}) == len(REPRODUCTIONS) > 0


def test_it_says_what_it_is():
    for cls in REPRODUCTIONS:
        assert cls.title and cls.summary.endswith(".")
        assert re.search(r"Reference: [\w-]+ paper, §", cls.__doc__)
        assert all(option.kind.help for option in options_of(cls))
        assert reproduction(cls.name) is cls


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(OptionError, match="concealment"):
        reproduction("tables")


def test_the_numbers_of_tables_8_and_9_are_complete():
    cells = [cell for cell in PRINTED if cell[0] == "k-concealment"]
    assert len(cells) == 6 + 6 * 4
    assert {row for _, table, row, _ in cells if table == "table 9"} == {f"k = {k}" for k in range(2, 8)}
    assert sum(PRINTED[cell] for cell in cells if cell[1] == "table 8") == pytest.approx(4.2282)
    totals = {
        "lottery": 116242.27,
        "lottery + clusters": 52071.53,
        "tours": 39622.82,
        "tours + clusters": 41867.83,
    }
    for method, total in totals.items():
        mine = [PRINTED[cell] for cell in cells if cell[1] == "table 9" and cell[3] == method]
        assert sum(mine) == pytest.approx(total)


def test_a_number_that_no_paper_prints_is_none():
    assert printed("k-concealment", "table 9", "k = 7", "tours") == 11970.68
    assert printed("k-concealment", "table 9", "k = 8", "tours") is None
    assert printed("set-valued", "table 9", "k = 7", "tours") is None


def test_mean_ratio_and_distance_to_the_floor():
    one = row(paper=2.0, floor=(2.0, 3.0))
    assert (one.mean, one.ratio, one.least, one.above) == (4.0, 2.0, 2.5, pytest.approx(0.6))
    bare = row()
    assert (bare.ratio, bare.least, bare.above) == (None, None, None)
    assert row(floor=(0.0, 0.0)).above is None


def test_texts_of_a_row():
    assert papers_text(row()) == ""
    assert papers_text(row(paper=1683.756)) == "1,683.76*"
    same = Part("table 9", "", "", "", "another sample of the same data", True, 1_000, 2)
    assert papers_text(row(paper=1683.756, part=same)) == "1,683.76"
    assert above_text(row(floor=(2.0, 3.0))) == "+60.0 %"
    assert above_text(row()) == above_text(row(floor=(0.0, 0.0))) == ""
    proven = row((2.0, 2.0), floor=(2.0, 2.0 - 1e-9), is_floor=True)
    assert above_text(proven) == above_text(row((0.0,), floor=(0.0,), is_floor=True)) == "proven"
    assert above_text(row((2.0, 2.0), floor=(2.0, 1.9), is_floor=True)) == "not proven"


def test_what_may_be_compared_is_said():
    for papers_data, comparable, says in [
        ("another sample of the same data", True, "are for another sample of the same data."),
        ("other data", False, "compare order and proportions"),
        ("", False, "prints no such numbers"),
    ]:
        assert says in compared_text(Part("", "", "", "", papers_data, comparable, 1, 2))


def test_rows_as_a_file_that_no_spreadsheet_runs():
    rows = [row(paper=2.0, floor=(2.0, 3.0)), Row(PART, {"attributes": 3}, (1.0,))]
    frame = frame_of(rows)
    assert list(frame.columns)[:5] == ["table", "unit", "k", "method", "attributes"]
    assert frame["samples"].tolist() == [2, 1] and frame["greatest"].tolist() == [5.0, 1.0]
    assert frame["paper is of"].tolist() == ["other data", ""]
    named = [Row(Part("=table", "", "@unit", "-data", "", False, 1, 2), {"method": "+sum"}, (1.0,))]
    read = read_frame(write_frame(frame_of(named))).frame.iloc[0]
    assert [read["table"], read["unit"], read["method"], read["data"]] == [
        "'=table",
        "'@unit",
        "'+sum",
        "'-data",
    ]
