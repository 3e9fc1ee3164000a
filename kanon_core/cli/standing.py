"""The audit of a file as it stands, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.guarantees import KAnonymity, Verdict
from kanon_core.guarantees.identity.combinations import rarest
from kanon_core.guarantees.identity.itemsets import KMAnonymity
from kanon_core.release.cells.cells import CommonItems
from kanon_core.release.recipe import check_k
from kanon_core.table.columns.columns import Items
from kanon_core.table.table import Table

WITNESSES = 1_000
"""How many record numbers a verdict names at most."""


def audit_as_it_stands(frame: pd.DataFrame, quasi: Sequence[str], k: Any) -> Verdict:
    """Whether every record shares all its quasi-identifier cells with at least k − 1 others.

    Cells are equal when they are written equally, so give the frame of a file read without types
    (`kanon_core.table.readers.read_frame`): "1.50" is not "1.5" to a person who knows how it was written, and
    "NA", "-inf" and "1e999" are not missing. Missing equals missing. ``witnesses`` are up to 1,000 failing
    record numbers, counted from 1. Raises OptionError for a k below 2 and UnsuitableError without
    quasi-identifiers. Cost O(n log n · columns).
    """
    k = check_k(k)
    if not quasi:
        raise UnsuitableError(
            "No column is a quasi-identifier; name those an outsider may know with --quasi."
        )
    classes = classes_of(frame, quasi)
    size = np.bincount(classes)[classes]
    failing = np.flatnonzero(size < k)
    if not len(failing):
        sentence = f"Every record shares its quasi-identifiers with at least {size.min() - 1} others."
        return Verdict(KAnonymity.name, True, int(size.min()), k, sentence)
    sentence = (
        f"{len(failing):,} of {len(frame):,} records have quasi-identifiers that fewer than {k} records"
        " share."
    )
    witnesses = tuple(int(row) + 1 for row in failing[:WITNESSES])
    return Verdict(KAnonymity.name, False, int(size.min()), k, sentence, witnesses)


def audit_known_items(table: Table, frame: pd.DataFrame, k: Any, m: Any) -> Verdict:
    """Whether anybody who knows m items of a person, and all cells that hold no item sets, finds at least k
    records.

    It is (k, kᵐ)-anonymity [Poulis et al. 2013]; m counts the items of all quasi-identifiers of item sets
    together. Other cells are equal when they are written equally, as in `audit_as_it_stands`. Raises
    OptionError for k or m, UnsuitableError without item sets, and where cells are no sets: what they show is
    not known. Cost O(|set|^(m − 1) · records that share items), for each different set that fewer than k
    have.
    """
    k, m = check_k(k), KMAnonymity(2, m).m
    sets = [column for column in table.quasi if isinstance(column, Items)]
    if not sets:
        raise UnsuitableError(
            "No quasi-identifier holds item sets; give a column of sets the kind items with --kinds, or leave"
            " out --known-items."
        )
    for column in sets:
        if column.misfits is not None:
            raise UnsuitableError(
                f"The column “{column.attribute.name}” has {column.misfits.count:,} cells that are no item"
                " sets; give it another kind with --kinds, or correct them."
            )
    others = [c.attribute.name for c in table.quasi if not isinstance(c, Items)]
    fewest, failing = _fewest(sets, classes_of(frame, others), k, m)
    if not len(failing):
        sentence = (
            f"Whoever knows up to {m} items of a record and its other cells finds at least {fewest:,}"
            " records."
        )
        return Verdict(KMAnonymity.name, True, fewest, k, sentence)
    sentence = (
        f"{len(failing):,} of {len(frame):,} records have up to {m} items that, with their other cells, less"
        f" than {k} records have."
    )
    return Verdict(
        KMAnonymity.name, False, fewest, k, sentence, tuple(int(row) + 1 for row in failing[:WITNESSES])
    )


def _fewest(sets: Sequence[Items], classes: np.ndarray, k: int, m: int) -> tuple[int, np.ndarray]:
    """The fewest records that somebody finds (as far as they had to be counted), and those of which less than
    k are found: looked for among the records of one class, those with the same other cells."""
    n, first = len(classes), np.cumsum([0, *(len(column.labels) for column in sets)])
    owner = np.concatenate([np.repeat(np.arange(n), column.sizes) for column in sets])
    items = np.concatenate([column.items + start for column, start in zip(sets, first, strict=False)])
    items = items[np.argsort(owner, kind="stable")].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))])
    sizes = np.bincount(classes)[classes]
    fewest, rare = rarest(CommonItems(starts, items), np.arange(n), k, m, classes)
    return min(fewest, int(sizes.min())), np.union1d(rare, np.flatnonzero(sizes < k))


def classes_of(frame: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """int64 (n): the same number for records whose cells of these columns are written equally."""
    classes = np.zeros(len(frame), np.int64)
    for name in names:
        codes = pd.factorize(frame[name])[0].astype(np.int64) + 1
        classes = np.unique(classes * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1]
    return classes
