"""What a released file keeps of its original's people hidden: rows alike, records that fit, and matches."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.guarantees.base import NOBODY, Verdict, verdict
from kanon_core.guarantees.files.original import true_of_original
from kanon_core.guarantees.identity.kanonymity import KAnonymity
from kanon_core.guarantees.identity.kconcealment import KConcealment
from kanon_core.guarantees.identity.kkanonymity import KKAnonymity, KOneAnonymity, OneKAnonymity
from kanon_core.release.uploaded.uploaded import UploadedRelease


def audit_uploaded(release: UploadedRelease, k: int, tick: Tick = silent) -> tuple[Verdict, ...]:
    """Verdicts on a released file against its original, the strongest statement first.

    k-anonymity of the rows as they are written; whether everybody can have a row at all, in all columns that
    file and original share (`true_of_original`); by quasi-identifiers alone k-concealment by the count of
    matches, (1,k)-, (k,1)- and (k,k)-anonymity by the count of consistent pairs
    (`kanon_core.matching.consistency`). Witnesses are record numbers of the original, for k-anonymity,
    (k,1)-anonymity and true rows row numbers of the file, from 1. Records that fit no row of a file with
    fewer rows than records, and rows of stars, are taken as left out. Cost as `consistency`.
    """
    beside = (KConcealment(k), OneKAnonymity(k), KOneAnonymity(k), KKAnonymity(k))
    release.consistency(tick)
    return (
        _alike(release, k),
        true_of_original(release, tick),
        *(guarantee.check_beside(release, tick) for guarantee in beside),
    )


def _alike(release: UploadedRelease, k: int) -> Verdict:
    shown, none = release.shown, np.zeros(0, np.int64)
    if not shown.any():
        return verdict(KAnonymity.name, True, 0, k, tr(NOBODY), none)
    alike = np.bincount(release.classes[shown], minlength=int(release.classes.max()) + 1)[release.classes]
    fewest, failing = int(alike[shown].min()), np.flatnonzero(shown & (alike < k))
    said = tr_n(
        "All rows are written like at least {fewest:,} row, themselves included.",
        "All rows are written like at least {fewest:,} rows, themselves included.",
        fewest,
    )
    if len(failing):
        said = tr_n(
            "{failing:,} row is written like fewer than {k} rows, itself included.",
            "{failing:,} rows are written like fewer than {k} rows, themselves included.",
            len(failing),
        )
    said = said.format(fewest=fewest, failing=len(failing), k=k)
    return verdict(KAnonymity.name, not len(failing), fewest, k, said, failing, "rows")
