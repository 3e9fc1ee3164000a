"""`risk`: the risk that attackers with given knowledge pick the right record of a table or of its release."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.words import percent, tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser
from kanon_core.cli.describing import say_schema
from kanon_core.cli.output import Bar, check_targets, names_of, say, table_file, text_table
from kanon_core.cli.sources import release_of_recipe, table_in, table_of
from kanon_core.cli.tableflags import add_reading, add_table
from kanon_core.guarantees.files.cells import ANY, OWN
from kanon_core.release.release import Release
from kanon_core.risk import ATTACKERS, THRESHOLDS, Population, Risk, Risks
from kanon_core.risk.measured import exact
from kanon_core.risk.measuring import risks
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table

_FEWER = "2,3,5,10,20"


def add_risk(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, an optional release of it, the attackers, and the population."""
    said = tr("also assess the release of this recipe")
    command.add_argument("--recipe", metavar="JSON", help=said)
    if flags.given_to(words, "recipe") is not None:
        add_reading(command)
    else:
        add_table(command)
        said = tr("also assess the release by one of {names}; needs --k").format(names=names_of(ALGORITHMS))
        command.add_argument("--algorithm", metavar="NAME", help=said)
        if flags.given_to(words, "algorithm") is not None:
            words_of.add_setting(command, words)
    _add_attackers(command, words)
    words_of.add_out(command, tr("figures"))


def _add_attackers(command: Parser, words: Sequence[str]) -> None:
    known = tr("{names} (default: all)").format(names=names_of(ATTACKERS))
    command.add_argument("--attackers", metavar="A,B", help=known)
    some = ", ".join(f"{one:g}" for one in THRESHOLDS)
    said = tr("largest acceptable risk, such as {some} (default 0.2)").format(some=some)
    command.add_argument("--threshold", metavar="X", default="0.2", help=said)
    said = tr("numbers x: count the records that are hidden among fewer than x (default {few})").format(
        few=_FEWER
    )
    command.add_argument("--fewer", metavar="X,Y", default=_FEWER, help=said)
    add_population(command, words)
    flags.add_groups(command, ATTACKERS, words, lambda cls: str(cls.title))


def add_population(command: Parser, words: Sequence[str]) -> None:
    """Declare a table of the population, or its size and model; and how missing cells count."""
    said = tr("missing cells count as a value of their own, or match any value (default {own})").format(
        own=OWN
    )
    command.add_argument("--counting-missing", choices=(OWN, ANY), default=OWN, help=said)
    group = command.add_argument_group(
        tr("population"),
        tr("A column of sampling weights (role sampling_weight) describes the population, too."),
    )
    said = tr("a table of the population, with one row per person and the same quasi-identifiers")
    group.add_argument("--population", metavar="FILE", help=said)
    flags.add_options(group, Population, words, flags.prefix_of(Population), set())


def population_of(given: argparse.Namespace) -> Population | Table:
    """Return the population that is given. Raises OptionError for a table and a size, InputError for a file
    that cannot be read."""
    population = flags.made(Population(), given, flags.prefix_of(Population))
    assert isinstance(population, Population)
    if given.population and population.size:
        raise OptionError(tr("Give a table of the population, or its size, but not both."))
    return table_in(given.population) if given.population else population


def risk(given: argparse.Namespace) -> int:
    """Print the figures of every attacker, and how many hide among fewer than x."""
    threshold, fewer = _threshold(given.threshold), _numbers(given.fewer)
    if given.out:
        check_targets([given.out], [given.file, *filter(None, [given.population])])
    attackers = flags.made_each(given, given.attackers, ATTACKERS, "attacker", ATTACKERS)
    known = population_of(given)
    with Bar() as bar:
        table, release = _release(given, bar)
        found = risks(table, release, attackers, known, given.counting_missing, bar.tick)
    say(*_lines(found, threshold, fewer))
    if given.out:
        write_files(table_file(given.out, found.frame(threshold)))
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
        raise OptionError(tr("--fewer must be whole numbers of 2 or more, such as {few}.").format(few=_FEWER))
    return sorted({int(part) for part in parts})


def _release(given: argparse.Namespace, bar: Bar) -> tuple[Table, Release | None]:
    """Return the table, and its release if one is requested."""
    if given.recipe is not None:
        release = release_of_recipe(given, bar.tick)
        return release.table, release
    table = table_of(given)
    say_schema(table, given)
    if given.algorithm is None:
        return table, None
    algorithm, k = flags.made_one(given, "algorithm", ALGORITHMS), words_of.one_k(given)
    return table, anonymize(table, algorithm, k, words_of.seed(given), bar.tick)


def _lines(risks: Risks, threshold: float, fewer: Sequence[int]) -> Iterator[str]:
    """Yield a table of the attackers, the remarks on them, and the counts of those who hide among few."""
    heads = [tr("attacker"), *_heads(risks, tr("original"), threshold)]
    if risks.after is not None:
        heads += _heads(risks, tr("release"), threshold)
    rows = [
        (one.attacker.title, *_figures(one.before, threshold), *_figures(one.after, threshold))
        for one in risks.found
        if not one.problem
    ]
    yield from text_table(heads, rows, right=range(1, len(heads))).splitlines()
    for one in risks.found:
        if one.problem:
            yield f"{one.attacker.title}: {one.problem}"
        for note in one.notes:
            yield f"{one.attacker.title}: {note}"
    yield from risks.notes
    yield ""
    yield from map(risks.fewer_sentence, fewer)


def _heads(risks: Risks, side: str, threshold: float) -> list[str]:
    above, average = tr("{unit} above {threshold:g}"), tr("average")
    above = above.format(unit=risks.unit, threshold=threshold)
    return [f"{side}: {average}", tr("worst"), above]


def _figures(risk: Risk | None, threshold: float) -> tuple[str, ...]:
    if risk is None:
        return ()
    above = f"{risk.above(threshold):,} ({percent(risk.share_above(threshold), 1)})"
    return percent(risk.average, 1), percent(risk.worst, 1), above
