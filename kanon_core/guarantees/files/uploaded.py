"""What a released file keeps of its original's people hidden: rows alike, records that fit, and matches."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.base import NOBODY, WITNESSES, Verdict
from kanon_core.guarantees.files.original import true_of_original
from kanon_core.matching.consistency import Consistency
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
    found = release.consistency(tick)
    shown = release.shown
    fits = found.originals[: release.rows]
    here = ~(found.perfect & (found.matches == 0))
    alike = np.bincount(release.classes[shown], minlength=int(release.classes.max()) + 1)[release.classes]
    one, two = _least(found.rows, here, k), _least(fits, shown, k)
    return (
        _verdict(
            "k-anonymity", tr("rows are written like"), tr("rows, themselves included"), alike, shown, k
        ),
        true_of_original(release, tick),
        _concealed(found, here, k),
        _verdict("(1,k)-anonymity", tr("records fit"), "rows", found.rows, here, k),
        _verdict("(k,1)-anonymity", tr("rows fit"), "records", fits, shown, k),
        Verdict("(k,k)-anonymity", min(one, two) >= k, min(one, two), k, tr("The two before it together.")),
    )


def _concealed(found: Consistency, here: np.ndarray, k: int) -> Verdict:
    name, gone = "k-concealment", int((~here).sum())
    if not found.perfect:
        return Verdict(name, False, 0, k, tr("Without a row for everybody there are no matches to count."))
    if not here.any():
        return Verdict(name, True, 0, k, tr(NOBODY))
    fewest, failing = _least(found.matches, here, k), np.flatnonzero(here & (found.matches < k))
    beside = tr(" {gone:,} records fit no row: they are left out.").format(gone=gone) if gone else ""
    if len(failing):
        sentence = tr(
            "{failing:,} records have fewer than {k} rows that could be theirs while everybody else has one."
        ).format(failing=len(failing), k=k)
        return Verdict(name, False, fewest, k, sentence + beside, _named(failing))
    sentence = tr(
        "Every record has at least {fewest:,} rows that could be its own while everybody else has one."
    ).format(fewest=fewest)
    return Verdict(name, True, fewest, k, sentence + beside)


def _verdict(name: str, who: str, whom: str, counts: np.ndarray, asked: np.ndarray, k: int) -> Verdict:
    if not asked.any():
        return Verdict(name, True, 0, k, tr(NOBODY))
    fewest, failing = _least(counts, asked, k), np.flatnonzero(asked & (counts < k))
    if len(failing):
        sentence = tr("{failing:,} {who} fewer than {k} {whom}.").format(
            failing=len(failing), who=who, k=k, whom=whom
        )
        return Verdict(name, False, fewest, k, sentence, _named(failing), who.split()[0])
    return Verdict(
        name,
        True,
        fewest,
        k,
        tr("All {who} at least {fewest:,} {whom}.").format(who=who, fewest=fewest, whom=whom),
    )


def _least(counts: np.ndarray, asked: np.ndarray, k: int) -> int:
    """The smallest count of those asked about; k when there are none."""
    return int(counts[asked].min()) if asked.any() else k


def _named(places: np.ndarray) -> tuple[int, ...]:
    return tuple((places[:WITNESSES] + 1).tolist())
