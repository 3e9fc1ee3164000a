"""Command lines: one makes the same bytes as a release, the other treats a whole table as its sample was
treated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.wholecell_support import everywhere
from kanon_core.base.kinds import Columns, Flag, Kind
from kanon_core.base.lists import join_list, join_pairs
from kanon_core.base.options import Nested, options_of
from kanon_core.distances.chosen import distance_of
from kanon_core.distances.written import to_word
from kanon_core.release.release import Release
from kanon_core.report.released_file import released_name, source_name
from kanon_core.table.columns.itemcells import DELIMITER_WORDS
from kanon_core.table.differences import Differences, differences
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.kinds import order_word
from kanon_core.table.reading import starting_schema
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.wholecells import WholeCells


def command_line(
    release: Release, file_name: str, format: str = "csv", shuffle: bool = True, plain: bool = False
) -> str:
    """Return the ``python -m kanon_core anonymize …`` that writes what `release_bytes` returns, to
    `released_name`.

    Quoted for a POSIX shell. Every word with a value has the form ``--flag=value``, so that no name can be
    taken for a flag. Hierarchies and categories are written out as in a recipe; some systems take no word of
    more than 128 KB.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5, seed=1)
    >>> command_line(release, "").split()[-3:]
    ['--k=5', '--seed=1', '--out=people-100-k5.csv']
    """
    recipe = release.recipe
    words = ["python", "-m", "kanon_core", "anonymize", source_name(release, file_name)]
    words += _words([*_reading_flags(release), *_schema_flags(release), *_algorithm_flags(recipe.algorithm)])
    written = released_name(release, file_name, format)
    words += _words([("k", str(recipe.k)), ("seed", str(recipe.seed)), ("out", written)])
    if recipe.given_order:
        words.append("--given-order")
    if recipe.reasons:
        words.append(f"--despite={'; '.join(dict.fromkeys(recipe.reasons.values()))}")
    if not shuffle:
        words.append("--keep-order")
    if plain:
        words.append("--plain-cells")
    return " ".join(shlex.quote(word) for word in words)


def _words(flags: Iterable[tuple[str, str]]) -> list[str]:
    return [f"--{flag}={value}" for flag, value in flags]


def _algorithm_flags(algorithm: Algorithm) -> Iterator[tuple[str, str]]:
    yield "algorithm", type(algorithm).__name__.lower()
    yield from option_flags(algorithm)


def _reading_flags(release: Release) -> Iterator[tuple[str, str]]:
    for name, value in release.recipe.reading.items():
        if name != "sample":
            yes_no = {True: "yes", False: "no"}
            yield name.replace("_", "-"), yes_no[value] if isinstance(value, bool) else _listed(value)


def _listed(value: Any) -> str:
    return str(value) if isinstance(value, str | int) else join_list(value)


def _schema_flags(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the quasi-identifiers by name, and whatever else differs from the starting schema."""
    schema = release.recipe.schema
    start = starting_schema(release.table.frame, release.recipe.reading)
    quasi = [attribute.name for attribute in schema.quasi_identifiers]
    yield "quasi", join_list(quasi)
    demoted = {a.name: "other" for a in start.quasi_identifiers if a.name not in quasi}
    yield from _change_flags(differences(start.with_roles(demoted), schema), schema)


