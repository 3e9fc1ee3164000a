"""Remarks beside the verdicts on a file: the counting of cells, and notes on the file."""

from __future__ import annotations

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.covers.uploaded.uploaded import UploadedRelease
from kanon_core.guarantees.files.cells import ANY, MEANT, OUT
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.table.notation.mixed import mixed_notations

_WORDS = 4


def counted_how(file: WrittenFile) -> str:
    """Return how missing and suppressed cells count, how many there are, and what is left out."""
    counting, rows = file.counting, int(file.gaps.sum())
    persons = tr("People are counted, by the different values of “{name}”.").format(name=file.person)
    said = [persons if file.person else tr("Rows are counted.")]
    if not rows:
        said.append(tr("No cell of a quasi-identifier is missing or suppressed."))
    else:
        ways = {
            ANY: tr("they fit every value, so a row is indistinguishable from every row that it could equal"),
            OUT: tr("their rows are not judged"),
        }
        way = ways.get(counting.missing, tr("they count as values of their own"))
        sentence = tr_n(
            "{rows:,} of {all} has missing or suppressed quasi-identifiers: {way}.",
            "{rows:,} of {all} have missing or suppressed quasi-identifiers: {way}.",
            rows,
        )
        said.append(sentence.format(rows=rows, all=counted(len(file), "row"), way=way))
        said.append(tr("These cells are: {words}.").format(words=_gap_words(file)))
    if file.starred.any() and not counting.stars:
        sentence = tr_n(
            "{rows:,} row is not judged because all its quasi-identifiers are suppressed; its"
            " other columns are published.",
            "{rows:,} rows are not judged because all their quasi-identifiers are suppressed;"
            " their other columns are published.",
            int(file.starred.sum()),
        )
        said.append(sentence.format(rows=int(file.starred.sum())))
    if counting.equal == MEANT:
        said.append(tr("Cells with the same meaning are equal, however they are written."))
    return " ".join(said)


def _gap_words(file: WrittenFile) -> str:
    """Return the words for missing and suppressed values, the most frequent first, with the number of cells
    of each."""
    found: dict[str, int] = {}
    for cells in map(file.cells, file.quasi):
        counts = np.bincount(cells.codes, minlength=len(cells.texts))
        for code in np.flatnonzero(cells.gap):
            text = cells.texts[code].strip()
            text = f"“{text[:20]}”" if text else tr("empty")
            found[text] = found.get(text, 0) + int(counts[code])
    frequent = sorted(found.items(), key=lambda pair: -pair[1])[:_WORDS]
    more = len(found) - len(frequent)
    listed = ", ".join(f"{text} {count:,}" for text, count in frequent)
    return listed + (tr(" and {more} more words").format(more=more) if more else "")


def notes_of(file: WrittenFile, beside: UploadedRelease | None) -> tuple[str, ...]:
    """Return notes on the file besides those on its reading: mixed notations, other numbers of rows, columns
    that only one of them has, and identifiers in the file."""
    notes: list[str] = []
    if beside is None:
        for cells in map(file.cells, file.quasi):
            notes += mixed_notations(cells.name, cells.texts, cells.codes)
        for attribute in file.table.schema.of_role("identifier"):
            said = tr("Column “{name}” looks like an identifier, and it is in the file; it is not judged.")
            notes.append(said.format(name=attribute.name))
        return tuple(notes)
    if beside.rows < (records := len(beside.table)):
        sentence = tr_n(
            "The file has {rows} and the original {records}: {fewer:,} is left out, or the file is a"
            " sample of it.",
            "The file has {rows} and the original {records}: {fewer:,} are left out, or the file is a"
            " sample of it.",
            records - beside.rows,
        )
        notes.append(
            sentence.format(
                rows=counted(beside.rows, "row"),
                records=counted(records, "record"),
                fewer=records - beside.rows,
            )
        )
    return tuple(notes) + beside.notes
