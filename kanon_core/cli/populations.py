"""What is known of the population, and how missing cells count: flags of `risk` and of `report`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import Parser
from kanon_core.cli.flags import add_options, prefix_of
from kanon_core.cli.sources import table_in
from kanon_core.guarantees.files.cells import ANY, OWN
from kanon_core.risk import Population
from kanon_core.table.table import Table


def add_population(command: Parser, words: Sequence[str]) -> None:
    """A table of the population, or its size and model; how missing cells count."""
    said = tr("missing cells are a value of their own, or fit any value (default {own})").format(own=OWN)
    command.add_argument("--counting-missing", choices=(OWN, ANY), default=OWN, help=said)
    group = command.add_argument_group(
        tr("population"), tr("Sampling weights, a column of that role, tell of it as well.")
    )
    said = tr("a table of it with a row for each person and the same quasi-identifiers")
    group.add_argument("--population", metavar="FILE", help=said)
    add_options(group, Population, words, prefix_of(Population), set())


def population_of(given: argparse.Namespace) -> Population | Table:
    """What is given. Raises OptionError for a table and a size, InputError for a file that cannot be read."""
    population = flags.made(Population(), given, prefix_of(Population))
    assert isinstance(population, Population)
    if given.population and population.size:
        raise OptionError(tr("Give a table of the population, or its size, but not both."))
    return table_in(given.population) if given.population else population
