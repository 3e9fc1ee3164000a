"""`anonymize`, `mask` and `run`: write a release and print its results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.infile import write_files
from kanon_core.base.words import printable, tr
from kanon_core.cli import arguments as words_of
from kanon_core.cli import flags
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.describing import say_schema
from kanon_core.cli.findings import lines, say_overridden, say_stopping
from kanon_core.cli.manyfiles import add_many, add_places, anonymize_many, is_many, repeat_many
from kanon_core.cli.measuring import chosen_metrics, measure_rows, say_details, say_what_applies, scores_file
from kanon_core.cli.output import Bar, check_targets, names_of, say, text_table
from kanon_core.cli.sources import other_version, recipe_in, table_for, table_of
from kanon_core.cli.tableflags import add_reading, add_table
from kanon_core.findings import FINDINGS, MaskedValues
from kanon_core.findings.judge import judge as found_by
from kanon_core.guarantees import Guarantee, Verdict
from kanon_core.masking import MASKINGS
from kanon_core.masking import mask as masked
from kanon_core.metrics import Metric
from kanon_core.metrics.loss.roundends import round_ends
from kanon_core.release.release import Release
from kanon_core.report.released_file import format_of, release_bytes
from kanon_core.runs.run import anonymize as make
from kanon_core.runs.run import audit, measured_by, repeat
from kanon_core.table.writers import marked_cells, marked_said


def add_anonymize(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, the algorithm with its options, k, the files to write, and the flags for many files."""
    add_table(command)
    command.add_argument("--algorithm", required=True, metavar="NAME", help=names_of(ALGORITHMS))
    words_of.add_setting(command, words)
    words_of.add_release(command, words)
    order = tr("process the records in the order of the file, which may then influence the groups")
    command.add_argument("--given-order", action="store_true", help=order)
    _add_recipe(command)
    add_many(command, words)


def _add_recipe(command: Parser) -> None:
    says = tr(
        "also write the recipe, which reproduces the same bytes; it contains the seed, so keep it secret"
    )
    add_each(command, ("recipe", "JSON", says))


def anonymize(given: argparse.Namespace) -> int:
    """Anonymize a table, write the release (and the recipe), and print the result. Return the exit code."""
    if is_many(given):
        return anonymize_many(given)
    check_targets([given.out, *filter(None, (given.recipe, given.scores))], [given.file], released=True)
    chosen = chosen_metrics(given)
    algorithm = flags.made_one(given, "algorithm", ALGORITHMS)
    k, seed = words_of.one_k(given), words_of.seed(given)
    asked = flags.guarantees(given, k)
    table = table_of(given)
    say_schema(table, given)
    table = table.in_given_order() if given.given_order else table
    with Bar() as bar:
        return _finished(make(table, algorithm, k, seed, bar.tick), given, chosen, asked, {}, bar)


def add_mask(command: Parser, words: Sequence[str]) -> None:
    """Declare FILE, the masking with its options, and the files to write."""
    add_table(command)
    command.add_argument("--masking", required=True, metavar="NAME", help=names_of(MASKINGS))
    words_of.add_seed(command)
    chosen = flags.among(flags.given_to(words, "masking"), MASKINGS)
    flags.add_groups(command, chosen, words, prefix=lambda cls: "")
    words_of.add_release(command, words)
    _add_recipe(command)


def mask(given: argparse.Namespace) -> int:
    """Mask values without guaranteeing a k, write the release (and the recipe), and print the result. Return
    the exit code."""
    check_targets([given.out, *filter(None, (given.recipe, given.scores))], [given.file], released=True)
    chosen = chosen_metrics(given)
    masking = flags.made_one(given, "masking", MASKINGS)
    seed, asked = words_of.seed(given), flags.guarantees(given, 2)
    table = table_of(given)
    say_schema(table, given)
    with Bar() as bar:
        return _finished(masked(table, masking, seed, bar.tick), given, chosen, asked, {}, bar)


def add_run(command: Parser, words: Sequence[str]) -> None:
    """Declare RECIPE, FILE, and the files to write."""
    command.add_argument("recipe", metavar="RECIPE", help=tr("the JSON file of a recipe"))
    add_reading(command)
    words_of.add_release(command, words)
    add_places(command)


def run(given: argparse.Namespace) -> int:
    """Repeat a recipe on its data and write the release."""
    many = is_many(given)
    if not many:
        check_targets([given.out, *filter(None, (given.scores,))], [given.file, given.recipe], released=True)
    recipe = recipe_in(given.recipe)
    say(*other_version(recipe), to=sys.stderr)
    if many:
        return repeat_many(given, recipe)
    chosen = chosen_metrics(given)
    asked, table = flags.guarantees(given, max(recipe.k, 2)), table_for(recipe, given)
    with Bar() as bar:
        return _finished(repeat(table, recipe, bar.tick), given, chosen, asked, recipe.reasons, bar)


