"""Fragments: cuts as Mondrian makes them, each fragment as the inner algorithm would cover it alone, and what
is put together."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.fragments.cutting import cut_table
from kanon_core.algorithms.fragments.fragments import (
    INNERS,
    cover_of_fragment,
    seed_of,
    wholes_of,
)
from kanon_core.base.options import declared, options_of
from kanon_core.base.randomness import subkey
from kanon_core.covers.cover import Concealment, Cover
from kanon_core.distances.mixed import points_of, unit_columns_of
from kanon_core.report import release_bytes
from kanon_core.table.domain import Domain
from tests.helpers import looped, mixed_columns, table_of
from tests.oracles import mondrian as plain
from tests.oracles.mdav import mdav

OF_RECORDS = tuple(name for name in INNERS if name != "PurchaseHistories")
"""Those of people are in test_people.py."""
NAMES = ("x", "y", "day", "word", "yes", "size")


def inner_of(name: str) -> kc.Algorithm:
    """One of the inner algorithms, whose searches take a few steps."""
    cls = declared(name)
    return cls(**({"steps": 3} if "steps" in {option.name for option in options_of(cls)} else {}))


def mixed(seed: int, n: int = 40, items: bool = False) -> kc.Table:
    """Numbers with ties and missing cells, a date, words, levels in an order, perhaps item sets; a diagnosis
    that is no quasi-identifier."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            **mixed_columns(rng, n),
            "size": rng.choice(["low", "medium", "high"], n),
            "diagnosis": rng.choice(["flu", "cold"], n),
        }
    )
    kinds = {"size": "ordinal"}
    if items:
        drawn = [rng.choice(list("pqrst"), rng.integers(0, 4), replace=False) for _ in range(n)]
        frame["basket"] = [";".join(own) for own in drawn]
        kinds["basket"] = "items"
    schema = kc.Schema.infer(frame).with_kinds(kinds).with_quasi([*NAMES, *(["basket"] if items else [])])
    return kc.Table.from_frame(frame, schema.with_orders({"size": ("low", "medium", "high")}))


def fitting(name: str, seed: int = 0, n: int = 40) -> kc.Table:
    """A table that suits the inner algorithm of this name."""
    return mixed(seed, n, items=name in ("TopDown", "RefineSets"))


def settled(table: kc.Table, inner: kc.Algorithm, k: int) -> kc.Algorithm:
    return kc.anonymize(table, inner, k, seed=1).recipe.algorithm


def edges(cover: Cover) -> list[tuple[int, ...]]:
    """Return the records that are together: those of each group, or of each set of a concealment."""
    return [tuple(cover.members(i).tolist()) for i in range(len(cover.sizes))]


# One fragment


@pytest.mark.deep
@looped("name", OF_RECORDS)
def test_a_table_of_few_records_is_covered_by_the_inner_algorithm_byte_for_byte(name):
    table = fitting(name)
    inner = settled(table, inner_of(name), 3)
    for seed, rows in product((1, 2), (40, 1_000_000)):
        alone = kc.anonymize(table, inner, 3, seed=seed)
        whole = kc.anonymize(table, kc.Fragments(inner, rows), 3, seed=seed)
        assert whole.cover == alone.cover and release_bytes(whole) == release_bytes(alone)
        assert whole.report == {"fragments": 1, **alone.report}
        assert whole.guarantees == alone.guarantees


def test_a_table_that_cannot_be_cut_is_one_fragment_too():
    table = table_of(x=[5.0] * 9 + [7.0], c=["a"] * 10)
    found = kc.anonymize(table, kc.Fragments(rows=3), 2, seed=1)
    assert found.report == {"fragments": 1}
    assert release_bytes(found) == release_bytes(kc.anonymize(table, kc.MDAV(), 2, seed=1))


# The cuts


