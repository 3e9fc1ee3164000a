"""Cost of the repairs of a checked file, and the releases that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.checks.checking import Checked, check
from kanon_core.checks.opening import open_file
from kanon_core.checks.repair import MERGE, SUPPRESS, Repair
from kanon_core.covers.cells import MergedCells
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize
from kanon_core.table.columns.columns import Categories
from kanon_core.table.table import Table
from kanon_core.table.writers import write_frame

WAYS = (SUPPRESS, MERGE)


@dataclass(frozen=True, eq=False)
class Repaired:
    """One way to repair a file: the release that it makes with its recipe, and its price – rows left out,
    rows with wider cells, the mean certainty penalty before and after, with 1 for each row left out; or the
    reason why it is not possible."""

    way: str
    release: Release | None
    reason: str = ""
    left_out: int = 0
    widened: int = 0
    before: float = 0.0
    after: float = 0.0

    @property
    def price(self) -> str:
        """Return the price, or the reason, in words."""
        if self.release is None:
            return self.reason
        rows, said = len(self.release), list[str]()
        if self.left_out or not self.widened:
            sentence = tr_n(
                "{rows:,} of {all} ({share}) is left out.",
                "{rows:,} of {all} ({share}) are left out.",
                self.left_out,
            )
            said.append(
                sentence.format(
                    rows=self.left_out, all=counted(rows, "row"), share=percent(self.left_out, rows)
                )
            )
        if self.widened:
            said.append(
                tr_n("{rows:,} row gets wider cells.", "{rows:,} rows get wider cells.", self.widened).format(
                    rows=self.widened
                )
            )
        penalty = tr(
            "The certainty penalty (average width of a cell in percent of all values in this file; {scale})"
            " is {after} instead of {before}."
        )
        after, before = map(NCP().text, (self.after, self.before))
        said.append(penalty.format(scale=NCP.scale, after=after, before=before))
        if self.left_out:
            said.append(tr("A row left out counts as 100 %."))
        return " ".join(said)


def repaired(checked: Checked, way: str, seed: int | None = None, progress: Tick | None = None) -> Repaired:
    """Return the release of a file that keeps the required guarantees by class: rows that fail are left out
    ("suppress") or merged ("merge"), see `Repair`.

    Its recipe makes the same bytes again of the same file. The release has no columns that name people. Cost:
    that of `Repair`.

    >>> import kanon_core as kc
    >>> found = kc.check(b"age,diagnosis\\n[30-39],flu\\n[30-39],gout\\n[40-49],flu\\n", [kc.KAnonymity(2)])
    >>> repaired(found, "suppress").release.to_frame()["age"].tolist()
    ['[30-39]', '[30-39]', '*']
    >>> repaired(found, "merge").release.to_frame()["age"].tolist()
    ['[30-49]', '[30-49]', '[30-49]']
    """
    asked = [model.guarantee for model in checked.asked]
    keep = tuple(one for one in asked if isinstance(one, SensitiveGuarantee))
    k = max((one.k for one in asked if one.by_class and isinstance(one, Hiding)), default=2)
    table = checked.opened.as_texts().in_given_order()
    algorithm = Repair(way, keep)
    if reasons := [*_beyond(checked), *algorithm.unsuitable(table, k)]:
        return Repaired(way, None, " ".join(dict.fromkeys(reasons)))
    try:
        release = anonymize(table, algorithm, k, seed, progress or silent)
    except KanonError as reason:
        return Repaired(way, None, str(reason))
    if release.suppressed.all():
        why = tr("No row would be left: no class can keep the requested guarantees.")
        return Repaired(way, None, " ".join([why, *(said for one in keep for said in one.too_few(table))]))
    after = NCP().measure(table, release).total
    return Repaired(
        way, release, "", int(release.suppressed.sum()), _widened(release), _penalty(table), after
    )


AS_WRITTEN: dict[str, Any] = {"skip": 0, "skip_rows": 0, "skip_end": 0}
"""The reading of a file that was just written: every line belongs to the table."""


def checked_again(checked: Checked, release: Release, progress: Tick | None = None) -> Checked:
    """Return the check of the repaired file, written and read again, with the same required guarantees and
    beside the same original, if any. It may fail beside the original, since a repair compares the sensitive
    values of classes with the file's own rows.

    >>> import kanon_core as kc
    >>> found = kc.check(b"age,diagnosis\\n1,flu\\n1,gout\\n2,flu\\n", [kc.KAnonymity(2)])
    >>> checked_again(found, repaired(found, "suppress").release).holds
    True
    """
    asked = [model.guarantee for model in checked.asked]
    file = open_file(write_frame(release.publish(), "csv"), format="csv", header=True, **AS_WRITTEN)
    if checked.file.original is not None:
        return check(file, asked, checked.file.original, checked.file.counting, progress)
    before = checked.opened.schema
    known = [before[name] for name in file.schema.names if name in before.names]
    told = [attribute for attribute in known if attribute.role == "sensitive"]
    schema = file.schema.with_kinds({attribute.name: attribute.kind for attribute in told})
    schema = schema.with_hierarchies({attribute.name: attribute.hierarchy for attribute in told})
    schema = schema.with_roles({attribute.name: attribute.role for attribute in known})
    return check(file.with_schema(schema), asked, None, checked.file.counting, progress)


def _beyond(checked: Checked) -> list[str]:
    """Return sentences on the required guarantees that fail and cannot be repaired class by class."""
    others = [
        model.guarantee
        for model in checked.asked
        if not model.guarantee.by_class and not (model.verdict is not None and model.verdict.holds)
    ]
    said = tr("Leaving out or merging classes cannot repair {name}; anonymize the original again.")
    stronger = tr(
        "Leaving out or merging classes cannot repair {name}. Request k-anonymity instead,"
        " which is stronger and can be repaired, or anonymize the original again."
    )
    return [(stronger if one.weaker else said).format(name=one.called) for one in others]


def what_still_fails(again: Checked) -> str:
    """Return a sentence on the failures of a repaired file that was checked again, and on the remedy; "" if
    all hold.

    >>> import kanon_core as kc
    >>> found = kc.check(b"age,diagnosis\\n1,flu\\n1,gout\\n2,flu\\n", [kc.KAnonymity(2)])
    >>> what_still_fails(checked_again(found, repaired(found, "suppress").release))
    ''
    """
    if again.holds:
        return ""
    verdicts = [(model.guarantee.called, model.verdict) for model in again.asked]
    verdicts += [(truth.guarantee, truth) for truth in [again.truth] if truth is not None]
    names = ", ".join(name for name, verdict in verdicts if verdict is None or not verdict.holds)
    said = tr(
        "The repaired file still fails: {names}. Do not hand it over: a repair changes only classes of the"
        " file and cannot correct differences from the original. Anonymize the original again."
    )
    if again.beside is None:
        said = tr("The repaired file still fails: {names}. Do not hand it over; anonymize the table again.")
    return said.format(names=names)


def _widened(release: Release) -> int:
    """Return how many rows have a cell that covers several of the file."""
    wide = np.zeros(len(release), bool)
    for column in release.published:
        wide |= np.append(column.cells.as_sets().sizes > 1, False)[column.cell]
    return int(wide.sum())


def _penalty(table: Table) -> float:
    """Return the mean certainty penalty of the file as it is, over the columns that can vary, as `NCP`."""
    found = [0.0] if all(isinstance(c, Categories) and len(c.labels) < 2 for c in table.quasi) else []
    for column in table.quasi:
        assert isinstance(column, Categories)
        if len(column.labels) < 2 and column.attribute.hierarchy is None:
            continue
        every = np.arange(len(column.labels) + 1)
        penalty = MergedCells(every.astype(np.int64), every[:-1].astype(np.int32)).penalty(column)
        found.append(penalty[column.codes].mean())
    return float(np.mean(found))
