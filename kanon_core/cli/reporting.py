"""`report`: what somebody signs, made again from a recipe and its data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from kanon_core.algorithms import Algorithm
from kanon_core.base.errors import OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.progress import Tick, stage
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.cli.arguments import Parser, add_plain, ks, whole
from kanon_core.cli.candidates import FORM, candidates, wish
from kanon_core.cli.output import Bar, must_differ, printable
from kanon_core.cli.populations import add_population, population_of
from kanon_core.cli.sources import read_text, recipe_in, table_for
from kanon_core.cli.tableflags import add_reading
from kanon_core.expecting import DRAWS, MOST_DRAWS
from kanon_core.metrics import ILSSDM, NCP, SuppressedItems, WorstRisk
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.report.files import format_of, released_name
from kanon_core.report.signing import Decision, Evidence, Given, gathered, to_html, to_markdown
from kanon_core.report.signing import report as made
from kanon_core.report.signing.evidence import decision_fields, sha256
from kanon_core.run import repeat
from kanon_core.sweeps import SweepPoint, sweep

WRITERS = {".html": to_html, ".md": to_markdown}
"""Ending of the report's name → what writes it."""
_CURVE = (ILSSDM(), NCP(), SuppressedItems(), WorstRisk())


def add_report(command: Parser, words: Sequence[str]) -> None:
    """RECIPE, FILE, where to write, and what people say of the release."""
    command.add_argument("recipe", metavar="RECIPE", help=tr("the JSON file of a recipe"))
    add_reading(command)
    command.add_argument(
        "--out",
        metavar="FILE",
        required=True,
        help=tr(".html or .md file for the report; to make a PDF of the first, print it from a browser"),
    )
    command.add_argument(
        "--released",
        metavar="FILE",
        help=tr(
            "the released file; if it is there, its bytes are compared with what the recipe makes"
            " (default: the name that the screens give it)"
        ),
    )
    command.add_argument(
        "--keep-order", action="store_true", help=tr("the released rows keep the order of the input")
    )
    add_plain(command)
    command.add_argument(
        "--k", metavar="2-20", help=tr("also the curve of the recipe's algorithm at these k: 2-20 or 2,5,10")
    )
    command.add_argument(
        "--candidate", metavar="ALGORITHM:K:COMMENT", action="append", default=[], help=tr(FORM)
    )
    said = tr("over how many draws attacks are tried; 0: none is (default {draws})").format(draws=DRAWS)
    command.add_argument("--draws", metavar="N", default=str(DRAWS), help=said)
    add_population(command, words)
    group = command.add_argument_group(
        tr("said by whoever signs"), tr("What is not given is shown as empty.")
    )
    for one in decision_fields():
        group.add_argument(f"--{one.name}", metavar="TEXT", help=f"{one.help}{_default(one.name)}")


def _default(name: str) -> str:
    return tr(" (default: today)") if name == "date" else ""


def report(given: argparse.Namespace) -> int:
    """Run the recipe and write the report; 1 when a guarantee fails, a finding stops the release and nobody
    says why it is handed over, or the released file is another."""
    out = Path(given.out)
    if out.suffix.lower() not in WRITERS:
        raise OptionError(
            tr("The name “{name}” must end in .html or .md, which says how the report is written.").format(
                name=out.name
            )
        )
    must_differ(given.out, given.file, given.recipe, *filter(None, [given.released, given.population]))
    if given.released:
        format_of(given.released, released=True)
    recipe = recipe_in(given.recipe)
    asked_for, wanted = ks(given.k) if given.k else [], [wish(text) for text in given.candidate]
    said = Given(
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
        noted = candidates(wanted, partial(_points, release), stage(bar.tick, 0.4, 0.6))
        said = replace(said, points=points, candidates=noted, name=_name(release, given))
        evidence = gathered(release, said, progress=stage(bar.tick, 0.6, 1))
    write_files({out: WRITERS[out.suffix.lower()](made(evidence)).encode()})
    problems = [*_problems(evidence), *_differs(evidence, given.released)]
    for problem in [*_other_version(recipe), *problems]:
        print(printable(problem), file=sys.stderr)
    return 1 if problems else 0


def _points(
    release: Release, algorithms: Sequence[Algorithm], ks: Sequence[int], tick: Tick
) -> tuple[SweepPoint, ...]:
    """The points of these algorithms, by ascending k, all with the recipe's seed."""
    metrics = [metric for metric in _CURVE if not metric.unsuitable(release.table)]
    found = sweep(release.table, algorithms, ks, metrics, release.recipe.seed, tick)
    return tuple(sorted(found, key=lambda point: point.k))


def _draws(text: str) -> int:
    draws = whole(text)
    if not isinstance(draws, int) or not 0 <= draws <= MOST_DRAWS:
        raise OptionError(tr("--draws must be a whole number from 0 to {most}.").format(most=MOST_DRAWS))
    return draws


def _decision(given: argparse.Namespace) -> Decision:
    said = {one.name: getattr(given, one.name) for one in decision_fields()}
    said["date"] = date.today().isoformat() if said["date"] is None else said["date"]
    return Decision(**{name: text or "" for name, text in said.items()})


def _name(release: Release, given: argparse.Namespace) -> str:
    return Path(given.released or released_name(release, given.file)).name


def _other_version(recipe: Recipe) -> list[str]:
    if recipe.version == __version__:
        return []
    said = tr("The recipe was written by Kanon {old}; this is {new}, whose results may differ.")
    return [said.format(old=recipe.version, new=__version__)]


def _problems(evidence: Evidence) -> list[str]:
    """Why the release is not to be handed over as it stands."""
    failed = [
        tr("{name} does not hold. {sentence}").format(name=one.guarantee, sentence=one.sentence)
        for one in evidence.verdicts
        if not one.holds
    ]
    stopped = tr("{name} stops the release, and the recipe gives no reason: {sentence}")
    return failed + [stopped.format(name=one.name, sentence=one.sentence) for one in evidence.unanswered]


def _differs(evidence: Evidence, released: str | None) -> list[str]:
    """What is wrong with the released file that is there."""
    if (
        released is None
        or not Path(released).is_file()
        or sha256(read_text(released)) == evidence.handed.digest
    ):
        return []
    said = tr("The file “{name}” is not what the recipe makes: its bytes differ.")
    return [said.format(name=Path(released).name)]
