"""The words of the command line. Flags of algorithms are made from their declarations."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from kanon_core.algorithms import ALGORITHMS, Algorithm, PurchaseHistories
from kanon_core.base.errors import OptionError
from kanon_core.base.options import options_of
from kanon_core.base.randomness import secret_seed
from kanon_core.base.version import __version__
from kanon_core.cli.flags import add_options, among, given_to, made, named, names_of
from kanon_core.distances import DISTANCES
from kanon_core.metrics import METRICS, UTILITIES, Metric
from kanon_core.papers import REPRODUCTIONS
from kanon_core.release.recipe import check_seed
from kanon_core.risk import ATTACKS
from kanon_core.table.hierarchy.proposals import CATEGORIES
from kanon_core.table.readers import FORMATS
from kanon_core.table.readers.retail import WITHOUT
from kanon_core.table.schema import KINDS, RECODINGS, ROLES

FILE_HELP = "a csv, tsv, xlsx, parquet, fimi, spmf or pwscup file, or sample:NAME"
MEASURES: tuple[type[Metric], ...] = (*METRICS, *UTILITIES)
_MOST_KS = 10_000
_SEED_HELP = (
    "the same seed gives the same bytes; who knows the seed and the data can run the release again (default:"
    " a secret one is drawn, which --recipe keeps)"
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are OptionErrors: one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Raises OptionError."""
        raise OptionError(f"{message[:1].upper()}{message[1:]}; “{self.prog} --help” shows what is allowed.")


