"""The commands: each takes the parsed arguments, prints to stdout, and returns an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.base.options import options_of
from kanon_core.base.version import __version__
from kanon_core.cli import arguments as words
from kanon_core.cli import flags
from kanon_core.cli.attacking import attack
from kanon_core.cli.measuring import measure_rows, metrics, say_details, say_notes, scores_file
from kanon_core.cli.output import Bar, check_targets, printable, text_table, write_files
from kanon_core.cli.people import people_as_they_stand
from kanon_core.cli.reproducing import reproduce
from kanon_core.cli.serving import app
from kanon_core.cli.sources import frame_as_written, read_text, table_for, table_of
from kanon_core.cli.standing import audit_as_it_stands, audit_known_items
from kanon_core.guarantees import KConcealment
from kanon_core.guarantees.files.uploaded import audit_uploaded
from kanon_core.metrics import Measured, Metric
from kanon_core.release.recipe import Recipe, check_k
from kanon_core.release.release import Release
from kanon_core.release.uploaded.uploaded import read_release
from kanon_core.report.files import format_of, release_bytes
from kanon_core.run import anonymize as make
from kanon_core.run import audit, measured_by, repeat
from kanon_core.sweeps import SweepPoint, sweep
from kanon_core.table.table import Table
from kanon_core.table.writers import write_frame

_SWEEP_LINE = "{:<18} {:>6}  {}"


def anonymize(given: argparse.Namespace) -> int:
    """Anonymize, write the release (and the recipe), print what came of it."""
    check_targets([given.out, *filter(None, (given.recipe, given.scores))], [given.file], released=True)
    chosen = words.metrics(given)
    (cls,) = flags.named(given.algorithm, ALGORITHMS, "algorithm")[:1]
    algorithm = flags.made(cls(), given)
    k, seed = check_k(words.whole(given.k)), words.seed(given)
    table = table_of(given)
    _say_schema(table, given.quasi is None)
    with Bar() as bar:
        release = make(table, algorithm, k, seed, bar.tick)
        files = {Path(given.out): release_bytes(release, format_of(given.out, True), not given.keep_order)}
        if given.recipe:
            files[Path(given.recipe)] = (release.recipe.to_json() + "\n").encode()
        found = list(measured_by(table, release, chosen, bar.tick))
        write_files(files | scores_file(given, chosen, found))
    _say_release(table, release, given, chosen, found)
    if given.seed is None:
        kept = f"is kept in “{Path(given.recipe).name}”" if given.recipe else "is not kept; --recipe keeps it"
        print(printable(f"The seed was drawn in secret and {kept}."), file=sys.stderr)
    return 0


def run(given: argparse.Namespace) -> int:
    """Repeat a recipe on its data and write the release."""
    check_targets([given.out, *filter(None, (given.scores,))], [given.file, given.recipe], released=True)
    chosen = words.metrics(given)
    recipe = Recipe.from_json(read_text(given.recipe))
    if recipe.version != __version__:
        note = (
            f"The recipe was written by Kanon {recipe.version}; this is {__version__}, whose results may"
            " differ."
        )
        print(note, file=sys.stderr)
    table = table_for(recipe, given)
    with Bar() as bar:
        release = repeat(table, recipe, bar.tick)
        files = {Path(given.out): release_bytes(release, format_of(given.out, True), not given.keep_order)}
        found = list(measured_by(table, release, chosen, bar.tick))
        write_files(files | scores_file(given, chosen, found))
    _say_release(table, release, given, chosen, found)
    return 0


def sweep_(given: argparse.Namespace) -> int:
    """Print the scores of every algorithm at every k as they are found; write them in order at the end."""
    if given.out:
        check_targets([given.out], [given.file])
    algorithms = [flags.made(cls(), given) for cls in flags.named(given.algorithms, ALGORITHMS, "algorithm")]
    ks, chosen = words.ks(given.k), words.metrics(given)
    table = table_of(given)
    _say_schema(table, given.quasi is None)
    names = [type(metric).__name__ for metric in chosen]
    seed, points = words.seed(given), list[SweepPoint]()
    print(_SWEEP_LINE.format("algorithm", "k", "".join(f"{name:>18}" for name in names)))
    with Bar() as bar:
        for point in sweep(table, algorithms, ks, chosen, seed, bar.tick):
            bar.clear()
            print(_sweep_line(point, chosen), flush=True)
            points.append(point)
    say_notes((m, point.notes.get(type(m).__name__, ())) for point in points for m in chosen)
    if given.out:
        write_files({Path(given.out): write_frame(_sweep_frame(points, names), format_of(given.out))})
    return 0


def _sweep_line(point: SweepPoint, metrics: list[Metric]) -> str:
    told = point.problem
    for metric in () if told else metrics:
        name = type(metric).__name__
        told += f"{metric.text(point.scores[name], point.errors.get(name, 0.0)):>18}"
    return _SWEEP_LINE.format(type(point.algorithm).__name__, point.k, told)


def _sweep_frame(points: list[SweepPoint], names: list[str]) -> pd.DataFrame:
    """One row per point, by algorithm and k."""
    order = list(dict.fromkeys(type(p.algorithm).__name__ for p in sorted(points, key=lambda p: p.k)))
    rows = sorted(points, key=lambda p: (order.index(type(p.algorithm).__name__), p.k))
    columns: dict[str, list[object]] = {
        "algorithm": [type(p.algorithm).__name__ for p in rows],
        "k": [p.k for p in rows],
        **{name: [p.scores.get(name, np.nan) for p in rows] for name in names},
        "seconds": [round(p.seconds, 3) for p in rows],
        "problem": [p.problem for p in rows],
        "notes": [" ".join(f"{name}: {' '.join(said)}" for name, said in p.notes.items()) for p in rows],
    }
    return pd.DataFrame(columns)


def audit_(given: argparse.Namespace) -> int:
    """Judge a file as it stands, its cells as they are written; 1 when it is not k-anonymous, by people where
    a column names them.

    Of item sets of which a few items are known: 1 when it is not (k, kᵐ)-anonymous. Beside its original: 1
    when a record has fewer than k matches.
    """
    if given.original and given.known_items is not None:
        raise OptionError("--known-items judges a file as it stands; leave out --original, or the other.")
    if given.original:
        return _audit_beside(given)
    table = table_of(given)
    _say_schema(table, given.quasi is None)
    quasi = [attribute.name for attribute in table.schema.quasi_identifiers]
    frame, k, people = frame_as_written(table, given), words.whole(given.k), table.schema.of_role("person")
    if given.known_items is not None:
        verdict = audit_known_items(table, frame, k, words.whole(given.known_items))
    elif people:
        verdict = people_as_they_stand(frame, people[0].name, quasi, k)
    else:
        verdict = audit_as_it_stands(frame, quasi, k)
    bound = "" if given.known_items is None else "at least " if verdict.holds else "at most "
    print(f"achieved k: {bound}{verdict.found:.0f} (asked: {verdict.required:.0f})")
    print(verdict.sentence)
    if not verdict.holds:
        print("records: " + ", ".join(map(str, verdict.witnesses)))
    return 0 if verdict.holds else 1


def _audit_beside(given: argparse.Namespace) -> int:
    """Judge a file against the table it was made from, by all that can be counted."""
    k = check_k(words.whole(given.k))
    table = table_of(argparse.Namespace(**{**vars(given), "file": given.original}))
    _say_schema(table, given.quasi is None)
    with Bar() as bar:
        release = read_release(given.file, table)
        verdicts = audit_uploaded(release, k, bar.tick)
    for note in release.notes:
        print(printable(note), file=sys.stderr)
    rows = [(v.promise, "yes" if v.holds else "NO", f"{v.found:,.0f}", v.sentence) for v in verdicts]
    print(text_table(("promise", "holds", "found", ""), rows, right=(2,)))
    for verdict in verdicts:
        if verdict.witnesses:
            print(f"{verdict.promise}, {verdict.named}: {', '.join(map(str, verdict.witnesses))}")
    return 0 if all(v.holds for v in verdicts if v.promise == KConcealment.name) else 1


def describe(given: argparse.Namespace) -> int:
    """Size, how the file was read, and every column."""
    table = table_of(given)
    print(f"{len(table):,} records, {len(table.schema)} columns")
    how = ", ".join(f"{name} {value!r}" for name, value in table.reading.items())
    print(f"read as: {printable(how)}")
    rows = []
    for attribute, column in zip(table.schema, table.columns, strict=True):
        misfits = column.misfits
        examples = ", ".join(misfits.examples) if misfits else ""
        values = table.frame[attribute.name].nunique()
        rows.append(
            (
                attribute.name,
                attribute.role,
                attribute.kind,
                f"{values:,}",
                f"{int(column.missing.sum()):,}",
                f"{misfits.count:,}" if misfits else "0",
                examples,
            )
        )
    header = ("column", "role", "kind", "values", "missing", "misfits", "for example")
    print(text_table(header, rows, right=(3, 4, 5)))
    for note in table.notes:
        print(printable(note))
    return 0


def algorithms(given: argparse.Namespace) -> int:
    """Every algorithm and its options."""
    print(
        text_table(("name", "title", "use"), ((c.__name__.lower(), c.title, c.summary) for c in ALGORITHMS))
    )
    options = [(cls, option) for cls in ALGORITHMS for option in options_of(cls)]
    print("\noptions")
    rows = (
        (
            c.__name__.lower(),
            f"--{o.name.replace('_', '-')}",
            flags.default_text(o),
            flags.allowed(o.kind),
            o.kind.help,
        )
        for c, o in options
    )
    print(text_table(("algorithm", "flag", "default", "allowed", "meaning"), rows))
    return 0


def _say_schema(table: Table, guessed: bool) -> None:
    """On stderr, what the columns are taken for when the person did not say it."""
    if guessed:
        rows = ((a.name, a.role, a.kind) for a in table.schema)
        print("Roles and kinds were guessed (change them with --quasi, --roles, --kinds):", file=sys.stderr)
        print(text_table(("column", "role", "kind"), rows), file=sys.stderr)
    for note in table.notes:
        print(printable(note), file=sys.stderr)


def _say_release(
    table: Table, release: Release, given: argparse.Namespace, metrics: list[Metric], found: list[Measured]
) -> None:
    """What came of it: every total, every verdict, and what is to be known of single numbers."""
    rows = measure_rows(metrics, found, given.metrics is not None)
    rows += [(name, f"{value:,.6g}") for name, value in release.report.items()]
    print(text_table(("measure", "value"), rows, right=(1,)))
    for verdict in audit(table, release):
        print(f"{verdict.promise}: {'holds' if verdict.holds else 'BROKEN'}. {printable(verdict.sentence)}")
    if given.metrics is not None:
        say_details(metrics, found)
    say_notes((metric, measured.notes) for metric, measured in zip(metrics, found, strict=True))


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "anonymize": anonymize,
    "sweep": sweep_,
    "audit": audit_,
    "attack": attack,
    "describe": describe,
    "run": run,
    "reproduce": reproduce,
    "algorithms": algorithms,
    "metrics": metrics,
    "app": app,
}
"""Name → what runs it."""
