"""`audit`: the guarantees of any released file, by Kanon or other programs, alone or beside its original; and
its repair."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.options import options_of
from kanon_core.base.words import tr
from kanon_core.checks.checking import Checked, Model, check
from kanon_core.checks.failures import failing, rows_failing
from kanon_core.checks.opening import open_file
from kanon_core.checks.repair import Repair
from kanon_core.checks.repairing import checked_again, repaired, what_still_fails
from kanon_core.cli import flags
from kanon_core.cli.arguments import add_guarantees, whole
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.describing import say_schema
from kanon_core.cli.output import Bar, check_targets, say, table_file, text_table
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableflags import add_table
from kanon_core.guarantees import (
    GUARANTEES,
    Guarantee,
    KAnonymity,
    KKMAnonymity,
    PersonKAnonymity,
)
from kanon_core.guarantees.base import asked_with
from kanon_core.guarantees.files.cells import Counting
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.release.recipe import check_k
from kanon_core.report.released_file import format_of, release_bytes
from kanon_core.table.table import Table
from kanon_core.table.writers import in_front_said, marked_cells

_NUMBERS_SHOWN = 10
SHORT: dict[str, type[Guarantee]] = {
    cls.parameter: cls for cls in GUARANTEES if cls.parameter not in ("", "k") and not cls.needs_original
}
"""Flags that request a guarantee by its main parameter: ``--l 3``."""


def add_audit(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, the guarantees to check, and the original."""
    add_table(command)
    command.add_argument(
        "original", metavar="ORIGINAL", nargs="?", help=tr("the table from which the file was made")
    )
    command.add_argument(
        "--original",
        dest="also",
        metavar="FILE",
        help=tr("the same as ORIGINAL; the flags for reading and columns then describe the original"),
    )
    command.add_argument(
        "--k", "-k", help=tr("least number of equal rows, of equal people, or of matches (default 2)")
    )
    for name, cls in SHORT.items():
        help = tr("check {name}: {meaning}").format(name=cls.name, meaning=cls.meaning)
        command.add_argument(f"--{name}", dest=f"short:{name}", metavar="X", help=help)
    items = tr(
        "number of items that an attacker knows of a person, 1 to 8, instead of all ((k, kᵐ)-anonymity)"
    )
    add_each(command, ("known-items", "M", items))
    add_guarantees(command, words, tr("default: k-anonymity, or that of people if a column identifies them"))
    flags.add_groups(command, [Counting], words, lambda cls: tr("counting of cells"))
    _add_what_comes_of_it(command)


def _add_what_comes_of_it(command: Parser) -> None:
    way = next(option for option in options_of(Repair) if option.name == "way")
    names = "|".join(getattr(way.kind, "words", ()))
    add_each(
        command,
        ("failing", "FILE", tr(".csv, .xlsx or .parquet file for the rows that fail")),
        (
            "repair",
            names,
            tr("suppress the rows that fail, or merge their classes, and write the result to --out"),
        ),
        ("out", "FILE", tr("file for the repaired release")),
        ("recipe", "JSON", tr("file for the recipe of the repair")),
    )


def audit(given: argparse.Namespace) -> int:
    """Check a file alone or beside its original. Return 1 if a requested guarantee does not hold."""
    given.original = given.original or given.also
    targets = [name for name in (given.out, given.failing) if name]
    if bool(given.repair) != bool(given.out) or (given.recipe and not given.repair):
        raise OptionError(tr("--repair needs --out, the file to write; --out and --recipe need --repair."))
    for target in targets:
        check_targets([target], [given.file, *filter(None, [given.original])])
    counting = flags.made(Counting(), given, flags.prefix_of(Counting))
    original = table = None
    if given.original:
        original = table_of(argparse.Namespace(**{**vars(given), "file": given.original}))
    else:
        table = table_of(given)
    known = original or table
    assert known is not None
    say_schema(known, given)
    asked = _named_guarantees(given, known)
    with Bar() as bar:
        found = check(open_file(given.file, table), asked, original, counting, bar.tick)
        _write(given, found, bar)
    say(*found.notes, to=sys.stderr)
    say(*_lines(found, given.failing))
    return 0 if found.holds else 1


