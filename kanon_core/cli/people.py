"""The audit of published histories in a file as it stands, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.cli.standing import WITNESSES, classes_of
from kanon_core.guarantees import PersonKAnonymity, Verdict
from kanon_core.release.pseudonyms import equal_histories
from kanon_core.release.recipe import check_k
from kanon_core.table.columns.texts import SUPPRESSED


def people_as_they_stand(frame: pd.DataFrame, person: str, quasi: Sequence[str], k: Any) -> Verdict:
    """Whether every published history – the rows of one pseudonym in column ``person`` – is that of at least
    k pseudonyms.

    Two histories are equal when their rows can be paired so that all quasi-identifier cells are written
    equally; rows whose pseudonym and cells are all ``*`` are left out and do not count. Each pseudonym is
    taken for another person. A row without a pseudonym fails. ``witnesses``, errors and cost as in
    `audit_as_it_stands`.
    """
    k = check_k(k)
    if not quasi:
        raise UnsuitableError(
            "No column is a quasi-identifier; name those an outsider may know with --quasi."
        )
    shown = np.flatnonzero(
        ~(frame[[person, *quasi]].astype("object") == SUPPRESSED).all(axis=1).to_numpy(bool)
    )
    kept = frame.iloc[shown]
    names = pd.factorize(kept[person])[0]
    if (names < 0).any():
        failing = shown[names < 0]
        sentence = f"{len(failing):,} rows have no pseudonym, so nobody knows whose they are."
        return _of_people(False, 0, k, sentence, failing)
    if not len(kept):
        return _of_people(True, 0, k, "No row is published, so nobody can be told apart.", shown)
    rows = classes_of(kept, quasi)
    histories = equal_histories(names, rows)
    sharing = np.bincount(histories)[histories]
    smallest, failing = int(sharing.min()), shown[(sharing < k)[names]]
    if not len(failing):
        sentence = (
            f"Every published history is that of at least {smallest} of {len(sharing):,} pseudonyms, row by"
            " row."
        )
        return _of_people(True, smallest, k, sentence, failing)
    few = int((sharing < k).sum())
    sentence = f"{few:,} of {len(sharing):,} pseudonyms have a history that fewer than {k} share."
    return _of_people(False, smallest, k, sentence, failing)


def _of_people(holds: bool, found: int, k: int, sentence: str, failing: np.ndarray) -> Verdict:
    witnesses = tuple(int(row) + 1 for row in failing[:WITNESSES])
    return Verdict(PersonKAnonymity.name, holds, found, k, sentence, witnesses)
