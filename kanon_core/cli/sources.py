"""Tables and their schemas, from the words of the command line."""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kanon_core.base.errors import InputError, OptionError, SchemaError
from kanon_core.base.infile import in_file
from kanon_core.base.lists import join_list, split_list, split_pairs
from kanon_core.base.options import options_of
from kanon_core.base.progress import Tick
from kanon_core.base.version import __version__
from kanon_core.base.words import printable, tr
from kanon_core.cli.arguments import whole
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.runs.run import repeat
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.datetexts import ORDERS
from kanon_core.table.columns.itemcells import DELIMITER_WORDS
from kanon_core.table.dateorders import date_questions
from kanon_core.table.differences import Differences, applied
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.hierarchy.proposals import propose_categories
from kanon_core.table.kinds import order_of
from kanon_core.table.presets import preset_of, with_preset
from kanon_core.table.readers import check_reading
from kanon_core.table.readers.base import SKIPPED
from kanon_core.table.readers.lines import read_categories, read_hierarchy
from kanon_core.table.reading import SAMPLE, read_table
from kanon_core.table.rolesets import role_set
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.distances import Distance
    from kanon_core.papers import Source

_T = TypeVar("_T")
_READINGS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("format", "encoding"), str),
    "delimiter": lambda text: "\t" if text in ("tab", "\\t") else text,
    **dict.fromkeys(("sheet", "decimal"), str),
    **dict.fromkeys(("header", "typed"), lambda text: text == "yes"),
    **dict.fromkeys(("missing", "keep", "without", "names"), lambda text: tuple(split_list(text))),
    **dict.fromkeys(SKIPPED, whole),
    "long": lambda text: check_reading({"long": split_list(text)})["long"],
}
"""Reading flag → the function that turns its text into an argument of `read_table`."""


def table_of(arguments: argparse.Namespace) -> Table:
    """Return the table of FILE, with the columns that the flags describe; all others are guessed."""
    return described(table_in(arguments.file, **_reading_flags(arguments)), arguments)


def described(table: Table, arguments: argparse.Namespace) -> Table:
    """Return the table with the columns that the flags describe."""
    table, pairs = _with_known_roles(table, arguments.roles or "")
    return table.with_schema(_schema(table, pairs, arguments))


def source_of(arguments: argparse.Namespace) -> Source | None:
    """Return the table of --file with its name, with guessed columns; None when no file is given.

    Raises OptionError when flags say how to read a file that is not given.
    """
    how = _reading_flags(arguments)
    from kanon_core.papers import Source

    if arguments.file is None:
        if how:
            raise OptionError(
                tr("--{flag} is a setting for reading a file; name the file with --file.").format(
                    flag=next(iter(how))
                )
            )
        return None
    table = table_in(arguments.file, **how)
    maps = _mapped(table.schema, arguments.categories, "categories", read_categories, CategoryMap.from_json)
    table = table.with_schema(table.schema.with_categories(maps))
    return Source(table, f"“{printable(table.reading.get('sample') or Path(arguments.file).name)}”")


def table_for(recipe: Recipe, arguments: argparse.Namespace) -> Table:
    """Return the table of FILE with the recipe's schema, read with the recipe's settings unless flags replace
    them."""
    how = {name: value for name, value in recipe.reading.items() if name != "sample"}
    return table_in(arguments.file, schema=recipe.schema, **{**how, **_reading_flags(arguments)})


def release_of_recipe(given: argparse.Namespace, tick: Tick) -> Release:
    """Return the release that --recipe makes of the table of FILE."""
    recipe = recipe_in(given.recipe)
    return repeat(table_for(recipe, given), recipe, tick)


def table_in(file: str, **how: Any) -> Table:
    """Return the table of a file or sample; raises InputError naming the file."""
    if file.startswith(SAMPLE):
        return read_table(file, **how)
    with in_file(file):
        return read_table(file, **how)


def recipe_in(file: str) -> Recipe:
    """Return the recipe in a file; raises KanonError naming the file."""
    with in_file(file):
        return Recipe.from_json(read_text(file))


def other_version(recipe: Recipe) -> list[str]:
    """Return a note on a recipe that another version of the program wrote."""
    if recipe.version == __version__:
        return []
    said = tr("Kanon {old} wrote the recipe; this is Kanon {new}, whose results may differ.")
    return [said.format(old=recipe.version, new=__version__)]


