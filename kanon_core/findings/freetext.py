"""Finding on free text in a release: no search looks for names and places in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.findings.unchanged import UNCHANGED, is_missing
from kanon_core.table.identifiers.freetext import is_sentence, reads_like_sentences

if TYPE_CHECKING:
    import pandas as pd

    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.attribute import Attribute
    from kanon_core.table.table import Table

_LOOKED_AT = 200


@dataclass(frozen=True)
class FreeText(Search):
    """Columns of free text that is published, alone or within sets, whatever the role of the column. k counts
    equal records, but a single remark may name its person. Groups of a hierarchy and categories show no
    sentence. Cost O(n) per column of texts."""

    name: ClassVar[str] = "free text"
    asks: ClassVar[str] = "Is free text published, which may contain names?"
    attacker: ClassVar[str] = "reads the release"
    stops: ClassVar[str] = "a published column of any role contains free text"

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each such column."""
        shown = ~release.suppressed
        if not shown.any():
            return
        cells = {published.attribute.name: published for published in release.published}
        for attribute in table.schema.of_role("quasi_identifier", *UNCHANGED):
            name = attribute.name
            tick(None, tr("free text: {column}").format(column=name))
            if not _reads(table, name):
                continue
            if attribute.role not in UNCHANGED and not _shows(table, cells.get(name)):
                continue
            yield self.of_column(attribute, shown & ~is_missing(table, name))

    def of_column(self, attribute: Attribute, records: np.ndarray | None = None) -> Finding:
        """Return the finding on one column; ``records``: those whose text is published, n booleans."""
        said = tr(
            "“{name}” contains free text and is published. Names, places and other statements about people"
            " appear in the release word for word. They are not searched for, and k does not protect"
            " against them."
        ).format(name=attribute.name)
        action = tr(
            "Give it the role identifier to leave it out, or replace its texts by categories or by groups"
            " of a hierarchy."
        )
        return self.finding("stops", said, action, records, (attribute.name,))


def read_like_sentences(cells: pd.Series) -> bool:
    """Return whether the present cells of a column are free text."""
    return reads_like_sentences(cells.dropna())


def _reads(table: Table, name: str) -> bool:
    return table.once(f"sentences:{name}", lambda: read_like_sentences(table.frame[name]))


def _shows(table: Table, published: PublishedColumn | None) -> bool:
    """Return whether cells of a quasi-identifier that are used hold a sentence."""
    if published is None:
        return False
    used = np.unique(published.cell[published.cell >= 0])[:_LOOKED_AT]
    texts = published.cells.texts(table[published.attribute.name], used)
    return any(map(is_sentence, texts))