def whole_flags(schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield the flags for a complete schema, including the role and kind of every column."""
    yield "quasi", join_list([attribute.name for attribute in schema.quasi_identifiers])
    change = differences(Schema(tuple(Attribute(a.name) for a in schema)), schema)
    roles = {a.name: a.role for a in schema}
    yield from _change_flags(replace(change, roles=roles, kinds={a.name: a.kind for a in schema}), schema)


def _change_flags(change: Differences, schema: Schema) -> Iterator[tuple[str, str]]:
    roles = {name: role for name, role in change.roles.items() if role != "quasi_identifier"}
    for flag in ("identifier", "sensitive"):
        named = [name for name, role in roles.items() if role == flag]
        if named:
            yield flag, join_list(named)
    pairs = {
        "roles": {name: role for name, role in roles.items() if role not in ("identifier", "sensitive")},
        "kinds": change.kinds,
        "weights": {name: repr(weight) for name, weight in change.weights.items()},
        "recode": change.recodings,
        "orders": {name: order_word(order) if order else "" for name, order in change.orders.items()},
        "periods": {name: repr(period) for name, period in change.periods.items()},
        "date-order": change.date_orders,
        "round-ends": change.round_ends,
        "item-delimiters": {name: delimiter_word(d) for name, d in change.delimiters.items()},
        "distances": {name: to_word(distance_of(schema[name])) for name in change.distances},
    }
    yield from ((flag, join_pairs(given)) for flag, given in pairs.items() if given)
    for name, tree in change.hierarchies.items():
        if tree is not None:
            yield "hierarchy", join_pairs({name: pairs_word(tree)})
    for name, known in change.categories.items():
        if known is not None:
            yield "categories", join_pairs({name: pairs_word(known)})


def delimiter_word(delimiter: str) -> str:
    """Return the delimiter as it is, as a word for it, or as JSON where it could be taken for such a word or
    loses its blanks.

    >>> delimiter_word("\\t"), delimiter_word(";")
    ('tab', ';')
    """
    word = DELIMITER_WORDS.get(delimiter, delimiter)
    plain = delimiter not in DELIMITER_WORDS.values() and word == word.strip()
    return word if plain else json.dumps(delimiter)


def pairs_word(known: Hierarchy | CategoryMap) -> str:
    """Return the pairs of a hierarchy or of categories as JSON, without an equals sign, at which a command
    line parts names from values."""
    return json.dumps(known.to_json(), ensure_ascii=False).replace("=", "\\u003d")


def option_flags(thing: Any, base: Any = None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Flag and value of every option that differs from the base's, which is the class's default object when
    left out.

    The flags of a nested object follow its own, with the option's name before theirs.
    """
    base = type(thing)() if base is None else base
    for option in options_of(type(thing)):
        value, usual = getattr(thing, option.name), getattr(base, option.name)
        flag = prefix + option.name.replace("_", "-")
        if isinstance(option.kind, Nested):
            if type(value) is not type(usual):
                yield flag, word(option.kind, value)
            same = type(value) is type(option.default)
            yield from option_flags(value, option.default if same else None, f"{flag}-")
        elif value != usual:
            yield flag, word(option.kind, value)


def candidate_word(algorithm: Any, k: int, comment: str = "") -> str:
    """Return the word that `kanon report --candidate` takes: the algorithm with its options, k, and the
    comment on it.

    >>> import kanon_core as kc
    >>> candidate_word(kc.VMDAV(gamma=0.5), 5, "fewer groups")
    'vmdav,gamma=0.5:5:fewer groups'
    """
    options = [f"{flag}={value}" for flag, value in option_flags(algorithm)]
    made = join_list([type(algorithm).__name__.lower(), *options])
    return ":".join(filter(None, (made, str(k), comment)))


def word(kind: Kind, value: Any) -> str:
    """Return the word of a command line for an option's value."""
    if isinstance(kind, Nested):
        return type(value).__name__.lower()
    if isinstance(kind, Columns):
        return join_list(value)
    if isinstance(kind, Flag):
        return "yes" if value else "no"
    return str(value)


def command_for_everything(cells: WholeCells, algorithm: Algorithm, k: int) -> str:
    """Return the ``kanon anonymize …`` that does in the whole table what this algorithm does in the cells.

    It uses the engine that drew the cells, draws a new seed, and is quoted for a POSIX shell, with every
    value as ``--flag=value``. Raises UnsuitableError where the cells do not represent the whole table
    (`everywhere`).

    >>> import kanon_core as kc, numpy as np
    >>> schema = kc.Schema((kc.Attribute("age", kind="numeric"), kc.Attribute("name", "identifier")))
    >>> cells = WholeCells(np.array([0, 0]), np.zeros(0, int), 2, 900, 5, "my data/*.csv", schema)
    >>> print(command_for_everything(cells, kc.Mondrian(), 2))  # doctest: +ELLIPSIS
    kanon anonymize 'my data/*.csv' --quasi=age --identifier=name --kinds=age=numeric,name=categorical ...
    """
    whole = everywhere(algorithm, cells, k)
    source = f"./{cells.source}" if cells.source.startswith("-") else cells.source
    flags = [*whole_flags(cells.schema), *_algorithm_flags(whole), *cells.engine.items()]
    flags += [("k", str(k)), ("out", "release"), ("recipe", "recipe.json")]
    words = ["kanon", "anonymize", source, *_words(flags)]
    return " ".join(shlex.quote(word) for word in words)
