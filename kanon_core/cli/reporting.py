"""`report`: what somebody signs, made again from a recipe and its data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from kanon_core.base.errors import OptionError
from kanon_core.base.progress import stage
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.cli.arguments import Parser, ks
from kanon_core.cli.output import Bar, must_differ, printable, write_files
from kanon_core.cli.sources import read_text, table_for
from kanon_core.cli.tableflags import add_reading
from kanon_core.metrics import ILSSDM, NCP, SuppressedItems, WorstRisk
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.report.files import format_of, released_name
from kanon_core.report.signing import Decision, Evidence, Given, gathered, to_html, to_markdown
from kanon_core.report.signing import report as made
from kanon_core.report.signing.decision import asked
from kanon_core.report.signing.fingerprint import sha256
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
    command.add_argument(
        "--k", metavar="2-20", help=tr("also the curve of the recipe's algorithm at these k: 2-20 or 2,5,10")
    )
    group = command.add_argument_group(
        tr("said by whoever signs"), tr("What is not given is shown as empty.")
    )
    for one in asked():
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
    must_differ(given.out, given.file, given.recipe, *filter(None, [given.released]))
    if given.released:
        format_of(given.released, released=True)
    recipe = Recipe.from_json(read_text(given.recipe))
    wanted = ks(given.k) if given.k else []
    table = table_for(recipe, given)
    with Bar() as bar:
        release = repeat(table, recipe, stage(bar.tick, 0, 0.3))
        points = _points(release, wanted, bar)
        said = Given(
            _decision(given), points, (), recipe.reasons, _name(release, given), not given.keep_order
        )
        evidence = gathered(release, said, progress=stage(bar.tick, 0.7, 1))
    write_files({out: WRITERS[out.suffix.lower()](made(evidence)).encode()})
    problems = [*_problems(evidence), *_differs(evidence, given.released)]
    for problem in [*_other_version(recipe), *problems]:
        print(printable(problem), file=sys.stderr)
    return 1 if problems else 0


def _points(release: Release, wanted: list[int], bar: Bar) -> tuple[SweepPoint, ...]:
    """The points of the curve, by ascending k, all with the recipe's seed."""
    recipe, table = release.recipe, release.table
    metrics = [metric for metric in _CURVE if not metric.unsuitable(table)]
    found = sweep(table, [recipe.algorithm], wanted, metrics, recipe.seed, stage(bar.tick, 0.3, 0.7))
    return tuple(sorted(found, key=lambda point: point.k))


def _decision(given: argparse.Namespace) -> Decision:
    said = {one.name: getattr(given, one.name) for one in asked()}
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
