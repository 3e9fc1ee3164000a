"""Output of the command line on a release in many files."""

from __future__ import annotations

import math
import sys

import numpy as np

from kanon_core.base.words import counted, later, listed, percent, printable, tr, tr_n
from kanon_core.cli.findings import lines
from kanon_core.cli.measuring import say_notes
from kanon_core.cli.output import say, text_table
from kanon_core.findings import FINDINGS, Identity
from kanon_core.release.recipe import Recipe
from kanon_core.scale.auditing.findings import by_classes, looked_for
from kanon_core.scale.files import FilesRelease
from kanon_core.scale.source.sources import left_out, source_files
from kanon_core.table.table import Table

_HIGH = 0.2
STAGES = {
    later("looking at the files"): ("look", "records", "types"),
    later("reading and encoding"): ("encode", "around", "unrolled"),
    later("unchanged columns"): ("occurring", "once"),
    later("cutting into fragments"): ("cut", "sample"),
    later("bringing rows together"): ("scatter", "gather", "route"),
    later("anonymizing the fragments"): ("apart-values", "apart", "group", "histories", "anonymize"),
    later("writing the release"): ("order",),
    later("auditing the release"): ("tally", "audit", "beside", "shown", "items", "ends"),
}
"""The names of the stages, as they are printed with their time (`kanon_core.scale.work.job.SHARES`)."""


def say_files(source: str) -> None:
    """Print on stderr how many files are read, and which are not."""
    print(tr("Files to read: {count:,}.").format(count=len(source_files(source))), file=sys.stderr)
    if others := left_out(source):
        said = tr_n(
            "{count:,} file is not read, because of its name ending: {names}.",
            "{count:,} files are not read, because of their name endings: {names}.",
            len(others),
        )
        say(said.format(count=len(others), names=listed(others, 5)), to=sys.stderr)


def say_columns(sample: Table) -> None:
    """Print on stderr the role and kind that every column is taken to have."""
    head = tr("Columns, from a sample of {rows} (change them with --quasi, --roles, --kinds):")
    rows = ((a.name, a.role, a.kind, a.recoding) for a in sample.schema)
    print(head.format(rows=counted(len(sample), "row")), file=sys.stderr)
    heads = (tr("column"), tr("role"), tr("kind"), tr("recoding"))
    print(text_table(heads, rows) + "\n", file=sys.stderr, flush=True)


def say_release(release: FilesRelease) -> None:
    """Print how much was published, the loss, the verdicts, the findings, the searches that were not made,
    and how long each stage took."""
    print(text_table((tr("measure"), tr("value")), _measures(release), right=(1,)))
    if release.risks:
        _say_risks(release)
    say_notes((cls(), measured.notes) for cls, measured in release.measured.items())
    for verdict in release.verdicts:
        print(f"{verdict.guarantee}: {tr('holds')}. {printable(verdict.sentence)}")
    for name, count in release.misfits.items():
        said = tr_n(
            "“{name}”: {count:,} cell does not fit the column's kind and counts as missing, or as"
            " the number of the bound that it states.",
            "“{name}”: {count:,} cells do not fit the column's kind and count as missing, or as the"
            " number of the bound that they state.",
            count,
        )
        say(said.format(name=name, count=count))
    says = tr(
        "true cells: each worker checked that every cell of its fragment is true of its records."
        " The released files were not read again for this check."
    )
    print("\n".join((says, *lines(release.findings))))
    for reason in dict.fromkeys(release.recipe.reasons.values()):
        says = tr("Released nevertheless, for this reason, which the recipe keeps: “{reason}”.")
        say(says.format(reason=reason))
    print(_not_looked_for(release.recipe))
    seconds = (
        (tr(words), f"{sum(release.seconds.get(name, 0.0) for name in names):,.1f}")
        for words, names in STAGES.items()
    )
    print("\n" + text_table((tr("stage"), tr("seconds")), seconds, right=(1,)))


def _measures(release: FilesRelease) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for cls, measured in release.measured.items():
        metric = cls()
        if not math.isnan(measured.total):
            found.append((metric.title, metric.text(measured.total)))
        found += ((f"  {name}", metric.text(value)) for name, value in measured.attributes.items())
    found.append((tr("rows"), f"{release.records:,}"))
    if by_classes(release.recipe) and len(release.sizes):
        found += _classes(release)
    return [*found, (tr("fragments"), f"{release.fragments:,}")]


def _classes(release: FilesRelease) -> list[tuple[str, str]]:
    """Return a sentence on the sizes of the classes of equal rows in which records hide."""
    sizes, held = release.sizes, np.cumsum(release.classes)
    middle = sizes[np.searchsorted(held, (held[-1] + 1) // 2)]
    return [
        (tr("equivalence classes"), f"{int(held[-1]):,}"),
        (tr("rows of the smallest class"), f"{int(sizes[0]):,}"),
        (tr("rows of the median class"), f"{int(middle):,}"),
        (tr("rows of the largest class"), f"{int(sizes[-1]):,}"),
    ]


def _say_risks(release: FilesRelease) -> None:
    """Print the risk of attackers, who they are, and how to read the figures."""
    reached = [(one.attacker.title, one.after) for one in release.risks if one.after is not None]
    rows = (
        (title, f"{risk.above(_HIGH):,}", percent(risk.average, 1), percent(risk.worst, 1))
        for title, risk in reached
    )
    heads = (tr("attacker"), tr("records above {threshold:g}").format(threshold=_HIGH))
    print("\n" + text_table((*heads, tr("average"), tr("worst")), rows, right=(1, 2, 3)))
    say(*(f"{one.attacker.title}: {one.problem or one.attacker.sentence}" for one in release.risks))
    says = tr(
        "For journalist and marketer, the table counts as the whole population. In a larger"
        " population, their risk is lower."
    )
    print(says + "\n")


def _not_looked_for(recipe: Recipe) -> str:
    """Return the searches that are not made over many files, as questions that stay open; guarantees are
    audited."""
    looked = looked_for(recipe)
    others = (tr(cls.asks) for cls in FINDINGS if cls not in (Identity, *looked))
    said = tr(
        "Searches made over many files: {looked}. For sensitive values, neither t nor the nearness of"
        " numbers is computed."
    )
    if not by_classes(recipe):
        said = tr(
            "Searches made over many files: {looked}. Each unchanged column is searched by itself,"
            " not together with the published cells. Risks are not measured."
        )
    open_still = tr("Not searched; `kanon judge` does, for a table that fits on one machine:")
    said = said.format(looked=", ".join(cls.name for cls in looked))
    return "\n  – ".join((f"{said} {open_still}", *others))
