"""Findings on a masking: values that it left unchanged, and new values that no record could have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.base import Finding, Search
from kanon_core.release.altered import (
    FEW,
    NOTHING_ALTERED,
    altered,
    differs,
    masked,
    nothing_altered,
    outside,
)

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.columns.columns import Column
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class MaskedValues(Search):
    """Number of values of each quasi-identifier that a masking changed, counted on the published ones.
    Columns with one value have nothing to hide and are passed over, as are releases that promise a k. Cost
    O(n) per column."""

    name: ClassVar[str] = "masked values"
    asks: ClassVar[str] = "Does the masking change values, and are the new values possible?"
    attacker: ClassVar[str] = (
        "knows one or all values of a person, and looks for the same values in the release"
    )
    stops: ClassVar[str] = "the masking changes no value of a quasi-identifier to which it applies"
    decide: ClassVar[str] = (
        "it changes fewer than {decide_at} % of a column’s values, or does not apply to a quasi-identifier,"
        " which is published unchanged"
    )
    know: ClassVar[str] = "it publishes numbers outside the range of the column"

    decide_at: Annotated[
        float, Real(0, 100, help="of the published values that a masking changes", unit="%")
    ] = FEW

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """Yield up to two findings for each column."""
        if release.recipe.algorithm.promises:
            return
        if nothing_altered(release):
            said = tr(NOTHING_ALTERED).format(title=release.recipe.algorithm.title)
            yield self.finding("stops", said, tr("Choose a greater range, share or base."))
            return
        some = any(map(masked, release.published))
        for published in release.published if some else ():
            name = published.attribute.name
            tick(None, tr("masked values: {column}").format(column=name))
            column = table[name]
            if not differs(column):
                continue
            if masked(published):
                yield from self._of(release, column, published)
            else:
                yield self._left(release, name)

    def _of(self, release: Release, column: Column, published: PublishedColumn) -> Iterator[Finding]:
        """Yield the findings on a column that the masking changes."""
        name, title = column.attribute.name, release.recipe.algorithm.title
        changed, beyond = altered(column, published), outside(column, published)
        shown = int((~release.suppressed & ~column.missing).sum())
        count = int(changed.sum())
        if 100 * count < self.decide_at * shown or not count:
            said = tr(
                "{title} changes {count:,} of {all:,} published values of “{name}” ({share}); the others"
                " are the original values."
            ).format(title=title, count=count, all=shown, name=name, share=percent(count, shown))
            action = tr("Choose a greater range, share or base, or leave the column out.")
            kept = ~changed & ~release.suppressed
            yield self.finding("decide" if count else "stops", said, action, kept, (name,))
        if beyond.any():
            said = tr(
                "{title} publishes {count:,} of {all} of “{name}” outside the range of the original values."
            ).format(title=title, count=int(beyond.sum()), all=counted(shown, "value"), name=name)
            action = tr(
                "Make sure that such values are possible; otherwise readers recognize them as artificial."
            )
            yield self.finding("know", said, action, beyond, (name,))

    def _left(self, release: Release, name: str) -> Finding:
        """Return the finding on a column that the masking does not change."""
        said = tr(
            "“{name}” is a quasi-identifier and is published unchanged: {title} does not change columns of"
            " this kind."
        ).format(name=name, title=release.recipe.algorithm.title)
        action = tr("Choose another masking, or leave the column out.")
        return self.finding("decide", said, action, ~release.suppressed, (name,))
