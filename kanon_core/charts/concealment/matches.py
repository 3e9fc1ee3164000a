"""Matches of a record: the rows that fit it, and those among them that can be its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kanon_core.base.words import counted, stressed, tr
from kanon_core.charts.canvas.theme import range_text
from kanon_core.covers.cover import Concealment
from kanon_core.covers.matching.row_codes import true_of_all
from kanon_core.release.release import Release

_PAIRS_AT_ONCE = 1_000_000
_PAIRS_AT_MOST = 20_000_000
_LISTED = 12


@dataclass(frozen=True, eq=False)
class RecordMatches:
    """The records and rows that hide one record of a k-concealment as `planned`, as numbers counted from 0,
    int64.

    ``rows``: the k published rows that the design leads the record to, in the order of the matchings, its own
    first. ``originals``: the k records that its own row covers, in the same order. ``further``: other rows
    that are a match: they can be its own while every other record also has a row. ``fitting``: the other rows
    that fit.
    """

    record: int
    rows: np.ndarray
    originals: np.ndarray
    further: np.ndarray
    fitting: np.ndarray


def record_matches(release: Release, record: int) -> RecordMatches:
    """Return the records and rows that hide this record of a release whose cover is a `Concealment`.

    A row that j fits is a match of j if j can be reached from it along rows that fit. The search goes back
    from j, in whole cycles of the design, until all matches are found, whose number is known
    (`Release.consistency`). Cost O(n · attributes), seldom more; beyond 20 million pairs the rest of the
    matches stay among ``fitting``.
    """
    matchings = design(release).matchings
    rows, originals = matchings[:, record], np.argmax(matchings == record, axis=1)
    fits = np.flatnonzero(fitting(release, np.array([record]), np.arange(len(release)))[0])
    others = np.setdiff1d(fits, rows)
    wanted = int(release.consistency().matches[record]) - len(rows)
    matched = _matched(release, record, others, wanted)
    return RecordMatches(record, rows, originals, others[matched], others[~matched])


def _matched(release: Release, record: int, others: np.ndarray, wanted: int) -> np.ndarray:
    """Booleans: which of these fitting rows are matches of the record; ``wanted`` of them are."""
    if wanted in (0, len(others)):
        return np.full(len(others), wanted > 0)
    matchings, n = design(release).matchings, len(release)
    loops = components(np.tile(np.arange(n), len(matchings)), matchings.ravel(), n)
    reached, todo, pairs = loops == loops[record], np.flatnonzero(loops == loops[record]), 0
    while reached[others].sum() < wanted and len(todo) and pairs < _PAIRS_AT_MOST:
        step = max(1, _PAIRS_AT_ONCE // n)
        rows, todo = todo[:step], todo[step:]
        pairs += len(rows) * n
        leads = fitting(release, np.arange(n), rows).any(axis=1)
        new = np.isin(loops, loops[leads]) & ~reached
        reached |= new
        todo = np.concatenate([todo, np.flatnonzero(new)])
    return np.asarray(reached[others])


def design(release: Release) -> Concealment:
    """The matchings of a release made by an algorithm of k-concealment."""
    assert isinstance(release.cover, Concealment)
    return release.cover


def planned(release: Release) -> Release:
    """The release as its algorithm planned it: every record with the row of its own number.

    Pictures of the design number its rows by the records that they were made from. Which of its k rows bears
    a record's other columns is drawn when it is published.
    """
    n = len(release)
    columns = tuple(replace(column, cell=np.arange(n)) for column in release.published)
    plan = replace(release, published=columns)
    found, bearer = release.consistency(), np.argsort(release.set_of)
    moved = replace(found, originals=found.originals[bearer], row_matches=found.row_matches[bearer])
    plan.__dict__.update(set_of=np.arange(n), _consistency=moved)
    return plan


def components(tails: np.ndarray, heads: np.ndarray, n: int, connection: str = "weak") -> np.ndarray:
    """int32 (n): the component of every node of the graph with these edges."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=True, connection=connection)[1])


def fitting(release: Release, records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return whether each record's values lie in all cells of each row, (records, rows). The caller bounds
    both."""
    one, other = np.repeat(records, len(rows)), np.tile(rows, len(records))
    return true_of_all(release.table, release.published, one, other).reshape(len(records), len(rows))


def behind_sentence(release: Release, record: int) -> tuple[str, ...]:
    """Return which rows could be the record's, in parts of which every second is stressed."""
    hidden = record_matches(release, record)
    matches = int(release.consistency().matches[record])
    fits = int(release.consistency().rows[record])
    told = tr(
        "Record {record} could be any of these *{rows}*: {listed}. The row made for it covers records"
        " {originals}."
    )
    if fits == len(hidden.rows):
        told += " " + tr("No other published row fits the record.")
    elif matches < fits:
        told += " " + tr(
            "In the whole published table, {fits} fit the record. {matches:,} of them are matches: they can"
            " be its own while every other record also has a row."
        )
    else:
        told += " " + tr(
            "In the whole published table, {fits} fit the record. All of them are matches: each can be its"
            " own while every other record also has a row."
        )
    return stressed(
        told,
        record=record + 1,
        rows=counted(len(hidden.rows), "row"),
        listed=listed(hidden.rows),
        originals=listed(hidden.originals),
        fits=counted(fits, "row"),
        matches=matches,
    )


def listed(records: np.ndarray, most: int = _LISTED, last: str = " and ") -> str:
    """Return record numbers counted from 1, ``4, 7 and 9``; of many the first, and how many more."""
    numbers = [f"{number}" for number in (np.asarray(records) + 1).tolist()]
    if len(numbers) > most:
        return tr("{names} and {more:,} more").format(
            names=", ".join(numbers[:most]), more=len(numbers) - most
        )
    return last.join(part for part in (", ".join(numbers[:-1]), *numbers[-1:]) if part)


def everybody_sentence(release: Release) -> tuple[str, ...]:
    """Return how many rows could be a record's, by design and as published; every second part is stressed."""
    found, k = release.consistency(), len(design(release).matchings)
    fewest, most = int(found.matches.min()), int(found.matches.max())
    told = tr(
        "By design, each record could be any of *{k:,}* published rows. In the published table, each record"
        " has *{spread} matches*: rows that can be its own while every other record also has a row."
    )
    return stressed(told, k=k, spread=range_text(f"{fewest:,}", f"{most:,}"))
