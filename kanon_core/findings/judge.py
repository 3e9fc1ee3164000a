"""Judgement of a whole release: all searches, the heaviest findings first."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.findings import FINDINGS
from kanon_core.findings.base import SEVERITIES, Finding, Search
from kanon_core.release.release import Release
from kanon_core.table.table import Table


def judge(
    table: Table,
    release: Release,
    findings: Sequence[Search] | None = None,
    progress: Tick | None = None,
) -> tuple[Finding, ...]:
    """Everything a signatory must know of a release: findings that stop it first, then those that need a
    decision, then those that are good to know; within these in the order of the searches.

    ``findings``: the searches with their thresholds, all of `FINDINGS` when left out. ``progress(fraction,
    note)`` is called often; whatever it raises stops the work. Raises RecipeError for another table's
    release.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,diagnosis\\n20,hiv\\n21,hiv\\n22,hiv\\n60,ok\\n61,ok\\n62,ok\\n")
    >>> release = kc.anonymize(table, kc.MDAV(), k=3)
    >>> worst, *_ = kc.judge(table, release)
    >>> worst.name, worst.severity, worst.count
    ('sensitive values', 'decide', 6)
    """
    release.recipe.check_table(table)
    searches = tuple(cls() for cls in FINDINGS) if findings is None else tuple(findings)
    tick, found = progress or silent, list[Finding]()
    with uncompiled(len(table) <= SMALL):
        for done, search in enumerate(searches):
            part = stage(tick, done / len(searches), (done + 1) / len(searches))
            part(0.0, search.name)
            found += search.find(table, release, part)
    tick(1.0, "done")
    weight = list(SEVERITIES)
    return tuple(sorted(found, key=lambda finding: weight.index(finding.severity)))
