"""Flags that several commands have, and the meaning of their words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import secret_seed
from kanon_core.base.words import tr
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.flags import MEASURES, add_groups, among, given_to
from kanon_core.cli.output import names_of, say
from kanon_core.guarantees import GUARANTEES
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.release.recipe import check_k, check_seed

_MOST_KS = 10_000


def add_out(command: Parser, what: str, required: bool = False) -> None:
    """Declare the file to write."""
    command.add_argument(
        "--out",
        metavar="FILE",
        required=required,
        help=tr(".csv, .xlsx or .parquet file for the {what}").format(what=what),
    )


def add_plain(command: Parser) -> None:
    """Declare that a csv file is for programs that are no spreadsheets."""
    command.add_argument(
        "--plain-cells",
        action="store_true",
        help=tr("write csv for programs other than spreadsheets: no apostrophe before texts such as =1+1"),
    )


def add_release(command: Parser, words: Sequence[str]) -> None:
    """Declare the release to write, its guarantees and its metrics."""
    add_out(command, tr("release"), required=True)
    command.add_argument("--keep-order", action="store_true", help=tr("do not shuffle the released rows"))
    add_plain(command)
    despite = tr(
        "reason for writing the release although a finding stops it (see `kanon judge`) or a requested"
        " guarantee does not hold; the recipe keeps it"
    )
    command.add_argument("--despite", metavar="REASON", default="", help=despite)
    add_guarantees(
        command,
        words,
        tr(
            "checked in addition to the algorithm's guarantees; if one does not hold, the exit code is 1, and"
            " nothing is written without --despite"
        ),
    )
    add_metrics(command, words)
    scores = tr(".csv, .xlsx or .parquet file for the results of these metrics")
    add_each(command, ("scores", "FILE", scores))


def add_setting(
    command: Parser, words: Sequence[str], several: bool = False, otherwise: Iterable[type[Algorithm]] = ()
) -> None:
    """Declare k or ``several`` of them, seed, and the options of the algorithms that the words name; the
    command complains of wrong names."""
    one = tr("parameter k of the guarantee: each record, or person, is hidden among at least k")
    command.add_argument("--k", required=True, help="2-20 or 2,5,10" if several else one)
    add_seed(command)
    text = ",".join(filter(None, (given_to(words, "algorithm"), given_to(words, "algorithms"))))
    add_groups(command, among(text, ALGORITHMS) or otherwise, words, prefix=lambda cls: "")


def add_seed(command: Parser) -> None:
    """Declare the seed."""
    seed = tr(
        "the same seed gives the same bytes; anyone who knows the seed and the data can reproduce"
        " the release (default: a secret random seed, which the recipe keeps)"
    )
    add_each(command, ("seed", None, seed))


def add_guarantees(command: Parser, words: Sequence[str], otherwise: str) -> None:
    """Declare the flags for guarantees, and the options of those that the words name: those of ℓ-diversity
    begin with ``--ldiversity-``. ``otherwise``: the words for the default."""
    command.add_argument("--guarantees", metavar="A,B", help=f"{names_of(GUARANTEES)} ({otherwise})")
    asked = among(given_to(words, "guarantees"), GUARANTEES)
    add_groups(command, asked, words, lambda cls: f"{cls.name}: {cls.meaning}")


def add_metrics(command: Parser, words: Sequence[str]) -> None:
    """Declare the flags for metrics, and the options of those that the words name: those of ILD begin with
    ``--ild-``."""
    few, more = names_of(METRICS), names_of(UTILITIES)
    command.add_argument(
        "--metrics",
        metavar="A,B",
        help=tr("{few} (default: all of these); these take longer: {more}").format(few=few, more=more),
    )
    add_groups(command, among(given_to(words, "metrics"), MEASURES) or METRICS, words)


def whole(text: str) -> Any:
    """Return the whole number in a text, or the text itself, which the core refuses with its own message."""
    try:
        return int(text)
    except ValueError:
        return text


def one_k(given: argparse.Namespace) -> int:
    """Return the k of --k. Raises OptionError for any other text."""
    return check_k(whole(given.k))


def count_of(text: str, flag: str) -> int:
    """Return the whole number that a flag is given. Raises OptionError."""
    found = whole(text)
    if not isinstance(found, int) or found < 1:
        raise OptionError(tr("--{flag} must be a whole number of 1 or more.").format(flag=flag))
    return found


def seed(given: argparse.Namespace) -> int:
    """Return the seed that --seed gives, else one drawn in secret."""
    return secret_seed() if given.seed is None else check_seed(whole(given.seed))


def say_seed(given: argparse.Namespace) -> None:
    """Print on stderr where to find the seed of a release, if none was given."""
    if given.seed is not None:
        return
    said = tr("The secret seed is not kept. To keep it, use --recipe.")
    if given.recipe:
        said = tr("The secret seed is kept in “{name}”.")
        said = said.format(name=Path(given.recipe).name)
    say(said, to=sys.stderr)


def ks(text: str) -> list[int]:
    """Return the numbers of ``2-20``, of ``2,5,10`` or of a mixture. Raises OptionError for any other text.

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
        raise OptionError(tr("--k must be 2 or more: k = 1 gives no protection."))
    return sorted(found)
