"""`reproduce`: the rows of a paper's tables as they finish, then what the paper says about them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kanon_core.base.infile import write_files
from kanon_core.base.words import counted, tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import Parser, add_out
from kanon_core.cli.output import Bar, check_targets
from kanon_core.cli.reproducingall import ALL, add_all, folder_of, maps_of, reproduce_all
from kanon_core.cli.rowtexts import part_text, row_text, said_text
from kanon_core.cli.sources import source_of
from kanon_core.cli.tableflags import FILE_HELP, add_how
from kanon_core.papers import REPRODUCTIONS, Row, Task, frame_of, made, reproduction
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.report.files import format_of
from kanon_core.table.writers import write_frame


def add_reproduce(command: Parser, words: Sequence[str]) -> None:
    """One sub-command for each reproduction, with its own options, and one for all of them."""
    names = command.add_subparsers(dest="name", required=True, metavar="NAME", parser_class=Parser)
    add_all(names)
    for known in REPRODUCTIONS:
        one = names.add_parser(known.name, help=known.summary, description=known.summary, allow_abbrev=False)
        one.add_argument(
            "--file",
            metavar="FILE",
            help=tr("real data: {file} (default: our own samples)").format(file=tr(FILE_HELP)),
        )
        add_how(one)
        one.add_argument(
            "--categories", metavar="A=FILE", action="append", help=tr("categories for a column of the file")
        )
        flags.add_options(
            one.add_argument_group(tr("options of {name}").format(name=known.name)), known, words, "", set()
        )
        add_out(one, tr("rows"))
        if known is ConcealmentTables:
            one.add_argument(
                "--figures",
                metavar="FOLDER",
                help=tr("also write figures 4 to 10 into this folder, as maps of our sample of 100 people"),
            )


def reproduce(given: argparse.Namespace) -> int:
    """Print rows and checks, write the rows; 1 when a check fails that must hold on these data.

    Stopped, it still says what the paper says about the rows that are there.
    """
    if given.name == ALL:
        return reproduce_all(given)
    chosen, rows = flags.made(reproduction(given.name)(), given), list[Row]()
    if given.out:
        check_targets([given.out], [given.file] if given.file else [])
    source = source_of(given)
    tasks = chosen.tasks(source)
    maps = maps_of(chosen) if getattr(given, "figures", None) and folder_of(given.figures) else {}
    stopped = _stopped(tasks, rows)
    checks = chosen.checks(rows)
    said = said_text(checks, chosen.notes(source))
    if said:
        print(f"\n{said}")
    if stopped:
        print(
            tr("Stopped after {rows} of {all}; no file was written.").format(
                rows=len(rows), all=counted(len(tasks), "row")
            ),
            file=sys.stderr,
        )
        return 130
    if given.out:
        write_files({Path(given.out): write_frame(frame_of(rows), format_of(given.out))})
    if maps:
        write_files({Path(given.figures, name): page for name, page in maps.items()})
    return 0 if all(check.holds for check in checks if check.must) else 1


def _stopped(tasks: Sequence[Task], rows: list[Row]) -> bool:
    """Make the rows and print each as it finishes; whether a person stopped that."""
    try:
        with Bar() as bar:
            for row in made(tasks, bar.tick):
                bar.clear()
                if not rows or rows[-1].part != row.part:
                    print(("\n" if rows else "") + part_text(row.part, tasks))
                rows.append(row)
                print(row_text(row, tasks), flush=True)
    except KeyboardInterrupt:
        return True
    return False
