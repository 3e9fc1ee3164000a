"""Tables in many files: their flags, `anonymize` and `run` for them, and notes on unfinished jobs."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import InputError, KanonError, OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.options import options_of
from kanon_core.base.words import later, tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.arguments import count_of
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.findings import say_stopping
from kanon_core.cli.manyfiles_output import say_columns, say_files, say_release
from kanon_core.cli.measuring import scores_file
from kanon_core.cli.output import Bar, check_targets, no_folder, say
from kanon_core.cli.sources import described
from kanon_core.findings import Finding
from kanon_core.release.recipe import Recipe
from kanon_core.scale.auditing.findings import StoppedError
from kanon_core.scale.engines import ENGINES, Engine, EngineError, Local
from kanon_core.scale.files import FilesRelease, anonymize_files, noted_sample, repeat_files
from kanon_core.scale.source.sources import apart
from kanon_core.scale.work.folder import LOCK, left_in
from kanon_core.scale.work.publishing import free_place
from kanon_core.scale.work.storage import StorageError, is_remote
from kanon_core.table.table import Table

_AS_THEY_STAND = later("settings for reading do not apply to parquet and csv files of a folder")
_BY_SEED = later("over many files, the seed always determines the order of the rows")
_NO_MORE = later(
    "over many files, all metrics that follow from counts and sums are always measured, and the"
    " algorithm's own guarantees are checked"
)
_REFUSED = {
    **dict.fromkeys(("skip", "skip_rows", "skip_end"), _AS_THEY_STAND),
    **dict.fromkeys(
        ("format", "encoding", "delimiter", "header", "sheet", "missing", "keep"), _AS_THEY_STAND
    ),
    **dict.fromkeys(("names", "long", "without", "typed", "decimal"), _AS_THEY_STAND),
    **dict.fromkeys(("given_order", "keep_order"), _BY_SEED),
    **dict.fromkeys(("metrics", "guarantees"), _NO_MORE),
    "plain_cells": later("a release of many files is parquet, in which no text gets an apostrophe"),
    "propose_categories": later("proposals need all descriptions in one memory; use --categories"),
}
"""Flags for a single file, and why many files do not accept them."""
_FIELDS = {
    "address": "address",
    "workers": "processes",
    "tls_certificate": "certificate",
    "tls_key": "key",
    "tls_authority": "authority",
}
"""Flag → the engine's field."""
_TICK = 1.0
"""The seconds by which the clock of a file system may lag behind."""
_OWN = ("address", "workers", "work", "rows", "tls_certificate", "tls_key", "tls_authority")


def add_many(command: Parser, words: Sequence[str]) -> None:
    """Declare the further flags for many files. The number of rows of a fragment is already an option of
    Fragments, which counts here."""
    chosen = flags.among(flags.given_to(words, "algorithm"), ALGORITHMS)
    add_places(command, {option.name for cls in chosen for option in options_of(cls)})


def add_places(command: Parser, theirs: Container[str] = ()) -> None:
    """Declare who does the work on many files, and where; ``theirs``: names of flags that mean something
    else."""
    group = command.add_argument_group(
        tr("many files"),
        tr(
            "FILE is then a folder, a pattern such as 'data/*.parquet' or an address, and --out is a"
            " new folder."
        ),
    )
    add_engine(group)
    work = tr(
        "folder for unencrypted rows during the run; all workers need access to it (default: beside --out)"
    )
    rows = tr(
        "number of rows that a worker holds at once, which does not change the release (default: as"
        " many as fit in 1 GB)"
    )
    own = (("work", "FOLDER", work), ("rows", "N", rows))
    add_each(group, *(one for one in own if one[0] not in theirs))


def add_engine(group: Any) -> None:
    """Declare the engine, the place of its workers, and the way to reach them."""
    names = ", ".join(f"{cls.name} ({cls.title})" for cls in ENGINES)
    add_each(
        group,
        ("engine", "NAME", names),
        ("address", "ADDRESS", tr("address of the Dask scheduler or Spark master (default: this machine)")),
        ("workers", "N", tr("number of processes on this machine (default: one per core)")),
        ("tls-certificate", "FILE", tr("certificate of this machine for Dask, as PEM")),
        ("tls-key", "FILE", tr("key of that certificate, as PEM")),
        ("tls-authority", "FILE", tr("certificate of the authority that signed all certificates, as PEM")),
    )


