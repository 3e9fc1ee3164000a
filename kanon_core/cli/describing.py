"""`describe`: the columns of a file, those that identify, and the people whom they single out. `algorithms`,
`guarantees`: the lists of both."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.infile import write_files
from kanon_core.base.words import counted, percent, printable, tr
from kanon_core.cli.arguments import whole
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.flags import option_rows, prefix_of
from kanon_core.cli.output import Bar, check_targets, say, table_file, text_table
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableflags import add_table
from kanon_core.guarantees import GUARANTEES
from kanon_core.table.changes import spoken
from kanon_core.table.columnnotes import idle_notes, misfit_notes
from kanon_core.table.dateorders import date_notes
from kanon_core.table.guesses import role_reasons
from kanon_core.table.people import undecided
from kanon_core.table.table import Table

_SHOWN = 30


def add_describe(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, the properties of its columns, and further lists to print."""
    ranks = {
        "identifying": tr(
            "rank columns and pairs of columns by how well they distinguish records, whatever their roles"
        ),
        "uniques": tr("rank the sets of quasi-identifiers whose values single out records (special uniques)"),
    }
    for name, help in ranks.items():
        command.add_argument(f"--{name}", action="store_true", help=help)
    largest = tr("largest number of columns in a set (default 2 for --identifying, 3 for --uniques)")
    found = tr(".csv, .xlsx or .parquet file for all records that --uniques finds, by record number")
    add_each(command, ("largest-set", "N", largest), ("singled-out", "FILE", found))
    add_table(command)


def describe(given: argparse.Namespace) -> int:
    """Print size, how the file was read, and every column; then the further lists that are requested."""
    if given.singled_out is not None:
        check_targets([given.singled_out], [given.file])
    table = table_of(given)
    _columns(table)
    if given.identifying:
        _say_identifying(table, whole(given.largest_set or "2"))
    if given.uniques or given.singled_out is not None:
        _say_uniques(table, whole(given.largest_set or "3"), given.singled_out)
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
        *(tr("column"), tr("role"), tr("kind"), tr("values"), tr("missing"), tr("misfits")),
        *(tr("examples"), tr("reason for the role")),
    )
    print(text_table(header, rows, right=(3, 4, 5)))
    say(*_notes(table), *undecided(table))


def _say_identifying(table: Table, most: int) -> None:
    """Print the columns and sets of columns that distinguish most records, with their present roles."""
    from kanon_core.risk.uniques import identifying

    with Bar() as bar:
        found = identifying(table, most, bar.tick)
    rows = []
    for one in found.sets[:_SHOWN]:
        shares = (percent(one.distinction, 1), percent(one.separation, 1))
        roles = ", ".join(spoken(table.schema[name].role) for name in one.columns)
        rows.append((" + ".join(one.columns), f"{one.values:,}", *shares, f"{one.unique:,}", roles))
    header = ("columns", "values", "distinction", "separation", tr("singled out"), "role")
    print("\n" + tr("Columns that distinguish {unit}").format(unit=found.unit))
    print(text_table(header, rows, right=(1, 2, 3, 4)))
    _say_rest(len(found.sets))
    say(*found.notes)


def _say_uniques(table: Table, most: int, out: str | None) -> None:
    """Print how many records the quasi-identifiers single out, and write the file of them if requested."""
    from kanon_core.risk.uniques import special_uniques

    with Bar() as bar:
        found = special_uniques(table, most, progress=bar.tick)
    rows = [
        (" + ".join(one.columns), f"{one.count:,}", percent(one.count, found.subjects))
        for one in found.combinations[:_SHOWN]
    ]
    print("\n" + printable(found.sentence))
    if rows:
        print(text_table(("columns", tr("singled out"), "share"), rows, right=(1, 2)))
        _say_rest(len(found.combinations))
        shares = ((name, percent(share, 1)) for name, share in found.contributions.items())
        print("\n" + text_table(("column", tr("share of scores")), shares, right=(1,)))
    if out is not None:
        write_files(table_file(out, found.to_frame()))


def _say_rest(count: int) -> None:
    if count > _SHOWN:
        print(tr("… and {count:,} more").format(count=count - _SHOWN))


def say_schema(table: Table, given: argparse.Namespace) -> None:
    """Print on stderr the roles and kinds that the columns are taken to have, where the user did not say."""
    if given.quasi is None:
        why = role_reasons(table)
        rows = ((a.name, a.role, a.kind, why[a.name]) for a in table.schema)
        print(
            tr("Roles and kinds were guessed (change them with --quasi, --roles, --kinds):"), file=sys.stderr
        )
        header = (tr("column"), tr("role"), tr("kind"), tr("reason for the role"))
        print(text_table(header, rows), file=sys.stderr)
    say(*_notes(table), to=sys.stderr)


def _notes(table: Table) -> tuple[str, ...]:
    return (*table.notes, *misfit_notes(table), *date_notes(table), *idle_notes(table))


def algorithms(given: argparse.Namespace) -> int:
    """Print every algorithm and its options."""
    rows = ((c.__name__.lower(), c.title, c.summary) for c in ALGORITHMS)
    print(text_table(("name", "title", "use"), rows))
    takes = ", ".join(c.__name__.lower() for c in ALGORITHMS if c.takes_distances)
    print("\n" + tr("Distances chosen for columns (--distances) are used by: {names}").format(names=takes))
    print(
        tr(
            "Algorithms with an option --distance use them if its value is “chosen”; Refine uses them for"
            " SSE, or in its start."
        )
    )
    print("\noptions")
    print(option_rows("algorithm", ALGORITHMS, lambda cls: ""))
    return 0


def guarantees(given: argparse.Namespace) -> int:
    """Print every guarantee, against whom it holds, and its parameters."""
    says = tr("{meaning} The attacker {attacker}.")
    rows = (
        (c.__name__.lower(), c.name, says.format(meaning=c.meaning, attacker=c.attacker)) for c in GUARANTEES
    )
    print(text_table((tr("name"), tr("title"), tr("guarantee and attacker")), rows))
    print("\nparameters")
    print(option_rows("guarantee", GUARANTEES, prefix_of))
    return 0
