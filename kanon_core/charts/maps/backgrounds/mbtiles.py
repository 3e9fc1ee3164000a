"""An MBTiles file: an SQLite database with a table of tiles, or of tiles and the pictures they share.

Source: MBTiles specification 1.3 (https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md).

The file is hostile until shown otherwise: it is opened in memory, and only its tables are read, by statements
of our own, within a number of steps. Its views, triggers and generated columns would run what the file says.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from functools import partial
from typing import Any

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds.tiles import MOST_TILE_BYTES, Place, bounds_of

MAGIC = b"SQLite format 3\x00"
_TABLES = ("tiles", "map", "images", "metadata")
_STEPS_EACH, _STEPS = 10_000, 2_000
"""A statement is ended after so many times so many steps of SQLite's machine, about half a second."""
_JOURNAL, _BESIDE, _WITHIN = slice(18, 20), b"\x02\x02", b"\x01\x01"
_MOST_SQL, _MOST_DECLARED = 100_000, 1_000
_LEAF, _INNER = b"\x0d", b"\x05"
_FUNCTIONS = ("min", "max")
_SEVERAL = {
    ("tiles",): "tiles",
    ("map", "images"): "map JOIN images ON images.tile_id = map.tile_id",
}
"""By the tables that a file must have: where the tiles stand."""
_COLUMNS = {
    "tiles": {"zoom_level", "tile_column", "tile_row", "tile_data"},
    "map": {"zoom_level", "tile_column", "tile_row", "tile_id"},
    "images": {"tile_id", "tile_data"},
    "metadata": {"name", "value"},
}
_LISTED = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND rootpage > 0 AND name IN ('tiles', 'map', 'images', 'metadata') LIMIT 10"""
_COLUMNS_OF = "SELECT name, hidden FROM pragma_table_xinfo(?) LIMIT 100"
_FACTS = "SELECT name, value FROM metadata LIMIT 200"
_LEVELS = ("SELECT min(zoom_level) FROM {}", "SELECT max(zoom_level) FROM {}")
_FIRST = "SELECT tile_data FROM {} LIMIT 1"
_TILE = "SELECT tile_data FROM {} WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1"
_SETTINGS = (
    "PRAGMA query_only = 1; PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA temp_store = 2"
)


class MBTiles:
    """The tiles of a file that is kept in memory. Raises InputError, one sentence, when it is damaged, is
    another database, or would have to run its own statements to be read."""

    def __init__(self, content: bytes) -> None:
        self._lock, self._left = threading.Lock(), _STEPS
        try:
            self._database = _opened(content)
            tables = self._tables()
            self._tiles = next((of for names, of in _SEVERAL.items() if tables.issuperset(names)), None)
            if self._tiles is None:
                raise InputError(
                    tr("The background is a database without a table of tiles; it is no MBTiles file.")
                )
            self._close()
            facts = self._facts() if "metadata" in tables else {}
            table = self._tiles.split()[0]
            ends = [self._rows(ask.format(table))[0][0] for ask in _LEVELS]
        except sqlite3.Error as wrong:
            raise _damaged() from wrong
        self.zooms = _levels(*ends)
        self.credit = facts.get("attribution", "")
        self.bounds = _bounds(facts.get("bounds", ""))

    def first(self) -> bytes | None:
        """The bytes of any tile."""
        try:
            found = self._rows(_FIRST.format(self._tiles))
        except sqlite3.Error as wrong:
            raise _damaged() from wrong
        return _bytes(found)

    def tile(self, place: Place) -> bytes | None:
        """The bytes of a tile, or None where there is none or the file is damaged there; its rows count from
        the south."""
        zoom, x, y = place
        try:
            found = self._rows(_TILE.format(self._tiles), zoom, x, (1 << zoom) - 1 - y)
        except sqlite3.Error:
            return None
        return _bytes(found)

    def _rows(self, statement: str, *values: int | str) -> list[tuple[Any, ...]]:
        """The rows of a statement of ours, within a number of steps."""
        with self._lock:
            self._left = _STEPS
            self._database.set_progress_handler(self._ends, _STEPS_EACH)
            return self._database.execute(statement, values).fetchall()

    def _ends(self) -> bool:
        self._left -= 1
        return self._left < 0

    def _tables(self) -> set[str]:
        """The tables of the specification that are tables with plain columns."""
        found = set()
        for (name,) in self._rows(_LISTED):
            columns = self._rows(_COLUMNS_OF, name)
            plain = {str(column).lower() for column, hidden in columns if hidden == 0}
            if plain >= _COLUMNS[name] and all(hidden == 0 for _, hidden in columns):
                found.add(str(name))
        return found

    def _close(self) -> None:
        """From here on only the tables of the specification are read."""

        def allowed(action: int, one: str | None, two: str | None, base: str | None, by: str | None) -> int:
            named = action == sqlite3.SQLITE_READ and one in _TABLES
            called = action == sqlite3.SQLITE_FUNCTION and two in _FUNCTIONS
            good = by is None and (action == sqlite3.SQLITE_SELECT or named or called)
            return sqlite3.SQLITE_OK if good else sqlite3.SQLITE_DENY

        self._database.set_authorizer(allowed)

    def _facts(self) -> dict[str, str]:
        """The metadata that are texts."""
        rows = self._rows(_FACTS)
        return {name: value for name, value in rows if isinstance(name, str) and isinstance(value, str)}


def _opened(content: bytes) -> sqlite3.Connection:
    """The database in memory, read only and careful."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    if not hasattr(database, "deserialize"):
        raise InputError(tr("This computer's SQLite cannot read an MBTiles file from memory; use PMTiles."))
    if content[_JOURNAL] == _BESIDE:  # its journal stood in a file beside it; so it would not open in memory
        content = content[: _JOURNAL.start] + _WITHIN + content[_JOURNAL.stop :]
    if declared(content) > _MOST_DECLARED:
        raise _damaged()
    database.deserialize(content)
    database.executescript(_SETTINGS)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_TILE_BYTES + 100_000)
    database.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MOST_SQL)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def declared(content: bytes) -> int:
    """How many tables, indexes and the like a database declares, at most about 1,000: SQLite reads them all
    before the first statement, and takes minutes for 100,000.

    They are the cells of the leaves (kind 13) of the tree of pages that begins on page 1; an inner page
    (kind 5) leads to others [SQLite, Database File Format, section 1.6].
    """
    number = partial(int.from_bytes, byteorder="big")
    size, todo, found = number(content[16:18]), [1], 0
    size = 1 << 16 if size == 1 else size
    for _ in range(_MOST_DECLARED):
        if not todo or found > _MOST_DECLARED or len(todo) > _MOST_DECLARED:
            break
        start = (todo.pop() - 1) * size
        head = start + (100 if start == 0 else 0)
        cells = number(content[head + 3 : head + 5])
        if content[head : head + 1] == _LEAF:
            found += cells
        elif content[head : head + 1] == _INNER:
            places = (number(content[at : at + 2]) for at in range(head + 12, head + 12 + 2 * cells, 2))
            todo += [number(content[start + at : start + at + 4]) for at in places]
            todo.append(number(content[head + 8 : head + 12]))
    return found + len(todo)  # each page that was not looked at has one at least


def _levels(low: object, high: object) -> tuple[int, int]:
    """The zoom levels, or two that are none."""
    if low is None:
        raise InputError(tr("The background has no tiles; there is nothing to draw."))
    return (low, high) if isinstance(low, int) and isinstance(high, int) else (1, 0)


def _bytes(rows: list[tuple[Any, ...]]) -> bytes | None:
    found = rows[0][0] if rows else None
    return found if isinstance(found, bytes) else None


def _bounds(text: str) -> tuple[float, float, float, float] | None:
    """West, south, east and north as the metadata have them, or None."""
    with contextlib.suppress(ValueError):
        west, south, east, north = (float(part) for part in text.split(","))
        return bounds_of(west, south, east, north)
    return None


def _damaged() -> InputError:
    return InputError(
        tr("The background is an MBTiles file that is damaged, cut short or takes too long; get it again.")
    )
