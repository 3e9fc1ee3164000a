"""Provenance of the released file: its name and columns, how it was made, and how a second person makes it
again."""

from __future__ import annotations

import shlex

from kanon_core.base.version import __version__
from kanon_core.base.words import counted, percent, tr
from kanon_core.guarantees.files.cells import OWN
from kanon_core.report.command import candidate_word, option_flags
from kanon_core.report.released_file import source_name
from kanon_core.report.signing.blocks import Command, Facts, Grid, Section, notes, option_values
from kanon_core.report.signing.evidence import Evidence, ReportInputs, keyed_digest
from kanon_core.risk import Population
from kanon_core.runs.expecting import DRAWS
from kanon_core.table.schema import Attribute


def released_file(evidence: Evidence) -> Section:
    """Name and digest of the file, how much of the table it holds, and the keyed digest of the input."""
    release, handed = evidence.release, evidence.handed
    records, gone = len(release), int(release.suppressed.sum())
    keyed = keyed_digest(release.recipe)
    order = tr("drawn by a keyed hash") if handed.shuffled else tr("as in the input")
    facts = (
        (tr("File"), handed.name),
        (tr("SHA-256"), handed.digest),
        (tr("Rows"), f"{records - gone:,}"),
        (tr("Order of rows"), order),
        (tr("Columns"), f"{len(release.columns):,}"),
        (tr("Records in the input"), f"{records:,}"),
        (tr("Suppressed records"), f"{gone:,} ({percent(gone, records)})"),
        (tr("Keyed digest of the input"), keyed or tr("not printed: the seed is short enough to be guessed")),
    )
    return Section.of(tr("Released file"), Facts(facts), notes(_about(keyed, handed.shuffled)))


def _about(keyed: str, shuffled: bool) -> list[str]:
    said = []
    if keyed:
        said.append(
            tr(
                "The keyed digest of the input is a BLAKE2b digest under a key derived from the"
                " recipe's secret seed. A person with the recipe and the data can compute it again;"
                " for anybody else it confirms no guess about a cell."
            )
        )
    if not shuffled:
        said.append(
            tr(
                "The rows keep the order of the input: an attacker who knows that order knows which"
                " row is whose."
            )
        )
    return said


def columns(evidence: Evidence) -> Section:
    """Return a line for each column."""
    release = evidence.release
    rows = tuple(
        (column.name, column.role.replace("_", "-"), column.kind, _published(column, release.pseudonymous))
        for column in release.table.schema
    )
    head = (tr("column"), tr("role"), tr("kind"), tr("publication"))
    return Section.of(
        tr("Columns and their roles"),
        Grid(head, rows, widths=(26, 16, 14, 44)),
        notes([tr("This report contains no value of an identifier or of an unpublished column.")]),
    )


def _published(column: Attribute, pseudonymous: bool) -> str:
    if column.role == "identifier":
        return tr("left out")
    if column.role == "person":
        return tr("as pseudonyms") if pseudonymous else tr("left out")
    if column.role != "quasi_identifier":
        return tr("unchanged")
    return ", ".join([_recoded(column), *_also(column)])


def _recoded(column: Attribute) -> str:
    if column.recoding != "generalize":
        said = tr("{mean} of the group").format(mean=tr(column.recoding))
    elif column.is_numeric:
        said = tr("generalized to intervals")
        if column.round_to:
            said = tr("generalized to intervals with ends rounded to {step}").format(step=column.round_to)
    elif column.hierarchy is not None:
        said = tr("generalized along a hierarchy of {count}").format(
            count=counted(len(column.hierarchy.values), "value")
        )
    elif column.kind == "items":
        said = tr("generalized to the items common to a group")
    else:
        said = tr("generalized to sets of values")
    return said


def _also(column: Attribute) -> list[str]:
    said = []
    if column.categories is not None:
        count = len(column.categories.sizes)
        said.append(tr("values replaced by {count:,} categories").format(count=count))
    if column.weight != 1:
        said.append(tr("weight {weight:g}").format(weight=column.weight))
    if column.distance is not None:
        said.append(tr("distance: {title}").format(title=column.distance.title))
    return said


def method(evidence: Evidence) -> Section:
    """One line for each fact of the setting; the seed is never among them."""
    release = evidence.release
    recipe = release.recipe
    algorithm, (name, reached, about) = recipe.algorithm, release.guarantee.achieved(release)
    options = "; ".join(f"{label}: {value}" for label, value in option_values(algorithm))
    seen = tr("as in the file") if recipe.given_order else tr("drawn by a keyed hash of their content")
    facts = (
        (tr("Algorithm"), f"{algorithm.title} – {algorithm.summary}"),
        (tr("Options"), options or tr("none")),
        (tr("Requested k"), release.guarantee.requested),
        (name, f"{reached:,}: {about}"),
        (tr("Order of records for the algorithm"), seen),
        (tr("Seed"), tr("kept in the recipe and never in a report")),
    )
    return Section(tr("Method"), (Facts(facts),))


def reproduction(evidence: Evidence) -> Section:
    """Versions, and two commands that take the recipe, which alone holds the seed."""
    versions = (
        (tr("Version of Kanon for the release"), evidence.release.recipe.version),
        (tr("Version of Kanon for this report"), __version__),
    )
    about = tr(
        "RECIPE is the recipe file; it and the original table stay with the owner of the data. The"
        " first command writes the released file, whose SHA-256 is in section 2; the second command computes"
        " the figures of this report again. The same version of Kanon writes the same released file, byte for"
        " byte, on every tested processor and with every tested version of its libraries; figures of the"
        " report may differ in their last digits."
    )
    commands = "\n".join(map(_lines, (_run(evidence), _report(evidence))))
    return Section.of(tr("Reproduction"), Facts(versions), Command(commands), notes([about]))


def _lines(words: list[str]) -> str:
    """Return a command with each flag on a line of its own."""
    first = shlex.join(word for word in words if not word.startswith("--"))
    return " \\\n    ".join([first, *(shlex.quote(word) for word in words if word.startswith("--"))])


def _run(evidence: Evidence) -> list[str]:
    return ["kanon", "run", "RECIPE", _source(evidence), f"--out={evidence.handed.name}", *_order(evidence)]


def _report(evidence: Evidence) -> list[str]:
    """Return the command of the report. It also computes the k of the curve, for the recipe's own algorithm
    and seed, and the candidates of that seed."""
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


def _population(given: ReportInputs) -> list[str]:
    """Return the flags for what is known of the population; POPULATION stands for its table."""
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
