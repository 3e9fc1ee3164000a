"""The words of the command line: the commands, and the groups of flags that several of them have.

A command is a line of `COMMANDS` (`kanon_core.cli.commands`) and, in its module, two functions:
``add_NAME(parser, words)`` declares its flags, ``NAME(given)`` runs it and returns the exit code. Only the
module of the command in use is imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from kanon_core.base.errors import OptionError
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.cli.commands import COMMANDS
from kanon_core.cli.output import names_of, printable

if TYPE_CHECKING:
    from kanon_core.algorithms import Algorithm

FILE_HELP = "a csv, tsv, xlsx, parquet, fimi, spmf or pwscup file, or sample:NAME"
_MOST_KS = 10_000


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are OptionErrors: one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Raises OptionError."""
        raise OptionError(
            tr("{problem}; “{program} --help” shows what is allowed.").format(
                problem=message[:1].upper() + message[1:], program=self.prog
            )
        )


def parser(words: Sequence[str]) -> Parser:
    """The parser for these words: the command, and the algorithms and metrics that they name, decide which
    flags there are."""
    top = Parser(
        prog="kanon", description=tr("Anonymize tables and see what privacy costs."), allow_abbrev=False
    )
    top.add_argument("--version", action="version", version="kanon " + __version__)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, help) in COMMANDS.items():
        command = commands.add_parser(name, help=tr(help), description=tr(help), allow_abbrev=False)
        if name == wanted:
            flags = getattr(import_module(f"kanon_core.cli.{module}"), f"add_{name}", None)
            if flags is not None:
                flags(command, words)
    return top


def action(name: str) -> Callable[[argparse.Namespace], int]:
    """What runs a command."""
    run: Callable[[argparse.Namespace], int] = getattr(
        import_module(f"kanon_core.cli.{COMMANDS[name][0]}"), name
    )
    return run


def add_out(command: Parser, what: str, required: bool = False) -> None:
    """The file to write."""
    command.add_argument(
        "--out",
        metavar="FILE",
        required=required,
        help=tr(".csv, .xlsx or .parquet file for the {what}").format(what=what),
    )


def add_plain(command: Parser) -> None:
    """Whether a csv file is for programs that are no spreadsheets."""
    command.add_argument(
        "--plain-cells",
        action="store_true",
        help=tr("csv for programs that are no spreadsheets: no apostrophe before texts such as =1+1"),
    )


def add_release(command: Parser, words: Sequence[str]) -> None:
    """The release to write, what it is audited for, and what is measured of it."""
    add_out(command, tr("release"), required=True)
    command.add_argument("--keep-order", action="store_true", help=tr("do not shuffle the released rows"))
    add_plain(command)
    command.add_argument(
        "--despite",
        metavar="REASON",
        default="",
        help=tr("why the release is written although a finding stops it (`kanon judge`); kept in the recipe"),
    )
    add_guarantees(
        command, words, tr("audited beside what the algorithm guarantees; exit code 1 when one fails")
    )
    add_metrics(command, words)
    command.add_argument(
        "--scores", metavar="FILE", help=tr(".csv, .xlsx or .parquet file for all numbers of these metrics")
    )


def add_setting(
    command: Parser,
    words: Sequence[str],
    k_help: str = "2-20 or 2,5,10",
    otherwise: Iterable[type[Algorithm]] = (),
) -> None:
    """k, seed, and the options of the algorithms that the words name; wrong names are left to the command,
    which says so."""
    from kanon_core.algorithms import ALGORITHMS
    from kanon_core.cli.flags import add_options, among, given_to

    command.add_argument("--k", required=True, help=k_help)
    add_seed(command)
    text = ",".join(filter(None, (given_to(words, "algorithm"), given_to(words, "algorithms"))))
    known: set[str] = set()
    for algorithm in among(text, ALGORITHMS) or otherwise:
        add_options(
            command.add_argument_group(tr("options of {title}").format(title=algorithm.title)),
            algorithm,
            words,
            "",
            known,
        )


def add_seed(command: Parser) -> None:
    """The seed."""
    command.add_argument(
        "--seed",
        help=(
            tr(
                "the same seed gives the same bytes; who knows the seed and the data can run the release"
                " again (default: drawn in secret; the recipe keeps it)"
            )
        ),
    )


def add_guarantees(command: Parser, words: Sequence[str], otherwise: str) -> None:
    """What is audited, and the options of what the words name: those of ℓ-diversity begin with
    ``--ldiversity-``. ``otherwise``: what is said of the default."""
    from kanon_core.cli.flags import add_options, among, given_to, prefix_of
    from kanon_core.guarantees import GUARANTEES

    command.add_argument("--guarantees", metavar="A,B", help=f"{names_of(GUARANTEES)} ({otherwise})")
    for cls in among(given_to(words, "guarantees"), GUARANTEES):
        group = command.add_argument_group(f"{cls.name}: {cls.meaning}")
        add_options(group, cls, words, prefix_of(cls), set())


def add_metrics(command: Parser, words: Sequence[str]) -> None:
    """What is measured, and the options of what the words name: those of ILD begin with ``--ild-``."""
    from kanon_core.base.options import options_of
    from kanon_core.cli.flags import MEASURES, add_options, among, given_to, prefix_of
    from kanon_core.metrics import METRICS, UTILITIES

    few, more = names_of(METRICS), names_of(UTILITIES)
    command.add_argument(
        "--metrics",
        metavar="A,B",
        help=tr("{few} (default: all of these); or, as they take longer, {more}").format(few=few, more=more),
    )
    known: set[str] = set()
    for metric in among(given_to(words, "metrics"), MEASURES) or METRICS:
        if options_of(metric):
            group = command.add_argument_group(tr("options of {title}").format(title=metric.title))
            add_options(group, metric, words, prefix_of(metric), known)


def whole(text: str) -> Any:
    """The whole number that a text stands for, else the text itself, which the core refuses in its own
    words."""
    try:
        return int(text)
    except ValueError:
        return text


def seed(given: argparse.Namespace) -> int:
    """The seed that --seed gives, else one drawn in secret."""
    from kanon_core.base.randomness import secret_seed
    from kanon_core.release.recipe import check_seed

    return secret_seed() if given.seed is None else check_seed(whole(given.seed))


def say_seed(given: argparse.Namespace) -> None:
    """On stderr, where the seed of a release is that nobody gave."""
    if given.seed is not None:
        return
    said = tr("The seed was drawn in secret and is not kept; --recipe keeps it.")
    if given.recipe:
        said = tr("The seed was drawn in secret and is kept in “{name}”.")
        said = said.format(name=Path(given.recipe).name)
    print(printable(said), file=sys.stderr)


def ks(text: str) -> list[int]:
    """The numbers of ``2-20`` or ``2,5,10`` or both mixed; raises OptionError for anything else.

    >>> ks("2-4,10")
    [2, 3, 4, 10]
    """
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or int(high or low) - int(low) > _MOST_KS:
            raise OptionError(tr("--k must be whole numbers such as 2,5,10 or a range such as 2-20."))
        found.update(range(int(low), int(high or low) + 1))
    if not found or min(found) < 2:
        raise OptionError(tr("--k must begin at 2 or more: with k = 1 nobody hides behind anybody."))
    return sorted(found)