def test_six_numbers_by_hand():
    """Three are on either side of the median. MDAV on all six begins at both ends; 2 and 10 are left."""
    table = table_of(x=[0.0, 1, 2, 10, 11, 12]).in_given_order()
    whole = kc.anonymize(table, kc.MDAV(), 2)
    assert edges(whole.cover) == [(0, 1), (2, 3), (4, 5)]
    log = kc.Log()
    found = kc.anonymize(table, kc.Fragments(rows=3), 2, log=log)
    assert edges(found.cover) == [(0, 1, 2), (3, 4, 5)]
    told = [(event, what["path"]) for event, what in log.events if "path" in what]
    assert told == [("divide", ""), ("fragment", "L"), ("fragment", "R")]
    left, right = log.events[0][1]["left"].tolist(), log.events[0][1]["right"].tolist()
    assert (left, right) == ([0, 1, 2], [3, 4, 5]) and log.events[0][1]["column"] == "x"
    assert found.report == {"fragments": 2}


def test_the_widest_column_is_cut_and_a_side_below_k_is_none():
    """Column c is widest, but only one record has b: c would leave fewer than two there."""
    table = table_of(c=["a"] * 5 + ["b"], x=[0.0, 1, 2, 3, 4, 5], y=[0.0] * 5 + [9.0]).in_given_order()
    found = cut_table(table, 2, 4)
    assert [(cut.path, cut.column) for cut in found.cuts] == [("", "x")]
    assert [one.path for one in found.fragments] == ["L", "R"]


