"""`report`: the report to be signed, made from a recipe and its data."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.infile import write_files
from kanon_core.base.lists import split_list
from kanon_core.base.options import Nested, options_of
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import add_plain, ks, whole
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.output import Bar, must_differ, say
from kanon_core.cli.risking import add_population, population_of
from kanon_core.cli.sources import other_version, read_text, recipe_in, table_for
from kanon_core.cli.tableflags import add_reading
from kanon_core.metrics import ILSSDM, NCP, SuppressedItems, WorstRisk
from kanon_core.release.recipe import check_k
from kanon_core.release.release import Release
from kanon_core.report.released_file import format_of, released_name
from kanon_core.report.signing import (
    Candidate,
    Decision,
    Evidence,
    ReportInputs,
    gathered,
    to_html,
    to_markdown,
)
from kanon_core.report.signing import report as made
from kanon_core.report.signing.evidence import decision_fields, sha256
from kanon_core.runs.expecting import DRAWS, MOST_DRAWS
from kanon_core.runs.run import repeat
from kanon_core.runs.sweeps import SweepPoint, sweep

WRITERS = {".html": to_html, ".md": to_markdown}
"""Ending of the report's name → the function that writes it."""
_FORM = (
    "a setting that was compared, with a comment, such as mdav:10:too coarse or vmdav,gamma=0.5:5;"
    " repeat the flag for each; computed with the recipe's seed"
)
_PARTS = re.compile(r"(?P<algorithm>.*?):(?P<k>\d+)(?::(?P<comment>.*))?", re.DOTALL)
_CURVE = (ILSSDM(), NCP(), SuppressedItems(), WorstRisk())


def add_report(command: Parser, words: Sequence[str]) -> None:
    """Declare RECIPE, FILE, the report to write, and the statements of the signatory."""
    command.add_argument("recipe", metavar="RECIPE", help=tr("the JSON file of a recipe"))
    add_reading(command)
    out = tr(".html or .md file for the report; for a PDF, print the .html file from a browser")
    command.add_argument("--out", metavar="FILE", required=True, help=out)
    released = tr(
        "the released file; if it exists, its bytes are compared with the recipe's release"
        " (default: the name that the dashboard gives it)"
    )
    add_each(command, ("released", "FILE", released))
    order = tr("the released rows keep the order of the input")
    command.add_argument("--keep-order", action="store_true", help=order)
    add_plain(command)
    curve = tr("also show the curve of the recipe's algorithm at these k: 2-20 or 2,5,10")
    add_each(command, ("k", "2-20", curve))
    command.add_argument(
        "--candidate", metavar="ALGORITHM:K:COMMENT", action="append", default=[], help=tr(_FORM)
    )
    said = tr("number of draws over which attacks are tried; 0 tries none (default {draws})").format(
        draws=DRAWS
    )
    command.add_argument("--draws", metavar="N", default=str(DRAWS), help=said)
    add_population(command, words)
    group = command.add_argument_group(
        tr("statements of the signatory"), tr("Statements that are not given are shown as empty.")
    )
    for one in decision_fields():
        add_each(group, (one.name, "TEXT", one.help))


def report(given: argparse.Namespace) -> int:
    """Run the recipe and write the report. Return 1 if a guarantee fails, if a finding stops the release
    without a reason to release nevertheless, or if the released file differs."""
    out = Path(given.out)
    if out.suffix.lower() not in WRITERS:
        raise OptionError(
            tr("The name of the report, “{name}”, must end in .html or .md.").format(name=out.name)
        )
    must_differ(given.out, given.file, given.recipe, *filter(None, [given.released, given.population]))
    if given.released:
        format_of(given.released, released=True)
    recipe = recipe_in(given.recipe)
    asked_for, wanted = ks(given.k) if given.k else [], [wish(text) for text in given.candidate]
    said = ReportInputs(
        _decision(given),
        reasons=recipe.reasons,
        shuffled=not given.keep_order,
        population=population_of(given),
        missing=given.counting_missing,
        draws=_draws(given.draws),
        plain=given.plain_cells,
    )
    table = table_for(recipe, given)
    with Bar() as bar:
        release = repeat(table, recipe, stage(bar.tick, 0, 0.2))
        points = _points(release, [recipe.algorithm], asked_for, stage(bar.tick, 0.2, 0.4))
        noted = _candidates(release, wanted, stage(bar.tick, 0.4, 0.6))
        said = replace(said, points=points, candidates=noted, name=_name(release, given))
        evidence = gathered(release, said, progress=stage(bar.tick, 0.6, 1))
    write_files({out: WRITERS[out.suffix.lower()](made(evidence)).encode()})
    problems = [*_problems(evidence), *_differs(evidence, given.released)]
    say(tr("The report is in the file “{name}”.").format(name=out))
    say(*other_version(recipe), *problems, to=sys.stderr)
    return 1 if problems else 0