def engine_of(given: argparse.Namespace) -> Engine:
    """Return the engine that the flags name. Raises OptionError, InputError."""
    cls: Any = Local if given.engine is None else flags.one_of(given.engine, ENGINES, "engine")
    known = {field.name for field in dataclasses.fields(cls) if field.init}
    said = {name: getattr(given, name) for name in _FIELDS if getattr(given, name) is not None}
    for name in said:
        if _FIELDS[name] not in known:
            refused = tr("The engine {engine} does not accept --{flag}; leave it out.")
            raise OptionError(refused.format(engine=cls.name, flag=_flag(name)))
    if "address" in said and "workers" in said:
        raise OptionError(
            tr("--workers applies to this machine; leave it out with --address, where workers already run.")
        )
    files = [name for name in said if name.startswith("tls_")]
    if files and (len(files) < 3 or "address" not in said):
        raise OptionError(
            tr("--tls-certificate, --tls-key and --tls-authority must be given together, and with --address.")
        )
    for name in files:
        if not Path(said[name]).is_file():
            absent = tr("There is no file “{name}”; check its name and place.")
            raise InputError(absent.format(name=Path(said[name]).name))
    if "workers" in said:
        said["workers"] = count_of(said["workers"], "workers")
    made: Engine = cls(**{_FIELDS[name]: value for name, value in said.items()})
    return made


def _flag(name: str) -> str:
    return name.replace("_", "-")


def is_many(given: argparse.Namespace) -> bool:
    """Return whether FILE means many files; raises OptionError where flags of many files are given for
    one."""
    if given.engine is not None or is_remote(given.file) or "*" in given.file or Path(given.file).is_dir():
        return True
    for name in _OWN:
        if getattr(given, name, None) is not None:
            said = tr("--{flag} applies to many files only; name a folder or a pattern, or give --engine.")
            raise OptionError(said.format(flag=_flag(name)))
    return False


def anonymize_many(given: argparse.Namespace) -> int:
    """Anonymize many files, write the release (and the recipe), and print the result. Return the exit
    code."""
    _refuse(given)
    _free_for_recipe(given)
    _free_for_scores(given)
    algorithm, k = flags.made_one(given, "algorithm", ALGORITHMS), words_of.one_k(given)
    engine = engine_of(given)
    rows = count_of(given.rows, "rows") if getattr(given, "rows", None) else 0
    seed = None if given.seed is None else words_of.seed(given)
    free_place(apart(given.out, given.file))
    rows_seen, notes = noted_sample(given.file)
    table = described(Table.from_frame(rows_seen), given)
    say_files(given.file)
    say(*(tr("From a sample: {note}").format(note=note) for note in notes), to=sys.stderr)
    say_columns(table)
    asked = (given.file, table.schema, algorithm, k, given.out, engine, seed, given.work, rows)
    with Bar() as bar:
        make = partial(anonymize_files, *asked, bar.tick, given.despite, given.recipe or "")
        released = _released(make, given, bar)
    return _finished(released, given)


def repeat_many(given: argparse.Namespace, recipe: Recipe) -> int:
    """Repeat a recipe on many files and print the result. Return the exit code."""
    _refuse(given)
    _free_for_scores(given)
    rows, engine = count_of(given.rows, "rows") if given.rows else 0, engine_of(given)
    with Bar() as bar:
        asked = (given.file, recipe, given.out, engine, given.work, rows, bar.tick, given.despite)
        released = _released(partial(repeat_files, *asked), given, bar)
    return _finished(released, given)


def _finished(released: FilesRelease | Sequence[Finding], given: argparse.Namespace) -> int:
    """Write the requested scores, and print the result or the findings that stop it. Return the exit code."""
    if not isinstance(released, FilesRelease):
        say_stopping(released)
        return 1
    metrics = [cls() for cls in released.measured]
    write_files(scores_file(given, metrics, list(released.measured.values())))
    say_release(released)
    if given.command != "run":
        words_of.say_seed(given)
    return 0


