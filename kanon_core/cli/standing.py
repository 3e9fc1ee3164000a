"""The audit of a file as it stands, whoever made it."""

from __future__ import annotations

from typing import Any

import numpy as np

from kanon_core.data.table import Table
from kanon_core.errors import UnsuitableError
from kanon_core.promises import KAnonymity, Verdict
from kanon_core.recipe import check_k

_WITNESSES = 1_000


def audit_as_it_stands(table: Table, k: Any) -> Verdict:
    """Whether every record shares all its quasi-identifier cells with at least k − 1 others.

    Cells are compared as written, whatever their column's kind: a misfit is not a missing value here. Missing equals
    missing. ``witnesses`` are up to 1,000 failing record numbers, counted from 1. Raises OptionError for a k below 2
    and UnsuitableError when no column is a quasi-identifier. Cost O(n log n · columns).
    """
    k = check_k(k)
    quasi = [attribute.name for attribute in table.schema.quasi_identifiers]
    if not quasi:
        raise UnsuitableError(
            "No column is a quasi-identifier; name those an outsider may know with --quasi."
        )
    as_written = table.with_schema(table.schema.with_kinds(dict.fromkeys(quasi, "categorical")))
    classes = np.zeros(len(table), np.int64)
    for column in as_written.quasi:
        codes = column.codes.astype(np.int64)  # type: ignore[union-attr] # categorical columns have codes
        classes = np.unique(classes * (codes.max() + 1) + codes, return_inverse=True)[1]
    size = np.bincount(classes)[classes]
    failing = np.flatnonzero(size < k)
    if not len(failing):
        sentence = f"Every record shares its quasi-identifiers with at least {size.min() - 1} others."
        return Verdict(KAnonymity.name, True, int(size.min()), k, sentence)
    sentence = f"{len(failing):,} of {len(table):,} records have quasi-identifiers that fewer than {k} records share."
    witnesses = tuple(int(row) + 1 for row in failing[:_WITNESSES])
    return Verdict(KAnonymity.name, False, int(size.min()), k, sentence, witnesses)
