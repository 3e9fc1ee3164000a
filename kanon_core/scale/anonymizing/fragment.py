"""Anonymization of one fragment, in the memory of one worker, with the same result as within the whole
table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.compiled import uncompiled
from kanon_core.base.errors import BrokenPromise
from kanon_core.base.randomness import seed_of, subkey
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover
from kanon_core.covers.recoding import recode
from kanon_core.guarantees.truth import Truth
from kanon_core.metrics.summed import Covered
from kanon_core.release.recipe import Recipe
from kanon_core.scale.anonymizing.interval_ends import ENDS, write_ends
from kanon_core.scale.anonymizing.partials import sums_of
from kanon_core.scale.encoding.batches import in_runs, write_batches
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.fragments.routing import Rows, table_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.source.celltypes import PANDAS
from kanon_core.scale.work.keeping import Result, keep
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.columns.texts import as_published
from kanon_core.table.digests import sums_of_rows
from kanon_core.table.order import hashes_of_rows
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.guarantees.base import Judged

Shown = dict[str, tuple[np.ndarray, Any]]
"""The published cells by name of column: the code of each cell, int (n), and the different cells."""
STAGED, RECORDS = "staged", "records"
ROWS_OF_A_TEXT = 8
"""Texts are coded if each text is in at least so many rows on average."""


@dataclass(frozen=True)
class Settled:
    """Facts about the cells of a column that are the same in all fragments, once they are known.

    ``steps``: by column, the step to which its ends are rounded, where all intervals choose it. ``texts``:
    the columns of means, medians or modes that are published as texts, as some of them are missing.
    ``pseudonyms``: gives the pseudonyms of the rows of the fragment at a place, int64 (n), where people have
    them.
    """

    steps: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    pseudonyms: Callable[[int], np.ndarray] | None = None

    def recoded(self, published: PublishedColumn, column: Column, cover: Cover) -> PublishedColumn:
        """Return the column of a fragment with the step of all fragments; a column without such a step stays
        as it is."""
        step = self.steps.get(column.attribute.name)
        if step is None:
            return published
        named = replace(column, attribute=replace(column.attribute, round_to=step))
        return replace(recode(named, cover), cell=published.cell)


@dataclass(frozen=True)
class Anonymize:
    """Anonymizes a fragment and writes its rows as they will be published, in runs of the published order.

    ``rows`` of each fragment. ``runs``: into how many files the release is divided. ``groups``: gives the
    groups of the fragment at a place, where they are made already. ``settled``: what the cells of all
    fragments have in common.
    """

    encoded: Encoded
    recipe: Recipe
    rows: Rows
    runs: int
    groups: Callable[[int], Cover] | None = None
    settled: Settled = field(default_factory=Settled)

    def __call__(self, numbered: tuple[int, Any, str]) -> Result:
        """``numbered``: the fragment's place, which rows it has, and the sides of the cuts that lead to it.
        Returns the number of rows and groups, the sums that tell whether all rows were written, and what
        metrics and searches add up."""
        place, which, path = numbered
        batch, whole = self.rows.batch(which), self.encoded.whole
        table = table_of(whole, batch)
        cover, published = self._covered(table, place, path)
        own = zip(published, table.quasi, strict=True)
        published = [self.settled.recoded(one, column, cover) for one, column in own]
        kept = np.flatnonzero(~cover.suppressed)
        _check_truth(table, published, cover.suppressed)
        part = Covered(cover, published)
        told = sums_of(table, part)
        shown = shown_of(batch, whole, published, self.settled, place)
        cells = {name: (codes[kept], different) for name, (codes, different) in shown.items()}
        sums = self._write(place, cells, kept)
        told |= self._write_ends(place, table, part, shown)
        return {"rows": len(kept), "groups": len(cover.sizes), "sums": sums, **told}

    def _covered(self, table: Table, place: int, path: str) -> tuple[Cover, list[PublishedColumn]]:
        """Return the cover of a fragment and its published columns."""
        if self.groups is None:
            return covered(table, self.recipe.algorithm, self.recipe.k, self.recipe.seed, path)
        cover = self.groups(place)
        return cover, [recode(column, cover) for column in table.quasi]

    def _write_ends(self, place: int, table: Table, made: Covered, shown: Shown) -> Result:
        """Write the ends of the fragment's intervals (`write_ends`)."""

        def cells(records: np.ndarray) -> pd.DataFrame:
            own = ((column.attribute.name, *shown[column.attribute.name]) for column in table.quasi)
            return pd.DataFrame({name: _series(codes[records], different) for name, codes, different in own})

        path = Path(self.encoded.folder) / ENDS / f"{place:06d}.arrow"
        return write_ends(path, table, made, cells, (place, self.recipe.seed, self.runs))

    def _write(self, place: int, shown: Shown, records: np.ndarray) -> np.ndarray:
        """Write the rows, made for these records, in the order in which they will be published, a batch for
        each file of the release; returns their sums."""
        hashes = hashes_of_rows(shown.values(), self.recipe.seed)
        order = np.argsort(hashes, kind="stable")
        if any(one.by_fragment for one in self.recipe.algorithm.guarantees(self.recipe.k)):
            keep(Path(self.encoded.folder) / RECORDS / f"{place:06d}.npz", {"records": records[order]})
        frame = pd.DataFrame({name: _series(*cells) for name, cells in shown.items()})
        arrays = {"hash": pa.array(hashes[order])}
        arrays |= {f"cell:{name}": _array(frame[name], order) for name in frame.columns}
        batch = pa.RecordBatch.from_pydict(arrays)
        path = Path(self.encoded.folder) / STAGED / f"{place:06d}.arrow"
        write_batches(path, in_runs(batch, hashes[order], self.runs))
        return sums_of_rows(frame, self.recipe.seed)