def _named_guarantees(given: argparse.Namespace, table: Table) -> list[Guarantee]:
    """Return the named guarantees; else k-anonymity, alone and beside an original, or that of people if a
    column identifies them."""
    k = check_k(whole("2" if given.k is None else given.k))
    if given.known_items is not None:
        return [KKMAnonymity(k, whole(given.known_items))]
    named = flags.guarantees(given, k)
    for name, cls in SHORT.items():
        if (text := getattr(given, f"short:{name}")) is not None:
            named.append(flags.made(asked_with(cls, k=k), flags.said({name: text})))
    if given.guarantees or (named and given.k is None):
        return named
    if table.schema.of_role("person"):
        return [PersonKAnonymity(k), *named]
    return [KAnonymity(k), *named]


def _lines(checked: Checked, file: str | None) -> Iterator[str]:
    """Yield the lines on a checked file: the requested guarantees first, then the others, and the counting of
    cells. ``file``: where all failing rows are written."""
    for model in checked.asked:
        yield f"{model.guarantee.called}: {model.said}"
        if model.verdict is None:
            continue
        yield tr("reached: {reached} (requested: {asked})").format(
            reached=model.reached, asked=model.guarantee.wanted
        )
        if model.verdict.witnesses:
            _, numbers, named = next(one for one in failing(checked) if one[0] == model.guarantee.called)
            yield _numbers(named, numbers, file)
    if checked.truth is not None:
        yield f"{checked.truth.guarantee}: {checked.truth.said}. {checked.truth.sentence}"
        if checked.truth.witnesses:
            yield _numbers(checked.truth.named, checked.truth.failing, file)
    yield from _weaker(checked)
    others = [m for m in checked.models if not m.asked and m.verdict is not None]
    if others:
        yield ""
        rows = [(m.called, m.reached) for m in others]
        yield from text_table((tr("not requested"), tr("reached")), rows).splitlines()
    yield ""
    yield checked.counted


def _numbers(named: str, numbers: np.ndarray, file: str | None) -> str:
    """Return the first of these numbers of rows or records, counted from 0, how many more there are, and
    where to find all."""
    first, count = ", ".join(map(str, numbers[:_NUMBERS_SHOWN] + 1)), len(numbers)
    if count <= _NUMBERS_SHOWN:
        return f"{named}: {first}"
    said = tr("{named}: {first} and {more:,} more; --failing FILE writes all of them")
    if file:
        said = tr("{named}: {first} and {more:,} more; all of them are in {file}")
    return said.format(named=named, first=first, more=count - _NUMBERS_SHOWN, file=file)


def _weaker(checked: Checked) -> Iterator[str]:
    """Yield a line on the weaker models that hold but were not requested, if k-anonymity fails beside an
    original."""
    classes = (m for m in checked.asked if isinstance(m.guarantee, Hiding) and m.guarantee.by_class)
    ks = [getattr(m.guarantee, "k", 2) for m in classes if not _holds(m)]
    names = [
        model.guarantee.called
        for model in checked.models
        if ks and not model.asked and model.guarantee.needs_original and model.guarantee.weaker
        if model.verdict is not None and not model.verdict.empty and model.verdict.found >= max(ks)
    ]
    if names:
        said = tr(
            "Weaker models than k-anonymity hold at k = {k:,} or more: {names}. If one of them is"
            " enough, request it with --guarantees."
        )
        yield said.format(k=max(ks), names=", ".join(names))


def _holds(model: Model) -> bool:
    return model.verdict is not None and model.verdict.holds


def _write(given: argparse.Namespace, checked: Checked, bar: Bar) -> None:
    """Write the requested files."""
    files: dict[Path, bytes] = {}
    if given.failing:
        files |= table_file(given.failing, rows_failing(checked))
    if given.repair:
        result = repaired(checked, given.repair, progress=bar.tick)
        if result.release is None:
            raise OptionError(result.price)
        files[Path(given.out)] = release_bytes(result.release, format_of(given.out))
        if given.recipe:
            files[Path(given.recipe)] = (result.release.recipe.to_json() + "\n").encode()
        again = what_still_fails(checked_again(checked, result.release, bar.tick))
        again = again or tr("The repaired file was checked: all requested guarantees hold.")
        bar.clear()
        print(tr("Repaired: {price}").format(price=result.price), again, file=sys.stderr)
        count = marked_cells(result.release.publish(False)) if format_of(given.out) == "csv" else 0
        if count:
            print(in_front_said(count), file=sys.stderr)
    write_files(files, given.recipe)
