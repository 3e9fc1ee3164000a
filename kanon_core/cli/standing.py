"""The audit of a file as it stands, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.errors import UnsuitableError
from kanon_core.promises import KAnonymity, Verdict
from kanon_core.recipe import check_k

_WITNESSES = 1_000


def audit_as_it_stands(frame: pd.DataFrame, quasi: Sequence[str], k: Any) -> Verdict:
    """Whether every record shares all its quasi-identifier cells with at least k − 1 others.

    Cells are equal when they are written equally, so give the frame of a file read without types
    (`kanon_core.data.readers.read_frame`): "1.50" is not "1.5" to a person who knows how it was written, and "NA", "-inf"
    and "1e999" are not missing. Missing equals missing. ``witnesses`` are up to 1,000 failing record numbers, counted
    from 1. Raises OptionError for a k below 2 and UnsuitableError without quasi-identifiers. Cost O(n log n · columns).
    """
    k = check_k(k)
    if not quasi:
        raise UnsuitableError(
            "No column is a quasi-identifier; name those an outsider may know with --quasi."
        )
    classes = np.zeros(len(frame), np.int64)
    for name in quasi:
        codes = pd.factorize(frame[name])[0].astype(np.int64) + 1
        classes = np.unique(classes * (codes.max() + 1) + codes, return_inverse=True)[1]
    size = np.bincount(classes)[classes]
    failing = np.flatnonzero(size < k)
    if not len(failing):
        sentence = f"Every record shares its quasi-identifiers with at least {size.min() - 1} others."
        return Verdict(KAnonymity.name, True, int(size.min()), k, sentence)
    sentence = f"{len(failing):,} of {len(frame):,} records have quasi-identifiers that fewer than {k} records share."
    witnesses = tuple(int(row) + 1 for row in failing[:_WITNESSES])
    return Verdict(KAnonymity.name, False, int(size.min()), k, sentence, witnesses)
