"""`sweep`: the scores of several algorithms at many k."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.infile import write_files
from kanon_core.base.words import tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser
from kanon_core.cli.describing import say_schema
from kanon_core.cli.measuring import chosen_metrics, say_notes
from kanon_core.cli.output import Bar, check_targets, names_of, table_file
from kanon_core.cli.sources import table_of
from kanon_core.cli.tableflags import add_table
from kanon_core.metrics import Metric
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.runs.sweeps import sweep as points_of

_LINE = "{:<18} {:>6}  {}"


def add_sweep(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, algorithms with their options, the values of k, and the metrics."""
    add_table(command)
    command.add_argument("--algorithms", required=True, metavar="A,B", help=names_of(ALGORITHMS))
    words_of.add_setting(command, words, several=True)
    words_of.add_metrics(command, words)
    words_of.add_out(command, tr("scores"))


def sweep(given: argparse.Namespace) -> int:
    """Print the scores of every algorithm by ascending k as they are found; write them at the end."""
    if given.out:
        check_targets([given.out], [given.file])
    algorithms = [flags.made(cls(), given) for cls in flags.named(given.algorithms, ALGORITHMS, "algorithm")]
    ks, chosen = words_of.ks(given.k), chosen_metrics(given)
    table = table_of(given)
    say_schema(table, given)
    names = [type(metric).__name__ for metric in chosen]
    seed, points = words_of.seed(given), list[SweepPoint]()
    print(_LINE.format("algorithm", "k", "".join(f"{name:>18}" for name in names)))
    with Bar() as bar:
        for point in ascending(points_of(table, algorithms, ks, chosen, seed, bar.tick), ks):
            bar.clear()
            print(_line(point, chosen), flush=True)
            points.append(point)
    say_notes((m, point.notes.get(type(m).__name__, ())) for point in points for m in chosen)
    if given.out:
        write_files(table_file(given.out, _frame(points, names)))
    return 0


def ascending(points: Iterable[SweepPoint], ks: Sequence[int]) -> Iterator[SweepPoint]:
    """Yield the points; those of each algorithm by ascending k, each as soon as all points before it have
    been made."""
    waiting: dict[str, dict[int, SweepPoint]] = {}
    ahead: dict[str, list[int]] = {}
    for point in points:
        name = type(point.algorithm).__name__
        own, left = waiting.setdefault(name, {}), ahead.setdefault(name, sorted(set(ks)))
        own[point.k] = point
        while left and left[0] in own:
            yield own.pop(left.pop(0))
    for own in waiting.values():
        yield from (own[k] for k in sorted(own))


def _line(point: SweepPoint, metrics: list[Metric]) -> str:
    told = point.problem
    for metric in () if told else metrics:
        name = type(metric).__name__
        told += f"{metric.text(point.scores[name], point.errors.get(name, 0.0)):>18}"
    return _LINE.format(type(point.algorithm).__name__, point.k, told)


def _frame(points: list[SweepPoint], names: list[str]) -> pd.DataFrame:
    """Return one row per point, by algorithm and k."""
    order = list(dict.fromkeys(type(p.algorithm).__name__ for p in sorted(points, key=lambda p: p.k)))
    rows = sorted(points, key=lambda p: (order.index(type(p.algorithm).__name__), p.k))
    columns: dict[str, list[object]] = {
        "algorithm": [type(p.algorithm).__name__ for p in rows],
        "k": [p.k for p in rows],
        **{name: [p.scores.get(name, np.nan) for p in rows] for name in names},
        "seconds": [round(p.seconds, 3) for p in rows],
        "problem": [p.problem for p in rows],
        "notes": [" ".join(f"{name}: {' '.join(said)}" for name, said in p.notes.items()) for p in rows],
    }
    return pd.DataFrame(columns)
