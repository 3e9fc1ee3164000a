"""What is said of how the texts of csv files are read, where many files decide together."""

from __future__ import annotations

from kanon_core.base.words import later, tr
from kanon_core.scale.source.pieces import Types
from kanon_core.table.readers.notes import Notes, listed

_MISSING = later(
    "Words such as NA, null or “-” count as missing: {columns}. To keep one as a value, write the files as"
    " parquet, in which texts stay as they are."
)
_UNDECIDED = later(
    "Dots before three digits were read as decimal points, and nothing in the files tells whether they stand"
    " between thousands; if they do, write the numbers without them: {columns}."
)
_WORDS = 4


def reading_notes(types: Types) -> tuple[str, ...]:
    """Return what was decided of columns of csv files, in sentences: how their numbers are written, why some
    stay text, and which words count as missing. The files have no flags for these; the sentences say what to
    write otherwise.

    >>> from kanon_core.table.readers.wholetypes import CellType
    >>> reading_notes((("pay", CellType("number", "comma")), ("age", CellType("whole"))))
    ('The comma was read as decimal comma: “pay”.',)
    """
    notes, missing, undecided = Notes(), list[str](), list[str]()
    for name, how in types:
        if how.way:
            notes.add({"comma": "decimal-comma", "dotless": "dots"}.get(how.way, how.way), name)
        if how.why == "undecided":
            undecided.append(f"“{name}”")
        elif how.why:
            notes.add(how.why, name)
        if how.dressed:
            notes.add("dressed", name)
        if how.gone or how.words:
            words = ", ".join(sorted(how.gone)[:_WORDS])
            missing.append(f"“{name}” ({words})" if words else f"“{name}”")
    for sentence, columns in ((_MISSING, missing), (_UNDECIDED, undecided)):
        if columns:
            notes.say(tr(sentence).format(columns=listed(columns)))
    return notes.sentences()