def parser(words: Sequence[str]) -> Parser:
    """The parser for these words: the algorithms they name decide which option flags there are."""
    top = Parser(prog="kanon", description="See what privacy costs.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"kanon {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    chosen = _chosen(words)

    def command(name: str, help: str) -> Parser:
        return commands.add_parser(name, help=help, description=help, allow_abbrev=False)

    _add_anonymize(command("anonymize", "anonymize a table and write the release"), chosen, words)

    sweep = command("sweep", "anonymize at many k with several algorithms; print the scores")
    _add_table(sweep)
    sweep.add_argument("--algorithms", required=True, metavar="A,B", help=names_of(ALGORITHMS))
    _add_setting(sweep, chosen, words, "2-20 or 2,5,10")
    _add_metrics(sweep, words, scores=False)
    sweep.add_argument("--out", metavar="FILE", help=".csv, .xlsx or .parquet file for the scores")

    about = (
        "check whether a file is k-anonymous as it stands, or beside its original how many matches records"
        " have"
    )
    _add_audit(command("audit", f"{about}; exit code 1 when fewer than k"))

    _add_attack(
        command("attack", "let attackers who know the table link its published histories to people, by k"),
        chosen,
        words,
    )

    _add_table(command("describe", "show columns, guessed roles and kinds, misfits and missing values"))

    _add_run(command("run", "repeat a recipe on the data it was made from"), words)

    _add_reproductions(command("reproduce", "make tables of the papers again, beside their numbers"), words)
    app = command("app", "serve the screens to a browser on this machine (needs the extra “app”)")
    app.add_argument("--port", default="8501", help="where they are served (default 8501)")
    command("algorithms", "list the algorithms and their options")
    metrics = command("metrics", "list the metrics and their options, or say all about one")
    metrics.add_argument("name", metavar="NAME", nargs="?", help="its symbol, formula and a worked example")
    return top


def _add_anonymize(command: Parser, chosen: Iterable[type[Algorithm]], words: Sequence[str]) -> None:
    _add_table(command)
    command.add_argument("--algorithm", required=True, metavar="NAME", help=names_of(ALGORITHMS))
    _add_setting(command, chosen, words, "size of the smallest group")
    _add_out(command, ".csv, .xlsx or .parquet file for the release", required=True)
    _add_metrics(command, words)
    command.add_argument(
        "--recipe", metavar="JSON", help="also write the recipe that makes the same bytes again"
    )


def _add_audit(command: Parser) -> None:
    """FILE, k, and the original that it may be judged against."""
    _add_table(command)
    command.add_argument(
        "--k", default="2", help="the least number of equal records, or of matches (default 2)"
    )
    command.add_argument(
        "--original",
        metavar="FILE",
        help=(
            "the table that the file was made from; how to read and what its columns are is then said of the"
            " original"
        ),
    )
    command.add_argument(
        "--known-items",
        metavar="M",
        help="1, 2 or 3: of item sets an outsider knows so many items, not all (kᵐ-anonymity)",
    )


def _add_attack(command: Parser, chosen: Sequence[type[Algorithm]], words: Sequence[str]) -> None:
    """FILE, by which algorithm and k it is published, and who attacks."""
    _add_table(command)
    command.add_argument(
        "--algorithm",
        default="purchasehistories",
        metavar="NAME",
        help="one that protects people (default purchasehistories)",
    )
    _add_setting(command, chosen or [PurchaseHistories], words, "2-20 or 2,5,10")
    command.add_argument("--attacks", metavar="A,B", help=f"{names_of(ATTACKS)} (default: all)")
    command.add_argument("--out", metavar="FILE", help=".csv, .xlsx or .parquet file for the results")


def _add_run(run: Parser, words: Sequence[str]) -> None:
    run.add_argument("recipe", metavar="RECIPE", help="the JSON file of a recipe")
    _add_reading(run)
    _add_out(run, ".csv, .xlsx or .parquet file for the release", required=True)
    _add_metrics(run, words)


def _add_table(command: Parser) -> None:
    """FILE, how to read it, and what its columns are."""
    _add_reading(command)
    group = command.add_argument_group("columns", 'Lists are written as in a csv file: age,"zip, old".')
    group.add_argument(
        "--quasi", metavar="A,B", help="exactly these columns are quasi-identifiers (default: guessed)"
    )
    group.add_argument(
        "--sensitive", metavar="A,B", help="columns published unchanged, not to be learned about a person"
    )
    group.add_argument("--identifier", metavar="A,B", help="columns that name a person; never published")
    group.add_argument(
        "--person",
        metavar="A",
        help="the column that says whose record it is, where people have many records",
    )
    _add_treatments(group)


def _add_treatments(group: Any) -> None:
    """What is done with the values of single columns."""
    for flag, allowed in (("roles", ROLES), ("kinds", KINDS), ("recode", RECODINGS)):
        group.add_argument(f"--{flag}", metavar="A=X,B=Y", help=f"one of {', '.join(allowed)} per column")
    group.add_argument(
        "--item-delimiters",
        metavar="A=;,B=tab",
        help=(
            "what stands between the items of a column: a text, tab, blank, json, {} or none (default: found)"
        ),
    )
    group.add_argument("--weights", metavar="A=2", help="weight of a column in every distance (0 to 1000)")
    _add_values(group)


def _add_values(group: Any) -> None:
    """What a column's values are: hierarchies, categories, distances."""
    group.add_argument(
        "--hierarchy",
        metavar="A=FILE",
        action="append",
        help=(
            "groups of a column's values or items, once for each column: a file of lines value;group;…;*, or"
            " pairs as a recipe writes them"
        ),
    )
    group.add_argument(
        "--categories",
        metavar="A=FILE",
        action="append",
        help=(
            "what a column's values are replaced by, once for each column: a file of lines product;category,"
            " or pairs as a recipe writes them"
        ),
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
    names = ", ".join(cls.__name__.lower() for cls in DISTANCES)
    group.add_argument(
        "--distances",
        metavar="A=X,B=Y",
        help=(
            f"one of {names} per column; graph:FILE, tree:FILE and givenmatrix:FILE take edges, parents or"
            " cells from a file, one entry a line; or with options as a recipe writes it"
        ),
    )


def _add_reproductions(command: Parser, words: Sequence[str]) -> None:
    """One sub-command per reproduction, with its own options."""
    names = command.add_subparsers(dest="name", required=True, metavar="NAME", parser_class=Parser)
    for known in REPRODUCTIONS:
        one = names.add_parser(known.name, help=known.summary, description=known.summary, allow_abbrev=False)
        one.add_argument("--file", metavar="FILE", help=f"real data: {FILE_HELP} (default: our own samples)")
        _add_how(one)
        one.add_argument(
            "--categories", metavar="A=FILE", action="append", help="categories for a column of the file"
        )
        add_options(one.add_argument_group(f"options of {known.name}"), known, words, "", set())
        one.add_argument("--out", metavar="FILE", help=".csv, .xlsx or .parquet file for the rows")


def _add_reading(command: Parser) -> None:
    """FILE and how to read it."""
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    _add_how(command)


def _add_how(command: Parser) -> None:
    group = command.add_argument_group("reading", "Whatever is left out is detected.")
    group.add_argument("--format", help=", ".join(known.name for known in FORMATS))
    group.add_argument("--encoding", help="such as utf-8 or cp932")
    group.add_argument("--delimiter", help="one character, or the word tab")
    group.add_argument("--header", choices=("yes", "no"), help="whether the first row names the columns")
    group.add_argument("--sheet", help="name of a workbook's sheet")
    group.add_argument("--missing", metavar="A,B", help="further texts that mean a missing cell")
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


def _add_out(command: Parser, help: str, required: bool) -> None:
    command.add_argument("--out", metavar="FILE", required=required, help=help)
    command.add_argument("--keep-order", action="store_true", help="do not shuffle the released rows")


def _add_setting(
    command: Parser, chosen: Iterable[type[Algorithm]], words: Sequence[str], k_help: str
) -> None:
    """k, seed, and the options of the chosen algorithms."""
    command.add_argument("--k", required=True, help=k_help)
    command.add_argument("--seed", help=_SEED_HELP)
    known: set[str] = set()
    for algorithm in chosen:
        add_options(command.add_argument_group(f"options of {algorithm.title}"), algorithm, words, "", known)


def _add_metrics(command: Parser, words: Sequence[str], scores: bool = True) -> None:
    """What is measured, and the options of what the words name: those of ILD begin with ``--ild-``."""
    few, more = names_of(METRICS), names_of(UTILITIES)
    command.add_argument(
        "--metrics", metavar="A,B", help=f"{few} (default: all of these); or, as they take longer, {more}"
    )
    if scores:
        command.add_argument(
            "--scores", metavar="FILE", help=".csv, .xlsx or .parquet file for all numbers of these metrics"
        )
    known: set[str] = set()
    for metric in among(given_to(words, "metrics"), MEASURES) or METRICS:
        if options_of(metric):
            group = command.add_argument_group(f"options of {metric.title}")
            add_options(group, metric, words, prefix_of(metric), known)


def prefix_of(metric: type[Metric]) -> str:
    """What the flags of a metric's options begin with: algorithms and columns have flags of the same
    names."""
    return f"{metric.__name__.lower()}-"


def _chosen(words: Sequence[str]) -> list[type[Algorithm]]:
    """The algorithms that the words name; wrong names are left to the command, which says so."""
    text = ",".join(filter(None, (given_to(words, "algorithm"), given_to(words, "algorithms"))))
    return among(text, ALGORITHMS)


def metrics(given: argparse.Namespace) -> list[Metric]:
    """The metrics that --metrics names, with their options; all of the scorecard when there is no list."""
    chosen = METRICS if given.metrics is None else named(given.metrics, MEASURES, "metric")
    return [made(cls(), given, prefix_of(cls)) for cls in chosen]


def whole(text: str) -> int | str:
    """The whole number that a text stands for, else the text itself, which the core refuses in its own
    words."""
    try:
        return int(text)
    except ValueError:
        return text


def seed(given: argparse.Namespace) -> int:
    """The seed that --seed gives, else one drawn in secret."""
    return secret_seed() if given.seed is None else check_seed(whole(given.seed))


def ks(text: str) -> list[int]:
    """The numbers of ``2-20`` or ``2,5,10`` or both mixed; raises OptionError for anything else."""
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or int(high or low) - int(low) > _MOST_KS:
            raise OptionError("--k must be whole numbers such as 2,5,10 or a range such as 2-20.")
        found.update(range(int(low), int(high or low) + 1))
    if not found or min(found) < 2:
        raise OptionError("--k must begin at 2 or more: with k = 1 nobody hides behind anybody.")
    return sorted(found)
