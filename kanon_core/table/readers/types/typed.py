"""The typed columns of one file, with notes on the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.words import listed, tr
from kanon_core.table.columns.dates import ENOUGH, read_dates
from kanon_core.table.readers.base import MISSING_NUMBERS, ReadOptions, text_array
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.types.missing import (
    INFINITE,
    Others,
    are_words,
    cleared,
    cleared_values,
    codes_of,
    entries_of,
    everywhere,
    gone,
    without,
)
from kanon_core.table.readers.types.spellings import PLAIN, are_released, matches
from kanon_core.table.readers.types.wholetypes import (
    CellType,
    Facts,
    as_decided,
    decisions,
    different,
    facts_of_texts,
    usual_facts,
)

_SHOWN, _TRIED = 4, 200
_FEW_RECORDS, _SHARE = 5, 0.01
_OPEN = frozenset({"dot?;", "dot?,", "comma?;", "comma?,"})


@dataclass(frozen=True, eq=False)
class _Look:
    """A column: its cells, the facts about them, and how many cells were codes for a missing one; of cells
    that are no usual numbers also the different texts with their counts."""

    cells: pa.ChunkedArray
    texts: pa.Array
    counts: np.ndarray
    facts: Facts
    hits: int


def typed_columns(
    columns: Mapping[str, pa.ChunkedArray], semicolons: bool, options: ReadOptions, notes: Notes
) -> dict[str, object]:
    """Return, by name, the columns that these texts (n, null = missing) mean: int64, float64 or str; the
    decisions go to the notes. ``semicolons``: the file separates its fields by ";", a sign that a comma
    inside a number is a decimal comma. Only the different texts are looked at, so the cost is one hash per
    cell."""
    arrays, waiting, facts = dict[str, object](), dict[str, _Look](), dict[str, Facts]()
    for name, given in columns.items():
        options.tick(None, tr("reading the columns"))
        cells, hits = cleared(given, codes_of(options.missing, name))
        look = _looked(cells, semicolons, kept_in(options.keep, name), hits)
        facts[name] = look.facts
        if look.facts.kinds & _OPEN:
            waiting[name] = look
        else:
            how = decisions({name: look.facts}, options.decimal)[name]
            arrays[name] = _made(look, how, name, options, notes)
    decided = decisions(facts, options.decimal) if waiting else {}
    arrays |= {name: _made(look, decided[name], name, options, notes) for name, look in waiting.items()}
    return {name: arrays[name] for name in columns}


def typed_alone(cells: pd.Series) -> pd.Series:
    """Return the typed column of these texts, independent of other columns of their file.

    >>> typed_alone(pd.Series(["1,234", "NA", "5"], dtype="str")).tolist()
    [1234.0, nan, 5.0]
    """
    texts = pa.chunked_array([pa.array(cells, pa.large_string(), from_pandas=True)])
    found = typed_columns({"": texts}, False, ReadOptions(), Notes())[""]
    return pd.Series(found, index=cells.index)


def text_column(cells: pa.ChunkedArray, name: str, options: ReadOptions, notes: Notes) -> object:
    """The column of these texts (n, null = missing), which are no numbers whatever they look like."""
    cells, _ = cleared(cells, codes_of(options.missing, name))
    texts, counts = different(cells)
    _note_question_marks(texts, counts, name, notes)
    kept = kept_in(options.keep, name)
    return text_array(without(cells, _missing_words(texts, counts, kept, name, notes)))


def kept_in(keep: tuple[str, ...], name: str) -> frozenset[str]:
    """The words, in lower case, that are kept as values in this column."""
    return frozenset(word.strip().lower() for word in (*everywhere(keep), *entries_of(keep, name)))


def _looked(cells: pa.ChunkedArray, semicolons: bool, kept: frozenset[str], hits: int) -> _Look:
    if (facts := usual_facts(cells, semicolons, whole=True)) is not None:
        return _Look(cells, pa.array([], pa.large_string()), np.zeros(0, np.int64), facts, hits)
    texts, counts = different(cells)
    facts = facts_of_texts(texts, counts, cells.null_count > 0, semicolons, kept, whole=True)
    return _Look(cells, texts, counts, facts, hits)


def _made(look: _Look, how: CellType, name: str, options: ReadOptions, notes: Notes) -> object:
    """The column as it is decided, with notes on it."""
    column = as_decided(look.cells, how)
    if how.name == "text":
        _note_question_marks(look.texts, look.counts, name, notes)
        _note_text(look, how, name, options, notes)
        return column
    assert isinstance(column, np.ndarray)
    named = 0
    if how.words:
        word = np.asarray(pc.is_in(look.texts, value_set=pa.array(sorted(look.facts.words), look.texts.type)))
        _note_words("missing", look.texts.filter(pa.array(word)), look.counts[word], name, notes, INFINITE)
        named = _count_words(look, word)
    infinite = int(np.isnan(column).sum()) - look.cells.null_count - named
    if infinite:
        notes.add("infinite", name, infinite)
    _note_numbers(look, how, name, notes)
    return cleared_values(column, codes_of(options.missing, name), look.hits, name, notes)


def _count_words(look: _Look, word: np.ndarray) -> int:
    """Return how many cells are words for a missing number."""
    texts = look.texts.filter(pa.array(word)).to_pylist()
    named = np.array([text.strip().lower() not in INFINITE for text in texts], bool)
    return int(look.counts[word][named].sum())


def _note_numbers(look: _Look, how: CellType, name: str, notes: Notes) -> None:
    """Note how the numbers of a column are written."""
    kinds = look.facts.kinds
    note_way(how, name, notes)
    if how.way == "dotless" and kinds & {"comma", "dots,"}:
        notes.add("decimal-comma", name)
    if how.why == "undecided":
        row = 1 + int(np.flatnonzero(matches(look.cells, r"\."))[0])
        notes.add("undecided", name, tr("(row {row})").format(row=row))
    if how.dressed:
        units = ", ".join(sorted(look.facts.units - {""}))
        notes.add("dressed", name, f"({units})" if units else None)


def note_way(how: CellType, name: str, notes: Notes) -> None:
    """Note how the numbers of a column are written, unless they are written plainly."""
    if how.way:
        notes.add({"comma": "decimal-comma", "dotless": "dots"}.get(how.way, how.way), name)


def _note_text(look: _Look, how: CellType, name: str, options: ReadOptions, notes: Notes) -> None:
    """Note, for a column of texts, which of them mean missing, and why its numbers are none."""
    if how.why:
        notes.add(how.why, name)
    if look.facts.words:
        _missing_words(look.texts, look.counts, kept_in(options.keep, name), name, notes, how.gone)
    plain = matches(look.texts, PLAIN)
    if plain.any() and not how.why:
        others = ~plain & ~np.asarray(pc.is_in(look.texts, value_set=pa.array(how.gone, look.texts.type)))
        if not _are_dates(look.texts.filter(pa.array(others))):
            released = others & are_released(look.texts)
            if released.any():
                notes.add("released", name, int(look.counts[released].sum()))
                others &= ~matches(look.texts, r"^\s*\*+\s*$")  # suppressed there
            if words := int(look.counts[others & ~released].sum()):
                notes.add("mixed", name, words)


def _are_dates(texts: pa.Array) -> bool:
    """Return whether the first of these texts are dates: years among them are no numbers among words."""
    first = texts.slice(0, _TRIED).to_pandas()
    return bool(len(first)) and read_dates(first)[1].share >= ENOUGH


def _missing_words(
    texts: pa.Array,
    counts: np.ndarray,
    kept: frozenset[str],
    name: str,
    notes: Notes,
    known: tuple[str, ...] | None = None,
) -> tuple[str, ...]:
    """The words in a column of texts that mean a missing value, with notes on them and on those that do not;
    ``known``: those words, where they were found before."""
    word = are_words(texts)
    if not word.any():
        return ()
    words, others = texts.filter(pa.array(word)), texts.filter(pa.array(~word))
    found = gone(words.to_pylist(), Others.of(others, counts[~word]), kept) if known is None else known
    missing = np.asarray(pc.is_in(words, value_set=pa.array(found, words.type)))
    _note_words("missing", words.filter(pa.array(missing)), counts[word][missing], name, notes)
    left = words.filter(pa.array(~missing)), counts[word][~missing]
    _note_words("kept", *left, name, notes, INFINITE | kept)
    return found


def _note_words(
    kind: str,
    texts: pa.Array,
    counts: np.ndarray,
    name: str,
    notes: Notes,
    but: frozenset[str] = frozenset(),
) -> None:
    """Note how often each of these words occurs in the column; ``but``: words, in lower case, to leave
    out."""
    held: dict[str, int] = {}
    for text, count in zip(texts.to_pylist(), counts.tolist(), strict=True):
        if (word := text.strip()).lower() not in but:
            held[word or tr("blanks")] = held.get(word or tr("blanks"), 0) + count
    if held:
        most = sorted(held.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
        words = ", ".join(f"{word} {count:,}" for word, count in most)
        words = f"{words}, …" if len(held) > _SHOWN else words
        notes.add(kind, name, f"{sum(held.values()):,} ({words})")


def _note_question_marks(texts: pa.Array, counts: np.ndarray, name: str, notes: Notes) -> None:
    count = int(counts[matches(texts, r"^\s*\?\s*$")].sum())
    if count:
        notes.add("question", name, count)


def note_odd_records(frame: pd.DataFrame, notes: Notes) -> None:
    """Note records with words in most of the columns that hold numbers in all other records, and so cannot be
    columns of numbers. Cost O(cells) of the columns that are noted as mixed with few words, else nothing."""
    few = max(_FEW_RECORDS, _SHARE * len(frame))
    mixed = [name for name in map(str, frame) if 0 < notes.count("mixed", name) <= few]
    if len(mixed) < 2 or len(frame) < _FEW_RECORDS:
        return
    numbers = len(mixed) + sum(frame[name].dtype.kind in "iuf" for name in frame)
    records = Counter(place for name in mixed for place in _places_of_words(frame[name]))
    odd = sorted(place for place, count in records.items() if count > 1 and 2 * count > numbers)
    if odd:
        notes.say(
            tr(
                "Some records have words in most columns of numbers, so these columns stay text: record"
                " {records}."
            ).format(records=listed([f"{place + 1}" for place in odd])),
            tr(
                "If such a record repeats the column names or holds labels, remove it; if it is directly"
                " below the names, set “Skip rows below the names” (on the command line: --skip-rows)."
            ),
        )


def _places_of_words(column: pd.Series) -> list[int]:
    """The places of cells that are neither numbers nor words for missing."""
    cells = column.array._pa_array  # a str column is one of arrow's arrays
    others = pc.fill_null(pc.invert(pc.match_substring_regex(cells, PLAIN)), False)
    places = np.flatnonzero(np.asarray(others))
    texts = cells.take(places).to_pylist()
    pairs = zip(places.tolist(), texts, strict=True)
    return [place for place, text in pairs if text.strip().lower() not in MISSING_NUMBERS]
