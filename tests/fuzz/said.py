"""Files that say what a table is – recipes, roles, hierarchies, sessions – and files that were released."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import kanon_core as kc
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.release.recipe import Recipe
from kanon_core.table.presets import preset_of, preset_text
from kanon_core.table.readers.lines import read_categories, read_hierarchy
from tests.fuzz.case import Case
from tests.fuzz.mutations import damaged, damaged_json

_CITIES = ("Bern", "Basel", "Zürich", "Genf")
_HIERARCHY = "".join(f"{city};Switzerland;*\n" for city in _CITIES)
_CELLS = ("*", "", "[ 1," + " " * 4_000 + "x", "[1,", "{", "{" + "a," * 999, "1-2-3", "1e999", "NA", "[b, a]")
_CELLS += ("{Bern, Basel", "Ber*", "*" * 500, "'=1", "[1, 2] or (missing)", '{"a\\', "1" * 4_000, "≥", "∞")
_CELLS += ("2020", "-" * 4_000)
_NOTATIONS: tuple[Callable[[int, int], str], ...] = (
    lambda low, high: f"[{low}, {high}]",
    lambda low, high: f"[{low};{high}]",
    lambda low, high: f"[{low}, {high + 1}[",
    lambda low, high: f"({low - 1}, {high}]",
    lambda low, high: f"{low}-{high}",
    lambda low, high: f"{low} – {high}",
    lambda low, high: f"{low}..{high}",
    lambda low, high: f"{low} to {high}",
    lambda low, high: f"{{{low}, {high}}}",
)


def said_case(rng: random.Random) -> Case:
    """One of these files, damaged, or a released one that is what it says."""
    said = (_recipe, _roles, _session, _hierarchy, _categories)
    return rng.choice((*said, _damaged_release, _true_release, _true_release))(rng)


@cache
def table() -> kc.Table:
    """A hundred records with a quasi-identifier of each usual kind."""
    rng = np.random.default_rng(0)
    rows = zip(rng.integers(10, 90, 100), rng.integers(0, 4, 100), rng.integers(0, 3, 100), strict=True)
    lines = "".join(f"{age},{_CITIES[city]},{['flu', 'hiv', 'ok'][ill]}\n" for age, city, ill in rows)
    found = kc.read_table(f"age,city,diagnosis\n{lines}".encode())
    tree = read_hierarchy(_HIERARCHY.encode())
    return found.with_schema(found.schema.with_hierarchies({"city": tree}))


@cache
def release() -> kc.Release:
    """A release of that table."""
    return kc.anonymize(table(), kc.Sorting(), k=3, seed=1)


def _recipe(rng: random.Random) -> Case:
    data = damaged_json(rng, release().recipe.to_json())
    return Case("recipe", data, lambda d: _again(Recipe.from_json(d)))


def _again(recipe: Recipe) -> Recipe:
    """A recipe that was read can be written and read again."""
    assert Recipe.from_json(recipe.to_json()).to_json() == recipe.to_json()
    return recipe


def _roles(rng: random.Random) -> Case:
    return Case("roles", damaged_json(rng, preset_text(table().schema)), lambda d: preset_text(preset_of(d)))


def _session(rng: random.Random) -> Case:
    return Case("session", damaged_json(rng, release().recipe.to_json()), kc.SessionFile.from_bytes)


def _hierarchy(rng: random.Random) -> Case:
    return Case("hierarchy", damaged(rng, _HIERARCHY.encode()), lambda d: table_with(read_hierarchy(d)))


def table_with(tree: Any) -> Any:
    """The table with another hierarchy; its values may be other ones."""
    return table().with_schema(table().schema.with_hierarchies({"city": tree}))["city"]


def _categories(rng: random.Random) -> Case:
    lines = "product;category\n" + "".join(f"{city};town\n" for city in _CITIES)
    return Case("categories", damaged(rng, lines.encode()), read_categories)


def _released(rows: list[list[str]]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows([["age", "city", "diagnosis"], *rows])
    return file.getvalue().encode()


def _damaged_release(rng: random.Random) -> Case:
    rows = [[f"[{10 + n}, {20 + n}]", "{Bern, Basel}", "flu"] for n in range(rng.choice((1, 5, 100)))]
    for _ in range(rng.choice((0, 1, 5))):
        rng.choice(rows)[rng.randrange(3)] = rng.choice(_CELLS)
    data = _released(rows)
    return Case("release", damaged(rng, data) if rng.random() < 0.6 else data, _read_release)


def _read_release(data: bytes) -> Any:
    return read_release(data, table())


def _true_release(rng: random.Random) -> Case:
    """Intervals in one notation, which must be read as what they mean."""
    notation = rng.choice(_NOTATIONS)
    ends = [tuple(sorted((rng.randint(10, 89), rng.randint(10, 89)))) for _ in range(rng.choice((1, 7, 100)))]
    towns = [rng.sample(_CITIES, rng.randint(1, 4)) for _ in ends]
    rows = [
        [notation(low, high), "{" + ", ".join(names) + "}", rng.choice(("flu", "hiv", "ok"))]
        for (low, high), names in zip(ends, towns, strict=True)
    ]

    def check(found: Any) -> None:
        ages, cities = found.published
        between, labels = ages.cells.as_intervals(), table()["city"].labels
        for row, ((low, high), names) in enumerate(zip(ends, towns, strict=True)):
            cell = ages.cell[row]
            assert low - 1 < between.low[cell] <= low, (rows[row][0], between.low[cell])
            assert high <= between.high[cell] < high + 1, (rows[row][0], between.high[cell])
            place = cities.cell[row]
            codes = cities.cells.codes[cities.cells.starts[place] : cities.cells.starts[place + 1]]
            assert {labels[code] for code in codes} == set(names), rows[row][1]

    return Case("true release", _released(rows), _read_release, check)
