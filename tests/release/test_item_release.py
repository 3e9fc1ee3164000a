"""Item sets from a partition to published cells: what all share, and nothing else."""

from __future__ import annotations

import importlib
import io
import shlex
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import KanonError
from kanon_core.cli import main
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.covers.cover import Concealment, Partition
from kanon_core.covers.matching.consistency import consistency
from kanon_core.covers.recoding import recode
from kanon_core.guarantees import Truth
from kanon_core.report import release_bytes
from kanon_core.report.command import command_line
from kanon_core.report.released_file import released_name
from kanon_core.report.script import script
from kanon_core.table.columns.itemcells import parts_of
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.differences import Differences, applied, differences
from kanon_core.table.schema import Attribute, Schema
from tests.helpers import release_of
from tests.table.test_items import DRUGS, DRUGS_IN_THE_END, sets_of

FINAL = [0, 1, 0, 1, 2, 3, 3, 2, 3]
"""The groups in which figure 6 of the set-valued paper ends."""


def table_of(cells, delimiter: str = ",", **columns) -> kc.Table:
    frame = pd.DataFrame({"drugs": pd.Series(cells, dtype="str"), **columns})
    attributes = [Attribute("drugs", kind="items", delimiter=delimiter)]
    attributes += [Attribute(name, kind="numeric") for name in columns]
    return kc.Table.from_frame(frame, Schema(tuple(attributes)))


@st.composite
def partitioned(draw):
    """Sets of the items a … f, an age, and groups of which some are suppressed."""
    sets = draw(st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=12))
    groups = draw(st.lists(st.integers(-1, 3), min_size=len(sets), max_size=len(sets)))
    ages = draw(st.lists(st.integers(20, 24), min_size=len(sets), max_size=len(sets)))
    return sets, np.array(groups), ages


def shared(sets, members) -> set[str]:
    return set.intersection(*[set(sets[member]) for member in members])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(partitioned())
def test_published_are_the_items_that_all_share(case):
    sets, groups, _ = case
    table, partition = table_of([",".join(held) for held in sets]), Partition(groups)
    published = recode(table["drugs"], partition)
    assert isinstance(published.cells, CommonItems) and not published.cells.aggregated
    labels = table["drugs"].labels
    for group in range(len(partition.sizes)):
        cell = published.cells.items[published.cells.starts[group] : published.cells.starts[group + 1]]
        assert {labels[item] for item in cell} == shared(sets, partition.members(group))
        assert cell.tolist() == sorted(cell.tolist())
    rows = np.flatnonzero(groups >= 0)
    assert published.true_of(table["drugs"], rows).all()
    cells = published.cells
    keys, texts = cells.keys(), cells.texts(table["drugs"], np.arange(len(partition.sizes)))
    assert [[a == b for b in keys] for a in keys] == [[a == b for b in texts] for a in texts]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(partitioned())
def test_truth_is_found_out_for_every_record_and_cell(case):
    sets, groups, _ = case
    table, partition = table_of([",".join(held) for held in sets]), Partition(np.maximum(groups, 0))
    published = recode(table["drugs"], partition)
    pairs = [(i, g) for i in range(len(sets)) for g in range(len(partition.sizes))]
    found = published.cells.contain(table["drugs"], *np.array(pairs).T)
    expected = [shared(sets, partition.members(group)) <= set(sets[record]) for record, group in pairs]
    assert found.tolist() == expected


def test_common_items_of_overlapping_sets():
    table = table_of(["a,b", "b,c", "a,b,c"])
    cover = Concealment(np.array([[0, 1, 2], [1, 2, 0]]))
    cells = recode(table["drugs"], cover).texts(table["drugs"], np.arange(3))
    assert cells == ["{a, b}", "{b}", "{b, c}"]


def test_figure_6_ends_in_twenty_of_28_items():
    release = release_of(table_of(DRUGS), FINAL)
    assert release.to_frame()["drugs"].tolist() == DRUGS_IN_THE_END
    assert all(verdict.holds for verdict in kc.audit(release.table, release))
    assert release.published[0].cells.sizes[release.row].sum() == 20


