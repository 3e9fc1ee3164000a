"""`describe`: a file's columns. `algorithms`: what there is to anonymize with."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from kanon_core.base.words import counted, tr
from kanon_core.cli.arguments import Parser, whole
from kanon_core.cli.output import check_targets, printable, text_table
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableflags import add_table
from kanon_core.table.dateorders import date_notes
from kanon_core.table.guesses import role_reasons
from kanon_core.table.misfitnotes import misfit_notes
from kanon_core.table.people import undecided
from kanon_core.table.table import Table


def add_describe(command: Parser, words: Sequence[str]) -> None:
    """FILE, what its columns are, and what is asked of them besides."""
    command.add_argument(
        "--identifying",
        action="store_true",
        help=tr("rank columns and pairs by how well they tell records apart, whatever their roles"),
    )
    command.add_argument(
        "--uniques",
        action="store_true",
        help=tr("rank the sets of quasi-identifiers whose values single records out (special uniques)"),
    )
    command.add_argument(
        "--largest-set",
        metavar="N",
        help=tr("how many columns a set has at most (default 2 for --identifying, 3 for --uniques)"),
    )
    command.add_argument(
        "--singled-out",
        metavar="FILE",
        help=tr(".csv, .xlsx or .parquet file for everybody whom --uniques finds, by number of the record"),
    )
    add_table(command)


def describe(given: argparse.Namespace) -> int:
    """Print size, how the file was read, and every column; then what else is asked for."""
    if given.singled_out is not None:
        check_targets([given.singled_out], [given.file])
    table = table_of(given)
    _columns(table)
    if given.identifying or given.uniques or given.singled_out is not None:
        from kanon_core.cli.identifying import say_identifying, say_uniques

        if given.identifying:
            say_identifying(table, whole(given.largest_set or "2"))
        if given.uniques or given.singled_out is not None:
            say_uniques(table, whole(given.largest_set or "3"), given.singled_out)
    return 0


def _columns(table: Table) -> None:
    print(f"{counted(len(table), 'record')}, {counted(len(table.schema), 'column')}")
    how = ", ".join(f"{name} {value!r}" for name, value in table.reading.items())
    print(tr("read as: {how}").format(how=printable(how)))
    rows, why = [], role_reasons(table)
    for attribute, column in zip(table.schema, table.columns, strict=True):
        misfits, values = column.misfits, table.frame[attribute.name].nunique()
        count, examples = (f"{misfits.count:,}", ", ".join(misfits.examples)) if misfits else ("0", "")
        about = (attribute.name, attribute.role, attribute.kind, f"{values:,}")
        rows.append((*about, f"{int(column.missing.sum()):,}", count, examples, why[attribute.name]))
    header = (
        tr("column"),
        tr("role"),
        tr("kind"),
        tr("values"),
        tr("missing"),
        tr("misfits"),
        tr("for example"),
        tr("why this role"),
    )
    print(text_table(header, rows, right=(3, 4, 5)))
    for note in (*table.notes, *misfit_notes(table), *date_notes(table), *undecided(table)):
        print(printable(note))


def say_schema(table: Table, given: argparse.Namespace) -> None:
    """On stderr, what the columns are taken for when the person did not say it."""
    if given.quasi is None:
        why = role_reasons(table)
        rows = ((a.name, a.role, a.kind, why[a.name]) for a in table.schema)
        print(
            tr("Roles and kinds were guessed (change them with --quasi, --roles, --kinds):"), file=sys.stderr
        )
        header = (tr("column"), tr("role"), tr("kind"), tr("why this role"))
        print(text_table(header, rows), file=sys.stderr)
    for note in (*table.notes, *misfit_notes(table), *date_notes(table)):
        print(printable(note), file=sys.stderr)


def algorithms(given: argparse.Namespace) -> int:
    """Print every algorithm and its options."""
    from kanon_core.algorithms import ALGORITHMS
    from kanon_core.cli.flags import option_rows

    rows = ((c.__name__.lower(), c.title, c.summary) for c in ALGORITHMS)
    print(text_table(("name", "title", "use"), rows))
    takes = ", ".join(c.__name__.lower() for c in ALGORITHMS if c.takes_distances)
    print("\n" + tr("Distances chosen for columns (--distances) are used by: {names}").format(names=takes))
    print(tr("Those with an option --distance use them if it is “chosen”; Refine for SSE, or in its start."))
    print("\noptions")
    print(option_rows("algorithm", ALGORITHMS, lambda cls: ""))
    return 0


def guarantees(given: argparse.Namespace) -> int:
    """Print every guarantee, against whom it holds, and its parameters."""
    from kanon_core.cli.flags import option_rows, prefix_of
    from kanon_core.guarantees import GUARANTEES

    rows = (
        (
            c.__name__.lower(),
            c.name,
            tr("{meaning} The attacker {attacker}.").format(meaning=c.meaning, attacker=c.attacker),
        )
        for c in GUARANTEES
    )
    print(text_table((tr("name"), tr("title"), tr("what holds, and against whom")), rows))
    print("\nparameters")
    print(option_rows("guarantee", GUARANTEES, prefix_of))
    return 0
