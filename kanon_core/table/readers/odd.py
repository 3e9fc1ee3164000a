"""Records that differ in kind from all others: words in columns of numbers, as of a second row of names."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from kanon_core.base.words import tr
from kanon_core.table.readers.base import MISSING_NUMBERS
from kanon_core.table.readers.notes import Notes, listed
from kanon_core.table.readers.spellings import PLAIN

_FEW, _SHARE = 5, 0.01


def note_odd_records(frame: pd.DataFrame, notes: Notes) -> None:
    """Note records with words in most of the columns that are numbers otherwise, which these keep from being
    numbers. Cost O(cells) of the columns that are noted as mixed with few words, else nothing."""
    few = max(_FEW, _SHARE * len(frame))
    mixed = [name for name in map(str, frame) if 0 < notes.count("mixed", name) <= few]
    if len(mixed) < 2 or len(frame) < _FEW:
        return
    numbers = len(mixed) + sum(frame[name].dtype.kind in "iuf" for name in frame)
    records = Counter(place for name in mixed for place in _words(frame[name]))
    odd = sorted(place for place, count in records.items() if count > 1 and 2 * count > numbers)
    if odd:
        notes.say(
            tr(
                "Some records have words where most columns have numbers, so these columns stay"
                " text: record {records}. If such a record repeats the column names or holds"
                " labels, take it out; if it stands directly below the names, set “Skip rows below"
                " the names” (on the command line: --skip-rows)."
            ).format(records=listed([f"{place + 1:,}" for place in odd]))
        )


def _words(column: pd.Series) -> list[int]:
    """The places of cells that are neither numbers nor words for missing."""
    cells = column.array._pa_array  # a str column is one of arrow's arrays
    others = pc.fill_null(pc.invert(pc.match_substring_regex(cells, PLAIN)), False)
    places = np.flatnonzero(np.asarray(others))
    texts = cells.take(places).to_pylist()
    pairs = zip(places.tolist(), texts, strict=True)
    return [place for place, text in pairs if text.strip().lower() not in MISSING_NUMBERS]
