"""`judge`: the findings on a release of a table. `findings`: the list of searches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.base.words import printable, tr
from kanon_core.checks.prices import priced
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.describing import say_schema
from kanon_core.cli.output import Bar, names_of, text_table
from kanon_core.cli.sources import release_of_recipe, table_of
from kanon_core.cli.tableflags import add_reading, add_table
from kanon_core.findings import FINDINGS, SEVERITIES, Finding, Search
from kanon_core.findings.judge import judge as found_by
from kanon_core.findings.previous import PreviousReleases
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize

_NUMBERS_SHOWN = 20


def add_judge(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, and the release to judge: a recipe, or an algorithm with its options and k."""
    command.add_argument("--recipe", metavar="JSON", help=tr("judge the release of this recipe"))
    if flags.given_to(words, "recipe") is None:
        add_table(command)
        command.add_argument("--algorithm", required=True, metavar="NAME", help=names_of(ALGORITHMS))
        words_of.add_setting(command, words)
    else:
        add_reading(command)
    help = tr("files published earlier of the same records, to be judged together with this release")
    command.add_argument("--previous", metavar="FILE", nargs="+", action="extend", default=[], help=help)
    added = tr(
        "numbers of the records added since then (default: the last ones, as many as the table has"
        " more than the earlier files)"
    )
    known = tr("{names} (default: all)").format(names=names_of(FINDINGS))
    add_each(command, ("added", "M-N", added), ("findings", "A,B", known))
    asked = flags.among(flags.given_to(words, "findings"), FINDINGS) or FINDINGS
    flags.add_groups(command, asked, words, lambda cls: f"{cls.name}: {cls.asks}")


def judge(given: argparse.Namespace) -> int:
    """Print the findings and what their remedies cost, the heaviest first; 1 when one stops the release."""
    searches = _searches(given)
    with Bar() as bar:
        release = _release(given, bar)
        findings = found_by(release.table, release, searches, bar.tick)
        findings = priced(release.table, release, findings, progress=bar.tick)
    print("\n\n".join(lines(findings)) if findings else tr("Nothing was found."))
    return 1 if any(finding.severity == "stops" for finding in findings) else 0


def _searches(given: argparse.Namespace) -> list[Search]:
    made = flags.made_each(given, given.findings, FINDINGS, "finding", FINDINGS)
    if given.previous and not any(isinstance(one, PreviousReleases) for one in made):
        made.append(flags.made(PreviousReleases(), given, flags.prefix_of(PreviousReleases)))
    earlier = partial(replace, previous=tuple(given.previous), added=_added(given.added))
    return [earlier(one) if isinstance(one, PreviousReleases) else one for one in made]


def _added(text: str | None) -> tuple[int, ...]:
    """Return the records of ``81-100``, counted from 0."""
    if text is None:
        return ()
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()) or not 1 <= int(first) <= int(last or first):
        raise OptionError(tr("--added must be the number of a record or a range such as 81-100."))
    return tuple(range(int(first) - 1, int(last or first)))


def _release(given: argparse.Namespace, bar: Bar) -> Release:
    if given.recipe is not None:
        return release_of_recipe(given, bar.tick)
    algorithm, k = flags.made_one(given, "algorithm", ALGORITHMS), words_of.one_k(given)
    seed, table = words_of.seed(given), table_of(given)
    say_schema(table, given)
    return anonymize(table, algorithm, k, seed, bar.tick)


def lines(findings: Iterable[Finding]) -> list[str]:
    """Return one text per finding: its severity, name and sentence, then the remedy and the records."""
    found = []
    for finding in findings:
        severity = tr(SEVERITIES[finding.severity]).upper()
        parts = [f"{severity} – {finding.name}: {finding.sentence}", f"  → {finding.action} {finding.price}"]
        if finding.witnesses:
            some = ", ".join(map(str, finding.witnesses[:_NUMBERS_SHOWN]))
            more = finding.count - min(_NUMBERS_SHOWN, len(finding.witnesses))
            rest = tr(" and {more:,} more").format(more=more) if more else ""
            parts.append("  " + tr("records: {some}{rest}").format(some=some, rest=rest))
        found.append("\n".join(printable(part).rstrip() for part in parts))
    return found


def say_stopping(findings: Iterable[Finding]) -> None:
    """Print on stderr what stops the release, and what to do."""
    print("\n\n".join(lines(findings)), file=sys.stderr)
    says = tr(
        "Nothing was written. Remove the cause of each finding, or give a reason to release"
        " nevertheless: --despite=REASON, with --recipe to keep it."
    )
    print(says, file=sys.stderr)


def say_overridden(findings: Iterable[Finding], reasons: Mapping[str, str]) -> None:
    """Print on stderr the findings that would stop the release, each with the reason to release it."""
    for finding in findings:
        (text,) = lines([finding])
        print(text, file=sys.stderr)
        says = tr("  Released despite this finding: {reason}").format(reason=reasons[finding.sentence])
        print(printable(says) + "\n", file=sys.stderr)


def findings(given: argparse.Namespace) -> int:
    """Print every search, its conditions by severity, and its thresholds."""
    rows = [(cls.__name__.lower(), cls.name, cls.asks, cls.attacker) for cls in FINDINGS]
    print(text_table(("name", "title", tr("question"), tr("an attacker who …")), rows))
    conditions = [
        (cls.__name__.lower(), SEVERITIES[severity], condition)
        for cls in FINDINGS
        for severity, condition in cls().conditions().items()
    ]
    print("\nconditions")
    print(text_table(("name", "severity", "when"), conditions))
    print("\nthresholds")
    print(flags.option_rows("finding", FINDINGS, flags.prefix_of))
    return 0
