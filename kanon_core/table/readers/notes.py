"""The sentences that tell what a reader guessed and repaired."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kanon_core.base.errors import InputError
from kanon_core.base.words import counted, later, tr, tr_n

_SHOWN = 6
_SENTENCES = {
    "unnamed": later("Columns without a name were named by their place: {columns}."),
    "renamed": later("Repeated names of columns were given a number: {columns}."),
    "cleaned": later("Control characters were taken out of the column names {columns}."),
    "zeros": later("Numbers with leading zeros are codes and stay text: {columns}."),
    "long": later("Numbers too long to be kept exactly stay text: {columns}."),
    "codes": later(
        "These columns look like telephone numbers or network (IP) addresses, so they stay text: {columns}."
    ),
    "marks": later(
        "Points and commas within numbers contradict one another, so these columns stay text: {columns}."
    ),
    "units": later("The units of the numbers differ, so these columns stay text: {columns}."),
    "mixed": later(
        "Numbers and words are mixed, so the column is read as words. Where its kind is set to"
        " numeric, words that name no end such as “90+” count as missing: {columns} (cells of"
        " words)."
    ),
    "missing": later(
        "Words such as NA, null or “-” count as missing: {columns}. Any of them can be kept as a value (on"
        " the command line: --keep)."
    ),
    "kept": later(
        "Some words may mean “missing” but are kept as values. If they do, name them under “Also"
        " missing” (on the command line: --missing): {columns}."
    ),
    "plausible": later(
        "A code that was named as missing lies within the range of the other values of its column."
        " All cells with it count as missing, but some may be real values: {columns} (cells)."
    ),
    "nines": later(
        "Values such as 999 lie far from all others, as codes for missing values do, and count as"
        " numbers. If they are codes, name them under “Also missing” (on the command line:"
        " --missing column=999): {columns} (cells)."
    ),
    "infinite": later("Infinite or overflowing numbers count as missing: {columns}."),
    "decimal-comma": later("The comma was read as decimal comma: {columns}."),
    "dots": later("Dots between thousands were taken out of the numbers: {columns}."),
    "undecided": later(
        "Numbers such as 1.234 were read with a decimal point; nothing in the file shows whether"
        " the dot stands between thousands. If it does, set “Decimal mark” to a comma (on the"
        " command line: --decimal ,): {columns}."
    ),
    "dressed": later(
        "Numbers were read without units, blanks and apostrophes, and with the usual signs and"
        " digits; 12 % is read as 12: {columns}."
    ),
    "thousands": later("Commas between thousands were taken out of the numbers: {columns}."),
    "question": later("“?” is kept as a value of its own, unless named as missing: {columns}."),
    "nested": later("Lists and records inside cells were written as JSON text: {columns}."),
    "decimals": later("Decimal numbers were read as 64-bit floating point: {columns}."),
    "time-zone": later("Times with a time zone were converted to UTC: {columns}."),
    "years": later("Times outside the years 1 to 9999 count as missing: {columns}."),
    "errors": later("Cells holding a spreadsheet error such as #N/A count as missing: {columns}."),
    "dropped": later("Columns without a name and without any value were left out: {columns}."),
}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]+")


class Notes:
    """Collects findings column by column and says each kind once, with the columns it concerns."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._found: dict[str, list[str]] = {}
        self._counted: dict[tuple[str, str], int] = {}

    def say(self, sentence: str) -> None:
        """A sentence about the whole file."""
        self._sentences.append(sentence)

    def add(self, kind: str, column: str, about: int | str | None = None) -> None:
        """Add one finding in one column, with the number of cells it concerns, or another text to be filled
        in."""
        if isinstance(about, int):
            self._counted[kind, column] = about
        told = "" if about is None else f" {about:,}" if isinstance(about, int) else f" {about}"
        self._found.setdefault(kind, []).append(f"“{column}”{told}")

    def count(self, kind: str, column: str) -> int:
        """Return how many cells of a column a finding concerns; 0 without one."""
        return self._counted.get((kind, column), 0)

    def sentences(self) -> tuple[str, ...]:
        """All sentences, those about the file first, then in the order of their kinds."""
        kinds = [kind for kind in _SENTENCES if kind in self._found]
        return (*self._sentences, *(tr(_SENTENCES[k]).format(columns=listed(self._found[k])) for k in kinds))


def listed(items: list[str], shown: int = _SHOWN) -> str:
    """Items in a row, the first few of them and how many more."""
    if len(items) <= shown:
        return ", ".join(items)
    return tr("{names} and {more:,} more").format(names=", ".join(items[:shown]), more=len(items) - shown)


def clean_names(raw: list[str], notes: Notes) -> list[str]:
    """Unique, printable names: no control characters, ``column_i`` for none, `` (2)`` for twins."""
    names: list[str] = []
    taken: set[str] = set()
    wanted = {text.strip() for text in raw}
    for place, text in enumerate(raw, start=1):
        name = _CONTROL.sub(" ", text).strip()
        if name != text.strip():
            notes.add("cleaned", name)
        if not name:
            name = f"column_{place}"
            notes.add("unnamed", name)
        unique = _untaken(name, taken, wanted)
        if unique != name:
            notes.add("renamed", unique)
        taken.add(unique)
        names.append(unique)
    return names


def given_names(names: Sequence[str], columns: Iterable[str]) -> tuple[str, ...]:
    """These names in place of those of the columns, without blanks around them; raises InputError unless each
    column gets one, no two the same.

    >>> given_names(["age", " zip "], ["column_1", "column_2"])
    ('age', 'zip')
    """
    columns = list(columns)
    if len(names) != len(columns):
        raise InputError(
            tr_n(
                "{given:,} name is given and the table has {columns} ({listed}); give one name for each"
                " column, in order.",
                "{given:,} names are given and the table has {columns} ({listed}); give one name for each"
                " column, in order.",
                len(names),
            ).format(
                given=len(names),
                columns=counted(len(columns), "column"),
                listed=listed([f"“{one}”" for one in columns]),
            )
        )
    found = tuple(name.strip() for name in names)
    for column, name in zip(columns, found, strict=True):
        if not name:
            raise InputError(
                tr("The new name of column “{column}” is empty; give one.").format(column=column)
            )
        if _CONTROL.search(name):
            raise InputError(
                tr(
                    "The new name of column “{column}” has a character without a shape, such as a line end;"
                    " write it without."
                ).format(column=column)
            )
        if found.count(name) > 1:
            raise InputError(
                tr("Two columns would be named “{name}”; give each a name of its own.").format(name=name)
            )
    return found


def notes_with(notes: Iterable[str], columns: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The notes of a reader with these names in place of those of the columns.

    >>> notes_with(["“?” is kept: “a” 3, “b” 1."], ["a", "b"], ["b", "c"])
    ('“?” is kept: “b” 3, “c” 1.',)
    """
    new = dict(zip(columns, names, strict=True))
    return tuple("".join(_renamed(one, new)) for one in notes)


def _renamed(note: str, new: Mapping[str, str]) -> Iterator[str]:
    """The pieces of a note, with other names between its quotes; cost O(length)."""
    place = 0
    while (start := note.find("“", place)) >= 0 and (end := note.find("”", start)) >= 0:
        name = note[start + 1 : end]
        yield note[place : start + 1] + new.get(name, name)
        place = end
    yield note[place:]


def _untaken(name: str, taken: set[str], wanted: set[str]) -> str:
    if name not in taken:
        return name
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    return next(other for other in numbered if other not in taken and other not in wanted)
