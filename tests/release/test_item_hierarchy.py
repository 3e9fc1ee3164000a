"""Item sets with a value hierarchy on the whole path: schema, closure, cells, losses, audit, reading back,
recipe."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.cli import main
from kanon_core.covers.cells import CommonItems
from kanon_core.covers.cover import Concealment
from kanon_core.covers.recoding import recode
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.guarantees import KMAnonymity, Truth
from kanon_core.metrics.loss.items import item_counts
from kanon_core.metrics.utility.base import item_shares
from kanon_core.metrics.utility.models import features
from kanon_core.metrics.utility.workload import Itemsets
from kanon_core.report import release_bytes
from kanon_core.report.command import command_line
from kanon_core.report.released_file import released_name
from kanon_core.report.script import script
from tests.helpers import release_of
from tests.oracles import closures as plain

SHOP = kc.Hierarchy.of_paths(
    [
        ("beer", "alcohol", "drinks"),
        ("wine", "alcohol", "drinks"),
        ("milk", "drinks"),
        ("juice", "drinks"),
        ("bread", "food"),
        ("rice", "food"),
        ("nails",),
    ]
)
"""Seven values: beer and wine are alcohol; with milk and juice four drinks; bread and rice food."""


def shop(cells: list[str], tree: kc.Hierarchy | None = SHOP, **what) -> kc.Table:
    """A table of one column of item sets, ``basket``."""
    schema = kc.Schema((kc.Attribute("basket", kind="items", delimiter=",", hierarchy=tree, **what),))
    return kc.Table.from_frame(pd.DataFrame({"basket": pd.Series(cells, dtype="str")}), schema)


def sets_of(table: kc.Table) -> list[set[str]]:
    """The items of each record."""
    column = table["basket"]
    return [{column.labels[i] for i in held} for held in np.split(column.items, column.starts[1:-1])]


@st.composite
def drawn(draw):
    """A tree of up to 12 nodes besides the top, sets of its values, and groups of which some are
    suppressed."""
    above = [draw(st.integers(0, i)) for i in range(draw(st.integers(1, 12)))]
    names = ["*", *(f"n{i}" for i in range(len(above)))]
    tree = kc.Hierarchy(tuple((names[i + 1], names[parent]) for i, parent in enumerate(above)))
    held = st.sets(st.sampled_from(tree.values), max_size=5)
    cells = draw(st.lists(held, min_size=1, max_size=12))
    groups = draw(st.lists(st.integers(-1, 3), min_size=len(cells), max_size=len(cells)))
    return shop([",".join(sorted(one)) for one in cells], tree), np.array(groups)


def published(table: kc.Table, groups: np.ndarray) -> list[set[str]]:
    """Return the items that are published of each record, by brute force."""
    sets, above = sets_of(table), table["basket"].attribute.hierarchy.above
    members = {g: [sets[i] for i in np.flatnonzero(groups == g)] for g in set(groups.tolist())}
    return [plain.common(members[g], above) if g >= 0 else set() for g in groups.tolist()]


def test_a_group_publishes_the_nodes_that_all_share_and_names_the_lowest():
    table = shop(["beer,bread", "wine,bread", "beer,milk", "juice,nails", "nails", "", "rice"])
    release = release_of(table, [0, 0, 1, 1, 2, 2, -1])
    shown = ["{alcohol, bread}"] * 2 + ["{drinks}"] * 2 + ["{}"] * 2 + ["*"]
    assert release.to_frame()["basket"].tolist() == shown
    assert all(verdict.holds for verdict in kc.audit(table, release))
    # (set-valued paper, eq. 7 and 10): beer as alcohol loses 2/7, bread nothing; as drinks each of the two
    # 4/7, nails 1.
    exact = kc.NCP().measure(table, release).records
    assert exact.tolist() == pytest.approx([1 / 7, 1 / 7, 4 / 7, (4 / 7 + 1) / 2, 1, 0, 1])
    fast = kc.SuppressedItems().measure(table, release)
    assert fast.total == pytest.approx((2 / 7 + 2 / 7 + 8 / 7 + 4 / 7 + 1 + 1 + 1) / 10)
    assert fast.records.tolist() == pytest.approx([1 / 7, 1 / 7, 4 / 7, (4 / 7 + 1) / 2, 1, 0, 1])


def test_the_column_itself_stays_as_it_is():
    table = shop(["beer,bread", "wine", ""])
    column, bare = table["basket"], shop(["beer,bread", "wine", ""], None)["basket"]
    assert column.labels == ("beer", "bread", "wine") and (column.items == bare.items).all()
    sets = column.closure.sets
    assert sets.labels == ("alcohol", "beer", "bread", "drinks", "food", "wine")
    assert np.split(sets.items, sets.starts[1:-1])[0].tolist() == [0, 1, 2, 3, 4]
    assert bare.closure.sets is bare and bare.closure.is_flat


@pytest.mark.deep
@settings(max_examples=200, deadline=None, derandomize=True)
@given(drawn())
def test_cells_texts_and_losses_by_brute_force(case):
    table, groups = case
    column, above = table["basket"], table["basket"].attribute.hierarchy.above
    release, sets, shown = release_of(table, groups), sets_of(table), published(table, groups)
    (one,), labels = release.published, column.closure.sets.labels
    for record, group in enumerate(release.row.tolist()):
        if group >= 0:
            held = one.cells.items[one.cells.starts[group] : one.cells.starts[group + 1]]
            assert {labels[code] for code in held} == shown[record]
            text = "{" + ", ".join(sorted(plain.lowest(shown[record], above))) + "}"
            assert release.to_frame()["basket"][record] == text
    assert all(verdict.holds for verdict in kc.audit(table, release) if verdict.guarantee != "k-anonymity")
    lost = [
        [plain.penalty(plain.shown_as(i, plain.lowest(nodes, above), above), above) for i in own]
        for own, nodes in zip(sets, shown, strict=True)
    ]
    exact, fast = kc.NCP(constant=True).measure(table, release), kc.SuppressedItems().measure(table, release)
    for record, part in enumerate(lost):
        assert fast.records[record] == pytest.approx(np.mean(part) if part else 0)
        assert exact.records[record] == pytest.approx(
            1 if groups[record] < 0 else np.mean(part) if part else 0
        )
    total = sum(map(len, sets))
    assert fast.total == pytest.approx(sum(map(sum, lost)) / total if total else 0)
    own, kept = item_counts(column, one)
    assert own.tolist() == [sum(label in held for held in sets) for label in column.labels]
    assert kept.tolist() == [sum(label in nodes for nodes in shown) for label in column.labels]
    bits = kc.EntropyLoss().measure(table, release).details
    assert bits["bits lost"] == pytest.approx(plain.bits_lost(sets, shown, above), abs=1e-9)


def total(metric: kc.Metric, table: kc.Table, tree: kc.Hierarchy | None, groups: np.ndarray) -> float:
    """The loss of these groups of records under a hierarchy."""
    other = table.with_schema(table.schema.with_hierarchies({"basket": tree}))
    return metric.measure(other, release_of(other, groups)).total


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(drawn())
def test_a_hierarchy_never_loses_more_than_none(case):
    table, groups = case
    tree = table["basket"].attribute.hierarchy
    for metric in (kc.NCP(), kc.SuppressedItems(), kc.EntropyLoss()):
        assert total(metric, table, tree, groups) <= total(metric, table, None, groups) + 1e-12


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(drawn(), st.data())
def test_a_finer_hierarchy_never_loses_more_bits(case, data):
    """A tree is compared with one that lacks one of its groups."""
    table, groups = case
    tree = table["basket"].attribute.hierarchy
    gone = data.draw(st.sampled_from([*tree.below]))
    above = {**tree.above, "*": "*"}
    pairs = tuple((n, above[gone] if p == gone else p) for n, p in tree.parents if n != gone)
    less = kc.Hierarchy(pairs) if gone != "*" else None
    assert (
        total(kc.EntropyLoss(), table, tree, groups) <= total(kc.EntropyLoss(), table, less, groups) + 1e-12
    )


def test_a_group_that_an_item_tells_already_says_nothing_of_another():
    """{beer} tells nothing of the wine and the milk beside it, {alcohol} of the milk, though all are
    drinks."""
    table = shop(["beer,wine", "beer,milk", "beer,milk", "wine,juice"])
    release = release_of(table, [0, 0, 1, 1])
    assert release.to_frame()["basket"].tolist() == ["{beer}"] * 2 + ["{alcohol}"] * 2
    records = kc.NCP().measure(table, release).records
    assert records.tolist() == pytest.approx([1 / 2, 1 / 2, (2 / 7 + 1) / 2, (2 / 7 + 1) / 2])


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(drawn(), st.data())
def test_a_cell_is_true_of_a_record_whose_closure_has_it(case, data):
    table, groups = case
    above, sets = table["basket"].attribute.hierarchy.above, sets_of(table)
    n = len(table)
    cover = Concealment(np.array([np.roll(np.arange(n), turn) for turn in range(min(n, 3))]))
    one = recode(table["basket"], cover)
    labels = table["basket"].closure.sets.labels
    pairs = np.array([(record, cell) for record in range(n) for cell in range(n)])
    cells = [{labels[c] for c in part} for part in np.split(one.cells.items, one.cells.starts[1:-1])]
    expected = [cells[cell] <= plain.closure(sets[record], above) for record, cell in pairs]
    assert one.cells.contain(table["basket"], *pairs.T).tolist() == expected
    release = release_of(table, np.maximum(groups, 0))
    fits = [
        [nodes <= plain.closure(own, above) for nodes in published(table, np.maximum(groups, 0))]
        for own in sets
    ]
    found = release.consistency()
    assert found.rows.tolist() == np.sum(fits, axis=1).tolist()
    assert found.originals.tolist() == np.sum(fits, axis=0).tolist()


def test_a_cell_that_says_more_than_its_records_have_fails_the_audit():
    table = shop(["beer", "wine", "beer", "beer"])
    release = release_of(table, [0, 0, 1, 1])
    cells = release.published[0].cells
    labels = table["basket"].closure.sets.labels
    told = CommonItems(
        np.array([0, 3, 6]), np.tile([labels.index(x) for x in ("alcohol", "beer", "drinks")], 2)
    )
    release.published[0].__dict__["cells"] = told
    assert Truth().check(table, release).witnesses == (2,) and len(cells.items) == 5


BY_GROUP = [cls for cls in ALGORITHMS if cls.takes_items and cls not in (kc.Apriori, kc.RareItems)]
"""Those that publish what a group shares; the others publish an item alike in the whole table."""


@pytest.mark.parametrize("cls", BY_GROUP, ids=lambda cls: cls.__name__)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(case=drawn(), k=st.integers(2, 4))
def test_algorithms_publish_what_their_groups_share(cls, case, k):
    table, _ = case
    algorithm = cls(**({"seconds": 0.03} if cls.__name__ == "RefineSets" else {}))
    if algorithm.unsuitable(table, k):
        return
    release = kc.anonymize(table, algorithm, k)
    above = table["basket"].attribute.hierarchy.above
    texts = release.to_frame()["basket"].tolist()
    assert np.bincount(release.groups[release.groups >= 0]).min() >= k
    for text, nodes in zip(texts, published(table, release.groups), strict=True):
        assert text == "*" or text == "{" + ", ".join(sorted(plain.lowest(nodes, above))) + "}"


def test_the_top_down_pass_discloses_groups_where_items_are_too_rare():
    cells = ["beer", "wine", "milk", "bread", "rice", "nails", "nails"]
    release = kc.anonymize(shop(cells), kc.TopDown(), 2)
    bare = kc.anonymize(shop(cells, None), kc.TopDown(), 2)
    assert bare.to_frame()["basket"].tolist() == ["{}"] * 5 + ["{nails}"] * 2
    assert release.to_frame()["basket"].tolist() == ["{drinks}"] * 3 + ["{food}"] * 2 + ["{nails}"] * 2


def test_a_hierarchy_must_name_every_item_once():
    with pytest.raises(kc.SchemaError, match=r"“basket” lacks values: “gin” and 1 more"):
        shop(["gin,beer", "rum"])
    with pytest.raises(kc.SchemaError, match="names of values: “alcohol”"):
        shop(["alcohol"])
    with pytest.raises(kc.SchemaError, match="“beer” twice"):
        kc.Hierarchy((*SHOP.parents, ("beer", "food")))
    with pytest.raises(kc.SchemaError, match="not shown because") as told:
        shop(["gin,beer"], role="sensitive")
    assert "gin" not in str(told.value)


def test_some_columns_only():
    frame = pd.DataFrame({"a": ["beer", "wine"] * 2, "b": ["x,y", "x"] * 2, "c": ["beer", "wine"] * 2})
    attributes = (
        kc.Attribute("a", kind="items", delimiter=",", hierarchy=SHOP),
        kc.Attribute("b", kind="items", delimiter=","),
        kc.Attribute("c", hierarchy=SHOP),
    )
    table = kc.Table.from_frame(frame, kc.Schema(attributes))
    shown = release_of(table, [0] * 4).to_frame().iloc[0].tolist()
    assert shown == ["{alcohol}", "{x}", "alcohol"]
    for cls in (kc.TopDown, kc.RefineSets):
        release = kc.anonymize(table, cls(**({"steps": 2} if cls is kc.RefineSets else {})), 2)
        assert release.to_frame()["a"].tolist() == ["{beer}", "{wine}"] * 2


def test_categories_come_first_then_groups_of_them():
    names = kc.CategoryMap((("gin", "beer"), ("rum", "wine"), ("cord", "unknown")))
    tree = kc.Hierarchy((*SHOP.parents, ("unknown", "*")))
    table = shop(["gin,cord", "rum,else"], tree, categories=names)
    assert release_of(table, [0, 0]).to_frame()["basket"].tolist() == ["{alcohol, unknown}"] * 2


def test_names_of_groups_cannot_be_mistaken():
    tree = kc.Hierarchy(
        (
            ("a", "x, y"),
            ("b", "x, y"),
            ("x, y", "*"),
            ("c", "{}"),
            ("d", "{}"),
            ("{}", "*"),
            ("x", "*"),
            ("y", "*"),
        )
    )
    table = shop(["a,c,x", "b,d,x", "y", "y"], tree)
    assert (
        release_of(table, [0, 0, 1, 1]).to_frame()["basket"].tolist()
        == ['{x, "x, y", "{}"}'] * 2 + ["{y}"] * 2
    )


def test_a_group_of_one_item_loses_nothing_and_one_of_all_everything():
    tree = kc.Hierarchy.of_paths([("a", "only a", "all"), ("b", "all")])
    table = shop(["a", "b", "a"], tree)
    release = release_of(table, [0, 0, 1])
    assert release.to_frame()["basket"].tolist() == ["{all}", "{all}", "{a}"]
    assert kc.NCP().measure(table, release).records.tolist() == [1, 1, 0]


@pytest.mark.parametrize("cells", [["", "", ""], ["beer", "", "beer"], ["beer"] * 3])
def test_empty_sets_and_an_item_in_every_record(cells):
    table = shop(cells)
    for k in (2, 3):
        release = kc.anonymize(table, kc.TopDown(), k)
        assert release.to_frame()["basket"].tolist() == ["{beer}" if cells[1] else "{}"] * 3
        assert all(
            0 <= row.value <= 1
            for row in kc.score(table, release, [kc.NCP(), kc.SuppressedItems()]).itertuples()
        )


@pytest.mark.deep
@settings(max_examples=60, deadline=None, derandomize=True)
@given(drawn())
def test_a_release_written_and_read_back_fits_the_same_records(case):
    table, groups = case
    release = release_of(table, np.maximum(groups, 0))
    back = read_release(release.publish(), table)
    ours, theirs = release.consistency(), back.consistency()
    assert sorted(ours.originals) == sorted(theirs.originals) and ours.perfect == theirs.perfect
    assert sorted(ours.matches) == sorted(theirs.matches)


def test_groups_are_read_from_a_released_file():
    table = shop(["beer,bread", "wine,bread", "nails"])
    back = read_release(pd.DataFrame({"basket": ["{alcohol}", "{alcohol, bread}", "{beer, alcohol}"]}), table)
    assert back.consistency().rows.tolist() == [3, 2, 0]
    assert back.consistency().originals.tolist() == [2, 2, 1]
    plainly = read_release(pd.DataFrame({"basket": ["alcohol,bread", "nails"]}), table)
    assert plainly.consistency().rows.tolist() == [1, 1, 1]
    with pytest.raises(kc.InputError, match="groups of items"):
        read_release(pd.DataFrame({"basket": ["{tools}", "{nails}"]}), table)


def test_a_reader_takes_a_group_for_one_of_its_values():
    table = shop(["beer,bread", "wine,bread", "beer,milk", "beer,juice"])
    release = release_of(table, [0, 0, 1, 1])
    one, column = release.published[0], table["basket"]
    labels = list(column.labels)
    assert labels == ["beer", "bread", "juice", "milk", "wine"]
    shares = item_shares(column, one.cells).toarray()
    assert shares.tolist() == [[0.5, 1, 0, 0, 0.5], [1, 0, 0, 0, 0]]
    wanted = [np.array(held) for held in ([0], [0, 1], [0, 4], [2], [])]
    asked = Itemsets(column, one.cells, wanted)
    queries = np.arange(5)
    assert asked.answer(queries).tolist() == [[0.5, 1], [0.5, 0], [0.25, 0], [0, 0], [1, 1]]
    assert asked.true(queries).sum(axis=1).tolist() == [3, 1, 0, 1, 4]
    assert features(table, release, np.arange(4))[1][0, :2].tolist() == [0.5, 1]


def test_a_group_is_an_item_of_its_own_to_a_distance():
    """beer, wine, milk, milk: 5 of 6 pairs differ; of alcohol, alcohol, milk, milk 4: a fifth of Jaccard's
    distances is lost."""
    table = shop(["beer", "wine", "milk", "milk"])
    release = release_of(table, [0, 0, 1, 1])
    assert kc.ILD().measure(table, release).total == pytest.approx(1 / 5)
    assert kc.EntropyDifference().measure(table, release).total == pytest.approx(1 - 1 / 1.5)


def test_known_items_count_groups():
    """Items alone point to one record each, the group that is published of them to two."""
    table = shop(["beer", "wine", "nails", "nails"])
    release = kc.anonymize(table, kc.TopDown(), 2)
    assert release.to_frame()["basket"].tolist() == ["{alcohol}"] * 2 + ["{nails}"] * 2
    verdict = KMAnonymity(2).check(table, release)
    assert verdict.holds and verdict.found == 2


def test_scripts_and_command_lines_make_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shop.csv").write_text(
        "basket,x\n" + "beer;bread,1\nwine;bread,2\nmilk,3\njuice;nails,4\nnails;rice,5\n" * 3
    )
    table = kc.read_table("shop.csv")
    schema = table.schema.with_kinds({"basket": "items"}).with_roles({"basket": "quasi_identifier"})
    table = table.with_schema(schema.with_hierarchies({"basket": SHOP}))
    release = kc.anonymize(table, kc.TopDown(), 2)
    expected, target = release_bytes(release, "csv"), Path(released_name(release, "shop.csv", "csv"))
    exec(compile(script(release, "shop.csv"), "script", "exec"), {})
    assert target.read_bytes() == expected
    target.unlink()
    assert main(shlex.split(command_line(release, "shop.csv"))[3:]) == 0
    assert target.read_bytes() == expected
    again = kc.Recipe.from_json(release.recipe.to_json())
    read = kc.read_table("shop.csv", schema=again.schema, **again.reading)
    assert release_bytes(kc.repeat(read, again), "csv") == expected
    Path("groups.csv").write_text(SHOP.to_csv())
    asked = (
        "anonymize shop.csv --quasi basket --kinds basket=items --hierarchy basket=groups.csv --algorithm"
        " topdown --k 4"
    )
    assert main([*asked.split(), "--out", "out.csv"]) == 0
    assert "{drinks}" in Path("out.csv").read_text()
