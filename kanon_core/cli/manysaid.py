"""What the command line says of a release in many files."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from kanon_core.base.words import later, tr
from kanon_core.cli.judging import lines
from kanon_core.cli.output import printable, text_table
from kanon_core.findings import FINDINGS, Finding, UnchangedColumns
from kanon_core.metrics import NCP
from kanon_core.scale.files import FilesRelease
from kanon_core.table.table import Table

_STAGES = {
    later("looking at the files"): ("look",),
    later("reading and encoding"): ("encode",),
    later("unchanged columns"): ("occurring", "once"),
    later("cutting into fragments"): ("cut", "sample"),
    later("bringing rows together"): ("route",),
    later("anonymizing the fragments"): ("anonymize",),
    later("writing the release"): ("order",),
    later("auditing the release"): ("tally", "audit", "beside", "shown", "items"),
}


def say_columns(sample: Table) -> None:
    """On stderr, what every column is taken as."""
    head = tr("Columns, by a sample of {rows:,} rows (change them with --quasi, --roles, --kinds):")
    rows = ((a.name, a.role, a.kind, a.recoding) for a in sample.schema)
    print(head.format(rows=len(sample)), file=sys.stderr)
    print(
        text_table((tr("column"), tr("role"), tr("kind"), tr("recoding")), rows) + "\n",
        file=sys.stderr,
        flush=True,
    )


def say_stopping(findings: Sequence[Finding]) -> int:
    """On stderr, what stops the release, and what to do; the exit code."""
    print("\n\n".join(lines(findings)), file=sys.stderr)
    says = tr(
        "Nothing was written. Change what the findings are about, or say why it is released all the same:"
        " --despite=REASON, which the recipe keeps."
    )
    print(says, file=sys.stderr)
    return 1


def say_release(release: FilesRelease) -> None:
    """What was published, what it costs, the verdicts, what was found and what was not looked for, and how
    long each stage took."""
    print(text_table((tr("measure"), tr("value")), _measures(release), right=(1,)))
    for verdict in release.verdicts:
        print(f"{verdict.guarantee}: {tr('holds')}. {printable(verdict.sentence)}")
    for name, count in release.misfits.items():
        said = tr("“{name}”: {count:,} cells do not fit its kind and count as missing.")
        print(printable(said.format(name=name, count=count)))
    for text in lines(release.findings):
        print(text)
    print(_not_looked_for())
    seconds = (
        (tr(words), f"{sum(release.seconds.get(name, 0.0) for name in names):,.1f}")
        for words, names in _STAGES.items()
    )
    print("\n" + text_table((tr("stage"), tr("seconds")), seconds, right=(1,)))


def _measures(release: FilesRelease) -> list[tuple[str, str]]:
    sizes, held = release.sizes, np.cumsum(release.classes)
    middle = sizes[np.searchsorted(held, (held[-1] + 1) // 2)]
    loss = NCP()
    return [
        (loss.title, loss.text(release.loss[""])),
        *((f"  {name}", loss.text(value)) for name, value in release.loss.items() if name),
        (tr("rows"), f"{release.records:,}"),
        (tr("equivalence classes"), f"{int(held[-1]):,}"),
        (tr("rows of the smallest class"), f"{int(sizes[0]):,}"),
        (tr("rows of the median class"), f"{int(middle):,}"),
        (tr("rows of the largest class"), f"{int(sizes[-1]):,}"),
        (tr("fragments"), f"{release.fragments:,}"),
    ]


def _not_looked_for() -> str:
    """Which findings are not looked for over many files."""
    others = ", ".join(cls.name for cls in FINDINGS if cls is not UnchangedColumns)
    return tr(
        "Over many files, {looked} are looked at: whom each singles out by itself, not together with the"
        " published cells. Not looked for: {others}; `kanon judge` does, on a table that fits one machine."
    ).format(looked=UnchangedColumns.name, others=others)
