"""The digest of rows in a recipe is the same whatever files, parts and order, on one machine and over many
files: each repeats the recipes of the other."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.release.recipe import Recipe, RecipeError
from kanon_core.scale.files import FilesRelease
from tests.scale.inside import Inside
from tests.scale.manytables import (
    CARRIED,
    DRAWN,
    QUASI,
    Many,
    differences,
    over_files,
    published,
    small,
    suited,
)

ALGORITHMS = (kc.Mondrian(), kc.Sorting())


@pytest.fixture
def few() -> Many:
    return Many.of(2, (0.3, 0.6), ["age", "gaps", "city", "moment", *CARRIED], 90)


def repeated(source: Path, recipe: Recipe, out: Path) -> FilesRelease:
    """By this process alone, in small parts and files."""
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        said = {"rows": 30, "despite": "made up"}
        return kc.repeat_files(str(source), Recipe.from_json(recipe.to_json()), str(out), Inside(), **said)


def as_csv(many: Many, folder: Path) -> Path:
    """The folder with a csv file of each part that has rows."""
    folder.mkdir()
    for number, (start, end) in enumerate(zip(many.bounds, many.bounds[1:], strict=False)):
        if start < end:
            many.frame.iloc[start:end].to_csv(folder / f"part-{number}.csv", index=False)
    return folder


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(sorted(QUASI)), min_size=1, max_size=4, unique=True),
    carried=st.lists(st.sampled_from(sorted(CARRIED)), min_size=1, max_size=3, unique=True),
    records=st.integers(2, 120),
    algorithm=st.sampled_from(ALGORITHMS),
    parquet=st.booleans(),
)
def test_what_one_machine_read_of_a_csv_file_is_released_again_from_many_files_and_back(
    seed, ends, quasi, carried, records, algorithm, parquet
):
    if algorithm == kc.Sorting():
        hidden = ("goods", "time_of")  # maps, and moments that are texts in csv, are refused there
        quasi = [name for name in quasi if name not in hidden] or ["age"]
    many = Many.of(seed, ends, [*suited(quasi, algorithm), *carried], records)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        many.frame.to_csv(folder / "one.csv", index=False)
        table = kc.read_table(folder / "one.csv", many.schema)
        try:
            one = kc.anonymize(table, algorithm, 2, seed)
        except kc.UnsuitableError:
            return
        turned = np.random.default_rng(seed).permutation(records)
        other = replace(many, frame=table.frame.iloc[turned].reset_index(drop=True))
        source = other.written(folder / "source") if parquet else as_csv(other, folder / "source")
        made = repeated(source, one.recipe, folder / "out")
        apart = differences(one.publish(), published(folder / "out"))
        assert not apart, apart
        assert made.recipe.data_digest == one.recipe.data_digest
        assert not differences(one.publish(), kc.repeat(table, made.recipe).publish())


@pytest.mark.deep
def test_parts_and_their_order_do_not_change_it(few, tmp_path):
    found = set()
    for number, bounds in enumerate([(0, 90), (0, 30, 60, 90), (0, 0, 45, 90, 90)]):
        many = replace(few, bounds=bounds)
        source = many.written(tmp_path / f"source {number}")
        made = over_files(source, many, kc.Mondrian(), 3, tmp_path / f"out {number}", 30)
        found.add(made.recipe.data_digest)
    turned = replace(few, frame=few.frame[::-1].reset_index(drop=True))
    source = turned.written(tmp_path / "turned")
    found.add(over_files(source, turned, kc.Mondrian(), 3, tmp_path / "out", 30).recipe.data_digest)
    found.add(turned.release(kc.Mondrian(), 3).recipe.data_digest)
    assert len(found) == 1 and found.pop().startswith("unnamed:90:")


def test_one_machine_repeats_the_recipe_of_many_files(few, tmp_path):
    source = few.written(tmp_path / "source")
    made = over_files(source, few, kc.Mondrian(), 3, tmp_path / "out", 30)
    recipe = Recipe.from_json(made.recipe.to_json())
    assert recipe == made.recipe and made.records == len(published(tmp_path / "out")) == 90
    table = kc.Table.from_frame(few.frame, few.schema)
    again = kc.repeat(table, recipe)
    assert not differences(again.publish(), published(tmp_path / "out"))


def renamed(many: Many) -> kc.Table:
    """The table with other identifiers."""
    return kc.Table.from_frame(many.frame.assign(name="somebody"), many.schema)


def test_identifiers_are_not_covered_where_they_change_nothing(few, tmp_path):
    recipe = over_files(few.written(tmp_path / "source"), few, kc.Mondrian(), 3, tmp_path / "out", 30).recipe
    recipe.check_table(renamed(few))
    assert not differences(kc.repeat(renamed(few), recipe).publish(), published(tmp_path / "out"))


@pytest.mark.parametrize(
    "algorithm", [kc.Mondrian(), kc.Mondrian(diversity=2.0), kc.TopDown(), kc.TopDown(split="midpoint")]
)
def test_identifiers_and_weights_change_nothing_of_what_is_published(algorithm):
    """The recipes of these algorithms do not cover identifiers and weights; most records tie with others."""
    many = Many.of(2, (0.3, 0.6), ["few", "plain", "size", "income"], 90)
    frame = many.frame.assign(weight=np.arange(90) + 0.5)
    schema = kc.Schema((*many.schema, kc.Attribute("weight", "sampling_weight", kind="numeric")))
    one = kc.anonymize(kc.Table.from_frame(frame, schema), algorithm, 3, 3)
    turned = {name: frame[name].iloc[::-1].to_numpy() for name in ("name", "weight")}
    other = kc.anonymize(kc.Table.from_frame(frame.assign(**turned), schema), algorithm, 3, 3)
    assert one.recipe == other.recipe and one.recipe.data_digest.startswith("unnamed:90:")
    assert one.publish().equals(other.publish())


@pytest.mark.deep
def test_item_sets_of_lists_are_the_same_in_one_file_and_in_many(tmp_path):
    many = Many.of(6, (0.3, 0.6), ["age", "income"], 90)
    rng = np.random.default_rng(6)
    baskets = [
        rng.choice(["ale", "tea", "a, b"], rng.integers(0, 4), replace=False).tolist() for _ in range(90)
    ]
    schema = kc.Schema((*many.schema, kc.Attribute("basket", kind="items")))
    many = replace(many, frame=many.frame.assign(basket=baskets), schema=schema)
    many.frame.to_parquet(tmp_path / "one.parquet", index=False)
    one = kc.anonymize(kc.read_table(tmp_path / "one.parquet", schema), kc.Fragments(kc.TopDown(), 40), 3, 1)
    turned = replace(many, frame=many.frame[::-1].reset_index(drop=True))
    repeated(turned.written(tmp_path / "source"), one.recipe, tmp_path / "out")
    assert not differences(one.publish(), published(tmp_path / "out"))


@pytest.mark.parametrize("algorithm", [kc.Sorting(), kc.Fragments(kc.MDAV(), 40)])
def test_they_are_covered_where_the_order_of_the_records_depends_on_them(tmp_path, algorithm):
    many = Many.of(2, (0.3, 0.6), ["few", "plain", "size", "income"], 90)  # many records tie with others
    source = many.written(tmp_path / "source")
    recipe = over_files(source, many, algorithm, 3, tmp_path / "out", 30).recipe
    assert recipe.data_digest.startswith("named:90:")
    assert not differences(many.release(algorithm, 3).publish(), published(tmp_path / "out"))
    others = replace(many, frame=many.frame.assign(name=many.frame["name"][::-1].to_numpy()))
    assert differences(others.release(algorithm, 3).publish(), published(tmp_path / "out"))
    with pytest.raises(RecipeError, match="made for other data"):
        kc.repeat(kc.Table.from_frame(others.frame, many.schema), recipe)
    with pytest.raises(RecipeError, match="made for other data"):
        repeated(others.written(tmp_path / "others"), recipe, tmp_path / "again")


def test_other_rows_are_not_those_of_the_recipe(few, tmp_path):
    recipe = over_files(few.written(tmp_path / "source"), few, kc.Mondrian(), 3, tmp_path / "out", 30).recipe
    for name in ("age", "income", "illness", "seen"):
        frame = few.frame.copy()
        frame.loc[0, name] = frame.loc[frame[name].notna() & (frame[name] != frame.loc[0, name]), name].iloc[
            0
        ]
        with pytest.raises(RecipeError, match="made for other data"):
            kc.repeat(kc.Table.from_frame(frame, few.schema), recipe)
    with pytest.raises(RecipeError, match="made for other data"):
        kc.repeat(kc.Table.from_frame(few.frame[:-1], few.schema), recipe)


def test_what_the_file_of_a_recipe_was_read_with_is_said_where_the_cells_differ(tmp_path):
    many = Many.of(5, (0.3, 0.6), ["age", "city", "income"], 60)
    marked = many.frame.assign(city=many.frame["city"].fillna("?"))
    marked.to_csv(tmp_path / "one.csv", index=False)
    table = kc.read_table(tmp_path / "one.csv", many.schema, missing=("?",))
    assert table.frame["city"].isna().any()
    recipe = kc.anonymize(table, kc.Mondrian(), 3, 7).recipe
    repeated(replace(many, frame=table.frame).written(tmp_path / "as read"), recipe, tmp_path / "out")
    with pytest.raises(
        RecipeError, match=r"made for other data.* with the settings missing, which do not apply"
    ):
        repeated(replace(many, frame=marked).written(tmp_path / "marked"), recipe, tmp_path / "again")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["as read", "marked", "one.csv", "out"]


def test_recipes_that_cannot_be_found_again_are_refused_before_any_work(few, tmp_path):
    table = kc.Table.from_frame(few.frame, few.schema)
    recipe = few.release(kc.Mondrian(), 3).recipe
    given_order = kc.anonymize(table.in_given_order(), kc.Mondrian(), 3, 3).recipe
    for old, said in (
        (given_order, "on the order of records in one file"),
        (
            replace(recipe, data_digest=table.data_digest),
            r"a table as a whole, as in early builds of version 0\.1\.0",
        ),
        (replace(recipe, data_digest=f"rows:90:{1:032x}"), "An earlier build of Kanon"),
    ):
        with pytest.raises(RecipeError, match=said):
            kc.repeat_files(str(tmp_path), old, str(tmp_path / "out"))
    with pytest.raises(RecipeError, match="An earlier build of Kanon"):
        kc.repeat(table, replace(recipe, data_digest=f"rows:90:{1:032x}"))
    kc.repeat(table, replace(recipe, data_digest=table.data_digest))  # of before, on one machine
    kc.repeat(table, given_order)
    assert not list(tmp_path.iterdir())


def test_persons_are_read_and_then_refused(few, tmp_path):
    """The owners of records decide what is released of persons: the digest covers their column."""
    schema = few.schema.with_roles({"name": "person"})
    recipe = replace(few.release(kc.Mondrian(), 3).recipe, schema=schema)
    with pytest.raises(kc.UnsuitableError, match="“name” identifies the person of each record"):
        repeated(few.written(tmp_path / "source"), recipe, tmp_path / "out")
    moved = pd.DataFrame(few.frame).assign(name=few.frame["name"].iloc[::-1].to_numpy())
    one, other = (kc.Table.from_frame(frame, schema) for frame in (few.frame, moved))
    assert recipe.digest_of(one) != recipe.digest_of(other)
