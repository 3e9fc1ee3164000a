"""What the cells of a column have in common over all fragments, once it is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from kanon_core.release.cells import PublishedColumn
from kanon_core.release.cover import Cover
from kanon_core.release.recoding import recode
from kanon_core.table.columns.columns import Column


@dataclass(frozen=True)
class Settled:
    """``steps``: by column, the step to which its ends are rounded, where all intervals choose it.
    ``texts``: columns of means, medians or modes that are published as texts, as some of them are missing.
    ``pseudonyms``: where people have them, those of the rows of a fragment, by its place, int64 (n)."""

    steps: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    pseudonyms: Callable[[int], np.ndarray] | None = None

    def recoded(self, published: PublishedColumn, column: Column, cover: Cover) -> PublishedColumn:
        """The column of a fragment with the step of all; others as they are."""
        step = self.steps.get(column.attribute.name)
        if step is None:
            return published
        named = replace(column, attribute=replace(column.attribute, round_to=step))
        return replace(recode(named, cover), cell=published.cell)
