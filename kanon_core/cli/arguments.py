"""The words of the command line: the commands, and the groups of flags that several of them have.

A command is a line of `COMMANDS` and, in its module, two functions: ``add_NAME(parser, words)`` declares its
flags, ``NAME(given)`` runs it and returns the exit code. Only the module of the command in use is imported.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from kanon_core.base.errors import OptionError
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.cli.output import names_of

if TYPE_CHECKING:
    from kanon_core.algorithms import Algorithm

COMMANDS: dict[str, tuple[str, str]] = {
    "describe": (
        "describing",
        "show the columns of a file: roles and kinds as guessed, misfits, missing values",
    ),
    "anonymize": ("anonymizing", "anonymize a table and write the release"),
    "run": ("anonymizing", "repeat a recipe on the data it was made from"),
    "sweep": ("sweeping", "anonymize at many k with several algorithms; print the scores"),
    "audit": (
        "auditing",
        "judge any released file as it stands, or beside its original, by every model that suits it, and"
        " repair it; exit code 1 when what is asked for does not hold",
    ),
    "judge": (
        "judging",
        "say what a release of a table would really tell, beyond what is guaranteed; exit code 1 when a"
        " finding stops it",
    ),
    "risk": ("risking", "say how likely attackers, by what they know, pick the right record"),
    "report": ("reporting", "make what somebody signs from a recipe and its data: HTML or Markdown"),
    "attack": ("attacking", "let attackers look for people in published rows or histories, by k"),
    "reproduce": ("reproducing", "make tables of the papers again, beside their numbers"),
    "algorithms": ("describing", "list the algorithms and their options"),
    "guarantees": ("describing", "list the guarantees, against whom they hold, and their parameters"),
    "findings": ("judging", "list what is looked for in a release, and when it stops one"),
    "metrics": ("measuring", "list the metrics and their options, or say all about one"),
    "prepare": ("preparing", "compile everything once, ahead of use: for images and classrooms"),
    "app": ("serving", "serve the screens to a browser on this machine (needs the extra “app”)"),
}
"""Name → the module of `kanon_core.cli` that has it, and what it does."""

FILE_HELP = "a csv, tsv, xlsx, parquet, fimi, spmf or pwscup file, or sample:NAME"
_MOST_KS = 10_000


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are OptionErrors: one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Raises OptionError."""
        raise OptionError(f"{message[:1].upper()}{message[1:]}; “{self.prog} --help” shows what is allowed.")


