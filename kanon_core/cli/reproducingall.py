"""`reproduce all`: every table and figure of every paper into the files of a folder."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.infile import write_files
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import counted, tr
from kanon_core.cli.arguments import Parser
from kanon_core.cli.output import Bar
from kanon_core.cli.rowtexts import part_text, row_text, said_text
from kanon_core.papers import REPRODUCTIONS, Check, Part, Reproduction, Row, Task, frame_of, made
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.table.writers import write_frame

ALL = "all"
"""The word for every reproduction."""
STATEMENTS = "statements.csv"
"""The file of all statements and their verdicts."""


def add_all(names: Any) -> None:
    """The sub-command of all reproductions: it asks for a folder, and computes on our own samples."""
    summary = tr("Make every table and figure of all papers on our own samples, as files of a folder.")
    one: Parser = names.add_parser(ALL, help=summary, description=summary, allow_abbrev=False)
    one.add_argument(
        "--out",
        metavar="FOLDER",
        required=True,
        help=tr(
            "folder for the files, made if it is not there: a csv and a txt for each table and figure, and"
            " maps as html"
        ),
    )


def reproduce_all(given: argparse.Namespace) -> int:
    """Make and write one reproduction after the other; 1 when a check fails that must hold on these data.

    Stopped, it keeps the files of what was finished.
    """
    folder, told, failed = folder_of(given.out), list[tuple[str, Check]](), False
    total, before = sum(known.seconds for known in REPRODUCTIONS), 0.0
    try:
        with Bar() as bar:
            for known in REPRODUCTIONS:
                tick = stage(bar.tick, before / total, (before + known.seconds) / total)
                checks, files = _files(known(), tick)
                bar.clear()
                place = folder_of(folder / known.name)
                write_files({place / name: content for name, content in files.items()})
                told += [(known.name, check) for check in checks]
                failed = failed or any(check.must and not check.holds for check in checks)
                print(_summary(known, files, checks), flush=True)
                before += known.seconds
    except KeyboardInterrupt:
        print(tr("Stopped; the files of what was finished are there."), file=sys.stderr)
        return 130
    write_files({folder / STATEMENTS: write_frame(_statements(told))})
    return 1 if failed else 0


def folder_of(path: str | Path) -> Path:
    """The folder, made if need be; raises InputError where that is refused."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError:
        raise InputError(
            tr("The folder “{name}” cannot be made; choose another place.").format(name=Path(path).name)
        ) from None
    return Path(path)


def _files(chosen: Reproduction, tick: Tick) -> tuple[list[Check], dict[str, bytes]]:
    """Its statements; name → content: a csv and a txt for each part, and what the paper says."""
    tasks = chosen.tasks()
    rows = list(made(tasks, tick))
    checks, files = chosen.checks(rows), dict[str, bytes]()
    for part, name in _names(tasks).items():
        mine = [row for row in rows if row.part == part]
        files[f"{name}.csv"] = write_frame(frame_of(mine))
        files[f"{name}.txt"] = _text(part, mine, tasks).encode()
    said = said_text(checks, chosen.notes())
    return checks, {**files, **maps_of(chosen), "statements.txt": f"{said}\n".encode()}


def maps_of(chosen: Reproduction) -> dict[str, bytes]:
    """Name → content of the maps of a reproduction: figures 4 to 10 of the k-concealment paper. Without
    folium, which the extra “app” brings, a sentence says so and there are none."""
    if not isinstance(chosen, ConcealmentTables):
        return {}
    if importlib.util.find_spec("folium") is None:
        print(tr('Figures 4 to 10 are maps and need folium: pip install "kanon[app]".'), file=sys.stderr)
        return {}
    from kanon_core.charts.maps.figures import figures

    return {file: page.get_root().render().encode() for file, page in figures().items()}


def _text(part: Part, rows: Sequence[Row], tasks: Sequence[Task]) -> str:
    return "\n".join((part_text(part, tasks), *(row_text(row, tasks) for row in rows))) + "\n"


def _names(tasks: Sequence[Task]) -> Mapping[Part, str]:
    """A file name for each part: its table, numbered where a table has several parts."""
    found: dict[Part, str] = {}
    for part in dict.fromkeys(task.part for task in tasks):
        name = re.sub(r"[^\w.]+", "-", part.table)
        same = sum(other.table == part.table for other in found)
        found[part] = f"{name}-{same + 1}" if same else name
    return found


def _summary(known: type[Reproduction], files: Mapping[str, bytes], checks: Sequence[Check]) -> str:
    """What was written of a reproduction, and how many statements hold."""
    return tr("{name}: {files}; {hold} of {all} statements hold.").format(
        name=known.name,
        files=counted(len(files), "file"),
        hold=sum(check.holds for check in checks),
        all=len(checks),
    )


def _statements(told: Sequence[tuple[str, Check]]) -> pd.DataFrame:
    columns = {
        "reproduction": [name for name, _ in told],
        "verdict": [check.verdict for _, check in told],
        "statement": [check.sentence for _, check in told],
    }
    return pd.DataFrame(columns)
