"""Recipes: they repeat a release, belong to one table, and refuse everything that is no recipe."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.release.recipe import RecipeError, check_k, check_seed
from tests.contracts.tables import table_of
from tests.helpers import looped

PLAIN = kc.Recipe(kc.Schema((kc.Attribute("x"),)), kc.Sorting(), 3, 0, "0" * 64, 9).to_json()


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


@looped(
    "changes",
    [
        {"k": 1},
        {"k": "3"},
        {"k": ...},
        {"seed": -1},
        {"seed": "-1"},
        {"seed": str(2**128)},
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
        {"records": 0},
        {"records": True},
        {"records": 23.5},
        {"records": float("inf")},
        {"k": float("inf")},
        {"seed": float("nan")},
        {"kanon": None},
        {"data_digest": ["a"]},
        {"algorithm": {"name": ["MDAV"], "options": {}}},
        {"schema": [{"name": "x", "role": []}]},
        {"schema": [{"name": "x", "weight": float("inf")}]},
        {"reading": [1]},
        {"reading": 3},
        {"data_digest": ...},
    ],
)
def test_a_broken_recipe_is_refused_in_a_sentence(release, changes):
    with pytest.raises(kc.KanonError, match=r"^(k |[A-Z]).*\.$"):
        kc.Recipe.from_json(changed(release, **changes))


@looped(
    "reading, said",
    [
        ({"foo": 1}, "“foo”"),
        ({"header": "yes"}, "“header” must be true or false"),
        ({"encoding": 8}, "“encoding” must be a text"),
        ({"missing": "?"}, "“missing” must be a list of texts"),
        ({"missing": [None]}, "“missing” must be a list of texts"),
        ({"typed": 1}, "“typed” must be true or false"),
        ({"sample": 5}, "“sample”"),
        ({"limits": {}}, "“limits”"),
    ],
)
def test_how_the_file_was_read_must_make_sense(release, reading, said):
    with pytest.raises(RecipeError, match=rf"{said}.*\.$"):
        kc.Recipe.from_json(changed(release, reading=reading))


def test_how_the_file_was_read_comes_back(release):
    reading = {"format": "csv", "header": True, "missing": ("?", "-"), "typed": False, "sample": "people-100"}
    recipe = dataclasses.replace(release.recipe, reading=reading)
    assert kc.Recipe.from_json(recipe.to_json()) == recipe


HUGE = [
    '{"records": 1e400}',
    '{"k": ' + "9" * 10_000 + "}",
    "[" * 100_000,
    '{"algorithm":' * 100_000,
    '{"algorithm": {"name": "MIL", "options": '
    + '{"start": {"name": "MIL", "options": ' * 400
    + "{}"
    + "}" * 802,
]


@looped("text", HUGE)
def test_huge_and_deep_texts_are_refused(text):
    with pytest.raises(kc.KanonError, match=r"^[A-Z].*\.$"):
        kc.Recipe.from_json(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("kanon", "algorithm", "k", "seed", "data_digest", "records", "reading", "schema")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    path=st.sampled_from(
        [(key,) for key in KEYS]
        + [
            ("algorithm", "options"),
            ("schema", 0),
            ("schema", 0, "weight"),
            ("schema", 0, "kind"),
            ("schema", 0, "name"),
            ("reading", "missing"),
        ]
    ),
    value=values,
)
def test_any_value_anywhere_is_taken_or_refused_in_a_sentence(path, value):
    data = json.loads(PLAIN)
    *way, last = path
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    try:
        kc.Recipe.from_json(json.dumps(data))
    except kc.KanonError as problem:
        assert str(problem).endswith(".")


@looped("text", ["", "[]", "{}", "null", "3", "{", b"\xff\xfe\x00", b"PK\x03\x04"])
def test_anything_else_is_no_recipe(text):
    with pytest.raises(RecipeError, match="not a recipe"):
        kc.Recipe.from_json(text)


@looped("k", [2, 3, 10**9])
def test_legal_k(k):
    assert check_k(k) == k


def test_where_nothing_is_promised_k_is_one():
    """A masking promises nothing; the sentence asks for no k of 2."""
    assert check_k(1, promised=False) == 1
    with pytest.raises(kc.OptionError, match="k must be 1"):
        check_k(0, promised=False)
    with pytest.raises(kc.OptionError, match="at least 2"):
        check_k(1)


@looped("seed", [0, 1, 2**63 - 1, 2**128 - 1])
def test_legal_seed(seed):
    assert check_seed(seed) == seed