def _released(
    make: Callable[[], FilesRelease], given: argparse.Namespace, bar: Bar
) -> FilesRelease | Sequence[Finding]:
    """Return the release, or the findings that stop it."""
    place = Path(given.work) if given.work else Path(given.out).absolute().parent
    try:
        with what_stays(place, bar, given.out):
            return make()
    except StoppedError as stopped:
        bar.clear()
        return stopped.findings


@contextmanager
def what_stays(place: Path, bar: Bar, out: str = "") -> Iterator[None]:
    """Within this context, if an error ends a job and leaves its work folder in ``place``, say so, as the
    folder holds the originals; and name the folders of jobs that were stopped before. ``out``: where the
    release appears. Raises what was raised, and InputError for an error of the system."""
    began = time.time()
    if before := left_in(place):
        say(_left_before(place, before), to=sys.stderr)
    try:
        yield
    except KeyboardInterrupt:
        bar.clear()
        said = tr("Stopped; nothing was released.")
        if out and not is_remote(out) and Path(out).exists():
            said = tr(
                "Stopped after the release was published in “{name}”, but before its summary was complete."
            )
            said = said.format(name=Path(out).name)
        raise KeyboardInterrupt(f"{said} {_goes_on(place, began)}".strip()) from None
    except (EngineError, StorageError) as problem:
        raise type(problem)(f"{problem} {_goes_on(place, began)}".strip()) from None
    except KanonError:
        raise
    except OSError as problem:
        said = tr(
            "The system reported an error ({reason}). Check whether the disk is full and the cluster answers."
        )
        reason = problem.strerror or tr("the system refused")
        raise InputError(f"{said.format(reason=reason)} {_goes_on(place, began)}".strip()) from None
    except Exception:
        bar.clear()
        say(_goes_on(place, began), to=sys.stderr)
        raise


def _left_before(place: Path, folders: list[Path]) -> str:
    return tr(
        "“{place}” holds unencrypted originals from stopped jobs: {names}. The same command resumes"
        " its own job; delete the other folders."
    ).format(place=place.absolute(), names=", ".join(folder.name for folder in folders))


def _goes_on(place: Path, began: float) -> str:
    """Return a sentence on the place of the work; "" if no folder was locked since this job began."""
    locks = (folder / LOCK for folder in left_in(place))
    if not any(lock.exists() and lock.stat().st_mtime >= began - _TICK for lock in locks):
        return ""
    return tr(
        "The work done so far, with unencrypted originals, is in a folder .kanon-… in “{place}”."
        " Run the same command to resume, or delete the folder."
    ).format(place=place.absolute())


def _refuse(given: argparse.Namespace) -> None:
    """Raise OptionError for flags that do not apply to many files."""
    for name, reason in _REFUSED.items():
        if getattr(given, name, None):
            said = tr("--{flag} applies to a single file only: {reason}.")
            raise OptionError(said.format(flag=_flag(name), reason=tr(reason)))


def _within(file: str, out: str) -> bool:
    return not is_remote(out) and Path(file).resolve().is_relative_to(Path(out).resolve())


def _free_for_scores(given: argparse.Namespace) -> None:
    """Raises OptionError, InputError for a file of scores that cannot be written, or would be taken for rows:
    of the release, or of the table the next time."""
    if not given.scores:
        return
    apart(given.scores, given.file)
    if _within(given.scores, given.out):
        said = tr("“{name}” would be inside the released folder; choose another place.")
        raise OptionError(said.format(name=Path(given.scores).name))
    check_targets([given.scores], [])


def _free_for_recipe(given: argparse.Namespace) -> None:
    """Raises OptionError, InputError for a recipe that cannot be written."""
    if not given.recipe:
        return
    recipe, name = Path(given.recipe), Path(given.recipe).name
    if _within(given.recipe, given.out):
        said = tr("“{name}” holds the seed and would be inside the released folder; choose another place.")
        raise OptionError(said.format(name=name))
    if recipe.exists():
        said = tr("“{name}” already exists and may hold the seed of another release; choose another name.")
        raise OptionError(said.format(name=name))
    if not recipe.parent.is_dir():
        raise no_folder(given.recipe)