def parser(words: Sequence[str]) -> Parser:
    """The parser for these words: the command, and the algorithms and metrics that they name, decide which
    flags there are."""
    top = Parser(prog="kanon", description="Anonymize tables and see what privacy costs.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"kanon {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, help) in COMMANDS.items():
        command = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
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


def add_table(command: Parser) -> None:
    """FILE, how to read it, and what its columns are."""
    from kanon_core.cli.flags import roles_help
    from kanon_core.table.schema import KINDS, RECODINGS

    add_reading(command)
    group = command.add_argument_group("columns", 'Lists are written as in a csv file: age,"zip, old".')
    for flag, metavar, help in (
        ("quasi", "A,B", "exactly these columns are quasi-identifiers (default: guessed)"),
        ("sensitive", "A,B", "columns published unchanged, not to be learned about a person"),
        ("identifier", "A,B", "columns that name a person; never published"),
        ("person", "A", "the column that says whose record it is, where people have many records"),
        ("roles", "A=X,B=Y", roles_help()),
        ("kinds", "A=X,B=Y", f"one of {', '.join(KINDS)} per column"),
        ("recode", "A=X,B=Y", f"one of {', '.join(RECODINGS)} per column"),
        (
            "round-ends",
            "A=X,B=Y",
            tr("step to which a column's intervals are widened: auto, a number, day, month, year or 500 m"),
        ),
        (
            "item-delimiters",
            "A=;,B=tab",
            "what stands between the items of a column: text, tab, blank, json, {} or none (default: found)",
        ),
        ("weights", "A=2", "weight of a column in every distance (0 to 1000)"),
    ):
        also = ["--qi"] if flag == "quasi" else []
        group.add_argument(f"--{flag}", *also, metavar=metavar, help=help)
    _add_values(group)


def _add_values(group: Any) -> None:
    """What a column's values are: hierarchies, categories, distances."""
    from kanon_core.distances import DISTANCES
    from kanon_core.table.hierarchy.proposals import CATEGORIES

    for flag, what, line in (
        ("hierarchy", "groups of a column's values or items", "value;group;…;*"),
        ("categories", "what a column's values are replaced by", "product;category"),
    ):
        group.add_argument(
            f"--{flag}",
            metavar="A=FILE",
            action="append",
            help=f"{what}, once for each column: a file of lines {line}, or pairs as a recipe writes them",
        )
    group.add_argument(
        "--propose-categories",
        metavar="A=B",
        help="categories of column A found from descriptions in column B",
    )
    group.add_argument(
        "--category-count",
        metavar="X",
        default=str(CATEGORIES),
        help=f"how many categories to propose (2 to 200; default {CATEGORIES})",
    )
    group.add_argument(
        "--distances",
        metavar="A=X,B=Y",
        help=(
            f"one of {names_of(DISTANCES)} per column; graph:FILE, tree:FILE and givenmatrix:FILE take edges,"
            " parents or cells from a file, one entry a line; or with options as a recipe writes it"
        ),
    )


def add_reading(command: Parser) -> None:
    """FILE and how to read it."""
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    add_how(command)


def add_how(command: Parser) -> None:
    """How to read a file."""
    from kanon_core.table.readers import FORMATS
    from kanon_core.table.readers.retail import WITHOUT

    group = command.add_argument_group("reading", "Whatever is left out is detected.")
    group.add_argument("--format", help=", ".join(known.name for known in FORMATS))
    group.add_argument("--encoding", help="such as utf-8 or cp932")
    group.add_argument("--delimiter", help="one character, or the word tab")
    group.add_argument("--header", choices=("yes", "no"), help="whether the first row names the columns")
    group.add_argument("--sheet", help="name of a workbook's sheet")
    group.add_argument("--missing", metavar="A,B", help="further texts that mean a missing cell")
    group.add_argument(
        "--names", metavar="A,B", help=tr("names of all columns, in order, in place of those of the file")
    )
    group.add_argument(
        "--long",
        metavar="A,B",
        help="one row for each item: the column of the records, and that of their items",
    )
    group.add_argument(
        "--without", metavar="A,B", help=f"of UCI's Online Retail, leave out {' or '.join(WITHOUT)}"
    )
    group.add_argument(
        "--typed", choices=("yes", "no"), help="no: every cell is a text as written (default yes)"
    )


def add_out(command: Parser, what: str, required: bool = False) -> None:
    """The file to write."""
    command.add_argument(
        "--out", metavar="FILE", required=required, help=f".csv, .xlsx or .parquet file for the {what}"
    )


def add_release(command: Parser, words: Sequence[str]) -> None:
    """The release to write, what it is audited for, and what is measured of it."""
    add_out(command, "release", required=True)
    command.add_argument("--keep-order", action="store_true", help="do not shuffle the released rows")
    command.add_argument(
        "--despite",
        metavar="REASON",
        default="",
        help=tr("why the release is written although a finding stops it (`kanon judge`); kept in the recipe"),
    )
    add_guarantees(command, words, "audited beside what the algorithm guarantees; exit code 1 when one fails")
    add_metrics(command, words)
    command.add_argument(
        "--scores", metavar="FILE", help=".csv, .xlsx or .parquet file for all numbers of these metrics"
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
    command.add_argument(
        "--seed",
        help=(
            "the same seed gives the same bytes; who knows the seed and the data can run the release again"
            " (default: drawn in secret; the recipe keeps it)"
        ),
    )
    text = ",".join(filter(None, (given_to(words, "algorithm"), given_to(words, "algorithms"))))
    known: set[str] = set()
    for algorithm in among(text, ALGORITHMS) or otherwise:
        add_options(command.add_argument_group(f"options of {algorithm.title}"), algorithm, words, "", known)


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
        "--metrics", metavar="A,B", help=f"{few} (default: all of these); or, as they take longer, {more}"
    )
    known: set[str] = set()
    for metric in among(given_to(words, "metrics"), MEASURES) or METRICS:
        if options_of(metric):
            group = command.add_argument_group(f"options of {metric.title}")
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


def ks(text: str) -> list[int]:
    """The numbers of ``2-20`` or ``2,5,10`` or both mixed; raises OptionError for anything else.

    >>> ks("2-4,10")
    [2, 3, 4, 10]
    """
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or int(high or low) - int(low) > _MOST_KS:
            raise OptionError("--k must be whole numbers such as 2,5,10 or a range such as 2-20.")
        found.update(range(int(low), int(high or low) + 1))
    if not found or min(found) < 2:
        raise OptionError("--k must begin at 2 or more: with k = 1 nobody hides behind anybody.")
    return sorted(found)
