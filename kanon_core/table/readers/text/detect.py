"""Detect the properties of a file from its bytes: foreign formats, text encoding, delimiter."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.table.readers.around import titles_above
from kanon_core.table.readers.base import looked_for

DELIMITERS = ("\t", ";", "|", ",")
"""Rarest in ordinary text first: the earlier one wins when two split the lines equally well."""

HEAD = 2**18
"""Bytes looked at to find delimiter and header."""

_SAMPLED = 200
_CHUNK = 2**24
_FOREIGN = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": later(
        "an old or password-protected Office file: save it as .xlsx without a password"
    ),
    b"%PDF": later("a PDF document: export the table as csv or .xlsx"),
    b"\x1f\x8b": later("compressed (gzip): unpack it first"),
    b"BZh": later("compressed (bzip2): unpack it first"),
    b"\xfd7zXZ": later("compressed (xz): unpack it first"),
    b"\x28\xb5\x2f\xfd": later("compressed (zstd): unpack it first"),
    b"7z\xbc\xaf": later("a 7z archive: unpack it first"),
    b"SQLite format 3": later("an SQLite database: export one table as csv"),
    b"ARROW1": later("an Arrow file: save it as parquet"),
    b"\x89PNG": later("a picture: save the table as csv, .xlsx or parquet"),
    b"\xff\xd8\xff": later("a picture: save the table as csv, .xlsx or parquet"),
    b"GIF8": later("a picture: save the table as csv, .xlsx or parquet"),
    b"{\\rtf": later("a text document: save the table as csv, .xlsx or parquet"),
    b"PK\x03\x04": later("a zip archive, not an .xlsx workbook: unpack it, or save the workbook as .xlsx"),
}
"""By the first bytes of a file, the kind of file and the remedy."""
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|table|\?xml)", re.I)
_JSON = re.compile(rb"\s*(?:\{\s*\"|\[\s*[\[{])")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_TEXT = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
"""Codecs of Python that are for addresses and programs; two of them take quadratic time."""
_JAPANESE = "\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60々〆"
_PLAUSIBLE = re.compile(f"(?<![A-Za-z])[{_JAPANESE}]+(?![A-Za-z])|[{_JAPANESE}]{{2,}}|[\uff61-\uff9f]{{3,}}")
_ENOUGH, _RUNS, _HALF_WIDTH = 0.6, 3, 5
_USUAL = b"\x98"
"""The greatest first byte, in CP932, of kana and of the kanji of the first level of JIS X 0208."""
_CONTROLS, _BINARY = re.compile(rb"[\x01-\x06\x0e-\x19\x7f]"), 0.01
"""Bytes that texts in a guessed encoding hardly have, and the share of them from which it is no text."""


def refuse_foreign(data: bytes) -> None:
    """Raise InputError when the bytes are a known kind of file that is not read here."""
    what = next((what for magic, what in _FOREIGN.items() if data.startswith(magic)), "")
    if _MARKUP.match(data[:200]):
        what = later("a web page or XML: save the table as csv, .xlsx or parquet")
    elif _JSON.match(data[:200]):
        what = later("JSON: save the records as csv, .xlsx or parquet")
    if what:
        raise InputError(tr("The file is {what}. {looked}").format(what=tr(what), looked=looked_for()))


def of_another_format(data: bytes, wanted: str) -> InputError:
    """Return the error on bytes that are not of the wanted format; raises another one where their format is
    known."""
    refuse_foreign(data)
    said = tr("The content of the file is not {format}; choose another format, or save the file as {format}.")
    return InputError(said.format(format=wanted))


def refuse_zero_byte(text: bytes) -> None:
    """Raise InputError, naming the line, when a text holds a zero byte."""
    if (at := text.find(b"\0")) >= 0:
        said = tr("The file is not plain text: line {line} holds a zero byte. {looked}")
        raise InputError(said.format(line=text.count(b"\n", 0, at) + 1, looked=looked_for()))


def to_utf8(data: bytes, encoding: str | None, tick: Tick = silent) -> tuple[bytes, str, bool]:
    """The text as UTF-8 without byte order mark, the encoding's name, and whether it was a guess.

    Byte order marks first, then strict UTF-8, then UTF-16 by its zero bytes, ISO-2022-JP by its escapes, then
    CP932 and EUC-JP when the result reads like Japanese, then Windows-1252, then Latin-1, which fits any
    bytes. Raises InputError for an unknown encoding or one that does not fit, and for what is no text.
    """
    if encoding is not None:
        return _as_said(data, encoding, tick), encoding, False
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _as_said(data, name, tick), name, False
    if b"\x1b" in data and b"\x1b$" in data and (text := transcoded(data, "iso2022_jp", tick)) is not None:
        return text, "iso2022_jp", True
    if b"\0" not in data[:HEAD] and (text := transcoded(data, "utf-8", tick)) is not None:
        return text, "utf-8", False
    if is_binary(data[:HEAD]):
        raise InputError(tr("The file is not plain text. {looked}").format(looked=looked_for()))
    for name in candidates(data):
        if (text := transcoded(data, name, tick)) is not None:
            return text, name, True
    return data.decode("latin-1").encode(), "latin-1", True


def _as_said(data: bytes, encoding: str, tick: Tick) -> bytes:
    try:
        known = codecs.lookup(encoding).name
        if known in _NO_TEXT:
            raise LookupError
        "".encode(known)
        codecs.getincrementaldecoder(known)
    except (LookupError, ValueError):
        said = tr(
            "“{encoding}” is not a known text encoding; choose one such as utf-8, cp932, euc_jp or cp1252."
        )
        raise InputError(said.format(encoding=encoding)) from None
    text = transcoded(data, known, tick)
    if text is None:
        said = tr(
            "The file is not {encoding} text throughout; choose another encoding, or leave it empty to"
            " detect it."
        )
        raise InputError(said.format(encoding=encoding))
    return text


def transcoded(data: bytes, encoding: str, tick: Tick) -> bytes | None:
    """The same text in UTF-8, or None when the bytes do not fit; works in pieces to save memory."""
    same = codecs.lookup(encoding).name in ("utf-8", "ascii")
    if same and data.isascii():
        return data
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    pieces: list[bytes] = []
    try:
        for start in range(0, len(data), _CHUNK):
            tick(None, tr("reading the text"))
            text = decoder.decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
            if not same:
                pieces.append(text.encode())
    except UnicodeError:
        return None
    return (data if same else b"".join(pieces)).removeprefix(codecs.BOM_UTF8)


def is_binary(head: bytes) -> bool:
    """Return whether so many bytes are control characters that this is no text; zero bytes are checked
    elsewhere, as UTF-16 has them."""
    return b"\0" not in head and len(_CONTROLS.findall(head)) > _BINARY * len(head)


def candidates(data: bytes) -> list[str]:
    """The encodings that bytes which are no UTF-8 may be in, the likeliest first."""
    zeros = data[:HEAD].count(0)
    if zeros > len(data[:HEAD]) // 8:
        even = data[:HEAD:2].count(0)
        return ["utf-16-be" if even > zeros - even else "utf-16-le"]
    if zeros:
        return []
    first = re.search(rb"[\x80-\xff]", data)
    start = data.rfind(b"\n", 0, first.start()) + 1 if first else 0
    sample = data[start : start + 2**16]
    texts = {name: sample.decode(name, "ignore") for name in ("cp932", "euc_jp")}
    scores = {name: _japanese_share(text) for name, text in texts.items() if _is_evident(text)}
    japanese = [name for name in sorted(scores, key=lambda name: -scores[name]) if scores[name] >= _ENOUGH]
    return [*japanese, "cp1252"]


def _japanese_share(text: str) -> float:
    """The share of the characters beyond ASCII in places where Japanese text would have them."""
    beyond = sum(character > "\x7f" for character in text)
    return sum(len(run) for run in _PLAUSIBLE.findall(text)) / beyond if beyond else 0.0


def _is_evident(text: str) -> bool:
    """Return whether there is more evidence than a few letters with accents, or quotes, could produce: two
    usual characters, not the same one twice apart; five half-width ones in a row; or three different runs."""
    runs = set(_PLAUSIBLE.findall(text))
    usual = [_usual(run) for run in runs]
    return len(runs) >= _RUNS or sum(usual) > 1 or any(len(run) >= _HALF_WIDTH for run in runs)


def _usual(run: str) -> int:
    """The number of kana and usual kanji of a run, none of which is half-width."""
    if run[0] >= "\uff61":
        return 0
    return sum(b"" < character.encode("cp932", "ignore")[:1] <= _USUAL for character in run)


def head_of(data: bytes) -> str:
    """The beginning of UTF-8 text after empty lines: `HEAD` bytes, more if the first line is longer, cut at a
    line's end."""
    data = data.lstrip(b"\r\n")
    end = HEAD if len(data) > HEAD else len(data)
    while end < len(data) and not re.search(rb"[\r\n]", data[:end]):
        end *= 4
    text = data[:end].decode("utf-8", "ignore")
    if end >= len(data):
        return text
    cut = max(text.rfind("\n"), text.rfind("\r"))
    return text[: cut + 1] if cut > 0 else text


