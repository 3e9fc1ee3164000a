"""`reproduce`: the rows of a paper's tables as they finish, then what the paper says about them."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import Parser, add_out
from kanon_core.cli.output import Bar, check_targets, printable, write_files
from kanon_core.cli.sources import source_of
from kanon_core.cli.tableflags import FILE_HELP, add_how
from kanon_core.papers import REPRODUCTIONS, Part, Row, Task, frame_of, made, reproduction
from kanon_core.papers.frame import above_text, compared_text, papers_text
from kanon_core.report.files import format_of
from kanon_core.table.writers import write_frame

WIDTH = 100
"""Columns of a terminal that everything fits into."""
_LINE = "{:>11}  {:>12}  {:>7}  {:>23}  {:>13}"
_HEADER = _LINE.format("mean", "paper", "ratio", "range", "above optimum")
_VERDICT = "{:<13}"


def add_reproduce(command: Parser, words: Sequence[str]) -> None:
    """One sub-command for each reproduction, with its own options."""
    names = command.add_subparsers(dest="name", required=True, metavar="NAME", parser_class=Parser)
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


def reproduce(given: argparse.Namespace) -> int:
    """Print rows and checks, write the rows; 1 when a check fails that must hold on these data."""
    chosen = flags.made(reproduction(given.name)(), given)
    if given.out:
        check_targets([given.out], [given.file] if given.file else [])
    tasks, rows = chosen.tasks(source_of(given)), list[Row]()
    try:
        with Bar() as bar:
            for row in made(tasks, bar.tick):
                bar.clear()
                rows.append(row)
                if len(rows) == 1 or rows[-2].part != row.part:
                    _say_part(row.part, tasks, first=len(rows) == 1)
                print(_line(row, tasks), flush=True)
    except KeyboardInterrupt:
        print(
            tr("Stopped after {rows} of {all} rows; no file was written.").format(
                rows=len(rows), all=len(tasks)
            ),
            file=sys.stderr,
        )
        return 130
    checks = chosen.checks(rows)
    if checks:
        print("\n" + tr("What the paper says"))
    for check in checks:
        print(_wrapped(check.sentence, _VERDICT.format(tr(check.verdict))))
    if given.out:
        write_files({Path(given.out): write_frame(frame_of(rows), format_of(given.out))})
    return 0 if all(check.holds for check in checks if check.must) else 1


def _say_part(part: Part, tasks: Sequence[Task], first: bool) -> None:
    """What the rows that follow are, and the heads of their columns."""
    print(("" if first else "\n") + part.title)
    print(_wrapped(f"{part.data}. {compared_text(part)}"))
    mine = next(task for task in tasks if task.part == part)
    print(f"{_place(list(mine.place), part, tasks)}  {_HEADER}")


def _line(row: Row, tasks: Sequence[Task]) -> str:
    def text(value: float) -> str:
        return f"{value:,.{row.part.digits}f}"

    spread = f"{text(min(row.values))}–{text(max(row.values))}" if len(row.values) > 1 else ""
    ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
    numbers = _LINE.format(text(row.mean), papers_text(row), ratio, spread, above_text(row))
    return f"{_place(list(row.place.values()), row.part, tasks)}  {numbers}".rstrip()


def _place(cells: Sequence[object], part: Part, tasks: Sequence[Task]) -> str:
    """The cells that say where a row stands, as wide as in every row of the part."""
    mine = [task.place for task in tasks if task.part == part]
    widths = [max(len(name), *(len(str(place[name])) for place in mine)) for name in mine[0]]
    return "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))


def _wrapped(text: str, lead: str = "") -> str:
    lines = textwrap.wrap(printable(text), WIDTH - len(lead), break_long_words=False)
    return "\n".join((" " * len(lead) if place else lead) + line for place, line in enumerate(lines))
