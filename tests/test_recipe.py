"""Recipes: they repeat a release, belong to one table, and refuse everything that is no recipe."""

from __future__ import annotations

import json

import pytest

import kanon_core as kc
from kanon_core.recipe import RecipeError, check_k, check_seed
from tests.contracts.tables import table_of


@pytest.fixture
def release() -> kc.Release:
    return kc.anonymize(table_of("odd"), kc.Sorting(by=("comma, name",)), k=3, seed=4)


def test_json_gives_the_recipe_back(release):
    text = release.recipe.to_json()
    assert kc.Recipe.from_json(text) == release.recipe == kc.Recipe.from_json(text.encode())


def test_it_tells_how_but_no_cell():
    table = table_of("mixed")
    recipe = kc.anonymize(table, kc.MDAV(), k=3).recipe
    data = json.loads(recipe.to_json())
    assert data["algorithm"] == {"name": "MDAV", "options": {}}
    assert (data["k"], data["seed"], data["records"], data["kanon"]) == (3, 0, 23, kc.__version__)
    assert data["schema"][0]["role"] == "identifier"
    for cell in ("person 1", "Oslo", "flu"):
        assert cell not in recipe.to_json()


def test_it_belongs_to_its_data_alone(release):
    other = table_of("odd", 24)
    with pytest.raises(RecipeError, match="other data"):
        kc.repeat(other, release.recipe)
    with pytest.raises(RecipeError, match="other data"):
        kc.audit(other, release)


def test_one_changed_cell_is_other_data(release):
    frame = release.table.frame.copy()
    frame.iloc[22, 8] = "changed"
    with pytest.raises(RecipeError):
        kc.repeat(kc.Table.from_frame(frame, release.recipe.schema), release.recipe)


def test_the_schema_of_the_recipe_counts_not_that_of_the_table(release):
    plain = kc.Table.from_frame(release.table.frame)
    assert kc.repeat(plain, release.recipe).cover == release.cover


def changed(release: kc.Release, **changes) -> str:
    data = {**json.loads(release.recipe.to_json()), **changes}
    return json.dumps({name: value for name, value in data.items() if value is not ...})


@pytest.mark.parametrize(
    "changes",
    [
        {"k": 1},
        {"k": "3"},
        {"k": ...},
        {"seed": -1},
        {"seed": None},
        {"schema": "age"},
        {"schema": ...},
        {"schema": [{"name": "x", "role": "king"}]},
        {"schema": [{"name": "x"}, {"name": "x"}]},
        {"algorithm": {"name": "ILSSDM", "options": {}}},
        {"algorithm": {"name": "Sorting", "options": {"by": "x"}}},
        {"algorithm": {"name": "Sorting", "options": {"colour": 1}}},
        {"algorithm": "MDAV"},
        {"records": "many"},
        {"reading": 3},
        {"data_digest": ...},
    ],
    ids=repr,
)
def test_a_broken_recipe_is_refused_in_a_sentence(release, changes):
    with pytest.raises(kc.KanonError, match=r"^(k |[A-Z]).*\.$"):
        kc.Recipe.from_json(changed(release, **changes))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "3", "{", b"\xff\xfe\x00", b"PK\x03\x04"], ids=repr)
def test_anything_else_is_no_recipe(text):
    with pytest.raises(RecipeError, match="not a recipe"):
        kc.Recipe.from_json(text)


@pytest.mark.parametrize("k", [2, 3, 10**9])
def test_legal_k(k):
    assert check_k(k) == k


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_legal_seed(seed):
    assert check_seed(seed) == seed
