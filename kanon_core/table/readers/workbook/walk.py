"""Read XML element by element: only requested content is kept, and no file can make the reading go on
forever.

Names are compared as they are written, with the prefix of the root element: expanding namespaces would let
a short file write a long address in front of each of its elements.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import IO
from xml.parsers import expat
from zipfile import BadZipFile

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr

Starts = Mapping[str, Callable[[dict[str, str]], None]]
"""By local name, the function that is called with an element's attributes at its start."""
Ends = Mapping[str, Callable[[], None]]
"""By local name, the function that is called at the end of an element."""

_BLOCK = 2**16
_ELEMENTS = 2_000_000
"""The limit of elements other than those for which `Walk.left` was raised: formats, links, merged cells."""


class Damaged(Exception):
    """The XML is not that of a workbook."""


BROKEN: tuple[type[Exception], ...] = (Damaged, expat.ExpatError, BadZipFile, zlib.error, EOFError, KeyError)
BROKEN += (IndexError, ValueError, OverflowError, NotImplementedError, RuntimeError, OSError)
"""The exceptions that a damaged or hostile workbook causes; RuntimeError comes from an encrypted entry."""


class Inside:
    """A flag that is on while the walk is inside an element; call ``begin`` at the element's start, ``end``
    at its end."""

    def __init__(self) -> None:
        self.now = False

    def begin(self, _: dict[str, str]) -> None:
        """The element starts."""
        self.now = True

    def end(self) -> None:
        """The element ends."""
        self.now = False


class Walk:
    """A walk through XML that calls the given functions at elements, to the end of ``source`` or of the
    element ``until``.

    ``pieces`` holds the text since it was last cleared. ``left``: how many more elements may begin; code that
    counts an element against a limit of its own raises it. Raises InputError when there are more, and
    `Damaged`. Cost O(bytes).
    """

    def __init__(self, starts: Starts, ends: Ends, until: str = "") -> None:
        self.left = _ELEMENTS
        self.pieces: list[str] = []
        self._starts, self._ends = dict(starts), {**ends, **({until: self._finish} if until else {})}
        self._done = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._root
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self.pieces.append

    def run(self, source: IO[bytes], tick: Tick) -> None:
        """Read all of it. The part after ``until`` is unpacked, which checks its sum, but not parsed."""
        while block := source.read(_BLOCK):
            tick(None, tr("reading the workbook"))
            if not self._done:
                self._parser.Parse(block)
        if not self._done:
            self._parser.Parse(b"", True)

    def text(self) -> str:
        """Return the text since ``pieces`` was last cleared, and clear it. So of nested elements only the
        innermost has a text, and a long text is not copied for each of them."""
        text = "".join(self.pieces)
        self.pieces.clear()
        return text

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        prefix, colon, _ = name.rpartition(":")
        self._starts = {prefix + colon + local: work for local, work in self._starts.items()}
        self._ends = {prefix + colon + local: work for local, work in self._ends.items()}
        self._parser.StartElementHandler = self._start
        self._start(name, attributes)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.left -= 1
        if self.left < 0:
            said = tr(
                "The workbook has more than {limit:,} XML elements other than cells, the limit; copy the"
                " values into a new workbook, or save the table as csv."
            )
            raise InputError(said.format(limit=_ELEMENTS))
        if (work := self._starts.get(name)) is not None:
            work(attributes)

    def _end(self, name: str) -> None:
        if not self._done and (work := self._ends.get(name)) is not None:
            work()

    def _finish(self) -> None:
        self._done = True
        self._parser.StartElementHandler = None
        self._parser.CharacterDataHandler = None

    def _doctype(self, *_: object) -> None:
        raise Damaged  # no workbook has one, and entities are declared there
