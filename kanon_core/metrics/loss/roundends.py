"""Cost of rounding the ends of intervals, and the exact values that rounding hides."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.recoding import recode
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.release.release import Release
from kanon_core.table.columns.numbers import Numbers


@dataclass(frozen=True)
class RoundEnds:
    """The effect of round ends in one column.

    ``step``: the one that was used, "" for none. ``before`` and ``after``: the mean certainty penalty (`NCP`,
    0 … 1) without and with rounded ends. ``exact``: the share of the records published with an interval, one
    end of which is still a value of its own records, as happens where the value is round itself.
    """

    column: str
    step: str
    before: float
    after: float
    exact: float

    @property
    def sentence(self) -> str:
        """Return the effect in a sentence."""
        if not self.step:
            return tr(
                "Round ends of “{column}”: none. Every step would widen rounded intervals to the whole"
                " range of the column, so its ends are unchanged. To round them, enter a step under “round"
                " ends” on the Data page (on the command line: --round-ends)."
            ).format(column=self.column)
        return tr(
            "Round ends of “{column}”: step {step}. The certainty penalty ({scale}) is {after} with round"
            " ends and {before} without. For {percent:.1f} % of the published records, an end of the"
            " interval is still a value of its records."
        ).format(
            column=self.column,
            step=self.step,
            scale=NCP.scale,
            after=NCP().text(self.after),
            before=NCP().text(self.before),
            percent=100 * self.exact,
        )


def round_ends(release: Release) -> tuple[RoundEnds, ...]:
    """Return what round ends cost in each column that has them; none where no column has. Cost O(n) for each.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age\\n21\\n38\\n40\\n57\\n")
    >>> table = table.with_schema(table.schema.with_round_ends({"age": "10"}))
    >>> (age,) = round_ends(kc.anonymize(table, kc.Sorting(), k=2, seed=1))
    >>> age.step, round(age.before, 2), round(age.after, 2), age.exact
    ('10', 0.47, 0.56, 0.5)
    """
    return tuple(
        _of(release, published, column)
        for published, column in zip(release.published, release.table.quasi, strict=True)
        if isinstance(column, Numbers) and column.attribute.round_to
    )


def _of(release: Release, published: PublishedColumn, column: Numbers) -> RoundEnds:
    left = recode(replace(column, attribute=replace(column.attribute, round_to="")), release.cover)
    old, new = left.cells.as_intervals(), published.cells.as_intervals()
    same = np.append((old.low == new.low) | (old.high == new.high), False)
    return RoundEnds(
        column.attribute.name,
        new.step,
        float(left.penalties(column).mean()),
        float(published.penalties(column).mean()),
        float(same[published.cell].sum() / max(np.count_nonzero(published.cell >= 0), 1)),
    )
