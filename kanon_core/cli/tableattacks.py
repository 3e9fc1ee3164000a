"""`attack` where a row is published for each record: linkage, inference, membership, re-run."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from kanon_core.algorithms import Algorithm
from kanon_core.attacking import attack
from kanon_core.base.infile import write_files
from kanon_core.base.progress import stage
from kanon_core.base.words import tr
from kanon_core.cli import arguments as words
from kanon_core.cli import flags
from kanon_core.cli.flags import prefix_of
from kanon_core.cli.output import Bar, printable
from kanon_core.cli.sources import table_of
from kanon_core.report.files import format_of
from kanon_core.risk.tables import TABLE_ATTACKS, Attacked, TableAttack
from kanon_core.run import anonymize
from kanon_core.table.writers import write_frame

_COLUMNS = (
    *("k", "attack", "column", "tried", "right", "rate", "low", "high", "at random"),
    *("control tried", "control right", "risk", "risk low", "risk high", "allowed"),
)


def attack_table(given: argparse.Namespace, algorithm: Algorithm, ks: list[int]) -> int:
    """Anonymize at each k, attack each release, say what came of it as it is found; write it at the end."""
    chosen = _attacks(given)
    table, seed, targets = table_of(given), words.seed(given), words.whole(given.targets)
    found: list[tuple[int, Attacked]] = []
    with Bar() as bar:
        for number, k in enumerate(ks):
            at = stage(bar.tick, number / len(ks), (number + 1) / len(ks))
            release = anonymize(table, algorithm, k, seed, stage(at, 0, 0.4))
            suiting = [one for one in chosen if given.attacks or not one.unsuitable(table, release)]
            for done, one in enumerate(suiting):
                start, end = (0.4 + 0.6 * part / len(suiting) for part in (done, done + 1))
                for result in attack(table, release, [one], targets, progress=stage(at, start, end)):
                    found.append((k, result))
                    bar.clear()
                    print(printable(f"k = {k}, {result.title}: {result.sentence}"), flush=True)
    if given.out:
        write_files({Path(given.out): write_frame(frame_of(found), format_of(given.out))})
    return 0


def _attacks(given: argparse.Namespace) -> list[TableAttack]:
    names = given.attacks
    classes = TABLE_ATTACKS if names is None else flags.named(names, TABLE_ATTACKS, tr("attack"))
    return [flags.made(cls(), given, prefix_of(cls)) for cls in classes]


def frame_of(found: list[tuple[int, Attacked]]) -> pd.DataFrame:
    """One row per k, attack and column that was guessed; shares as numbers."""
    rows = [
        (
            k,
            type(result.attack).__name__,
            result.column,
            result.tried,
            result.succeeded,
            result.rate,
            *result.interval,
            result.baseline,
            result.control_tried,
            result.control_succeeded,
            *result.risk,
            result.allowed,
        )
        for k, result in found
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))
