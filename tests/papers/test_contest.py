"""The contest's notation: written, read back, and judged as the contest's own programs do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.papers.contest import answer_utility, contest_bytes, read_answer
from kanon_core.table.columns.columns import Categories
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of

COUNTS = [9, 7, 5, 5, 4, 4, 2, 1]


def same_rows(release: kc.Release, data: bytes, records: np.ndarray) -> None:
    """The rows read are those published of these records, cell by cell, under the same pseudonyms."""
    answer = read_answer(data, release.table)
    names = np.where(release.suppressed, "*", release.pseudonyms.astype(str))[records]
    assert list(answer.names) == names.tolist()
    assert answer.suppressed.tolist() == release.suppressed[records].tolist()
    for read, written in zip(answer.columns, release.published, strict=True):
        for row, record in enumerate(records):
            cell = release.row[record]
            if cell < 0:
                continue
            if isinstance(release.table[written.attribute.name], Categories):
                own = read.cells.codes[read.cells.starts[row] : read.cells.starts[row + 1]]
                first, last = written.cells.starts[cell : cell + 2]
                assert own.tolist() == written.cells.codes[first:last].tolist()
            else:
                assert (read.cells.low[row], read.cells.high[row]) == (
                    written.cells.low[cell],
                    written.cells.high[cell],
                )


@pytest.mark.parametrize("grouping", ["count", "fewest", "whole"])
@pytest.mark.parametrize("k", [2, 3])
def test_what_is_written_is_read_back(grouping, k):
    table = table_of(frame_of(customers_of(COUNTS)))
    release = kc.anonymize(table, kc.PurchaseHistories(grouping=grouping), k)
    same_rows(release, contest_bytes(release, whole=True), np.arange(len(table)))
    lines = contest_bytes(release, whole=True).decode().splitlines()
    kept = np.array(sorted(np.flatnonzero(~release.suppressed), key=lambda record: lines[record]))
    same_rows(release, contest_bytes(release), kept)


def test_the_published_file_is_in_text_order_without_left_out_rows():
    release = kc.anonymize(table_of(frame_of(customers_of(COUNTS))), kc.PurchaseHistories(), k=3)
    published = contest_bytes(release).decode().splitlines()
    whole = contest_bytes(release, whole=True).decode().splitlines()
    assert published == sorted(line for line in whole if line != "*,*,*,*,*")
    assert whole.count("*,*,*,*,*") == release.suppressed.sum()


def test_the_notation_of_tables_7_and_8():
    frame = pd.DataFrame(
        {
            "customer": ["12415", "12388", "15005"],
            "day": ["2011/8/5", "2011/9/21", "2011/9/11"],
            "product": ["10252", "89213", "83769"],
            "price": [300, 180, 250],
            "quantity": [1, 24, 12],
        }
    )
    lines = contest_bytes(kc.anonymize(table_of(frame), kc.PurchaseHistories(), k=3)).decode().splitlines()
    cells = {line.partition(",")[2] for line in lines}
    assert cells == {"[2011/8/5;2011/9/21],{10252;83769;89213},[180;300],[1;24]"}
    same = frame.assign(day="2011/8/5", product="10252", price=1.5, quantity=2)
    line = contest_bytes(kc.anonymize(table_of(same), kc.PurchaseHistories(), k=3)).decode().splitlines()[0]
    assert line.partition(",")[2] == "2011/8/5,10252,1.5,2"


def test_the_judges_number_is_the_metric_s():
    table = table_of(frame_of(customers_of(COUNTS)))
    release = kc.anonymize(table, kc.PurchaseHistories(), k=2)
    judged = answer_utility(table, read_answer(contest_bytes(release, whole=True), table))
    measured = kc.PurchaseUtility().measure(table, release)
    assert judged == pytest.approx({**measured.attributes, "total": measured.total})
    with pytest.raises(kc.InputError, match=r"37 records\.$"):
        answer_utility(table, read_answer(contest_bytes(release), table))


def test_answers_of_others_may_star_single_cells():
    table = table_of(frame_of(["a", "b"]))
    cells = "*,*,[0.5;13],*"
    answer = read_answer(f"11,{cells}\n12,{cells}\n".encode(), table)
    judged = answer_utility(table, answer)
    assert judged["day"] == judged["product"] == judged["quantity"] == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1,2011/1/1,A,1", "Line 1 has 4 fields, but the table requires 5"),
        ("*,2011/1/1,A,1,1", "Line 1: a row without a pseudonym must consist of stars"),
        ("1,[2011/2/1;2011/1/1],A,1,1", r"Line 1: column “day” must be a value, \[a;b\] with a ≤ b"),
        ("1,2011/2/30,A,1,1", "Line 1: column “day” must be"),
        ("1,2011/1/1,{A;A},1,1", "Line 1: column “product” must be a value of the table"),
        ("1,2011/1/1,ZZ,1,1", "Line 1: column “product” must be a value of the table"),
        ("1,2011/1/1,A,[1;2;3],1", "Line 1: column “price” must be"),
        ("1,2011/1/1,A,nan,1", "Line 1: column “price” must be"),
        ("1,2011/1/1,A,[1;inf],1", "Line 1: column “price” must be"),
    ],
)
def test_what_is_not_in_the_notation_is_named_by_its_line(line, problem):
    with pytest.raises(kc.InputError, match=problem):
        read_answer(f"{line}\n".encode(), table_of(frame_of(["a", "b"]).assign(product=["A", "B"])))


def test_what_the_notation_cannot_write_is_refused():
    frame = frame_of(["a", "b", "a", "b"])
    for changed, why in (
        (frame.assign(product=["A,1", "B", "C", "D"]), "labels with a comma"),
        (frame.assign(price=[1.0, np.nan, 2.0, 3.0]), "missing values"),
        (frame.assign(day=pd.Timestamp("2011-01-01 10:30")), "times of day"),
    ):
        release = kc.anonymize(table_of(changed), kc.PurchaseHistories(), k=2)
        with pytest.raises(kc.UnsuitableError, match=why):
            contest_bytes(release)
    plain = kc.anonymize(table_of(frame_of(["a", "b"])), kc.MDAV(), k=2)
    with pytest.raises(kc.UnsuitableError, match="for purchase histories"):
        contest_bytes(plain)


def test_several_pseudonyms_are_published_but_are_no_answer_for_the_judges():
    table = table_of(frame_of(customers_of([40, 9, 8, 8, 3, 2, 2, 2])))
    release = kc.anonymize(table, kc.PurchaseHistories(grouping="similar"), k=2)
    assert release.bearers.several
    names = {line.partition(",")[0] for line in contest_bytes(release).decode().splitlines()}
    assert len(names) == len(release.bearers)
    with pytest.raises(kc.UnsuitableError, match="one pseudonym"):
        contest_bytes(release, whole=True)


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1d", "\x85", "\u2028", "\u2029"])
def test_a_label_with_another_end_of_line_is_read_back_as_it_is(end):
    label = f"a{end}b"
    frame = pd.DataFrame({"who": list("ppqq"), "product": [label, "c", label, "d"]})
    roles = {"who": "person", "product": "quasi_identifier"}
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles(roles).with_kinds({"product": "categorical"})
    )
    release = kc.anonymize(table, kc.PurchaseHistories(), 2)
    answer = read_answer(contest_bytes(release, whole=True), table)
    read, written = answer.columns[0].cells, release.published[0].cells
    assert len(answer.names) == 4
    codes = [read.codes[read.starts[i] : read.starts[i + 1]].tolist() for i in range(4)]
    assert codes == [written.codes[written.starts[c] : written.starts[c + 1]].tolist() for c in release.row]