@pytest.mark.deep
@given(st.integers(0, 10**6), st.integers(4, 60), st.integers(2, 4), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_the_cuts_are_those_of_mondrian(seed, n, k, rows):
    table, log = mixed(seed, n), kc.Log()
    found = cut_table(table, k, rows)
    kc.Mondrian().cover(table, k, Run(log=log))
    expected = [
        (what["column"], what["left"].tolist(), what["right"].tolist())
        for event, what in log.events
        if event == "cut" and len(what["left"]) + len(what["right"]) > rows
    ]
    sides = [(found.below(f"{path}L"), found.below(f"{path}R")) for path, _ in found.cuts]
    told = zip(found.cuts, sides, strict=True)
    assert [(cut.column, left.tolist(), right.tolist()) for cut, (left, right) in told] == expected
    fragments = [one.members.tolist() for one in found.fragments]
    assert fragments == plain.mondrian(unit_columns_of(table), n, k, True, rows)
    assert sorted(record for members in fragments for record in members) == list(range(n))
    assert all(len(left) >= k <= len(right) for left, right in sides)


# One fragment among others


@pytest.mark.deep
@looped("name", OF_RECORDS)
def test_a_fragment_is_covered_as_by_who_has_nothing_else_of_the_table(name):
    """It is encoded anew from its own cells, with the whole's domain and the seed of its path alone."""
    table = fitting(name, seed=3, n=60)
    inner, domain = settled(table, inner_of(name), 3), Domain.of(table.columns)
    log = kc.Log()
    release = kc.anonymize(table, kc.Fragments(inner, 20), 3, seed=9, log=log)
    seen, records = table.ordered(9)
    fragments = [what for event, what in log.events if event == "fragment"]
    assert len(fragments) > 2
    for fragment in fragments:
        members = fragment["members"]
        frame = seen.frame.iloc[members]
        part = kc.Table.from_frame(frame, table.schema, domain=domain)
        run = Run(seed_of(subkey(9, "algorithm"), fragment["path"]))
        cover = cover_of_fragment(release.recipe.algorithm.inner, part, 3, run)
        if isinstance(cover, Concealment):
            own = release.cover.matchings[:, records[members]]
            assert np.array_equal(records[members][cover.matchings], own)
        else:
            own = release.cover.groups[records[members]]
            pairs = set(zip(own.tolist(), cover.groups.tolist(), strict=True))
            assert len(pairs) == len(set(own.tolist())) == len(set(cover.groups.tolist()))


@pytest.mark.deep
@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_a_part_has_the_range_mean_and_deviation_of_the_whole(seed):
    table = mixed(seed)
    members = np.flatnonzero(np.random.default_rng(seed).random(40) < 0.4)
    if not len(members):
        return
    part = table.part(members, wholes_of(table))
    other = kc.Table.from_frame(table.frame.iloc[members], table.schema, domain=Domain.of(table.columns))
    for name in NAMES:
        one, two = part[name], other[name]
        assert np.array_equal(one.keys, two.keys, equal_nan=name in ("x", "day", "size", "y"))
        assert one.has_missing == two.has_missing == table[name].has_missing
        if one.attribute.is_numeric:
            assert (one.range, one.mean, one.deviation) == (two.range, two.mean, two.deviation)
            assert one.range == table[name].range and (one.unit, one.integral) == (two.unit, two.integral)
    assert np.array_equal(points_of(part).numeric, points_of(other).numeric)
    again = part.part(np.arange(len(members))[::-1])
    assert np.array_equal(again["y"].values, part["y"].values[::-1]) and again["y"].range == part["y"].range
    pd.testing.assert_frame_equal(again.frame, table.frame.iloc[members[::-1]])


@looped("inner", [kc.MDAV(), kc.OptimalConcealment("chosen"), kc.Clustered(kc.Tours("random", "chosen"))])
def test_fragments_are_measured_by_the_chosen_distances(inner):
    """Each as by who has the fragment and the domain alone."""
    table = kc.read_table("sample:households-5000")
    table = kc.Table.from_frame(table.frame[:90], table.schema.with_quasi(["age", "education", "region"]))
    chosen = {"age": kc.Absolute(scale="sd"), "education": kc.Levenshtein(), "region": kc.Discrete()}
    table = table.with_schema(table.schema.with_distances(chosen))
    domain, log = Domain.of(table.columns), kc.Log()
    release = kc.anonymize(table, kc.Fragments(inner, 40), 3, seed=9, log=log)
    seen, records = table.ordered(9)
    for path, members in [(e["path"], e["members"]) for _, e in log.events if "members" in e and "path" in e]:
        part = kc.Table.from_frame(seen.frame.iloc[members], table.schema, domain=domain)
        cover = cover_of_fragment(inner, part, 3, Run(seed_of(subkey(9, "algorithm"), path)))
        whole = {tuple(sorted(own)) for own in edges(release.cover)}
        assert {tuple(sorted(records[members][list(own)].tolist())) for own in edges(cover)} <= whole


def test_longitudes_and_hours_stay_on_the_circle_of_the_whole():
    """Two sides of midnight, and of 180°: the parts are unrolled from where the whole is cut."""
    n = 24
    frame = pd.DataFrame(
        {
            "hour": [(20 + i) % 24 for i in range(8)] * 3,
            "longitude": [(170 + i) if i <= 10 else (i - 190) for i in range(n)],
            "latitude": np.linspace(-40, 20, n),
        }
    )
    schema = kc.Schema.infer(frame).with_kinds({"hour": "cyclic"}).with_quasi(list(frame.columns))
    table = kc.Table.from_frame(frame, schema.with_periods({"hour": 24.0}))
    assert table["longitude"].circle.cut == 170.0 and table["hour"].circle.cut == 20.0
    part = table.part(np.arange(8, 16), wholes_of(table))
    for name in ("hour", "longitude"):
        assert part[name].circle == table[name].circle and part[name].range == table[name].range
        assert np.array_equal(part[name].values, table[name].values[8:16])
        assert part[name].mean == pytest.approx(table[name].mean, rel=1e-14)
    assert part["longitude"].parallel == table["longitude"].parallel == 40
    for inner in (kc.MDAV(), kc.OptimalConcealment()):
        release = kc.anonymize(table, kc.Fragments(inner, 8), 3, seed=1)
        assert release.report["fragments"] >= 3 and all(verdict.holds for verdict in release.verdicts)


def test_groups_of_numbers_by_the_plain_twins():
    """The parts by Mondrian's twin, the groups by MDAV's, on numbers scaled by the whole's deviation."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        table = table_of(x=rng.integers(0, 50, 50) * 1.0, y=rng.integers(0, 9, 50) * 0.5).in_given_order()
        found = kc.anonymize(table, kc.Fragments(rows=16), 3)
        columns = [table[name].values for name in ("x", "y")]
        scaled = np.column_stack([(v - v.mean()) / v.std(ddof=1) for v in columns])
        expected = []
        for part in plain.mondrian(unit_columns_of(table), 50, 3, True, 16):
            own = mdav(scaled[part].round(9), np.zeros((len(part), 0), int), np.zeros(0), 3)
            expected += [tuple(np.array(part)[own == label].tolist()) for label in set(own.tolist())]
        assert len(expected) > 9 and sorted(edges(found.cover)) == sorted(expected)


# Put together


@pytest.mark.deep
@looped("name, rows", list(product(OF_RECORDS, (7, 15, 30))))
def test_every_record_hides_among_k_of_its_fragment(name, rows):
    table, log = fitting(name, seed=rows), kc.Log()
    release = kc.anonymize(table, kc.Fragments(inner_of(name), rows), 3, seed=2, log=log)
    home = np.full(len(table), -1)
    fragments = [what["members"] for event, what in log.events if event == "fragment"]
    for number, members in enumerate(fragments):
        home[log.records[members]] = number
    assert len(fragments) == release.report["fragments"] > 1 and home.min() == 0
    assert release.cover.sizes.min() >= 3 and all(verdict.holds for verdict in release.verdicts)
    for members in map(list, edges(release.cover)):
        assert len(set(home[members].tolist())) == 1
    if not isinstance(release.cover, Concealment):
        assert Counter(release.cover.order.tolist()) == Counter(range(len(table)))


def test_records_with_item_sets_have_one_order_in_a_file_of_any():
    """Their keyed hashes are exact sums over their items, wherever they stand."""
    table = mixed(4, 400, items=True)
    turned = kc.Table.from_frame(table.frame[::-1], table.schema)
    one, two = (each.ordered(5)[0].frame.reset_index(drop=True) for each in (table, turned))
    pd.testing.assert_frame_equal(one, two)


@pytest.mark.deep
@looped("name", OF_RECORDS)
def test_the_order_of_the_file_shapes_nothing(name):
    table = fitting(name, seed=4)
    algorithm = kc.Fragments(settled(table, inner_of(name), 3), 15)
    mixed_up = np.random.default_rng(1).permutation(len(table))
    other = kc.Table.from_frame(table.frame.iloc[mixed_up], table.schema)
    one, two = (kc.anonymize(t, algorithm, 3, seed=4).publish() for t in (table, other))
    pd.testing.assert_frame_equal(one, two)


def test_items_of_ones_own_are_published_side_by_side():
    """With known items each record shows its own: of four fragments, in one column of cells."""
    table = mixed(5, 60, items=True)
    table = table.with_schema(table.schema.with_quasi(["y", "basket"]))
    algorithm = kc.Fragments(kc.TopDown(known_items=2), 20)
    release = kc.anonymize(table, algorithm, 3, seed=1)
    cells = release["basket"].cells
    assert len(set(cells.keys().tolist())) == len(cells) and release.report["fragments"] > 2
    assert release.report["items shown"] == cells.sizes[release["basket"].cell].sum()
    assert release.guarantee == kc.KKMAnonymity(3, 2) and all(v.holds for v in release.verdicts)


def test_a_search_takes_its_seconds_once_and_the_recipe_its_steps():
    table = mixed(6, 60)
    release = kc.anonymize(table, kc.Fragments(kc.Refine(seconds=0.05), 20), 3, seed=3)
    inner = release.recipe.algorithm.inner
    assert inner.steps > 0 and release.report["steps"] <= inner.steps * release.report["fragments"]
    assert "loss reached" not in release.report
    again = kc.repeat(table, kc.Recipe.from_json(release.recipe.to_json()))
    assert again.cover == release.cover and again.recipe == release.recipe


def test_steps_that_are_named_are_those_of_every_fragment():
    """Also of one whose search ends before: the largest here holds no items to look for."""
    x = np.r_[np.zeros(30), np.ones(20)]
    baskets = [""] * 30 + [";".join(str(i) for i in range(8) if own >> i & 1) for own in range(100, 120)]
    frame = pd.DataFrame({"x": x, "basket": baskets})
    schema = kc.Schema.infer(frame).with_kinds({"basket": "items"}).with_quasi(["x", "basket"])
    algorithm = kc.Fragments(kc.RefineSets(steps=4), 25)
    release = kc.anonymize(kc.Table.from_frame(frame, schema), algorithm, 2, seed=1)
    assert release.recipe.algorithm == algorithm and release.report["steps"] == 4


@pytest.mark.deep
def test_every_edge_of_fragments_is_drawn_with_the_same_probability():
    """Each fragment draws by itself: 1/k for each edge, far within five deviations of 600 draws."""
    table, draws = mixed(7, 24), 600
    for k in (2, 3):
        cover = kc.anonymize(table, kc.Fragments(kc.OptimalConcealment(), 8), k, seed=1).cover
        counts = np.zeros((24, 24))
        for seed in range(draws):
            drawn = cover.drawn(seed, np.arange(24))
            counts[np.arange(24), drawn] += 1
        shares = counts[np.arange(24), cover.matchings] / draws
        assert np.allclose(shares.sum(axis=0), 1)
        assert np.abs(shares - 1 / k).max() < 5 * np.sqrt((k - 1) / k**2 / draws)


# What does not suit


def test_what_the_cuts_could_not_keep_is_refused():
    table = mixed(8)
    for inner in (kc.TopDown(diversity=2.0), kc.TopDown(closeness=0.3)):
        assert not inner.unsuitable(table, 2)
        with pytest.raises(kc.UnsuitableError, match="its cuts ignore sensitive values"):
            kc.anonymize(table, kc.Fragments(inner, 10), 2)
    people = pd.DataFrame({"who": [*"aabbccdd"], "age": range(20, 28)})
    schema = kc.Schema.infer(people).with_roles({"who": "person"}).with_quasi(["age"])
    for inner in map(inner_of, OF_RECORDS):
        (reason, *_) = kc.Fragments(inner, 4).unsuitable(kc.Table.from_frame(people, schema), 2)
        assert "8 records, 4 people" in reason


def test_what_is_too_large_for_the_inner_algorithm_is_said():
    table = table_of(x=np.arange(5_200.0) % 7)
    alone, large, fine = (
        kc.Clustered(),
        kc.Fragments(kc.Clustered(), 6_000),
        kc.Fragments(kc.Clustered(), 900),
    )
    assert "up to 5,000" in alone.unsuitable(table, 2)[0] == large.unsuitable(table, 2)[0]
    assert not fine.unsuitable(table, 2)
    alike = table_of(x=[1.0] * 5_200)
    with pytest.raises(kc.UnsuitableError, match=r"cannot process a fragment of 5,200 records.*up to 5,000"):
        kc.anonymize(alike, fine, 2)


def test_item_sets_go_with_an_inner_algorithm_that_takes_them():
    table = mixed(9, items=True)
    assert "item sets" in kc.Fragments(rows=10).unsuitable(table, 2)[0]
    assert not kc.Fragments(kc.TopDown(), 10).unsuitable(table, 2)
    assert kc.Fragments(kc.TopDown()).takes_items and not kc.Fragments().takes_items
    assert kc.Fragments(kc.Refine()).randomized and not kc.Fragments().randomized