def read_text(file: str) -> bytes:
    """Return the bytes of a small file; raises InputError when it cannot be read."""
    try:
        return Path(file).read_bytes()
    except OSError as problem:
        reason = problem.strerror or tr("it is not a readable file")
        raise InputError(
            tr("The file “{name}” cannot be opened ({reason}); check its name and place.").format(
                name=Path(file).name, reason=reason
            )
        ) from None


def _reading_flags(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the reading flags that were given, as `read_table` takes them."""
    given = {name: getattr(arguments, name) for name in _READINGS}
    return {name: _READINGS[name](text) for name, text in given.items() if text is not None}


def _with_known_roles(table: Table, text: str) -> tuple[Table, str]:
    """Return the table with the roles of the sets and files in --roles, and the other pairs of --roles."""
    words = split_list(text)
    pairs = [word for word in words if "=" in word]
    for word in (word for word in words if word not in pairs):
        if (known := role_set(word)) is not None:
            table = known.given_to(table)
        elif word.endswith(".json"):
            with in_file(word):
                table = table.with_schema(with_preset(table.schema, preset_of(read_text(word))))
        else:
            pairs.append(word)  # which gets an error on the missing sign
    return table, join_list(pairs)


def _schema(table: Table, given: str, arguments: argparse.Namespace) -> Schema:
    """Return the starting schema with the values of the flags. Raises SchemaError for unknown columns and
    contradictions."""
    start, said = table.schema, dict[str, str]()
    for flag, role in (
        ("quasi", "quasi_identifier"),
        ("sensitive", "sensitive"),
        ("identifier", "identifier"),
        ("person", "person"),
    ):
        for name in _columns(start, getattr(arguments, flag) or ""):
            if said.setdefault(name, role) != role:
                raise SchemaError(
                    tr("The column “{name}” is given two roles, {one} and {role}; give one.").format(
                        name=name, one=said[name], role=role
                    )
                )
    former = start.quasi_identifiers if arguments.quasi is not None else ()
    demoted = {attribute.name: "other" for attribute in former}
    roles = {**demoted, **said, **_pairs(start, given, "role")}

    def each(flag: str, what: str, meant: Callable[[str, str], Any] = lambda name, text: text) -> Any:
        pairs = _pairs(start, getattr(arguments, flag), what)
        return {name: meant(name, text) for name, text in pairs.items()}

    weights = each("weights", "weight", _number)
    kinds, recodings = each("kinds", "kind"), each("recode", "recoding")
    delimiters = each("item_delimiters", "delimiter", lambda name, text: _item_delimiter(text))
    distances = each("distances", "distance", lambda name, text: _distance(text))
    trees = _mapped(start, arguments.hierarchy, "hierarchy", read_hierarchy, Hierarchy.from_json)
    maps = _mapped(start, arguments.categories, "categories", read_categories, CategoryMap.from_json)
    maps |= _proposed(table, arguments)
    steps, ordered = each("round_ends", "step"), each("orders", "order", _order)
    periods = each("periods", "period", lambda name, text: _number(name, text, tr("period"), "1000000000"))
    dated = _date_orders(table, arguments.date_order or "", kinds)
    kinds |= {name: "datetime" for name, order in dated.items() if order and name not in kinds}
    values = (distances, trees, maps, steps, ordered, periods, dated)
    return applied(start, Differences(roles, kinds, recodings, weights, delimiters, *values))


def _date_orders(table: Table, text: str, kinds: Mapping[str, str]) -> dict[str, str]:
    """Return, by column, the order of its dates. A single order is for all columns of dates that were texts,
    and for those that have an open question, except columns that are given another of these kinds."""
    if text not in ORDERS:
        return _pairs(table.schema, text, tr("order of dates"))
    dated = {question.column for question in date_questions(table)}
    dated |= {c.attribute.name for c in table.columns if isinstance(c, Numbers) and c.form is not None}
    dated = dated - {name for name, kind in kinds.items() if kind != "datetime"}
    return {name: text for name in table.schema.names if name in dated or kinds.get(name) == "datetime"}


def _order(name: str, text: str) -> tuple[str, ...]:
    try:
        return order_of(text)
    except ValueError:
        raise OptionError(
            tr(
                "The order of column “{name}” must be written as low<medium<high, or as a JSON list of texts."
            ).format(name=name)
        ) from None


def _item_delimiter(text: str) -> str:
    """Return the delimiter: that of a word, of a JSON text, or the text itself."""
    meant = {word: delimiter for delimiter, word in DELIMITER_WORDS.items()}
    if not text.startswith('"'):
        return meant.get(text, text)
    try:
        return str(json.loads(text))
    except ValueError:
        raise OptionError(
            tr("The delimiter {text} contains a quotation mark; write it without, or as a JSON text.").format(
                text=text
            )
        ) from None


def _distance(text: str) -> Distance:
    """Return the distance of this word; ``graph:FILE`` reads its edges – a tree its parents, a matrix its
    cells – from a file, one entry per line.

    Raises OptionError, and InputError for a file that cannot be read.
    """
    from kanon_core.distances import DISTANCES
    from kanon_core.distances.values.data_options import Listed
    from kanon_core.distances.written import from_word

    name, colon, file = text.partition(":")
    known = {cls.__name__.lower(): cls for cls in DISTANCES}
    cls = known.get(name.strip().lower()) if colon else None
    option = next((o for o in options_of(cls) if isinstance(o.kind, Listed)), None) if cls else None
    if cls is None or option is None:
        return from_word(text)
    assert isinstance(option.kind, Listed)
    try:
        return cls(**{option.name: option.kind.parse(read_text(file).decode("utf-8-sig"))})
    except (ValueError, csv.Error):
        said = tr(
            "The {option} of “{title}” in “{name}” must be {allowed}, one entry per line, as UTF-8 text."
        )
        facts = {"option": option.label, "title": cls.title, "allowed": option.kind.allowed}
        raise OptionError(said.format(name=Path(file).name, **facts)) from None


def _mapped(
    schema: Schema,
    words: list[str] | None,
    what: str,
    read: Callable[[str], _T],
    from_pairs: Callable[[Any], _T],
) -> dict[str, _T | None]:
    """Return, by column, the hierarchy or categories in a file, or in pairs as a recipe writes them."""
    found: dict[str, _T | None] = {}
    for word in words or []:
        for name, text in _pairs(schema, word, what).items():
            if name in found:
                raise OptionError(
                    tr("The column “{name}” is given --{what} twice; give it once.").format(
                        name=name, what=what
                    )
                )
            if text.startswith("[["):
                found[name] = from_pairs(_written_out(text, what))
                continue
            with in_file(text):
                found[name] = read(text)
    return found


def _written_out(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise OptionError(
            tr("The pairs of --{what} are not valid JSON; write them as in a recipe, or name a file.").format(
                what=what
            )
        ) from None


def _proposed(table: Table, arguments: argparse.Namespace) -> dict[str, CategoryMap | None]:
    """Return, by column, the categories proposed from the descriptions in another column."""
    count = whole(arguments.category_count)  # propose_categories says what it may be
    found: dict[str, CategoryMap | None] = {}
    for name, text in _pairs(
        table.schema, arguments.propose_categories, tr("column of descriptions")
    ).items():
        described = _known(table.schema, text)
        for column in (name, described):
            table.schema[column]  # or a SchemaError that says which columns there are
        found[name] = propose_categories(table.frame[name], table.frame[described], count)
    return found


def _columns(schema: Schema, text: str) -> list[str]:
    return [_known(schema, name) for name in split_list(text)]


def _pairs(schema: Schema, text: str | None, what: str) -> dict[str, str]:
    return {_known(schema, name): value.strip() for name, value in split_pairs(text or "", what).items()}


def _known(schema: Schema, name: str) -> str:
    """Return the name of a column: the text itself, or without the blanks around it."""
    return name if name in schema.names else name.strip()


def _number(name: str, text: str, what: str = "", most: str = "1000") -> float:
    if not re.fullmatch(r"\d+(\.\d*)?([eE][+-]?\d+)?|\.\d+", text):
        said = tr("The {what} of column “{name}” must be a number from 0 to {most}.")
        raise SchemaError(said.format(what=what or tr("weight"), name=name, most=most))
    return float(text)
