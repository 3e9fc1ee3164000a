"""Notes on the guesses and repairs of a reader: what was read and how, and how to read it otherwise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from kanon_core.base.errors import InputError
from kanon_core.base.words import counted, later, listed, tr, tr_n

_SENTENCES = {
    "unnamed": later("Columns without a name were named by their position: {columns}."),
    "renamed": later("Repeated column names were numbered: {columns}."),
    "cleaned": later("Control characters were removed from the column names {columns}."),
    "zeros": later("Numbers with leading zeros are codes and stay text: {columns}."),
    "long": later("Numbers with too many digits to be stored exactly stay text: {columns}."),
    "codes": later(
        "Columns that look like telephone numbers or network (IP) addresses stay text: {columns}."
    ),
    "marks": later("Columns whose numbers have contradictory points and commas stay text: {columns}."),
    "units": later("Columns whose numbers have different units stay text: {columns}."),
    "mixed": later("Columns that mix numbers and words are read as words: {columns} (cells with words)."),
    "released": later(
        "Columns with intervals or sets, such as [20, 29], beside numbers stay text, as in a released file:"
        " {columns} (cells with intervals or sets)."
    ),
    "missing": later("Words such as NA, null or “-” count as missing: {columns}."),
    "kept": later("Words that may mean “missing” are kept as values: {columns}."),
    "plausible": later(
        "A given code for missing values is within the range of the other values of its column: {columns}"
        " (cells). All cells with the code count as missing, but some may be real values."
    ),
    "nines": later(
        "Values such as 999 are far from all others and may be codes for missing values: {columns} (cells)."
        " They count as numbers."
    ),
    "infinite": later("Infinite or overflowing numbers count as missing: {columns}."),
    "decimal-comma": later("Commas were read as decimal marks: {columns}."),
    "dots": later("Dots were read as thousands separators: {columns}."),
    "undecided": later(
        "Numbers such as 1.234 were read with a decimal point: {columns}. The file does not show whether the"
        " dot separates thousands."
    ),
    "dressed": later(
        "Units, blanks and apostrophes were removed from numbers, and full-width signs and digits were"
        " converted: {columns}. 12 % is read as 12."
    ),
    "thousands": later("Commas were read as thousands separators: {columns}."),
    "question": later("“?” was read as text, not as a missing value: {columns}."),
    "nested": later("Lists and records inside cells were written as JSON text: {columns}."),
    "decimals": later("Decimal numbers were read as 64-bit floating-point numbers: {columns}."),
    "time-zone": later("Times with a time zone were converted to UTC: {columns}."),
    "years": later("Times outside the years 1 to 9999 count as missing: {columns}."),
    "errors": later("Cells with a spreadsheet error such as #N/A count as missing: {columns}."),
    "dropped": later("Columns without a name and without values were left out: {columns}."),
}
_ADVICE = {
    "mixed": later(
        "If you give such a column the kind numeric, words count as missing, except open ends such as “90+”."
    ),
    "released": later("If you give such a column the kind numeric, these cells count as missing."),
    "missing": later("You can keep any of them as a value (on the command line: --keep)."),
    "kept": later(
        "If they mean “missing”, enter them under “Also missing” (on the command line: --missing)."
    ),
    "nines": later(
        "If they are codes, enter them under “Also missing” (on the command line: --missing column=999)."
    ),
    "undecided": later("If it does, set “Decimal mark” to a comma (on the command line: --decimal ,)."),
    "question": later(
        "If it means “missing”, enter it under “Also missing” (on the command line: --missing)."
    ),
}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]+")


class Note(str):
    """A note of a reader: ``said``, what was read and how, and the advice how to read it otherwise, which
    names the settings of a page or command. As a text it is both.

    >>> note = Note("“?” was read as text: “a”.", "Enter it under “Also missing”.")
    >>> note, note.said
    ('“?” was read as text: “a”. Enter it under “Also missing”.', '“?” was read as text: “a”.')
    """

    said: str

    def __new__(cls, said: str, advice: str = "") -> Self:
        """Return the note."""
        made = super().__new__(cls, f"{said} {advice}".rstrip())
        made.said = said
        return made


def without_advice(notes: Iterable[str]) -> tuple[str, ...]:
    """Return what notes say was read and how, for readers who cannot change the settings any more.

    >>> without_advice([Note("The first row names the columns.", "If not, set “First row”."), "Two sheets."])
    ('The first row names the columns.', 'Two sheets.')
    """
    return tuple(one.said if isinstance(one, Note) else one for one in notes)


class Notes:
    """The findings of a reader, column by column; findings of one kind become one sentence that names their
    columns."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._found: dict[str, list[str]] = {}
        self._counted: dict[tuple[str, str], int] = {}

    def say(self, sentence: str, advice: str = "") -> None:
        """A sentence about the whole file, and how to read the file otherwise."""
        self._sentences.append(Note(sentence, advice))

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
        return (*self._sentences, *map(self._note, kinds))

    def _note(self, kind: str) -> Note:
        said = tr(_SENTENCES[kind]).format(columns=listed(self._found[kind]))
        return Note(said, tr(_ADVICE[kind]) if kind in _ADVICE else "")


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
        said = tr_n(
            "{given:,} name was given for {columns} ({listed}); give one name for each column, in order.",
            "{given:,} names were given for {columns} ({listed}); give one name for each column, in order.",
            len(names),
        )
        raise InputError(
            said.format(
                given=len(names),
                columns=counted(len(columns), "column"),
                listed=listed([f"“{one}”" for one in columns]),
            )
        )
    found = tuple(name.strip() for name in names)
    for column, name in zip(columns, found, strict=True):
        if not name:
            said = tr("The new name of column “{column}” is empty; enter a name.")
            raise InputError(said.format(column=column))
        if _CONTROL.search(name):
            said = tr(
                "The new name of column “{column}” has an invisible character, such as a line end;"
                " remove the character."
            )
            raise InputError(said.format(column=column))
        if found.count(name) > 1:
            said = tr("Two columns would have the name “{name}”; give each column a different name.")
            raise InputError(said.format(name=name))
    return found


def notes_with(notes: Iterable[str], columns: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The notes of a reader with these names in place of those of the columns.

    >>> notes_with(["“?” is kept: “a” 3, “b” 1."], ["a", "b"], ["b", "c"])
    ('“?” is kept: “b” 3, “c” 1.',)
    """
    new = dict(zip(columns, names, strict=True))
    return tuple(_with_names(one, new) for one in notes)


def _with_names(note: str, new: Mapping[str, str]) -> str:
    renamed = "".join(_renamed(note, new))
    if not isinstance(note, Note):
        return renamed
    said = "".join(_renamed(note.said, new))
    return Note(said, renamed.removeprefix(said).lstrip())


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
