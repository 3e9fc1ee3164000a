"""The whole report of a release."""

from __future__ import annotations

from kanon_core.base.words import counted, tr
from kanon_core.report.signing.blocks import Report
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections import SECTIONS


def report(evidence: Evidence) -> Report:
    """The report of this evidence: aggregates, names of columns and what people wrote, no cell of the
    originals, never the seed or a plain digest of the input.

    The same evidence makes the same report: nothing in it depends on the clock or the machine.

    >>> import kanon_core as kc
    >>> from kanon_core.report.signing import gathered, to_markdown
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5)
    >>> to_markdown(report(gathered(release))).splitlines()[0]
    '# Report on a release: people-100-k5.csv'
    """
    release = evidence.release
    about = tr("{records}, {algorithm}, {guarantee} with k = {k}. {date}").format(
        records=counted(len(release), "record"),
        algorithm=release.recipe.algorithm.title,
        guarantee=release.guarantee.name,
        k=release.guarantee.asked,
        date=evidence.decision.date,
    )
    title = tr("Report on a release: {name}").format(name=evidence.handed.name)
    return Report(title, about.strip(), tuple(section(evidence) for section in SECTIONS))