def test_a_cell_that_shows_more_than_all_share_fails_the_audit():
    release = release_of(table_of(DRUGS), FINAL)
    cells = release.published[0].cells
    items = cells.items.copy()
    items[1] = release.table["drugs"].labels.index("f")
    release.published[0].__dict__["cells"] = CommonItems(cells.starts, items)
    verdict = Truth().check(release.table, release)
    assert not verdict.holds and verdict.witnesses == (1,)


def test_suppressed_records_and_empty_sets():
    release = release_of(table_of(["a,b", None, "a", "b", "b"]), [-1, 0, 0, 1, 1])
    assert release.to_frame()["drugs"].tolist() == ["*", "{}", "{}", "{b}", "{b}"]
    assert all(verdict.holds for verdict in kc.audit(release.table, release))
    gone = release_of(table_of(["a", "b"]), [-1, -1])
    assert gone.to_frame()["drugs"].tolist() == ["*", "*"] and not len(gone.publish())


def test_labels_that_look_like_something_else_are_quoted():
    cells = ['["a, b", "{}", "*", "c"]'] * 2
    table = table_of(cells, "json")
    assert release_of(table, [0, 0]).to_frame()["drugs"].tolist() == ['{"*", "a, b", c, "{}"}'] * 2
    assert original_texts(table["drugs"], np.array([0])) == ['{"*", "a, b", c, "{}"}']


@pytest.mark.parametrize("format", ["csv", "xlsx", "parquet"])
def test_released_sets_read_back(format):
    cells = [*DRUGS[:8], *DRUGS[:2]]
    release = release_of(table_of(cells, ages=range(10)), [0, 1, 0, 1, 2, 3, 3, 2, 2, 3])
    content = release_bytes(release, format)
    if format == "xlsx":
        assert openpyxl.load_workbook(io.BytesIO(content)).worksheets[0].max_row == 11
    back = kc.read_table(content)
    assert back["drugs"].attribute.kind != "items", "a value set is written the same way"
    sets = back.with_schema(back.schema.with_kinds({"drugs": "items"}))["drugs"]
    table, cell = release.table, release.row
    items = [
        shared([set(held) for held in sets_of(table["drugs"])], np.flatnonzero(cell == cell[i]))
        for i in range(10)
    ]
    assert sets.delimiter == "{}" and sorted(map(sorted, sets_of(sets))) == sorted(map(sorted, items))


def test_recoding_says_what_is_published():
    table = table_of(["a", "b"])
    with pytest.raises(kc.SchemaError, match="no mode"):
        table.schema.with_recodings({"drugs": "mode"})


@pytest.mark.parametrize(
    "cls", [cls for cls in ALGORITHMS if not cls.takes_items], ids=lambda cls: cls.__name__
)
def test_algorithms_that_do_not_know_sets_say_so(cls):
    table = table_of(DRUGS)
    (reason,) = [reason for reason in cls().unsuitable(table, 2) if "item sets" in reason]
    assert "“drugs”" in reason and "Top-down" in reason
    with pytest.raises(kc.UnsuitableError, match="Top-down"):
        kc.anonymize(table, cls(), 2)


COMMON = [cls for cls in ALGORITHMS if cls.takes_items and cls.family != "generalization"]
"""Those that publish what a group has in common, beside columns of other kinds."""


@pytest.mark.deep
@pytest.mark.parametrize("cls", COMMON, ids=lambda cls: cls.__name__)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(case=partitioned(), k=st.integers(2, 4))
def test_nothing_outside_the_common_items_is_ever_shown(cls, case, k):
    sets, _, ages = case
    table = table_of([",".join(held) for held in sets], age=ages)
    if k > len(sets):
        return
    release = kc.anonymize(table, cls(), k)
    texts = release.texts(np.arange(len(sets)))["drugs"]
    for group in range(len(release.cover.sizes)):
        members = release.cover.members(group)
        assert len(members) >= k
        for member in members:
            shown = parts_of(_arrow([texts[member]]), "{}").items.to_pylist()
            assert {item.strip() for item in shown} - {""} == shared(sets, members)
    assert sorted(release.publish()["drugs"]) == sorted(text for text in texts if text != "*")


def _arrow(texts):
    import pyarrow as pa

    return pa.array(texts, pa.large_string())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(partitioned())
