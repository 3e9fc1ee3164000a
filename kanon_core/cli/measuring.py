"""Output of the command line on measures: the printed lines and the written files."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser
from kanon_core.cli.flags import MEASURES, prefix_of
from kanon_core.cli.output import say, table_file, text_table
from kanon_core.metrics import METRICS, Measured, Metric
from kanon_core.runs.run import frame_of_scores


def add_metrics(command: Parser, words: Sequence[str]) -> None:
    """Declare the optional NAME."""
    command.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help=tr("show the symbol, the formula and a worked example of this metric"),
    )


def metrics(given: argparse.Namespace) -> int:
    """Print every metric and its options, or the whole declaration of one."""
    if given.name is not None:
        chosen = flags.one_of(given.name, MEASURES, "metric")
        print(text_table(("metric", chosen.__name__), _declared(chosen)))
    else:
        rows = (
            (
                m.__name__.lower(),
                m.title,
                m.symbol,
                _range(m),
                _direction(m),
                ", ".join(m.parts),
                tr("always") if m in METRICS else tr("when named"),
                m.sentence,
            )
            for m in MEASURES
        )
        head = ("name", "title", "symbol", "range", "direction", "parts", "measured", "meaning")
        print(text_table(head, rows))
    options = flags.option_rows("metric", MEASURES if given.name is None else (chosen,), prefix_of)
    if options:
        print(f"\noptions\n{options}")
    return 0


def chosen_metrics(given: argparse.Namespace) -> list[Metric]:
    """Return the metrics of --metrics with their options; all of the scorecard without a list."""
    return flags.made_each(given, given.metrics, MEASURES, "metric", METRICS)


def _direction(metric: type[Metric]) -> str:
    return tr("higher is better") if metric.direction == "higher" else tr("lower is better")


def _declared(metric: type[Metric]) -> list[tuple[str, str]]:
    return [
        ("title", metric.title),
        ("symbol", metric.symbol),
        ("meaning", metric.sentence),
        ("direction", _direction(metric)),
        ("range", _range(metric)),
        ("formula", metric.formula),
        ("example", metric.example),
        ("parts", ", ".join(metric.parts)),
        ("measures", ", ".join(metric.kinds) or tr("columns of every kind")),
    ]


def _range(metric: type[Metric]) -> str:
    low, high = (
        "−∞" if end == -math.inf else "∞" if end == math.inf else f"{end:g}"
        for end in (metric.low, metric.high)
    )
    return tr("{low} to {high}").format(low=low, high=high)


def scores_file(
    given: argparse.Namespace, metrics: Sequence[Metric], measured: Sequence[Measured]
) -> dict[Path, bytes]:
    """Return the file of --scores, which holds the frame of `kanon_core.score`; nothing if none is
    requested."""
    if given.scores is None:
        return {}
    return table_file(given.scores, frame_of_scores(metrics, measured))


def measure_rows(
    metrics: Sequence[Metric], results: Sequence[Measured], named: bool
) -> list[tuple[str, str]]:
    """Return the title and number of each metric; metrics that were not named are left out if they are not
    defined."""
    return [
        (metric.title, metric.text(measured.total, measured.error))
        for metric, measured in zip(metrics, results, strict=True)
        if named or not math.isnan(measured.total)
    ]


def say_notes(notes: Iterable[tuple[Metric, Iterable[str]]]) -> None:
    """Print each note once, after the titles of the metrics it belongs to."""
    owners: dict[str, dict[str, None]] = {}
    for metric, sentences in notes:
        for sentence in sentences:
            owners.setdefault(sentence, {})[metric.title] = None
    for sentence, titles in owners.items():
        about = ", ".join(titles)
        say(sentence if sentence.startswith(about) else f"{about}: {sentence}")


def say_what_applies(metrics: Sequence[Metric], results: Sequence[Measured], named: bool) -> None:
    """Print the notes on the metrics; for metrics that were not named and do not apply, only the titles, in
    one line."""
    pairs = list(zip(metrics, results, strict=True))
    applies = [named or not math.isnan(measured.total) for _, measured in pairs]
    say_notes((m, measured.notes) for (m, measured), fit in zip(pairs, applies, strict=True) if fit)
    others = [metric for (metric, _), fit in zip(pairs, applies, strict=True) if not fit]
    if others:
        said = tr(
            "Not measured, because they do not apply to this table: {titles} (--metrics {name} gives"
            " the reason)."
        )
        titles = ", ".join(metric.title for metric in others)
        say(said.format(titles=titles, name=type(others[0]).__name__.lower()))


def say_details(metrics: Sequence[Metric], results: Sequence[Measured]) -> None:
    """Print the numbers that each metric was made from, a line for each metric that has them."""
    for metric, measured in zip(metrics, results, strict=True):
        if measured.details:
            told = ", ".join(f"{tr(name)} {value:,.6g}" for name, value in measured.details.items())
            print(f"{metric.title}: {told}.")
