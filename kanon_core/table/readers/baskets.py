"""Transaction files: a set of items per line (FIMI) or per sequence (SPMF).

FIMI: one basket a line, its items between blanks; a blank line is an empty basket. SPMF: items, the sets of a
sequence ended by −1 and the sequence by −2; a sequence becomes the set of all its items. Lines
``@ITEM=7=apple`` name items, other lines that begin with @, # or % are comments.

References: B. Goethals and M. Zaki, FIMI 2003 (fimi.uantwerpen.be); P. Fournier-Viger et al., The SPMF
open-source data mining library version 2, 2016.
"""

from __future__ import annotations

import json
import re

import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.progress import each
from kanon_core.base.words import later, tr, tr_n
from kanon_core.table.readers.base import Format, Reading, ReadOptions, check_lengths, text_array
from kanon_core.table.readers.text.detect import first_lines, refuse_foreign, refuse_zero_byte, to_utf8

COLUMN = "items"
"""The one column of the table of a transaction file."""

_FIMI = re.compile(rb"\d+(?:[ \t]+\d+)*[ \t]*|[ \t]*")
_SPMF = re.compile(rb"(?:\d+[ \t]+|-1[ \t]+)*-2[ \t]*")
_COMMENT = re.compile(rb"^[@#%][^\n]*(?:\n|\Z)", re.M)
_NAMED = re.compile(rb"^@ITEM=(\d+)=([^\n]*)", re.M)
_SET_END, _END = re.compile(rb"(?<!\S)-1(?!\S)"), re.compile(rb"(?<!\S)-2(?!\S)")


def read_fimi(data: bytes, options: ReadOptions) -> Reading:
    """One basket a line, of any words. Raises InputError for what is no text or has no item."""
    text, encoding, guessed = _text(data, options)
    baskets = text.removesuffix(b"\n").split(b"\n")
    baskets = [basket.strip() for basket in each(baskets, options.tick, tr("reading the rows"))]
    return _reading("fimi", baskets, encoding, guessed, options)


def read_spmf(data: bytes, options: ReadOptions) -> Reading:
    """One record a sequence, of numbers, or words where the file names them. Raises InputError."""
    text, encoding, guessed = _text(data, options)
    found = {number.decode(): name.decode().strip() for number, name in _NAMED.findall(text)}
    names = {number: name for number, name in found.items() if name}
    *sequences, rest = _END.split(_SET_END.sub(b" ", _COMMENT.sub(b"", text)))
    if rest.strip() or not sequences:
        raise InputError(
            tr(
                "The file does not end with -2, the end of each sequence in an SPMF file; complete the file,"
                " or choose the format fimi."
            )
        )
    rows = each(sequences, options.tick, tr("reading the rows"))
    baskets = [b" ".join(sequence.split()) for sequence in rows]
    if names:
        baskets = [_named(basket.decode().split(), names).encode() for basket in baskets]
    return _reading("spmf", baskets, encoding, guessed, options)


def _named(numbers: list[str], names: dict[str, str]) -> str:
    known = [names.get(number, number) for number in numbers]
    return json.dumps(known, ensure_ascii=False) if known else ""


def _text(data: bytes, options: ReadOptions) -> tuple[bytes, str, bool]:
    refuse_foreign(data)
    text, encoding, guessed = to_utf8(data, options.encoding, options.tick)
    refuse_zero_byte(text)
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), encoding, guessed


def _reading(name: str, baskets: list[bytes], encoding: str, guessed: bool, options: ReadOptions) -> Reading:
    options.limits.check_shape(len(baskets), 1)
    empty = sum(not basket for basket in baskets)
    if empty == len(baskets):
        raise InputError(
            tr("The file has no items; each line must list the items of one basket, separated by blanks.")
        )
    cells = pa.chunked_array([pa.array([basket or None for basket in baskets], pa.large_string())])
    notes = [tr("The text encoding was guessed: {encoding}.").format(encoding=encoding)] if guessed else []
    said = tr("Each sequence was read as one record with a set of items.")
    if name == "fimi":
        said = tr("Each line was read as one record with a set of items.")
    notes.append(said)
    if empty:
        said = tr_n(
            "{empty:,} record has no items: its set is empty.",
            "{empty:,} records have no items: their set is empty.",
            empty,
        )
        notes.append(said.format(empty=empty))
    texts = text_array(cells)
    check_lengths(texts, COLUMN, options.limits)
    frame = pd.DataFrame({COLUMN: texts}, copy=False)
    return Reading(frame, name, encoding, header=False, notes=tuple(notes), typed=options.typed)


def _is_fimi(data: bytes) -> bool:
    """Return whether the first lines are whole numbers between blanks, not equally many in all."""
    lines = first_lines(data)
    return (
        len(lines) > 1
        and all(map(_FIMI.fullmatch, lines))
        and len({len(line.split()) for line in lines if line.strip()}) > 1
    )


def _is_spmf(data: bytes) -> bool:
    """Return whether the first lines that are no comments are sequences that end with −2."""
    lines = [line for line in first_lines(data) if line.strip() and line[:1] not in b"@#%"]
    return bool(lines) and all(map(_SPMF.fullmatch, lines))


FIMI = Format("fimi", later("Baskets, one a line (FIMI)"), (".fimi", ".dat"), _is_fimi, read_fimi)
SPMF = Format("spmf", later("Baskets or sequences (SPMF)"), (".spmf",), _is_spmf, read_spmf)
