"""`attack`: attacks on released histories or rows, by k."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import pandas as pd

from kanon_core.algorithms import ALGORITHMS, Algorithm, PurchaseHistories
from kanon_core.base.infile import write_files
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import printable, tr
from kanon_core.cli import arguments as words
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.output import Bar, check_targets, names_of, table_file
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableflags import add_table
from kanon_core.release.release import Release
from kanon_core.risk import ATTACKS, Reidentification, reidentify
from kanon_core.risk.tables import TABLE_ATTACKS, Attacked
from kanon_core.runs.attacking import TARGETS
from kanon_core.runs.attacking import attack as attacked
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table

_LINE = "{:>4}  {:<24} {:>9} {:>11} {:>7}  {:<15} {:>9} {:>8} {:>8}  {}"
_HEADER = (
    *("k", "attack", "attempts", "identified", "share", "95 % interval"),
    *("at random", "contest", "exact", "verdict"),
)
_HISTORIES: dict[str, Callable[[Any], object]] = {
    "attempts": attrgetter("tried"),
    **{name: attrgetter(name) for name in ("identified", "share", "low", "high")},
    "at random": attrgetter("by_chance"),
    "contest threshold": attrgetter("contest_limit"),
    "exact threshold": attrgetter("exact_limit"),
    "unsafe by contest": attrgetter("unsafe"),
}
"""Column of the file of attacks on histories → the value of a result in it."""
_ROWS: dict[str, Callable[[Any], object]] = {
    **{name: attrgetter(name) for name in ("column", "tried")},
    "right": attrgetter("succeeded"),
    "rate": attrgetter("rate"),
    "low": lambda result: result.interval[0],
    "high": lambda result: result.interval[1],
    "baseline": attrgetter("baseline"),
    "control tried": attrgetter("control_tried"),
    "control right": attrgetter("control_succeeded"),
    "risk": lambda result: result.risk[0],
    "risk low": lambda result: result.risk[1],
    "risk high": lambda result: result.risk[2],
    "allowed": attrgetter("allowed"),
}
"""The same for attacks on rows."""


def add_attack(command: Parser, given: Sequence[str]) -> None:
    """Declare FILE, the algorithm and k of the release, and the attacks."""
    add_table(command)
    help = tr(
        "algorithm of the release (default purchasehistories, for people); with any other, rows of"
        " single records are attacked"
    )
    command.add_argument("--algorithm", default="purchasehistories", metavar="NAME", help=help)
    words.add_setting(command, given, several=True, otherwise=[PurchaseHistories])
    says = tr("on histories: {histories}; on rows: {rows} (default: all)")
    known = says.format(histories=names_of(ATTACKS), rows=names_of(TABLE_ATTACKS))
    add_each(command, ("attacks", "A,B", known))
    help = tr("for attacks on rows: number of records to look for")
    command.add_argument("--targets", metavar="N", default=str(TARGETS), help=help)
    flags.add_groups(command, TABLE_ATTACKS, given, lambda cls: f"{cls.title}: {cls.sentence}")
    words.add_out(command, tr("results"))


def attack(given: argparse.Namespace) -> int:
    """Anonymize at each k, attack each release, print each result as it is found, and write all at the
    end."""
    if given.out:
        check_targets([given.out], [given.file])
    algorithm, ks, seed = flags.made_one(given, "algorithm", ALGORITHMS), words.ks(given.k), words.seed(given)
    if algorithm.guarantee(ks[0]).pseudonyms:
        frame = _on_histories(given, algorithm, ks, seed)
    else:
        frame = _on_rows(given, algorithm, ks, seed)
    if given.out:
        write_files(table_file(given.out, frame))
    return 0


def _releases(
    table: Table, algorithm: Algorithm, ks: Sequence[int], seed: int, share: float, tick: Tick
) -> Iterator[tuple[int, Release, Tick]]:
    """Yield each k, the release, and the tick of its attacks; ``share``: the part of the time that
    anonymizing takes."""
    for number, k in enumerate(ks):
        at = stage(tick, number / len(ks), (number + 1) / len(ks))
        yield k, anonymize(table, algorithm, k, seed, stage(at, 0, share)), stage(at, share, 1)


def _on_histories(
    given: argparse.Namespace, algorithm: Algorithm, ks: Sequence[int], seed: int
) -> pd.DataFrame:
    attacks = list(ATTACKS) if given.attacks is None else flags.named(given.attacks, ATTACKS, "attack")
    table = table_of(given)
    found: list[tuple[int, Reidentification]] = []
    with Bar() as bar:
        for k, release, at in _releases(table, algorithm, ks, seed, 0.5, bar.tick):
            for place, each in enumerate(attacks):
                tick = stage(at, place / len(attacks), (place + 1) / len(attacks))
                found.append((k, reidentify(table, release, each(), tick)))
                bar.clear()
                if len(found) == 1:
                    print(_LINE.format(*_HEADER))
                print(_line(*found[-1]), flush=True)
    return _frame(found, _HISTORIES)


def _on_rows(given: argparse.Namespace, algorithm: Algorithm, ks: Sequence[int], seed: int) -> pd.DataFrame:
    chosen = flags.made_each(given, given.attacks, TABLE_ATTACKS, tr("attack"), TABLE_ATTACKS)
    table, targets = table_of(given), words.whole(given.targets)
    found: list[tuple[int, Attacked]] = []
    with Bar() as bar:
        for k, release, at in _releases(table, algorithm, ks, seed, 0.4, bar.tick):
            suiting = [one for one in chosen if given.attacks or not one.unsuitable(table, release)]
            for done, one in enumerate(suiting):
                tick = stage(at, done / len(suiting), (done + 1) / len(suiting))
                for result in attacked(table, release, [one], targets, progress=tick):
                    found.append((k, result))
                    bar.clear()
                    print(printable(f"k = {k}, {result.title}: {result.sentence}"), flush=True)
    return _frame(found, _ROWS)


def _line(k: int, result: Reidentification) -> str:
    interval = f"{100 * result.low:.1f}–{100 * result.high:.1f} %"
    verdict = tr("unsafe") if result.unsafe else tr("not shown unsafe")
    return _LINE.format(
        k,
        result.attack.title,
        f"{result.tried:,}",
        f"{result.identified:,}",
        f"{100 * result.share:.1f} %",
        interval,
        f"{result.by_chance:.1f}",
        result.contest_limit,
        result.exact_limit,
        verdict,
    )


def _frame(
    attacked: Sequence[tuple[int, Any]], columns: Mapping[str, Callable[[Any], object]]
) -> pd.DataFrame:
    """Return one row per k, attack and attacked column; shares as numbers."""
    rows = [(k, type(one.attack).__name__, *(read(one) for read in columns.values())) for k, one in attacked]
    return pd.DataFrame(rows, columns=["k", "attack", *columns])
