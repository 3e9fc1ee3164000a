"""The audit of a file as it stands: what its own rows show, without the table that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.guarantees.base import NOBODY, Verdict
from kanon_core.guarantees.identity.combinations import rarest
from kanon_core.guarantees.identity.itemsets import KKMAnonymity
from kanon_core.guarantees.identity.kanonymity import KAnonymity
from kanon_core.guarantees.identity.people import PersonKAnonymity
from kanon_core.release.cells.cells import CommonItems
from kanon_core.release.pseudonyms import equal_histories
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.texts import SUPPRESSED
from kanon_core.table.readers import read_frame

if TYPE_CHECKING:
    from kanon_core.table.table import Table


def audit_file(
    source: str | PathLike[str] | bytes | IO[bytes], table: Table, k: int, known_items: int | None = None
) -> Verdict:
    """Whether a file that anybody made keeps k-anonymity, judged by its rows alone.

    ``source``: the file, as `read_table` takes it; ``table``: what `read_table` made of it, with the roles
    and kinds that its columns have. Cells are equal when they are written equally: "1.50" is not "1.5", and
    "NA" or "-inf" is not missing; missing equals missing. Judged are the rows, or, where a column names the
    person, the histories of its pseudonyms, each taken for another person's; rows of stars are left out.
    With ``known_items`` = m (1, 2 or 3): the item sets, of which an attacker knows up to m items beside all
    other quasi-identifiers ((k, kᵐ)-anonymity, Poulis et al. 2013).

    ``found`` of the verdict is the least number of equal rows or histories; with ``known_items`` a bound, met
    while counting. Witnesses are row numbers of the file, from 1. Raises OptionError for k or m,
    UnsuitableError without quasi-identifiers or item sets, InputError where the file cannot be read. Cost
    O(n log n · columns); with known items O(|set|^(m − 1) · rows that share items) for each set that fewer
    than k rows have.

    >>> import kanon_core as kc
    >>> data = b"age,job\\n[30-39],nurse\\n[30-39],nurse\\n[40-49],nurse\\n"
    >>> table = kc.read_table(data)
    >>> verdict = kc.audit_file(data, table.with_schema(table.schema.with_quasi(["age", "job"])), k=2)
    >>> verdict.holds, verdict.found, verdict.witnesses
    (False, 1, (3,))
    """
    sample = "sample" in table.reading
    frame = table.frame if sample else read_frame(source, **{**table.reading, "typed": False}).frame
    if known_items is not None:
        return known_items_in(table, frame, KKMAnonymity(k, known_items))
    quasi = [attribute.name for attribute in table.schema.quasi_identifiers]
    if not quasi:
        raise UnsuitableError(
            "No column is a quasi-identifier; give that role to the columns an attacker may know."
        )
    for person in table.schema.of_role("person"):
        return _histories(frame, person.name, quasi, PersonKAnonymity(k))
    return _rows(frame, quasi, KAnonymity(k))


def _rows(frame: pd.DataFrame, quasi: Sequence[str], guarantee: KAnonymity) -> Verdict:
    k, classes = guarantee.k, _classes(frame, quasi)
    size = np.bincount(classes)[classes]
    failing, smallest = np.flatnonzero(size < k), int(size.min())
    if len(failing):
        share = f"{len(failing):,} of {len(frame):,} records"
        sentence = f"{share} have quasi-identifiers that fewer than {k} records share."
    else:
        sentence = f"Every record shares its quasi-identifiers with at least {smallest - 1} others."
    return guarantee.verdict(not len(failing), smallest, k, sentence, failing)


def _histories(frame: pd.DataFrame, person: str, quasi: list[str], guarantee: PersonKAnonymity) -> Verdict:
    """Two histories are equal when their rows can be paired so that all quasi-identifiers are equal."""
    k, starred = guarantee.k, (frame[[person, *quasi]].astype("object") == SUPPRESSED).all(axis=1)
    shown = np.flatnonzero(~starred.to_numpy(bool))
    kept = frame.iloc[shown]
    names = pd.factorize(kept[person])[0]
    if (names < 0).any():
        failing = shown[names < 0]
        sentence = f"{len(failing):,} rows have no pseudonym, so nobody knows whose they are."
        return guarantee.verdict(False, 0, k, sentence, failing)
    if not len(kept):
        return guarantee.verdict(True, 0, k, NOBODY)
    histories = equal_histories(names, _classes(kept, quasi))
    sharing = np.bincount(histories)[histories]
    few, smallest = sharing < k, int(sharing.min())
    if few.any():
        sentence = f"{few.sum():,} of {len(few):,} pseudonyms have a history that fewer than {k} share."
    else:
        sentence = (
            f"Every published history is that of at least {smallest} of {len(few):,} pseudonyms, row by row."
        )
    return guarantee.verdict(not few.any(), smallest, k, sentence, shown[few[names]])


def known_items_in(table: Table, frame: pd.DataFrame, guarantee: KKMAnonymity) -> Verdict:
    """The verdict on item sets of which an attacker knows a few; ``frame``: the cells as they are written."""
    sets = [column for column in table.quasi if isinstance(column, Items)]
    if not sets:
        raise UnsuitableError(
            "No quasi-identifier holds item sets; give a column of sets the kind “items”, or judge without"
            " known items."
        )
    for column in sets:
        if column.misfits is not None:
            raise UnsuitableError(
                f"The column “{column.attribute.name}” has {column.misfits.count:,} cells that are no item"
                " sets; give it another kind, or correct them."
            )
    k, m = guarantee.k, guarantee.m
    others = [column.attribute.name for column in table.quasi if not isinstance(column, Items)]
    fewest, failing = _fewest(sets, _classes(frame, others), k, m)
    if len(failing):
        sentence = (
            f"{len(failing):,} of {len(frame):,} records have up to {m} items that, with their other cells,"
            f" fewer than {k} records have."
        )
    else:
        sentence = (
            f"An attacker who knows up to {m} items of a record and its other cells finds at least"
            f" {fewest:,} records."
        )
    return guarantee.verdict(not len(failing), fewest, k, sentence, failing)


def _fewest(sets: Sequence[Items], classes: np.ndarray, k: int, m: int) -> tuple[int, np.ndarray]:
    """The fewest records that an attacker finds (as far as they had to be counted) among those with the same
    other cells, ``classes``; and the records of which fewer than k are found."""
    n, first = len(classes), np.cumsum([0, *(len(column.labels) for column in sets)])
    owner = np.concatenate([np.repeat(np.arange(n), column.sizes) for column in sets])
    items = np.concatenate([column.items + start for column, start in zip(sets, first, strict=False)])
    items = items[np.argsort(owner, kind="stable")].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))])
    sizes = np.bincount(classes)[classes]
    fewest, rare = rarest(CommonItems(starts, items), np.arange(n), k, m, classes)
    return min(fewest, int(sizes.min())), np.union1d(rare, np.flatnonzero(sizes < k))


def _classes(frame: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """int64 (n): the same number for records whose cells of these columns are written equally."""
    classes = np.zeros(len(frame), np.int64)
    for name in names:
        codes = pd.factorize(frame[name])[0].astype(np.int64) + 1
        classes = np.unique(classes * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1]
    return classes
