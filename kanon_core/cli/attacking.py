"""`attack`: who is found in a release, by k and attack; here, in published histories."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from kanon_core.algorithms import ALGORITHMS, PurchaseHistories
from kanon_core.attacking import TARGETS
from kanon_core.base.infile import write_files
from kanon_core.base.options import options_of
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import tr
from kanon_core.cli import arguments as words
from kanon_core.cli import flags
from kanon_core.cli.output import Bar, check_targets, names_of
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableattacks import attack_table
from kanon_core.cli.tableflags import add_table
from kanon_core.report.files import format_of
from kanon_core.risk import ATTACKS, Reidentification, reidentify
from kanon_core.risk.tables import TABLE_ATTACKS
from kanon_core.run import anonymize
from kanon_core.table.writers import write_frame

_LINE = "{:>4}  {:<24} {:>9} {:>11} {:>7}  {:<15} {:>9} {:>8} {:>8}  {}"
_HEADER = (
    "k",
    "attack",
    "attempts",
    "identified",
    "share",
    "95 % interval",
    "at random",
    "contest",
    "exact",
    "verdict",
)


COLUMNS = [
    "k",
    "attack",
    "attempts",
    "identified",
    "share",
    "low",
    "high",
    "at random",
    "contest threshold",
    "exact threshold",
    "unsafe by contest",
]
"""Of the file that is written."""


def add_attack(command: words.Parser, given: Sequence[str]) -> None:
    """FILE, by which algorithm and k it is published, and who attacks."""
    add_table(command)
    command.add_argument(
        "--algorithm",
        default="purchasehistories",
        metavar="NAME",
        help=tr(
            "default purchasehistories, for people; of any other one rows of single records are attacked"
        ),
    )
    words.add_setting(command, given, otherwise=[PurchaseHistories])
    says = tr("on histories {histories}; on rows {rows} (default: all)")
    known = says.format(histories=names_of(ATTACKS), rows=names_of(TABLE_ATTACKS))
    command.add_argument("--attacks", metavar="A,B", help=known)
    command.add_argument(
        "--targets", metavar="N", default=str(TARGETS), help=tr("of rows: how many records are looked for")
    )
    for cls in TABLE_ATTACKS:
        if options_of(cls):
            flags.add_options(
                command.add_argument_group(f"{cls.title}: {cls.sentence}"),
                cls,
                given,
                flags.prefix_of(cls),
                set(),
            )
    words.add_out(command, tr("results"))


def attack(given: argparse.Namespace) -> int:
    """Anonymize at each k, attack each release, print what came of it as it is found; write it at the end."""
    if given.out:
        check_targets([given.out], [given.file])
    cls = flags.one_of(given.algorithm, ALGORITHMS, "algorithm")
    algorithm, ks, seed = flags.made(cls(), given), words.ks(given.k), words.seed(given)
    if not algorithm.guarantee(ks[0]).pseudonyms:
        return attack_table(given, algorithm, ks)
    attacks = list(ATTACKS) if given.attacks is None else flags.named(given.attacks, ATTACKS, "attack")
    table = table_of(given)
    found: list[tuple[int, Reidentification]] = []
    with Bar() as bar:
        for number, k in enumerate(ks):
            at = stage(bar.tick, number / len(ks), (number + 1) / len(ks))
            release = anonymize(table, algorithm, k, seed, stage(at, 0, 0.5))
            for place, each in enumerate(attacks):
                tick: Tick = stage(at, 0.5 + place / len(attacks) / 2, 0.5 + (place + 1) / len(attacks) / 2)
                found.append((k, reidentify(table, release, each(), tick)))
                bar.clear()
                if len(found) == 1:
                    print(_LINE.format(*_HEADER))
                print(_line(*found[-1]), flush=True)
    if given.out:
        write_files({Path(given.out): write_frame(frame_of(found), format_of(given.out))})
    return 0


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


def frame_of(found: list[tuple[int, Reidentification]]) -> pd.DataFrame:
    """One row per k and attack; shares as numbers."""
    rows = [
        (
            k,
            type(result.attack).__name__,
            result.tried,
            result.identified,
            result.share,
            result.low,
            result.high,
            result.by_chance,
            result.contest_limit,
            result.exact_limit,
            result.unsafe,
        )
        for k, result in found
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
