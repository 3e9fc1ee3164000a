"""The samples: what is stored is what is generated, and it looks the way its description says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.table import samples
from kanon_core.table.reading import read_table
from kanon_core.table.samples import (
    SAMPLES,
    baskets,
    households,
    load_sample,
    people,
    purchases,
    receipt_groups,
    receipts,
    sample,
)
from kanon_core.table.samples.itemsets import SITES, SYSTEMS
from kanon_core.table.samples.people import CENTER, in_polygon
from kanon_core.table.schema import KINDS, ROLES, Schema

ROOT = Path(__file__).resolve().parents[2]
each_sample = pytest.mark.parametrize("declared", SAMPLES, ids=lambda s: s.name)
stored = pytest.mark.parametrize("declared", [s for s in SAMPLES if s.stored], ids=lambda s: s.name)


@each_sample
def test_declaration_says_what_the_frame_is(declared):
    frame = load_sample(declared.name)
    assert tuple(frame.columns) == declared.columns == tuple(declared.roles)
    assert len(frame) == declared.rows
    assert set(declared.roles.values()) <= set(ROLES)
    assert set(declared.kinds.values()) <= set(KINDS)
    for column, kind in declared.kinds.items():
        assert pd.api.types.is_numeric_dtype(frame[column]) == (
            kind not in ("categorical", "text", "items", "datetime")
        )


@stored
def test_stored_copy_is_what_the_generator_makes(declared):
    assert declared.path.is_file()
    assert_frame_equal(load_sample(declared.name), declared.make())
    written = declared.make().to_csv(index=False, lineterminator="\n")
    assert declared.path.read_bytes() == written.encode("utf-8")


@stored
def test_generated_where_nothing_is_stored(declared, monkeypatch, tmp_path):
    kept = load_sample(declared.name)
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    assert_frame_equal(load_sample(declared.name), kept)
    assert samples.write_samples() == [tmp_path / f"{s.name}.csv" for s in SAMPLES if s.stored]
    assert_frame_equal(load_sample(declared.name), kept)


def test_names_are_unique_and_an_unknown_one_is_refused():
    assert len({s.name for s in SAMPLES}) == len(SAMPLES)
    with pytest.raises(InputError, match="people-5000"):
        sample("people-6000")


def test_kinds_are_what_inference_finds():
    declared = SAMPLES[0]
    kinds = {a.name: a.kind for a in Schema.infer(load_sample(declared.name)).attributes}
    assert {name: kinds[name] for name in ("latitude", "longitude", "age", "sex")} == {
        name: declared.kinds[name] for name in ("latitude", "longitude", "age", "sex")
    }


@pytest.mark.parametrize("make", [people, households, receipts, baskets])
def test_seeds_give_the_same_or_another_table(make):
    assert_frame_equal(make(60, seed=3), make(60, seed=3))
    assert not make(60, seed=3).equals(make(60, seed=4))
    assert len(make(1)) == 1


def test_everybody_is_on_land():
    frame = people(5000)
    map_ = json.loads((ROOT / "assets/vendor/basemap/detail.json").read_text("utf-8"))
    x, y = frame["longitude"].to_numpy(), frame["latitude"].to_numpy()
    on_land = np.zeros(len(frame), dtype=bool)
    for steps in map_["land"]:
        ring = np.cumsum(np.reshape(steps, (-1, 2)), axis=0) / map_["scale"]
        if ring[:, 0].max() > 138 and ring[:, 0].min() < 142:
            on_land ^= in_polygon(x, y, ring)
    assert on_land.all()


def test_inside_a_square():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    x, y = np.array([1.0, 3.0, 1.0, -1.0]), np.array([1.0, 1.0, 3.0, 1.0])
    assert in_polygon(x, y, square).tolist() == [True, False, False, False]


def test_people_are_clustered_with_a_heavy_tail():
    frame = people(5000)
    north = (frame["latitude"] - CENTER[0]) * 111.2
    east = (frame["longitude"] - CENTER[1]) * 90.3
    distance = np.hypot(north, east)
    assert distance.median() < 15
    assert distance.max() > 5 * distance.median()
    cells = pd.Series(list(zip(north // 2, east // 2, strict=True))).value_counts()
    assert cells.head(len(cells) // 20).sum() > 0.3 * len(frame)
    assert frame.duplicated(["latitude", "longitude"]).mean() > 0.3


def test_people_facts_hang_together():
    frame = people(5000)
    assert frame["person"].is_unique
    assert frame["age"].between(0, 101).all()
    assert (frame.loc[frame["activity"] == "retired", "age"] >= 65).all()
    assert (frame.loc[frame["activity"] == "school", "age"] < 23).all()
    old = frame["age"] >= 65
    assert (frame["condition"] == "hypertension")[old].mean() > 2 * (frame["condition"] == "hypertension")[
        ~old
    ].mean()


def test_household_dependence():
    frame = households(5000)
    rank = frame["income"].map(
        {name: i for i, name in enumerate(["under 2M", "2M-4M", "4M-6M", "6M-10M", "over 10M"])}
    )
    working = frame["hours"] > 20
    assert rank[working].corr(frame["education_years"][working]) > 0.3
    by_age = rank[working].groupby(pd.cut(frame["age"][working], [15, 25, 35, 50])).mean()
    assert by_age.is_monotonic_increasing
    assert frame.loc[frame["marital_status"] == "widowed", "age"].mean() > 65
    assert frame.loc[frame["marital_status"] == "never married", "age"].mean() < 36
    schooling = frame.groupby("occupation")["education_years"].mean()
    assert schooling["specialist"] - schooling["cleaning and porter"] > 4
    assert (frame.loc[frame["occupation"] == "not working", "hours"].dropna() == 0).all()
    assert frame.groupby("education")["education_years"].nunique().max() <= 2


def test_household_missing_values():
    missing = households(5000).isna()
    assert 0 < missing.to_numpy().mean() < 0.02
    assert (missing["occupation"] == missing["sector"]).all()
    assert sorted(missing.columns[missing.any()]) == [
        "commute_minutes",
        "hours",
        "housing",
        "occupation",
        "sector",
    ]


def test_six_numbers_and_nine_categories():
    kinds = list(sample("households-5000").kinds.values())
    assert kinds.count("numeric") == 6
    assert kinds.count("categorical") == 9


@pytest.mark.parametrize(
    ("name", "column", "different", "all_of_them"),
    [
        ("receipts-10000", "diseases", 169, 52_021),
        ("receipts-100000", "diseases", 4_156, 441_940),
        ("baskets-77512", "items", 3_340, 358_276),
    ],
)
def test_item_sets_have_the_sizes_of_the_papers_table(name, column, different, all_of_them):
    items = read_table(f"sample:{name}")[column]
    assert (items.distinct, len(items.items), items.delimiter) == (different, all_of_them, ";")
    assert items.sizes.min() == 1
    often = np.sort(np.bincount(items.items))[::-1]
    assert often[0] > len(items.sizes) / 8 and often[-1] >= 1
    assert often[: different // 20].sum() > 0.3 * all_of_them, "long-tailed"


def test_diseases_depend_on_age_and_sex():
    frame = receipts(10_000)
    old, female = frame["birth_year"] < 1945, frame["sex"] == "female"
    held = {part: frame["diseases"].str.contains(f"{part} ") for part in ("ear", "knee", "joint")}
    assert held["ear"][~old].mean() > 2 * held["ear"][old].mean()
    assert held["knee"][old].mean() > 2 * held["knee"][~old].mean()
    assert held["joint"][female].mean() > 1.5 * held["joint"][~female].mean()
    assert frame["diseases"][old].str.count(";").mean() > frame["diseases"][~old].str.count(";").mean() + 1


def test_groups_of_diseases_name_exactly_those_on_the_receipts():
    for name, kinds in (("receipts-10000", 169), ("receipts-100000", 4_156)):
        tree = sample(name).groups["diseases"]()
        assert tree == receipt_groups(kinds) and set(tree.below["*"]) <= SYSTEMS.keys()
        table = read_table(f"sample:{name}")
        grouped = table.with_schema(table.schema.with_hierarchies({"diseases": tree}))
        assert grouped["diseases"].labels == tuple(sorted(tree.values))
    assert sorted(part for parts in SYSTEMS.values() for part in parts) == sorted(SITES)


def test_few_receipts_of_many_kinds():
    frame = receipts(5, items=4_160, mean=3)
    assert len(frame) == 5 and frame["diseases"].notna().all()
    assert baskets(3, items=1, mean=1)["items"].tolist() == ["01-001"] * 3


def test_purchases_are_as_many_and_as_unevenly_spread_as_the_contest_s():
    frame = purchases()
    counts = frame["customer"].value_counts()
    assert len(frame) == 80_000 and len(counts) == 1_000 and counts.min() == 1
    assert counts.iloc[0] > 2 * counts.iloc[1] > 2_000 and 30 <= counts.median() <= 45
    assert 2_900 <= frame["product"].nunique() <= 3_000
    assert (frame.groupby("product")["description"].nunique() == 1).all()
    assert (frame["price"] > 0).all() and (frame["quantity"] > 0).all()
    assert frame["date"].between("2022-12-01", "2023-11-30").all() and frame["date"].is_monotonic_increasing
    table = kc.read_table("sample:purchases-80000")
    release = kc.anonymize(table, kc.PurchaseHistories(), k=5)
    assert release.pseudonymous and "description" not in release.to_frame(np.arange(3))
    found = kc.propose_categories(table.frame["product"], table.frame["description"])
    assert len(found.sizes) == 19 and not found.unknown(table.frame["product"])


def test_purchases_of_any_size():
    for people_, rows in ((1, 1), (3, 40), (60, 400)):
        frame = purchases(people_, rows, 10, seed=3)
        assert len(frame) == rows and frame["customer"].nunique() == people_
        assert frame.equals(purchases(people_, rows, 10, seed=3))