def records(text: str, delimiter: str) -> Iterator[list[str]]:
    """The records of delimited text as fields, still quoted; blank lines are skipped; cost O(length)."""
    if '"' not in text:
        yield from (line.split(delimiter) for line in _lines(text))
        return
    d = re.escape(delimiter)
    field = re.compile(rf'( *"(?:[^"]|"")*+"[^{d}\r\n]*+|[^{d}\r\n]*+)({d}|\r\n?|\n|\Z)')
    position = 0
    fields: list[str] = []
    while position < len(text) or fields:
        found = field.match(text, position)
        if found is None:
            return
        fields.append(found[1])
        position = found.end()
        if found[2] != delimiter:
            if fields != [""]:
                yield fields
            fields = []


def _lines(text: str) -> Iterator[str]:
    return (line[0] for line in re.finditer(r"[^\r\n]+", text))


def widths(text: str, delimiter: str, most: int) -> list[int]:
    """Return how many fields the first records have, at most so many ``most`` of them. Fields of a text
    without quotes are counted, not made: a line may have a hundred million."""
    if '"' not in text:
        return [line.count(delimiter) + 1 for line in islice(_lines(text), most)]
    return [len(fields) for fields in islice(records(text, delimiter), most)]


def unquoted(field: str) -> str:
    """The text of a field without its quotes."""
    text = field.strip(" ")
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else field


