"""`risk`: how likely attackers, by what they know, pick the right record of a table and of its release."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from kanon_core.base.errors import OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.options import options_of
from kanon_core.base.words import percent, tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.arguments import Parser, whole
from kanon_core.cli.describing import say_schema
from kanon_core.cli.flags import add_options, given_to, prefix_of
from kanon_core.cli.output import Bar, check_targets, names_of, printable, text_table
from kanon_core.cli.populations import add_population, population_of
from kanon_core.cli.sources import recipe_in, table_for, table_of
from kanon_core.cli.tableflags import add_reading, add_table
from kanon_core.release.recipe import check_k
from kanon_core.release.release import Release
from kanon_core.report.files import format_of
from kanon_core.risk import ATTACKERS, THRESHOLDS, Attacker, Risk, Risks
from kanon_core.risk.measured import exact
from kanon_core.risk.measuring import risks
from kanon_core.table.table import Table
from kanon_core.table.writers import write_frame

_FEWER = "2,3,5,10,20"


def add_risk(command: Parser, words: Sequence[str]) -> None:
    """FILE, a release of it if there is to be one, who attacks, and what is known of the population."""
    from kanon_core.algorithms import ALGORITHMS

    said = tr("beside the original the release of this recipe")
    command.add_argument("--recipe", metavar="JSON", help=said)
    if given_to(words, "recipe") is not None:
        add_reading(command)
    else:
        add_table(command)
        said = tr("beside the original its release by one of {names}; needs --k").format(
            names=names_of(ALGORITHMS)
        )
        command.add_argument("--algorithm", metavar="NAME", help=said)
        if given_to(words, "algorithm") is not None:
            words_of.add_setting(command, words, tr("among how many each record, or person, hides at least"))
    _add_attackers(command, words)
    words_of.add_out(command, tr("figures"))


def _add_attackers(command: Parser, words: Sequence[str]) -> None:
    known = tr("{names} (default: all)").format(names=names_of(ATTACKERS))
    command.add_argument("--attackers", metavar="A,B", help=known)
    some = ", ".join(f"{one:g}" for one in THRESHOLDS)
    said = tr("risk that none should be above, such as {some} (default 0.2)").format(some=some)
    command.add_argument("--threshold", metavar="X", default="0.2", help=said)
    said = tr("numbers x, for how many records hide among fewer than x (default {few})").format(few=_FEWER)
    command.add_argument("--fewer", metavar="X,Y", default=_FEWER, help=said)
    add_population(command, words)
    for cls in ATTACKERS:
        if options_of(cls):
            add_options(command.add_argument_group(cls.title), cls, words, prefix_of(cls), set())


def risk(given: argparse.Namespace) -> int:
    """Print the figures of every attacker, and how many hide among fewer than x."""
    threshold, fewer = _threshold(given.threshold), _numbers(given.fewer)
    if given.out:
        check_targets([given.out], [given.file, *filter(None, [given.population])])
    attackers = _attackers(given)
    known = population_of(given)
    with Bar() as bar:
        table, release = _release(given, bar)
        found = risks(table, release, attackers, known, given.counting_missing, bar.tick)
    print("\n".join(map(printable, _lines(found, threshold, fewer))))
    if given.out:
        write_files({Path(given.out): write_frame(found.frame(threshold), format_of(given.out))})
    return 0


def _threshold(text: str) -> float:
    try:
        threshold = float(text)
    except ValueError:
        threshold = 0.0
    exact(threshold)
    return threshold


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 1 for part in parts):
        raise OptionError(tr("--fewer must be whole numbers from 2 on, such as {few}.").format(few=_FEWER))
    return sorted({int(part) for part in parts})


def _attackers(given: argparse.Namespace) -> list[Attacker]:
    chosen = ATTACKERS if given.attackers is None else flags.named(given.attackers, ATTACKERS, "attacker")
    return [flags.made(cls(), given, prefix_of(cls)) for cls in chosen]


def _release(given: argparse.Namespace, bar: Bar) -> tuple[Table, Release | None]:
    """The table, and its release where one is asked for."""
    from kanon_core.algorithms import ALGORITHMS
    from kanon_core.run import anonymize, repeat

    if given.recipe is not None:
        recipe = recipe_in(given.recipe)
        release = repeat(table_for(recipe, given), recipe, bar.tick)
        return release.table, release
    table = table_of(given)
    say_schema(table, given)
    if given.algorithm is None:
        return table, None
    cls = flags.one_of(given.algorithm, ALGORITHMS, "algorithm")
    algorithm, k = flags.made(cls(), given), check_k(whole(given.k))
    return table, anonymize(table, algorithm, k, words_of.seed(given), bar.tick)


def _lines(found: Risks, threshold: float, fewer: Sequence[int]) -> Iterator[str]:
    """A table of the attackers, what is to be said of them, and the counts of those who hide among few."""
    heads = [tr("attacker"), *_heads(found, tr("original"), threshold)]
    if found.after is not None:
        heads += _heads(found, tr("release"), threshold)
    rows = [
        (one.attacker.title, *_figures(one.before, threshold), *_figures(one.after, threshold))
        for one in found.found
        if not one.problem
    ]
    yield from text_table(heads, rows, right=range(1, len(heads))).splitlines()
    for one in found.found:
        if one.problem:
            yield f"{one.attacker.title}: {one.problem}"
        for note in one.notes:
            yield f"{one.attacker.title}: {note}"
    yield from found.notes
    yield ""
    yield from map(found.fewer_sentence, fewer)


def _heads(found: Risks, side: str, threshold: float) -> list[str]:
    above, average = tr("{unit} above {threshold:g}"), tr("average")
    above = above.format(unit=found.unit, threshold=threshold)
    return [f"{side}: {average}", tr("worst"), above]


def _figures(risk: Risk | None, threshold: float) -> tuple[str, ...]:
    if risk is None:
        return ()
    above = f"{risk.above(threshold):,} ({percent(risk.share_above(threshold), 1)})"
    return percent(risk.average, 1), percent(risk.worst, 1), above
