"""How a second person gets the same bytes and the same figures."""

from __future__ import annotations

import shlex

from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.expecting import DRAWS
from kanon_core.guarantees.files.counting import OWN
from kanon_core.report.command import candidate_word, option_flags
from kanon_core.report.files import source_name
from kanon_core.report.signing.blocks import Command, Facts, Section, notes
from kanon_core.report.signing.evidence import Evidence, Given
from kanon_core.risk import Population


def section(evidence: Evidence) -> Section:
    """Versions, and two commands that take the recipe, which alone holds the seed."""
    versions = (
        (tr("Kanon that made the release"), evidence.release.recipe.version),
        (tr("Kanon that made this report"), __version__),
    )
    about = tr(
        "RECIPE stands for the recipe's file and INPUT for the original table; both stay with whoever keeps"
        " the data. The first command writes the released file, whose SHA-256 is above; the second makes this"
        " report's figures again. The same version writes the same bytes with every processor and every"
        " version of its libraries that it was tested with; figures may differ in their last digits."
    )
    commands = "\n".join(map(_lines, (_run(evidence), _report(evidence))))
    return Section.of(tr("How to run it again"), Facts(versions), Command(commands), notes([about]))


def _lines(words: list[str]) -> str:
    """A command with each flag on a line of its own."""
    first = shlex.join(word for word in words if not word.startswith("--"))
    return " \\\n    ".join([first, *(shlex.quote(word) for word in words if word.startswith("--"))])


def _run(evidence: Evidence) -> list[str]:
    return ["kanon", "run", "RECIPE", _source(evidence), f"--out={evidence.handed.name}", *_order(evidence)]


def _report(evidence: Evidence) -> list[str]:
    """Also the k of the curve, those of the recipe's own algorithm and seed, and the candidates of that seed,
    all of which the command computes."""
    recipe = evidence.release.recipe
    ks = sorted({one.k for one in evidence.given.points if one.seed == recipe.seed and not one.problem})
    words = ["kanon", "report", "RECIPE", _source(evidence), f"--released={evidence.handed.name}"]
    words += [f"--k={_spans(ks)}"] if ks else []
    words += [
        f"--candidate={candidate_word(one.point.algorithm, one.point.k, one.comment)}"
        for one in evidence.given.candidates
        if one.point.seed == recipe.seed and not one.point.problem
    ]
    return [*words, *_population(evidence.given), "--out=report.html", *_order(evidence)]


def _population(given: Given) -> list[str]:
    """What is known of the population; POPULATION stands for its table."""
    known, words = given.population, [] if given.missing == OWN else [f"--counting-missing={given.missing}"]
    words += [] if given.draws == DRAWS else [f"--draws={given.draws}"]
    if isinstance(known, Population):
        return words + [f"--population-{flag}={value}" for flag, value in option_flags(known)]
    return words if known is None else [*words, "--population=POPULATION"]


def _source(evidence: Evidence) -> str:
    return source_name(evidence.release, "INPUT")


def _order(evidence: Evidence) -> list[str]:
    plain = ["--plain-cells"] if evidence.handed.plain else []
    return plain if evidence.handed.shuffled else ["--keep-order", *plain]


def _spans(ks: list[int]) -> str:
    """Whole numbers as ranges: 2, 3, 4, 10 as ``2-4,10``."""
    found: list[list[int]] = []
    for k in ks:
        if found and found[-1][-1] == k - 1:
            found[-1].append(k)
        else:
            found.append([k])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)
