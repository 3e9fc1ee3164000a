"""Places at which a large csv file is cut: the ends of records, which are found by walking over all its
chunks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np

from kanon_core.base.errors import InputError
from kanon_core.base.infile import in_file
from kanon_core.base.words import tr
from kanon_core.scale.source.layouts import (
    MARK,
    UNDEFINED,
    UTF_8,
    Layout,
    UncutError,
    blanks_and_quotes,
    encoded_otherwise,
    head_of,
    layout_of,
    long_lines,
    western,
)
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import opened
from kanon_core.table.readers.base import NEEDED, looked_for
from kanon_core.table.readers.text import records_kernels as kernels
from kanon_core.table.readers.text.delimited import SIGNS, unused_sign
from kanon_core.table.readers.text.ragged import open_quote

CHUNK = 2**24
"""Bytes that are walked over by one task."""
CHUNKS_OF_A_PIECE = 4
_BLOCK, _LONGEST = 2**16, 2**27
SIGNS_LOOKED_FOR = (*SIGNS, "\x1f", '"')


@dataclass(frozen=True)
class Span:
    """Bytes of a large csv file, from where a record begins to where one ends; ``lines``: line ends before.
    ``first``: the file begins here. ``loose``: the places where records begin and end are not known."""

    start: int
    end: int
    lines: int
    layout: Layout
    first: bool
    loose: bool = False


@dataclass(frozen=True)
class Chunk:
    """Some bytes of a file of this ``size``, of which those are looked at from the first line that begins in
    them to the first that begins after them; ``mark``: the file begins with a byte order mark."""

    file: str
    start: int
    end: int
    size: int
    delimiter: str
    mark: bool


def chunks_of(file: str, looked: Result) -> list[Chunk]:
    """Return the chunks of a large csv file; ``looked``: what was seen of its beginning."""
    size, rest = int(looked["size"]), (looked["delimiter"], bool(looked["mark"]))
    return [Chunk(file, at, min(at + CHUNK, size), size, *rest) for at in range(0, size, CHUNK)]


def line_after(source: IO[bytes], at: int, size: int) -> int:
    """Return the first place from there on at which a line begins; the size of the file where none does."""
    source.seek(at)
    while at < size and (block := source.read(_BLOCK)):
        if found := re.search(rb"\r\n?|\n", block):
            end = at + found.end()
            split = found[0] == b"\r" and found.end() == len(block) and source.read(1) == b"\n"
            return end + split
        at += len(block)
    return size


def walked_over(chunk: Chunk) -> Result:
    """Return where a chunk begins and ends; what `walk_over` finds in it, both if it begins outside of a
    quoted cell and if it begins within one; and the encodings that its bytes fit. Raises InputError naming
    the file."""
    with in_file(chunk.file), opened(chunk.file) as source:
        start = line_after(source, chunk.start, chunk.size) if chunk.start else len(MARK) * chunk.mark
        end = max(line_after(source, chunk.end, chunk.size), start)
        if end - start > _LONGEST:
            raise long_lines()
        source.seek(start)
        data = source.read(end - start)
    walks = np.zeros((2, kernels.FOUND), np.int64)
    walks[0] = kernels.walked(data, chunk.delimiter)
    if b'"' in data:
        walks[1] = kernels.walked(data, chunk.delimiter, True)
    else:  # it ends in the same state as it begins
        walks[1, [kernels.FIRST, kernels.LAST, kernels.OPENED]] = -1
        walks[1, [kernels.INSIDE, kernels.LINES]] = 1, walks[0, kernels.LINES]
    zero = data.find(b"\0")
    return {
        "start": start,
        "end": end,
        "walks": walks,
        "signs": [sign for sign in SIGNS_LOOKED_FOR if sign.encode() in data],
        "zero": len(re.findall(rb"\r\n?|\n", data[:zero])) if zero >= 0 else -1,
        "escapes": b"\x1b$" in data,
        **_encodings(data),
    }


def _encodings(data: bytes) -> Result:
    """Return which encodings the bytes fit, and the first byte beyond ASCII."""
    if data.isascii():
        return {"utf-8": True, "cp1252": True, "beyond": -1}
    try:
        data.decode()
        fits = True
    except UnicodeDecodeError:
        fits = False
    first = re.search(rb"[\x80-\xff]", data)
    return {UTF_8: fits, "cp1252": UNDEFINED.search(data) is None, "beyond": first.start() if first else -1}


@dataclass
class Survey:
    """The knowledge of a large csv file after some of its chunks, from the first on.

    ``inside``: a quoted cell is open, which was ``opened`` after so many line ends. ``cuts``: the places at
    which pieces begin, each with the number of line ends before; ``held``: how many records and chunks the
    last piece has so far.
    """

    rows_at_most: int
    inside: bool = False
    lines: int = 0
    opened: int = 0
    records: int = 0
    strays: int = 0
    cuts: list[tuple[int, int]] = field(default_factory=list)
    held: tuple[int, int] = (0, 0)
    used: set[str] = field(default_factory=set)
    fits: dict[str, bool] = field(default_factory=lambda: {UTF_8: True, "cp1252": True})
    beyond: int = -1

    def add(self, chunk: Result) -> None:
        """Go over the next chunk. Raises InputError for a zero byte, and for an encoding with shifts."""
        if chunk["zero"] >= 0:
            said = tr("The file is not plain text: line {line} holds a zero byte. {looked}")
            raise InputError(said.format(line=self.lines + chunk["zero"] + 1, looked=looked_for()))
        if chunk["escapes"]:
            raise encoded_otherwise()
        walk = [int(value) for value in chunk["walks"][int(self.inside)]]
        self._cut(chunk["start"], walk)
        if walk[kernels.OPENED] >= 0:
            self.opened = self.lines + walk[kernels.OPENED]
        self.inside = bool(walk[kernels.INSIDE])
        self.lines += walk[kernels.LINES]
        self.records += walk[kernels.RECORDS]
        self.strays += walk[kernels.STRAYS]
        self.used |= set(chunk["signs"])
        self.fits = {name: fits and chunk[name] for name, fits in self.fits.items()}
        if self.beyond < 0 <= chunk["beyond"]:
            self.beyond = chunk["start"] + chunk["beyond"]

    def _cut(self, start: int, walk: list[int]) -> None:
        """Begin a piece where the first record of the chunk begins, if the last piece is long enough."""
        records, chunks = self.held
        own = walk[kernels.RECORDS]
        place, lines = start, self.lines
        if self.inside:
            place, lines = start + walk[kernels.FIRST], self.lines + walk[kernels.LINES_TO_FIRST]
            records, own = records + 1, own - 1
        full = records + own > self.rows_at_most or chunks >= CHUNKS_OF_A_PIECE
        if not self.cuts or (full and place >= start and records > (len(self.cuts) == 1) and own > 0):
            self.cuts.append((place, lines))
            self.held = (own, 1)
        else:
            self.held = (records + own, chunks + 1)


def spans_of(file: str, looked: Result, chunks: Iterable[Result], rows_at_most: int) -> Sequence[Span | None]:
    """Return the pieces of a large csv file, of about so many rows each or a chunk; None where it is read at
    once. Raises InputError naming the file."""
    with in_file(file):
        try:
            return _spans_of(file, looked, chunks, Survey(rows_at_most))
        except UncutError as problem:
            problem.check(int(looked["size"]))
            return (None,)


def _spans_of(file: str, looked: Result, chunks: Iterable[Result], survey: Survey) -> list[Span]:
    for chunk in chunks:
        survey.add(chunk)
    if survey.inside:
        raise open_quote(survey.opened + 1)
    layout = _layout(file, looked, survey)
    ends = [place for place, _ in survey.cuts[1:]] + [int(looked["size"])]
    if max(end - start for (start, _), end in zip(survey.cuts, ends, strict=True)) > _LONGEST:
        raise long_lines()
    return [
        Span(start, end, lines, layout, number == 0)
        for number, ((start, lines), end) in enumerate(zip(survey.cuts, ends, strict=True))
    ]


def _layout(file: str, looked: Result, survey: Survey) -> Layout:
    head, encoding = head_of(file), UTF_8
    if not survey.fits[UTF_8]:
        if looked["mark"]:
            raise encoded_otherwise()
        encoding = western(file, head, survey.beyond, survey.fits["cp1252"])
    layout = layout_of(head, encoding, survey.used, looked["mark"])
    said = looked["delimiter"] or unused_sign(survey.used)
    if layout.delimiter != said or (not looked["delimiter"] and said in survey.used):
        raise encoded_otherwise()
    if layout.delimiter == ", " and survey.strays:
        raise blanks_and_quotes()
    if survey.records <= layout.header:
        raise InputError(tr("The file has column names but no records; {needed}.").format(needed=tr(NEEDED)))
    return layout