def find_delimiter(head: str) -> str | None:
    """The delimiter that splits the first lines into the same number of fields, or None for a single column.

    Without any that fits all lines, the one that fits most of them. ", " when each field begins with a space.
    """
    best, best_share, best_width = None, 0.0, 1
    for delimiter in (one for one in DELIMITERS if one in head):
        counts = widths(head, delimiter, _SAMPLED)
        if counts and counts[0] == 1 and len(set(counts[1:])) > 1 and not _titled(head, delimiter):
            continue  # a single column with its name above item sets of several sizes
        often = Counter(counts)
        width, lines = max(often.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        share = lines / max(often.total(), 1)
        if width > 1 and (share > best_share or (share == best_share and width > best_width + 1)):
            best, best_share, best_width = delimiter, share, width
    return ", " if best == "," and _spaced(head) else best


def _titled(head: str, delimiter: str) -> bool:
    """Return whether the first lines, split so, are titles above the names of a table."""
    split = islice(records(head, delimiter), _SAMPLED)
    rows = [[unquoted(field).strip() for field in fields] for fields in split]
    apart = range(1, len(rows)) if re.match(r"[^\r\n]+(?:\r\n?|\n){2}|[^\r\n]+\n\r?\n", head) else ()
    return titles_above(rows, apart) > 0


def _spaced(head: str) -> bool:
    """Return whether all fields after a comma begin with a blank, but for empty ones."""
    if '"' not in head:
        first = list(islice(_lines(head), _SAMPLED))
        return any(", " in line for line in first) and not any(re.search(",[^ ,]", line) for line in first)
    fields = [field for record in islice(records(head, ","), _SAMPLED) for field in record[1:] if field]
    return bool(fields) and all(field.startswith(" ") for field in fields)


def first_lines(data: bytes, most: int = 1_000) -> list[bytes]:
    """Up to so many whole lines, without their ends."""
    lines = [line.rstrip(b"\r") for line in data[:HEAD].removesuffix(b"\n").split(b"\n", most)]
    return lines[:-1] if len(data) > HEAD or len(lines) > most else lines
