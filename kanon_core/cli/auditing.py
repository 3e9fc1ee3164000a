"""`audit`: whether a released file, by us or others, keeps a guarantee."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from kanon_core.base.errors import OptionError
from kanon_core.cli.arguments import Parser, add_guarantees, add_table, whole
from kanon_core.cli.describing import say_schema
from kanon_core.cli.flags import guarantees
from kanon_core.cli.output import Bar, printable, text_table
from kanon_core.cli.sources import table_of
from kanon_core.guarantees import (
    Guarantee,
    KAnonymity,
    KConcealment,
    KKMAnonymity,
    PersonKAnonymity,
)
from kanon_core.guarantees.files.original import true_name
from kanon_core.guarantees.files.standing import audit_file
from kanon_core.guarantees.files.uploaded import audit_uploaded
from kanon_core.release.recipe import check_k
from kanon_core.release.uploaded.uploaded import read_release
from kanon_core.table.table import Table


def add_audit(command: Parser, words: Sequence[str]) -> None:
    """FILE, k, and the original that it may be judged beside."""
    add_table(command)
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
        help="1, 2 or 3: an attacker knows so many items of a person, not all ((k, kᵐ)-anonymity)",
    )
    add_guarantees(command, words, "default: k-anonymity, of people where a column names them")


def audit(given: argparse.Namespace) -> int:
    """Judge a file as it stands, or beside its original; 1 when a guarantee does not hold."""
    k = check_k(whole(given.k))
    if given.original:
        if given.known_items is not None or given.guarantees:
            raise OptionError(
                "--known-items and --guarantees judge a file as it stands; leave them out, or --original."
            )
        return _beside(given, k)
    table = table_of(given)
    say_schema(table, given)
    with Bar() as bar:
        verdicts = audit_file(given.file, table, _asked(given, table, k), bar.tick)
    for verdict in verdicts:
        print(f"{verdict.guarantee}: {'holds' if verdict.holds else 'does not hold'}. {verdict.sentence}")
        found, asked = f"{verdict.found:,.4g}", f"(asked: {verdict.required:,.4g})"
        few = "" if given.known_items is None else "at least " if verdict.holds else "at most "
        print(f"found: {found} {asked}" if given.guarantees else f"achieved k: {few}{found} {asked}")
        if verdict.witnesses:
            print(f"{verdict.named}: {', '.join(map(str, verdict.witnesses))}")
    return 0 if all(verdict.holds for verdict in verdicts) else 1


def _asked(given: argparse.Namespace, table: Table, k: int) -> list[Guarantee]:
    """The guarantees that are named, or who hides among how many: people where a column names them."""
    if given.known_items is not None:
        return [KKMAnonymity(k, whole(given.known_items))]
    if not given.guarantees:
        return [PersonKAnonymity(k) if table.schema.of_role("person") else KAnonymity(k)]
    return guarantees(given, k)


def _beside(given: argparse.Namespace, k: int) -> int:
    """Judge a file beside the table it was made from, by all that can be counted."""
    table = table_of(argparse.Namespace(**{**vars(given), "file": given.original}))
    say_schema(table, given)
    with Bar() as bar:
        release = read_release(given.file, table)
        verdicts = audit_uploaded(release, k, bar.tick)
    for note in release.notes:
        print(printable(note), file=sys.stderr)
    rows = [(v.guarantee, "yes" if v.holds else "NO", f"{v.found:,.0f}", v.sentence) for v in verdicts]
    print(text_table(("guarantee", "holds", "found", ""), rows, right=(2,)))
    for verdict in verdicts:
        if verdict.witnesses:
            print(f"{verdict.guarantee}, {verdict.named}: {', '.join(map(str, verdict.witnesses))}")
    asked = (KConcealment.name, true_name())
    return 0 if all(v.holds for v in verdicts if v.guarantee in asked) else 1