def test_consistency_by_counting(case):
    sets, groups, ages = case
    table, partition = table_of([",".join(held) for held in sets], age=ages), Partition(np.maximum(groups, 0))
    published, n = [recode(column, partition) for column in table.quasi], len(sets)
    fits = np.zeros((n, n), bool)
    for row in range(n):
        members = partition.members(partition.groups[row])
        low, high = min(ages[m] for m in members), max(ages[m] for m in members)
        fits[:, row] = [shared(sets, members) <= set(sets[j]) and low <= ages[j] <= high for j in range(n)]
    found = consistency(table, published)
    assert found.rows.tolist() == fits.sum(axis=1).tolist()
    assert found.originals.tolist() == fits.sum(axis=0).tolist()
    assert (found.matches >= partition.sizes[partition.groups]).all()


def test_a_published_set_that_nobody_has_fits_nobody():
    table = table_of(["a,b", "b,c"])
    column = table["drugs"]
    cells = CommonItems(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32))
    found = consistency(table, [PublishedColumn(column.attribute, cells, np.arange(2))])
    assert found.rows.tolist() == [1, 1] and found.originals.tolist() == [0, 2] and not found.perfect


def test_too_many_pairs_of_sets_are_refused(monkeypatch):
    monkeypatch.setattr(importlib.import_module("kanon_core.covers.cells.items"), "MEMBERS_AT_MOST", 5)
    table = table_of(DRUGS)
    partition = Partition(np.zeros(9, int))
    with pytest.raises(KanonError, match="“drugs”"):
        consistency(table, [recode(table["drugs"], partition)])


def test_a_delimiter_in_quotes_must_be_a_json_text(tmp_path, capsys):
    file = tmp_path / "sets.csv"
    file.write_bytes(b"basket,x\n1;2,1\n2,2\n")
    assert main(["describe", str(file), '--item-delimiters="basket=""x"']) == 2
    assert "contains a quotation mark" in capsys.readouterr().err


def test_delimiters_come_back_from_their_differences():
    start = table_of(DRUGS, "", x=range(9)).schema
    changed = start.with_delimiters({"drugs": "\t"})
    assert applied(start, differences(start, changed)) == changed
    with pytest.raises(kc.SchemaError, match="“y”"):
        applied(start, Differences({}, {}, {}, {}, {"y": ";"}))


LONG = b"who,age,what\n" + b"".join(b"%d,%d,a|b\n%d,%d,c\t%d\n" % (i, i, i, i, i % 2) for i in range(20, 30))


@pytest.mark.parametrize(
    ("content", "how", "delimiter"),
    [
        (LONG, {"long": ("who", "what")}, "none"),
        (b"basket\n" + b"a b;c\nb;c d\nc d;a b;c\n" * 4, {}, " "),
        (b"basket;x\n" + b"a\tb;1\na\tc;2\nb;1\na\tc\tb;3\n" * 4, {}, "\t"),
        (b"1 2\n2\n2 3 1\n" * 4, {}, ""),
        (b"basket,x\n" + b"afoundb,1\nbfoundcfoundd,2\nafoundb,1\n" * 4, {}, "found"),
        (b"basket|x\n" + b"a\t;b|1\na\t;c;d|2\nb|1\na\t;b|3\n" * 4, {"delimiter": "|"}, "\t;"),
    ],
)
def test_scripts_and_command_lines_make_the_same_bytes(content, how, delimiter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sets.txt").write_bytes(content)
    table = kc.read_table("sets.txt", **how)
    name = table.schema.names[2 if "long" in how else 0]
    schema = table.schema.with_kinds({name: "items"}).with_roles({name: "quasi_identifier"})
    table = table.with_schema(schema.with_delimiters({name: delimiter} if delimiter else {}))
    release = kc.anonymize(table, kc.TopDown(), 2)
    expected, target = release_bytes(release, "csv"), Path(released_name(release, "sets.txt", "csv"))
    exec(compile(script(release, "sets.txt"), "script", "exec"), {})
    assert target.read_bytes() == expected
    target.unlink()
    assert main(shlex.split(command_line(release, "sets.txt"))[3:]) == 0
    assert target.read_bytes() == expected
    again = kc.Recipe.from_json(release.recipe.to_json())
    assert (
        release_bytes(
            kc.repeat(kc.read_table("sets.txt", schema=again.schema, **again.reading), again), "csv"
        )
        == expected
    )
