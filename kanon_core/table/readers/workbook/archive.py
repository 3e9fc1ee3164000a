"""The archive of a workbook, and which of its parts are sheets, styles and shared texts."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.table.readers.base import Limits, ReadOptions
from kanon_core.table.readers.text.detect import of_another_format, refuse_foreign
from kanon_core.table.readers.workbook.walk import Damaged, Walk

_ENTRIES, _RATIO, _CELL_BYTES, _SMALL = 10_000, 100, 64, 32 * 2**20
DAMAGED = later("The workbook is damaged or not a valid .xlsx file: open it and save it again as .xlsx.")
"""The message on an archive or XML that is damaged."""
_SHEETS, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


@dataclass(frozen=True)
class Workbook:
    """The parts of a workbook: ``sheets`` as pairs of title and entry, the entries of ``strings`` and
    ``styles`` ("" for none), and whether days count from 1904. ``size``: bytes of the packed file."""

    archive: zipfile.ZipFile
    sheets: tuple[tuple[str, str], ...]
    strings: str
    styles: str
    from_1904: bool
    size: int

    def walk(self, entry: str, walk: Walk, tick: Tick) -> None:
        """Read an entry."""
        with self.archive.open(entry) as source:
            walk.run(source, tick)


def opened(data: bytes, options: ReadOptions) -> Workbook:
    """Return the workbook in these bytes; raises InputError if they are no workbook, or would grow too
    large."""
    archive = _archive(data, options.limits)
    titles: list[tuple[str, str]] = []
    properties: dict[str, str] = {}
    links: dict[str, tuple[str, str]] = {}

    def sheet(attributes: dict[str, str]) -> None:
        link = next((value for name, value in attributes.items() if name.endswith(":id")), "")
        titles.append((attributes["name"], link))

    def linked(attributes: dict[str, str]) -> None:
        links[attributes["Id"]] = attributes.get("Type", ""), _place(attributes["Target"])

    book = Workbook(archive, (), "", "", False, len(data))
    book.walk(_SHEETS, Walk({"sheet": sheet, "workbookPr": properties.update}, {}), options.tick)
    book.walk(_LINKS, Walk({"Relationship": linked}, {}), options.tick)
    there = set(archive.namelist())
    sheets = ((title, *links[link]) for title, link in titles if link)
    found = tuple((title, entry) for title, kind, entry in sheets if entry in there and "chart" not in kind)
    if len({title for title, _ in found}) < len(found):
        raise Damaged
    strings, styles = (next(_of_kind(links, kind, there), "") for kind in ("sharedStrings", "styles"))
    from_1904 = properties.get("date1904", "") in ("1", "true")
    return Workbook(archive, found, strings, styles, from_1904, len(data))


def _of_kind(links: dict[str, tuple[str, str]], kind: str, there: set[str]) -> Iterator[str]:
    places = (place for said, place in links.values() if said.endswith(f"/{kind}"))
    return (place for place in (*places, f"xl/{kind}.xml") if place in there)


def _place(target: str) -> str:
    """The entry that a link of the workbook means."""
    return target[1:] if target.startswith("/") else posixpath.normpath(f"xl/{target}")


def _archive(data: bytes, limits: Limits) -> zipfile.ZipFile:
    """Refuse files that are no workbook, and archives that would grow too large. The archive's directory may
    lie about sizes, but zipfile never unpacks more of an entry than the directory says, so the sizes checked
    here bound the work."""
    if not data.startswith(b"PK\x03\x04"):
        raise of_another_format(data, ".xlsx")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise InputError(tr(DAMAGED)) from None
    entries = archive.infolist()
    names = {entry.filename for entry in entries}
    if "xl/workbook.bin" in names:
        raise InputError(tr("The file is a binary workbook (.xlsb); save it as .xlsx."))
    if _SHEETS not in names:
        refuse_foreign(data)
    unpacked = sum(entry.file_size for entry in entries)
    allowed = min(limits.unpacked, max(_SMALL, min(_CELL_BYTES * limits.sheet_cells, _RATIO * len(data))))
    if unpacked > allowed or len(entries) > _ENTRIES:
        said = tr(
            "The unpacked workbook has {size:,.0f} MB in {parts:,} parts; the limit for a file of this"
            " size is {limit:,.0f} MB in {most:,} parts. Save the table as csv."
        )
        raise InputError(
            said.format(size=unpacked / 2**20, parts=len(entries), limit=allowed / 2**20, most=_ENTRIES)
        )
    return archive