def shown_of(
    batch: pa.RecordBatch, whole: Whole, published: Sequence[PublishedColumn], settled: Settled, place: int
) -> Shown:
    """Return the published cells of the rows of the fragment at this place."""
    texts, nothing = {one.attribute.name: one for one in published}, whole.nothing()
    shown: Shown = {}
    for attribute in whole.schema:
        name = attribute.name
        if name in texts:
            shown[name] = _cells(texts[name], whole.column(name, nothing[name]), name in settled.texts)
        elif attribute.role in ("sensitive", "other"):
            cells = batch.column(f"cell:{name}").to_pandas()
            cells = as_published(cells.astype(PANDAS[whole.types[name]]))
            shown[name] = pd.factorize(cells, use_na_sentinel=False)
        elif attribute.role == "person" and settled.pseudonyms is not None:
            codes, different = pd.factorize(settled.pseudonyms(place))
            shown[name] = codes, different.astype(str).astype(object)
    return shown


def covered(
    table: Table, algorithm: Algorithm, k: int, seed: int, path: str = ""
) -> tuple[Cover, list[PublishedColumn]]:
    """Return the cover of a fragment and its published columns; ``path``: the sides of the cuts that lead to
    it. An algorithm `by_order` processes records in an order of their content, for which all columns are
    coded."""
    seen, records = table.ordered(seed) if algorithm.by_order else (table, np.arange(len(table)))
    run = Run(subkey(seed, "algorithm"))
    with uncompiled(False):
        cover = algorithm.cover_of_fragment(seen, k, run, path).renumbered(records)
        drawn = cover.drawn(seed_of(subkey(seed, "draw"), path), records)
        chosen = {name: _renumbered(column, records) for name, column in run.shown.items()}
        return cover, [
            chosen.get(c.attribute.name) or replace(recode(c, cover), cell=drawn) for c in table.quasi
        ]


def _renumbered(column: PublishedColumn, records: np.ndarray) -> PublishedColumn:
    """Return the cells that an algorithm chose itself, renumbered from the order in which it saw the
    records."""
    cell = np.empty_like(column.cell)
    cell[records] = column.cell
    return replace(column, cell=cell)


def _series(codes: np.ndarray, different: Any) -> pd.Series:
    """Return the cells; texts as categories, so that each different one is looked at once."""
    cells = pd.Series(different)
    if cells.dtype.kind in "iufM":
        return cells.take(codes).reset_index(drop=True)
    present = cells.notna().to_numpy()
    number = np.where(present, np.cumsum(present) - 1, -1)
    return pd.Series(pd.Categorical.from_codes(number[codes], pd.Index(cells[present].to_numpy(object))))


def _array(cells: pd.Series, order: np.ndarray) -> pa.Array:
    """Return the cells in this order. Texts are coded by the different ones, where these are few: a reader of
    some rows of the file reads all its different texts."""
    if cells.dtype.kind in "iufM":
        return pa.array(cells.to_numpy()[order], from_pandas=True)
    codes = cells.cat.codes.to_numpy()[order].astype(np.int32)
    texts = pa.array(cells.cat.categories.to_numpy(object), pa.large_string())
    coded = pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), texts)
    return coded if len(texts) <= len(cells) // ROWS_OF_A_TEXT else coded.dictionary_decode()


def _cells(published: PublishedColumn, column: Column, as_texts: bool) -> tuple[np.ndarray, Any]:
    """Return the code of each row's published cell (suppressed rows have any code), and the different cells:
    texts, or the numbers of means."""
    numbers, written = published.cells.numbers(), None
    if numbers is not None and isinstance(column, Numbers) and not as_texts:
        written = column.as_written(numbers)
    if written is not None:
        codes, different = pd.factorize(written, use_na_sentinel=False)
    else:
        texts = published.cells.texts(column, np.arange(len(published.cells)))
        codes, different = pd.factorize(np.array(texts, object))
    return np.append(codes, 0)[published.cell], different


def _check_truth(table: Table, published: list[PublishedColumn], suppressed: np.ndarray) -> None:
    """Raises BrokenPromise when a cell is not true of one of its records."""
    judged = SimpleNamespace(published=published, suppressed=suppressed)
    verdict = Truth().check(table, cast("Judged", judged))
    if not verdict.holds:
        raise BrokenPromise(verdict.sentence)
