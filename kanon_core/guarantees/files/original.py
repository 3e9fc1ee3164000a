"""Audit of a released file beside its original: its truth in all columns that both have, and the sizes of its
anonymity sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, listed, tr, tr_n
from kanon_core.covers.matching.consistency import Consistency
from kanon_core.covers.uploaded.unchanged import Unchanged
from kanon_core.covers.uploaded.uploaded import UploadedRelease
from kanon_core.guarantees.base import WITNESSES, Judged, Verdict
from kanon_core.guarantees.identity.kanonymity import KAnonymity
from kanon_core.guarantees.identity.kconcealment import KConcealment
from kanon_core.guarantees.identity.kkanonymity import KKAnonymity, KOneAnonymity, OneKAnonymity

_MOST_NAMED = 12
NOT_AT_ONCE = later("Each row fits a record, but the rows cannot all have different records.")


def true_name() -> str:
    """Return the name of the verdict of `true_of_original`."""
    return tr("agreement with the original")


def true_of_original(release: UploadedRelease, tick: Tick = silent) -> Verdict:
    """Return the verdict on whether every row can belong to a different record.

    Three things are compared, and the sentence names them. The quasi-identifiers: there is a perfect matching
    of rows and records that fit. Each other column as a whole: no value is in more rows than records. All of
    them class by class: there is a perfect matching in which a row's record also has the row's values in
    these columns, so that within a class of equal rows they are values of records that fit it, each as often
    as records have it. Rows of stars are left out of the first and the last. Where the pairs are too many for
    the last, the sentence says so. If all this holds only where columns publish means, medians or modes of
    groups, the verdict is unconfirmed, and does not hold. ``found`` is the number of rows that are known not
    to be true; witnesses are row numbers of the file. Cost as `UploadedRelease.consistency`, twice, and once
    more for each column where the last fails.
    """
    settled = release.settled(tick)
    found = _judged(release, tick)
    return found if settled is release else _either(settled, found)


def _judged(release: UploadedRelease, tick: Tick) -> Verdict:
    """The verdict by this reading alone."""
    fits = release.consistency(tick)
    wrong = release.shown & (fits.originals[: release.rows] == 0)
    sentences, beside = [], release.unchanged
    if not fits.perfect:
        nobody = int(wrong.sum())
        wrong = wrong if nobody else _too_many(release, (), fits)
        sentences.append(_no_matching(nobody, int(wrong.sum())))
    for column in beside:
        if column.surplus.any():
            sentences.append(_as_a_whole(column))
            wrong = wrong | column.surplus
    if sentences or not beside:
        return _verdict(sentences, wrong, False) if sentences else _true(release, _alone(), wrong)
    return _class_by_class(release, tick)


def _either(as_groups: UploadedRelease, as_values: Verdict) -> Verdict:
    """Return the verdict on a file that is not true if columns publish values of records, but may be true if
    they publish values of groups. It states both, and its rows are those that are wrong in the first case."""
    said = tr(
        "Not confirmed: the result depends on the kind of values in {names}. If they are the mean, median"
        " or most frequent value of each group (--recode), no contradiction was found. If they are values"
        " of single records, the file contradicts the original: {sentence} The recipe decides this"
        " (kanon run)."
    )
    names = ", ".join(f"“{column.name}”" for column in as_groups.aggregated)
    sentence = said.format(names=names, sentence=as_values.sentence)
    return replace(as_values, found=0, sentence=sentence, unconfirmed=True)


def _no_matching(nobody: int, wrong: int) -> str:
    """Return the sentence that rows and records cannot be matched one to one, and the reason if it is known:
    ``nobody`` rows fit no record, or ``wrong`` rows occur more often than records fit them."""
    if nobody:
        said = tr_n("{nobody:,} row fits no record.", "{nobody:,} rows fit no record.", nobody)
    elif wrong:
        said = tr_n(
            "{wrong:,} row occurs more often than records fit it.",
            "{wrong:,} rows occur more often than records fit them.",
            wrong,
        )
    else:
        said = tr(NOT_AT_ONCE)
    head = tr("The rows cannot all belong to different records.")
    return f"{head} {said.format(nobody=nobody, wrong=wrong)}"


def confirmed(release: UploadedRelease) -> bool:
    """Return whether means, medians and modes were all found to be those of records of the original."""
    return all(column.grouped for column in release.aggregated)


def aggregated_how(release: UploadedRelease) -> list[str]:
    """Return a sentence on the truth of each column of means, medians or modes."""
    words = {"mean": tr("mean"), "median": tr("median"), "mode": tr("most frequent value")}
    or_other = words | {"median": tr("median or most frequent value")}
    grouped = tr(
        "“{name}” publishes one value for each class. Each is the {statistic} of as many records of the"
        " original, within the rounding of the printed value."
    )
    whole = tr(
        "Not confirmed: “{name}” publishes one value for each class. It may be the {statistic}, but the"
        " file does not show which records belong to which class. To confirm it, use rows in the order of"
        " the original (kanon anonymize --keep-order) or the recipe (kanon run)."
    )
    return [
        grouped.format(name=one.name, statistic=words[one.statistic])
        if one.grouped
        else whole.format(name=one.name, statistic=or_other[one.statistic])
        for one in release.aggregated
    ]


def _class_by_class(release: UploadedRelease, tick: Tick) -> Verdict:
    """The verdict where quasi-identifiers, and each column as a whole, are as in the original."""
    beside, nothing = release.unchanged, np.zeros(release.rows, bool)
    found = release.together(beside, tick)
    names = _listed(beside)
    if found is None:
        sentence = tr(
            "Every row can belong to a different record of the original, by its quasi-identifiers. In"
            " {names}, the file as a whole has the values of the original. There are too many pairs of rows"
            " and records to compare the values within each class."
        )
        return _true(release, sentence.format(names=names), nothing)
    if found.perfect:
        sentence = tr(
            "Every row can belong to a different record of the original: its quasi-identifiers fit, and"
            " within each class the values of {names} are those of the records that fit."
        )
        return _true(release, sentence.format(names=names), nothing)
    each = {column.name: release.together([column], tick) for column in beside}
    failing = [column for column in beside if (one := each[column.name]) is not None and not one.perfect]
    wrong = _too_many(release, beside, found)
    sentence = tr(
        "Each column as a whole has the values of the original. Within the classes, the values of {names}"
        " cannot be those of the records that fit the rows."
    )
    if wrong.any():
        sentence += " " + tr_n(
            "{wrong:,} row has a value that none of these records has, or that fewer of them have.",
            "{wrong:,} rows have values that none of these records has, or that fewer of them have.",
            int(wrong.sum()),
        )
    else:
        sentence += " " + tr(NOT_AT_ONCE)
    return _verdict([sentence.format(names=_listed(failing or beside), wrong=int(wrong.sum()))], wrong, False)


def _too_many(release: UploadedRelease, columns: Sequence[Unchanged], fits: Consistency) -> np.ndarray:
    """Booleans (rows): more rows are written like this one, in all these columns, than records fit it."""
    rows = release.rows
    cells = [release.classes, *(column.published.cell[:rows] for column in columns)]
    alike = np.unique(np.column_stack(cells), axis=0, return_inverse=True, return_counts=True)
    return np.asarray(release.shown & (alike[2][alike[1].reshape(-1)] > fits.originals[:rows]))


def _as_a_whole(column: Unchanged) -> str:
    return tr_n(
        "“{name}” differs from the original: {count:,} row has a value that the column of the original does"
        " not have, or has less often.",
        "“{name}” differs from the original: {count:,} rows have a value that the column of the original"
        " does not have, or has less often.",
        int(column.surplus.sum()),
    ).format(name=column.name, count=int(column.surplus.sum()))


def _alone() -> str:
    return tr(
        "Every row can belong to a different record of the original, by its quasi-identifiers. The file and"
        " the original share no other column to compare."
    )


def _listed(columns: Sequence[Unchanged]) -> str:
    return listed([f"“{column.name}”" for column in columns], _MOST_NAMED)


def _true(release: UploadedRelease, sentence: str, wrong: np.ndarray) -> Verdict:
    """Return the verdict on a file without contradictions: it holds if the file's aggregates are
    confirmed."""
    sure = confirmed(release)
    verdict = _verdict([sentence, *aggregated_how(release)], wrong, sure)
    return replace(verdict, unconfirmed=not sure)


def _verdict(sentences: Sequence[str], wrong: np.ndarray, holds: bool) -> Verdict:
    failing = np.flatnonzero(wrong)
    rows = tuple((failing[:WITNESSES] + 1).tolist())
    return Verdict(true_name(), holds, len(failing), 0, " ".join(sentences), rows, "rows", failing)


def audit_uploaded(release: UploadedRelease, k: int, tick: Tick = silent) -> tuple[Verdict, ...]:
    """Verdicts on a released file against its original, the strongest statement first.

    k-anonymity of the rows as they are written; whether everybody can have a row at all, in all columns that
    file and original share (`true_of_original`); by quasi-identifiers alone k-concealment by the count of
    matches, (1,k)-, (k,1)- and (k,k)-anonymity by the count of consistent pairs
    (`kanon_core.covers.matching.consistency`). Witnesses are record numbers of the original, for k-anonymity,
    (k,1)-anonymity and true rows row numbers of the file, from 1. Records that fit no row of a file with
    fewer rows than records, and rows of stars, are taken as left out. Cost as `consistency`.
    """
    beside = (KConcealment(k), OneKAnonymity(k), KOneAnonymity(k), KKAnonymity(k))
    release.consistency(tick)
    return (
        KAnonymity(k).check(release.table, cast("Judged", release), tick),
        true_of_original(release, tick),
        *(guarantee.check(release.table, cast("Judged", release), tick) for guarantee in beside),
    )
