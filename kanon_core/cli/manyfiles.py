"""`anonymize` of a table that lies in many files: its own flags, and the way."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Sequence
from functools import partial
from pathlib import Path

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.options import options_of
from kanon_core.base.words import later, tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.arguments import Parser, whole
from kanon_core.cli.engineflags import add_engine, count_of, engine_of
from kanon_core.cli.manysaid import say_columns, say_files, say_reading, say_release, say_stopping
from kanon_core.cli.measuring import scores_file
from kanon_core.cli.output import Bar, check_targets
from kanon_core.cli.sources import described
from kanon_core.cli.whatstays import what_stays
from kanon_core.release.recipe import Recipe, check_k
from kanon_core.scale.auditing.findings import StoppedError
from kanon_core.scale.files import FilesRelease, anonymize_files, noted_sample, repeat_files
from kanon_core.scale.source.sources import apart
from kanon_core.scale.work.places import is_remote
from kanon_core.scale.work.publishing import free_place
from kanon_core.table.table import Table

_AS_THEY_STAND = later("parquet and csv files are read as they stand")
_BY_SEED = later("the order of the rows is always that of the seed")
_NO_MORE = later(
    "what follows from counts and sums is always measured and told, and the algorithm's own guarantees are"
    " checked"
)
_REFUSED = {
    **dict.fromkeys(("skip", "skip_rows", "skip_end"), _AS_THEY_STAND),
    **dict.fromkeys(
        ("format", "encoding", "delimiter", "header", "sheet", "missing", "keep"), _AS_THEY_STAND
    ),
    **dict.fromkeys(("names", "long", "without", "typed", "decimal"), _AS_THEY_STAND),
    **dict.fromkeys(("given_order", "keep_order"), _BY_SEED),
    **dict.fromkeys(("metrics", "guarantees"), _NO_MORE),
    "plain_cells": later("their release is parquet, in which no text has an apostrophe in front"),
    "propose_categories": later("all descriptions would have to be compared at once; use --categories"),
}
"""Flags for one file, and why many files have none of them."""
_OWN = ("address", "workers", "work", "rows", "tls_certificate", "tls_key", "tls_authority")


def add_many(command: Parser, words: Sequence[str]) -> None:
    """What many files need besides. Fragments has an option for how many rows a fragment has, which here is
    the one that counts."""
    chosen = flags.among(flags.given_to(words, "algorithm"), ALGORITHMS)
    add_places(command, {option.name for cls in chosen for option in options_of(cls)})


def add_places(command: Parser, theirs: Container[str] = ()) -> None:
    """Who does the work on many files, and where; ``theirs``: names of flags that mean something else."""
    group = command.add_argument_group(
        tr("many files"),
        tr("FILE is then a folder, a pattern such as 'data/*.parquet' or an address; --out is a new folder."),
    )
    add_engine(group)
    for flag, metavar, help in (
        (
            "work",
            "FOLDER",
            tr("where rows lie meanwhile, in clear; all workers see it (default: beside --out)"),
        ),
        (
            "rows",
            "N",
            tr("how many rows a worker holds at once; the release is the same (default: what fits 1 GB)"),
        ),
    ):
        if flag not in theirs:
            group.add_argument(f"--{flag}", metavar=metavar, help=help)


def is_many(given: argparse.Namespace) -> bool:
    """Whether FILE means many files; raises OptionError where flags of many files are given for one."""
    if given.engine is not None or is_remote(given.file) or "*" in given.file or Path(given.file).is_dir():
        return True
    for name in _OWN:
        if getattr(given, name, None) is not None:
            raise OptionError(
                tr("--{flag} is for many files; name a folder, a pattern, or an --engine.").format(
                    flag=name.replace("_", "-")
                )
            )
    return False


def anonymize_many(given: argparse.Namespace) -> int:
    """Anonymize files, write the release (and the recipe), print what came of it; the exit code."""
    _refuse(given)
    _free_for_recipe(given)
    _free_for_scores(given)
    cls = flags.one_of(given.algorithm, ALGORITHMS, "algorithm")
    algorithm, k, engine = flags.made(cls(), given), check_k(whole(given.k)), engine_of(given)
    rows = count_of(given.rows, "rows") if getattr(given, "rows", None) else 0
    seed = None if given.seed is None else words_of.seed(given)
    free_place(apart(given.out, given.file))
    rows_seen, notes = noted_sample(given.file)
    table = described(Table.from_frame(rows_seen), given)
    say_files(given.file)
    say_reading(notes)
    say_columns(table)
    asked = (given.file, table.schema, algorithm, k, given.out, engine, seed, given.work, rows)
    with Bar() as bar:
        make = partial(anonymize_files, *asked, bar.tick, given.despite, given.recipe or "")
        release = _released(make, given, bar)
    if isinstance(release, int):
        return release
    _told(release, given)
    words_of.say_seed(given)
    return 0


def repeat_many(given: argparse.Namespace, recipe: Recipe) -> int:
    """Repeat a recipe on many files, print what came of it; the exit code."""
    _refuse(given)
    _free_for_scores(given)
    rows, engine = count_of(given.rows, "rows") if given.rows else 0, engine_of(given)
    with Bar() as bar:
        asked = (given.file, recipe, given.out, engine, given.work, rows, bar.tick, given.despite)
        release = _released(partial(repeat_files, *asked), given, bar)
    if isinstance(release, int):
        return release
    _told(release, given)
    return 0


def _told(release: FilesRelease, given: argparse.Namespace) -> None:
    """Write the scores, if they are asked for, and print what came of it."""
    metrics = [cls() for cls in release.measured]
    write_files(scores_file(given, metrics, list(release.measured.values())))
    say_release(release)


def _released(make: Callable[[], FilesRelease], given: argparse.Namespace, bar: Bar) -> FilesRelease | int:
    """The release; or, when a finding stops it, which is said, the exit code."""
    place = Path(given.work) if given.work else Path(given.out).absolute().parent
    try:
        with what_stays(place, bar, given.out):
            return make()
    except StoppedError as stopped:
        bar.clear()
        return say_stopping(stopped.findings)


def _refuse(given: argparse.Namespace) -> None:
    """Raises OptionError for flags that many files have not."""
    for name, reason in _REFUSED.items():
        if getattr(given, name, None):
            raise OptionError(
                tr("--{flag} is for one file, not for many: {reason}.").format(
                    flag=name.replace("_", "-"), reason=tr(reason)
                )
            )


def _free_for_scores(given: argparse.Namespace) -> None:
    """Raises OptionError, InputError for a file of scores that cannot be written, or would be taken for rows:
    of the release, or of the table the next time."""
    if not given.scores:
        return
    apart(given.scores, given.file)
    if not is_remote(given.out) and Path(given.scores).resolve().is_relative_to(Path(given.out).resolve()):
        said = tr("“{name}” would lie in the released folder; name another place.")
        raise OptionError(said.format(name=Path(given.scores).name))
    check_targets([given.scores], [])


def _free_for_recipe(given: argparse.Namespace) -> None:
    """Raises OptionError, InputError for a recipe that cannot be written."""
    if not given.recipe:
        return
    recipe, name = Path(given.recipe), Path(given.recipe).name
    if not is_remote(given.out) and recipe.resolve().is_relative_to(Path(given.out).resolve()):
        said = tr("“{name}” would lie in the released folder, but it holds the seed; name another place.")
        raise OptionError(said.format(name=name))
    if recipe.exists():
        said = tr("“{name}” is there already, and may hold the seed of another release; name another file.")
        raise OptionError(said.format(name=name))
    if not recipe.parent.is_dir():
        said = tr("There is no folder for “{target}”; make it first or choose another place.")
        raise InputError(said.format(target=given.recipe))