def _finished(
    release: Release,
    given: argparse.Namespace,
    chosen: list[Metric],
    asked: list[Guarantee],
    known: Mapping[str, str],
    bar: Bar,
) -> int:
    """Write a release, for the reasons that are given or known from its recipe, and print where the seed of a
    new release is. Return the exit code."""
    reasons = _reasons(release, given.despite, known, bar)
    if reasons is None:
        return 1
    verdicts = audit(release.table, release, guarantees=asked, progress=bar.tick)
    waived = _waived(verdicts[len(verdicts) - len(asked) :], given.despite, known, bar)
    if waived is None:
        return 1
    reasons |= waived
    holds = _write(release, given, chosen, verdicts, bar, reasons)
    if given.command != "run":
        words_of.say_seed(given)
        if reasons and given.recipe is None:
            print(tr("The reason is not kept; --recipe keeps it."), file=sys.stderr)
    return 0 if holds else 1


def _reasons(release: Release, despite: str, known: Mapping[str, str], bar: Bar) -> dict[str, str] | None:
    """Return why the release is written, for each finding that stops it, by its sentence: ``despite``, or the
    reason in a recipe. Where there is no reason, print the findings and return None. Findings that need a
    decision are printed in any case; `kanon judge` makes the searches that take longer."""
    searches = [cls() for cls in FINDINGS if cls.stops or (cls.decide and cls.cheap)]
    found = found_by(release.table, release, searches, bar.tick)
    if deciding := [finding for finding in found if finding.severity == "decide"]:
        bar.clear()
        print("\n\n".join(lines(deciding)) + "\n", file=sys.stderr)
    stopping = [finding for finding in found if finding.severity == "stops"]
    reasons = {finding.sentence: despite or known.get(finding.sentence, "") for finding in stopping}
    if all(reasons.values()):
        if stopping:
            bar.clear()
            say_overridden(stopping, reasons)
        return reasons
    bar.clear()
    say_stopping(stopping)
    return None


def _waived(
    verdicts: Sequence[Verdict], despite: str, known: Mapping[str, str], bar: Bar
) -> dict[str, str] | None:
    """Return why the release is written, for each requested guarantee that does not hold, by its verdict.
    Where there is no reason, print the verdicts and return None."""
    failing = [_verdict_text(verdict) for verdict in verdicts if not verdict.holds]
    reasons = {says: despite or known.get(says, "") for says in failing}
    if failing:
        bar.clear()
    for says, reason in reasons.items():
        print(says, file=sys.stderr)
        if reason:
            print(printable(tr("  Released despite this: {reason}").format(reason=reason)), file=sys.stderr)
    if all(reasons.values()):
        return reasons
    says = tr(
        "Nothing was written, because a requested guarantee does not hold. Choose an algorithm, options or a"
        " k with which it holds, or give a reason to release nevertheless: --despite=REASON, with --recipe to"
        " keep it."
    )
    print(says, file=sys.stderr)
    return None


def _verdict_text(verdict: Verdict) -> str:
    holds = tr("holds") if verdict.holds else tr("DOES NOT HOLD")
    return f"{verdict.guarantee}: {holds}. {printable(verdict.sentence)}"


def _write(
    release: Release,
    given: argparse.Namespace,
    metrics: list[Metric],
    verdicts: Sequence[Verdict],
    bar: Bar,
    reasons: dict[str, str],
) -> bool:
    """Write the files; print every total, every verdict, and the remarks on single numbers. Return whether
    all guarantees hold."""
    table = release.table
    form = format_of(given.out, True)
    files = {Path(given.out): release_bytes(release, form, not given.keep_order, given.plain_cells)}
    if given.command != "run" and given.recipe:
        files[Path(given.recipe)] = (replace(release.recipe, reasons=reasons).to_json() + "\n").encode()
    found = list(measured_by(table, release, metrics, bar.tick))
    write_files(files | scores_file(given, metrics, found), given.recipe)
    bar.clear()
    rows = measure_rows(metrics, found, given.metrics is not None)
    rows += [(tr(name), f"{value:,.6g}") for name, value in release.report.items()]
    print(text_table(("measure", "value"), rows, right=(1,)))
    for verdict in verdicts:
        print(_verdict_text(verdict))
    if form == "csv" and (count := marked_cells(release.publish(False))):
        print(marked_said(count, given.plain_cells), file=sys.stderr)
    say(*(rounded.sentence for rounded in round_ends(release)))
    say(*(finding.sentence for finding in found_by(table, release, [MaskedValues()])))
    if given.metrics is not None:
        say_details(metrics, found)
    say_what_applies(metrics, found, given.metrics is not None)
    return all(verdict.holds for verdict in verdicts)
