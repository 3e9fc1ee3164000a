"""A Python script that makes the same bytes as a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kanon_core.base.options import Declared, expression
from kanon_core.base.words import tr
from kanon_core.release.release import Release
from kanon_core.report.released_file import released_name, source_name
from kanon_core.table.differences import differences
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.reading import starting_schema
from kanon_core.table.schema import Schema

_IMPORTS = (
    "from pathlib import Path",
    "",
    "import kanon_core as kc",
    "from kanon_core.report import release_bytes",
    "",
)
_RUN = "release = kc.anonymize({table}, algorithm, k={k}, seed={seed})"
_WRITE = "Path({file}).write_bytes(release_bytes(release, {how}))"


def script(
    release: Release, file_name: str, format: str = "csv", shuffle: bool = True, plain: bool = False
) -> str:
    """Return a short script on the public interface that writes what `release_bytes` returns, to
    `released_name`.

    It reads ``file_name`` the way the release's table was read (a sample by its name), states the roles,
    kinds, weights, recodings, round ends, item delimiters, distances, hierarchies and categories that differ
    from what was guessed (or from the sample's own), and the algorithm with its options, k and seed.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5, seed=1)
    >>> print(script(release, "").splitlines()[-2])
    release = kc.anonymize(table, algorithm, k=5, seed=1)
    """
    recipe, written = release.recipe, _literal(released_name(release, file_name, format))
    seen = "table.in_given_order()" if recipe.given_order else "table"
    how = _literal(format) + (", shuffle=False" if not shuffle else "") + (", plain=True" if plain else "")
    about = tr(
        "Reads {file}, anonymizes it by {algorithm} with k = {k},\nand writes {written}. Made by Kanon"
        " {version}; another version may give other bytes."
    ).format(
        file=_literal(source_name(release, file_name)),
        algorithm=recipe.algorithm.title,
        k=recipe.k,
        written=written,
        version=recipe.version,
    )
    lines = [
        *(f"# {line}" for line in about.splitlines()),
        *_IMPORTS,
        f"table = {_reading(release, file_name)}",
        *_schema(starting_schema(release.table.frame, recipe.reading), recipe.schema),
        f"algorithm = kc.{expression(recipe.algorithm)}",
        _RUN.format(table=seen, k=recipe.k, seed=recipe.seed),
        _WRITE.format(file=written, how=how),
    ]
    return "\n".join(lines) + "\n"


def _reading(release: Release, file_name: str) -> str:
    reading = {name: value for name, value in release.recipe.reading.items() if name != "sample"}
    how = "".join(f", {name}={_literal(value)}" for name, value in reading.items())
    return f"kc.read_table({_literal(source_name(release, file_name))}{how})"


def _schema(start: Schema, schema: Schema) -> list[str]:
    """Return the statement that gives the table its schema; none if the table has it already."""
    steps = _steps(start, schema)
    return ["table = table.with_schema(", "    table.schema", *steps, ")"] if steps else []


def _steps(start: Schema, schema: Schema) -> list[str]:
    change = differences(start, schema)
    roles, raised = change.roles, dict[str, str]()
    if change.kinds:
        # A table has one latitude: columns stop being quasi-identifiers before kinds change, and become it
        # after.
        raised = {name: role for name, role in roles.items() if role == "quasi_identifier"}
        roles = {name: role for name, role in roles.items() if name not in raised}
    calls: list[tuple[str, Mapping[str, Any]]] = [
        ("with_roles", roles),
        ("with_kinds", change.kinds),
        ("with_roles", raised),
        ("with_orders", change.orders),
        ("with_periods", change.periods),
        ("with_date_orders", change.date_orders),
        ("with_recodings", change.recodings),
        ("with_round_ends", change.round_ends),
        ("with_weights", change.weights),
        ("with_delimiters", change.delimiters),
        ("with_distances", change.distances),
        ("with_categories", change.categories),
        ("with_hierarchies", change.hierarchies),
    ]
    return [f"    .{method}({_dictionary(values)})" for method, values in calls if values]


def _dictionary(values: Mapping[str, Any]) -> str:
    items = [f"{_literal(name)}: {_literal(value)}" for name, value in values.items()]
    line = "{" + ", ".join(items) + "}"
    return line if len(line) < 90 else "{\n" + "".join(f"        {item},\n" for item in items) + "    }"


def _literal(value: Any) -> str:
    """Return a Python literal, texts in double quotes where that needs no escape; the expression that makes
    anything else."""
    if isinstance(value, Declared):
        return f"kc.{expression(value)}"
    if isinstance(value, Hierarchy):
        pairs = ", ".join(f"({_literal(node)}, {_literal(parent)})" for node, parent in value.parents)
        return f"kc.Hierarchy(({pairs},))"
    if isinstance(value, CategoryMap):
        pairs = ", ".join(f"({_literal(product)}, {_literal(category)})" for product, category in value.pairs)
        return f"kc.CategoryMap(({pairs},))"
    text = repr(value)
    return f'"{text[1:-1]}"' if isinstance(value, str) and not set(value) & set("'\"\\") else text
