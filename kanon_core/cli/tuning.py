"""`tune`: the loss of each k on a table in many files."""

from __future__ import annotations

import argparse
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.options import options_of
from kanon_core.base.words import printable, tr
from kanon_core.charts.curves.sentences import Curve, curves, knee, knee_sentence
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.arguments import count_of
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.manyfiles import add_engine, engine_of, what_stays
from kanon_core.cli.manyfiles_output import say_columns, say_files
from kanon_core.cli.output import Bar, is_input, names_of, no_folder, say, text_table
from kanon_core.cli.sources import described
from kanon_core.cli.tableflags import add_columns
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.scale.engines import ENGINES
from kanon_core.scale.files import sample
from kanon_core.scale.source.sources import ENDINGS, apart, source_files
from kanon_core.scale.tuning.tuning import CELLS, ROWS_OF_A_CELL, Tuned, tune_files
from kanon_core.scale.work.storage import is_remote
from kanon_core.table.table import Table

_OWN = ("k", "seed", "cells", "rows", "work", "engine", "sample")
"""Flags that the command for the whole table does not take over unchanged."""


def add_tune(command: Parser, words: Sequence[str]) -> None:
    """Declare FILES, the algorithm with its options, the values of k, the size of the sample, and the
    engine."""
    command.add_argument(
        "file",
        metavar="FILES",
        help=tr("a folder of parquet or csv files, a pattern such as 'data/*.parquet', or an address"),
    )
    add_columns(command)
    command.add_argument("--algorithm", required=True, metavar="NAME", help=names_of(ALGORITHMS))
    words_of.add_setting(command, words, several=True)
    group = command.add_argument_group(tr("many files"))
    cells = tr("number of draws of whole cells (default {count})").format(count=CELLS)
    group.add_argument("--cells", metavar="N", default=str(CELLS), help=cells)
    chosen = flags.among(flags.given_to(words, "algorithm"), ALGORITHMS)
    if not any(option.name == "rows" for cls in chosen for option in options_of(cls)):
        rows = tr("largest number of rows in a cell (default {count})").format(count=ROWS_OF_A_CELL)
        add_each(group, ("rows", "N", rows))
    kept = tr("also write the drawn cells to this file, for the dashboard; it holds original rows")
    add_each(group, ("sample", "FILE", kept))
    add_engine(group)
    add_each(
        group,
        (
            "work",
            "FOLDER",
            tr("folder for encoded, unencrypted rows during the run; all workers need access to it"),
        ),
    )
    command.set_defaults(words=tuple(words))


def tune(given: argparse.Namespace) -> int:
    """Print the curve, its basis, the k at which another step stops paying, and the command for all files."""
    algorithm = flags.made_one(given, "algorithm", ALGORITHMS)
    ks, engine = words_of.ks(given.k), engine_of(given)
    cells = count_of(given.cells, "cells")
    rows = count_of(given.rows, "rows") if getattr(given, "rows", None) else ROWS_OF_A_CELL
    seed = None if given.seed is None else words_of.seed(given)
    sample_to = given.sample or ""
    if given.sample is not None:
        _check_place(sample_to, given.file)
    table = described(Table.from_frame(sample(given.file)), given)
    say_files(given.file)
    say_columns(table)
    with Bar() as bar, what_stays(Path(given.work or tempfile.gettempdir()), bar):
        asked = (given.file, table.schema, algorithm, ks, engine, cells, rows, seed, given.work)
        found = tune_files(*asked, bar.tick, sample_to)
    print("\n".join(_result_lines(found, given.words)))
    if sample_to:
        say(_kept(sample_to))
    return 0


def _check_place(sample_to: str, source: str) -> None:
    """Raises InputError where a sample cannot be written, OptionError where it would be read as data the next
    time, before any work."""
    place = Path(sample_to)
    if not place.name or place.is_dir() or not place.absolute().parent.is_dir():
        raise no_folder(sample_to)
    if not is_remote(source) and place.resolve() in [Path(file).resolve() for file in source_files(source)]:
        raise is_input(sample_to)
    if place.name.lower().endswith(ENDINGS):
        apart(sample_to, source)


def _kept(sample_to: str) -> str:
    return tr(
        "“{name}” holds the drawn cells: original rows, which only you can read. Keep the file with"
        " the data, and delete it when k is chosen. To try algorithms and k on it, open it on the"
        " Data page of kanon app."
    ).format(name=Path(sample_to).name)


def _result_lines(tuned: Tuned, words: Sequence[str]) -> Iterator[str]:
    name, metric = NCP.__name__, NCP()
    points = [(p.k, metric.text(p.scores[name], p.errors.get(name, 0.0))) for p in tuned.points]
    header = tr("{title} ({scale})").format(title=NCP.title.lower(), scale=NCP.scale)
    yield text_table(("k", header), points, right=(0, 1))
    yield printable(tuned.sentence)
    (curve,) = curves(tuned.points)
    k, said = suggested(curve)
    yield printable(said)
    yield tr("To anonymize all files, run:")
    yield "  " + printable(on_everything(words, k))


def suggested(curve: Curve) -> tuple[int, str]:
    """Return the k at the knee of a curve, or else the largest, and a sentence on the choice."""
    ks, values = curve.values(NCP.__name__)
    at = knee(ks, values)
    if at is not None:
        return int(ks[at]), knee_sentence(curve, NCP.__name__)
    said = tr("The curve has no clear knee; the command below uses the largest k, {k}.")
    if len(ks) < 5:
        said = tr("A knee needs at least five values of k; the command below uses the largest k, {k}.")
    return int(ks[-1]), said.format(k=ks[-1])


def on_everything(words: Sequence[str], k: int) -> str:
    """Return the command that anonymizes all files with this k, from the words of `tune`.

    >>> print(on_everything(["tune", "a/*.csv", "--algorithm", "mondrian", "--k=5,9", "--rows", "900"], 9))
    kanon anonymize 'a/*.csv' --algorithm mondrian --engine local --k 9 --out release --recipe recipe.json
    """
    engine = flags.given_to(words, "engine") or ENGINES[0].name
    kept, rest = ["kanon", "anonymize"], iter(words)
    for word in rest:
        flag, sign, _ = word.partition("=")
        if flag in [f"--{own}" for own in _OWN]:
            if not sign:
                next(rest, None)
        elif word != "tune":
            kept.append(word)
    kept += ["--engine", engine, "--k", str(k), "--out", "release", "--recipe", "recipe.json"]
    return shlex.join(kept)
