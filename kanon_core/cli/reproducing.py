"""`reproduce`: the rows of a paper's tables as they finish, then what the paper says about them; with `all`,
every table and figure of every paper as files of a folder."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.infile import write_files
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import counted, printable, tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import add_out
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.output import Bar, check_targets, table_file
from kanon_core.cli.sources import source_of
from kanon_core.cli.tableflags import FILE_HELP, add_how
from kanon_core.papers import (
    REPRODUCTIONS,
    Check,
    Part,
    Reproduction,
    Row,
    Task,
    frame_of,
    made,
    reproduction,
)
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.frame import above_text, compared_text, papers_text
from kanon_core.table.writers import write_frame

ALL = "all"
"""The word for every reproduction."""
STATEMENTS = "statements.csv"
"""The file of all statements and their verdicts."""
WIDTH = 100
"""The columns of a terminal that all output fits into."""
_LINE = "{:>11}  {:>12}  {:>7}  {:>23}  {:>13}"
_HEADER = _LINE.format("mean", "paper", "ratio", "range", "above optimum")
_VERDICT = "{:<13}"


def add_reproduce(command: Parser, words: Sequence[str]) -> None:
    """Declare one sub-command per reproduction, with its options, and one for all of them."""
    names = command.add_subparsers(dest="name", required=True, metavar="NAME", parser_class=Parser)
    _add_all(names)
    for known in REPRODUCTIONS:
        one = names.add_parser(known.name, help=known.summary, description=known.summary, allow_abbrev=False)
        real = tr("real data: {file} (default: the built-in samples)").format(file=tr(FILE_HELP))
        add_each(one, ("file", "FILE", real))
        add_how(one)
        help = tr("categories for a column of the file")
        one.add_argument("--categories", metavar="A=FILE", action="append", help=help)
        group = one.add_argument_group(tr("options of {name}").format(name=known.name))
        flags.add_options(group, known, words, "", set())
        add_out(one, tr("rows"))
        if known is ConcealmentTables:
            maps = tr(
                "also write figures 4 to 10 to this folder, as maps of the built-in sample of 100 people"
            )
            add_each(one, ("figures", "FOLDER", maps))


def reproduce(given: argparse.Namespace) -> int:
    """Print rows and checks, write the rows; 1 when a check fails that must hold on these data.

    If stopped, it still checks the statements of the paper on the finished rows.
    """
    if given.name == ALL:
        return _reproduce_all(given)
    chosen, rows = flags.made(reproduction(given.name)(), given), list[Row]()
    if given.out:
        check_targets([given.out], [given.file] if given.file else [])
    source = source_of(given)
    tasks = chosen.tasks(source)
    maps = _maps_of(chosen) if getattr(given, "figures", None) and _folder_of(given.figures) else {}
    stopped = _stopped(tasks, rows)
    checks = chosen.checks(rows)
    said = _said_text(checks, chosen.notes(source))
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
        write_files(table_file(given.out, frame_of(rows)))
    if maps:
        write_files({Path(given.figures, name): page for name, page in maps.items()})
    return 0 if all(check.holds for check in checks if check.must) else 1


def _stopped(tasks: Sequence[Task], rows: list[Row]) -> bool:
    """Make the rows and print each as it finishes. Return whether a person stopped the work."""
    try:
        with Bar() as bar:
            for row in made(tasks, bar.tick):
                bar.clear()
                if not rows or rows[-1].part != row.part:
                    print(("\n" if rows else "") + _part_text(row.part, tasks))
                rows.append(row)
                print(_row_text(row, tasks), flush=True)
    except KeyboardInterrupt:
        return True
    return False


def _add_all(names: Any) -> None:
    """Declare the sub-command of all reproductions, which needs a folder and uses the built-in samples."""
    summary = tr(
        "Reproduce all tables and figures of the papers on the built-in samples, as files in a folder."
    )
    one: Parser = names.add_parser(ALL, help=summary, description=summary, allow_abbrev=False)
    one.add_argument(
        "--out",
        metavar="FOLDER",
        required=True,
        help=tr(
            "folder for the files, created if needed: a csv and a txt file for each table and"
            " figure, and maps as html"
        ),
    )


def _reproduce_all(given: argparse.Namespace, which: Sequence[type[Reproduction]] = REPRODUCTIONS) -> int:
    """Make and write one reproduction after the other; 1 when a check fails that must hold on these data.

    If stopped, it keeps the files of finished reproductions.
    """
    folder, told, failed = _folder_of(given.out), list[tuple[str, Check]](), False
    total, before = sum(known.seconds for known in which), 0.0
    try:
        with Bar() as bar:
            for known in which:
                tick = stage(bar.tick, before / total, (before + known.seconds) / total)
                checks, files = _files(known(), tick)
                bar.clear()
                place = _folder_of(folder / known.name)
                write_files({place / name: content for name, content in files.items()})
                told += [(known.name, check) for check in checks]
                failed = failed or any(check.must and not check.holds for check in checks)
                print(_summary(known, files, checks), flush=True)
                before += known.seconds
    except KeyboardInterrupt:
        print(tr("Stopped; the files of finished reproductions are kept."), file=sys.stderr)
        return 130
    write_files({folder / STATEMENTS: write_frame(_statements(told))})
    return 1 if failed else 0


def _folder_of(path: str | Path) -> Path:
    """Return the folder, created if needed. Raises InputError if that is refused."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError:
        raise InputError(
            tr("The folder “{name}” cannot be created; choose another place.").format(name=Path(path).name)
        ) from None
    return Path(path)