class Wish(NamedTuple):
    """A setting to compute, and the comment on it."""

    algorithm: Algorithm
    k: int
    comment: str


def wish(text: str) -> Wish:
    """Return the setting that ALGORITHM:K:COMMENT states, where options follow the algorithm's name as in a
    csv line; the comment may be left out. Raises OptionError for anything else.

    >>> wish("vmdav,gamma=0.5:5:fewer groups")
    Wish(algorithm=VMDAV(gamma=0.5), k=5, comment='fewer groups')
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        raise OptionError(
            tr(
                "--candidate must be ALGORITHM:K or ALGORITHM:K:COMMENT, such as mdav:10:too coarse, or with"
                " options vmdav,gamma=0.5:5."
            )
        )
    name, *words = split_list(found["algorithm"]) or [""]
    cls = flags.one_of(name, ALGORITHMS, tr("algorithm"))
    options = dict(word.partition("=")[::2] for word in words)
    known = set(_flags_of(cls, options))
    if unknown := [word for word in options if word not in known]:
        says = tr("--candidate: {title} has no option “{name}”; its options: {known}.")
        names = ", ".join(sorted(known)) or tr("none")
        raise OptionError(says.format(title=cls.__name__, name=unknown[0], known=names))
    return Wish(
        flags.made(cls(), flags.said(options)), check_k(int(found["k"])), (found["comment"] or "").strip()
    )


def _flags_of(cls: type, options: dict[str, str], prefix: str = "") -> list[str]:
    """Return the flags of an algorithm, and those of the one that it starts from."""
    found = []
    for option in options_of(cls):
        flag = prefix + option.name.replace("_", "-")
        found.append(flag)
        if isinstance(option.kind, Nested):
            found += _flags_of(flags.inner(option, options.get(flag)), options, f"{flag}-")
    return found


def _candidates(release: Release, wishes: Sequence[Wish], tick: Tick) -> tuple[Candidate, ...]:
    """Return the candidates with their measures. Raises UnsuitableError with the reason for a setting that
    cannot be made."""
    found = []
    for number, one in enumerate(wishes):
        part = stage(tick, number / len(wishes), (number + 1) / len(wishes))
        (point,) = _points(release, [one.algorithm], [one.k], part)
        if point.problem:
            says = tr("The candidate {title} with k = {k} cannot be computed: {problem}")
            raise UnsuitableError(says.format(title=one.algorithm.title, k=one.k, problem=point.problem))
        found.append(Candidate(point, one.comment))
    return tuple(found)


def _points(
    release: Release, algorithms: Sequence[Algorithm], ks: Sequence[int], tick: Tick
) -> tuple[SweepPoint, ...]:
    """Return the points of these algorithms, by ascending k, all with the recipe's seed."""
    metrics = [metric for metric in _CURVE if not metric.unsuitable(release.table)]
    found = sweep(release.table, algorithms, ks, metrics, release.recipe.seed, tick)
    return tuple(sorted(found, key=lambda point: point.k))


def _draws(text: str) -> int:
    draws = whole(text)
    if not isinstance(draws, int) or not 0 <= draws <= MOST_DRAWS:
        raise OptionError(tr("--draws must be a whole number from 0 to {most}.").format(most=MOST_DRAWS))
    return draws


def _decision(given: argparse.Namespace) -> Decision:
    return Decision(**{one.name: getattr(given, one.name) or "" for one in decision_fields()})


def _name(release: Release, given: argparse.Namespace) -> str:
    return Path(given.released or released_name(release, given.file)).name


def _problems(evidence: Evidence) -> list[str]:
    """Return sentences on why the release must not be handed over."""
    failed = [
        tr("{name} does not hold. {sentence}").format(name=one.guarantee, sentence=one.sentence)
        for one in evidence.verdicts
        if not one.holds
    ]
    stopped = tr(
        "{name} stops the release, and the recipe gives no reason to release nevertheless: {sentence}"
    )
    return failed + [stopped.format(name=one.name, sentence=one.sentence) for one in evidence.unanswered]


def _differs(evidence: Evidence, released: str | None) -> list[str]:
    """Return a sentence on what is wrong with the released file that is there."""
    if (
        released is None
        or not Path(released).is_file()
        or sha256(read_text(released)) == evidence.handed.digest
    ):
        return []
    said = tr("The bytes of the file “{name}” differ from the recipe's release.")
    return [said.format(name=Path(released).name)]
