"""A table, and what is published of it, as rows of a lesson."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.base.words import tr
from kanon_core.lessons.scenes.rows import Cell, Rows, marked
from kanon_core.release.release import Release
from kanon_core.table.table import Table


def original(
    table: Table, columns: Sequence[str] = (), points_at: np.ndarray | None = None, title: str = ""
) -> Rows:
    """The records as they are, of all columns or these; rows ``points_at``, int64, are marked."""
    names = list(columns or table.schema.names)
    chosen = set(() if points_at is None else points_at.tolist())
    rows = [
        [marked(text) if number in chosen else Cell(text) for text in texts]
        for number, texts in enumerate(texts_of(table, names))
    ]
    return Rows(names, rows, title=title)


def published(
    table: Table, release: Release, beside: Sequence[str] = (), title: str = "", who: str = "person"
) -> Rows:
    """The rows of a release, class by class; ``who``: the column of letters that tells us whose each is,
    and is not published, "" = none. ``beside``: further columns as they are published."""
    frame = release.to_frame()
    order = np.argsort(release.classes, kind="stable")
    names = [column.attribute.name for column in release.published]
    heads = ([tr("(who)")] if who else []) + names + list(beside)
    letters = table.frame[who].astype(str).tolist() if who else []
    rows = [
        [*([letters[i]] if who else []), *(str(frame[name].iloc[i]) for name in (*names, *beside))]
        for i in order.tolist()
    ]
    return Rows(heads, rows, release.classes[order].tolist(), title)


def texts_of(table: Table, names: Sequence[str]) -> list[list[str]]:
    """The cells of these columns as texts, record by record."""
    return [
        [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row]
        for row in table.frame[list(names)].itertuples(index=False)
    ]