def _files(chosen: Reproduction, tick: Tick) -> tuple[list[Check], dict[str, bytes]]:
    """Return its statements, and name → content of its files: a csv and a txt for each part, and what the
    paper says."""
    tasks = chosen.tasks()
    rows = list(made(tasks, tick))
    checks, files = chosen.checks(rows), dict[str, bytes]()
    for part, name in _names(tasks).items():
        mine = [row for row in rows if row.part == part]
        files[f"{name}.csv"] = write_frame(frame_of(mine))
        files[f"{name}.txt"] = _text(part, mine, tasks).encode()
    said = _said_text(checks, chosen.notes())
    return checks, {**files, **_maps_of(chosen), "statements.txt": f"{said}\n".encode()}


def _maps_of(chosen: Reproduction) -> dict[str, bytes]:
    """Return, by file name, the maps of a reproduction: figures 4 to 10 of the k-concealment paper. Without
    folium, which the extra “app” installs, print so and return none."""
    if not isinstance(chosen, ConcealmentTables):
        return {}
    if importlib.util.find_spec("folium") is None:
        print(tr('Figures 4 to 10 are maps and need folium: pip install "kanon[app]".'), file=sys.stderr)
        return {}
    from kanon_core.papers.concealment_maps import figures

    return {file: page.get_root().render().encode() for file, page in figures().items()}


def _text(part: Part, rows: Sequence[Row], tasks: Sequence[Task]) -> str:
    return "\n".join((_part_text(part, tasks), *(_row_text(row, tasks) for row in rows))) + "\n"


def _names(tasks: Sequence[Task]) -> Mapping[Part, str]:
    """Return a file name for each part: its table, numbered where a table has several parts."""
    found: dict[Part, str] = {}
    for part in dict.fromkeys(task.part for task in tasks):
        name = re.sub(r"[^\w.]+", "-", part.table)
        same = sum(other.table == part.table for other in found)
        found[part] = f"{name}-{same + 1}" if same else name
    return found


def _summary(known: type[Reproduction], files: Mapping[str, bytes], checks: Sequence[Check]) -> str:
    """Return a line on what was written of a reproduction, and how many statements hold."""
    return tr("{name}: {files}; {hold} of {all} statements hold.").format(
        name=known.name,
        files=counted(len(files), "file"),
        hold=sum(check.holds for check in checks),
        all=len(checks),
    )


def _statements(checks: Sequence[tuple[str, Check]]) -> pd.DataFrame:
    columns = {
        "reproduction": [name for name, _ in checks],
        "verdict": [check.verdict for _, check in checks],
        "statement": [check.sentence for _, check in checks],
    }
    return pd.DataFrame(columns)


def _part_text(part: Part, tasks: Sequence[Task]) -> str:
    """Return a text on what the rows that follow are, and the heads of their columns."""
    mine = next(task for task in tasks if task.part == part)
    heads = f"{_place(list(mine.place), part, tasks)}  {_HEADER}"
    return "\n".join((part.title, _wrapped(f"{part.data}. {compared_text(part)}"), heads))


def _row_text(row: Row, tasks: Sequence[Task]) -> str:
    """Return the line of a row: its place, mean, the paper's number, ratio, range, distance to the
    optimum."""

    def text(value: float) -> str:
        return f"{value:,.{row.part.digits}f}"

    spread = f"{text(min(row.values))}–{text(max(row.values))}" if len(row.values) > 1 else ""
    ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
    numbers = _LINE.format(text(row.mean), papers_text(row), ratio, spread, above_text(row))
    return f"{_place(list(row.place.values()), row.part, tasks)}  {numbers}".rstrip()


def _said_text(checks: Sequence[Check], notes: Sequence[str]) -> str:
    """Return the statements of the paper, each after its verdict, then what was not reproduced; "" for
    nothing."""
    lines = [_wrapped(check.sentence, _VERDICT.format(tr(check.verdict))) for check in checks]
    parts = [(tr("Statements of the paper"), lines), (tr("Not reproduced"), [_wrapped(one) for one in notes])]
    return "\n\n".join("\n".join((title, *inside)) for title, inside in parts if inside)


def _place(cells: Sequence[object], part: Part, tasks: Sequence[Task]) -> str:
    """Return the cells that name the place of a row, as wide as in every row of the part."""
    mine = [task.place for task in tasks if task.part == part]
    widths = [max(len(name), *(len(str(place[name])) for place in mine)) for name in mine[0]]
    return "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))


def _wrapped(text: str, lead: str = "") -> str:
    lines = textwrap.wrap(printable(text), WIDTH - len(lead), break_long_words=False)
    return "\n".join((" " * len(lead) if place else lead) + line for place, line in enumerate(lines))
