"""The digest of rows in a recipe is the same whatever parts and order, and one machine finds it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kanon_core as kc
from kanon_core.release.recipe import Recipe, RecipeError
from tests.scale.manytables import CARRIED, Many, differences, over_files, published


@pytest.fixture
def few() -> Many:
    return Many.of(2, (0.3, 0.6), ["age", "gaps", "city", "moment", *CARRIED], 90)


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
    assert len(found) == 1 and found.pop().startswith("rows:90:")


def test_one_machine_repeats_the_recipe_of_many_files(few, tmp_path):
    source = few.written(tmp_path / "source")
    made = over_files(source, few, kc.Mondrian(), 3, tmp_path / "out", 30)
    recipe = Recipe.from_json(made.recipe.to_json())
    assert recipe == made.recipe and made.records == len(published(tmp_path / "out")) == 90
    table = kc.Table.from_frame(few.frame, few.schema)
    again = kc.repeat(table, recipe)
    assert not differences(again.publish(), published(tmp_path / "out"))
    unnamed = kc.Table.from_frame(few.frame.assign(name="somebody"), few.schema)
    recipe.check_table(unnamed)  # identifiers were not read


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
