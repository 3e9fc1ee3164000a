"""Dates: texts to points in time, and points in time to seconds.

One column has one order of day, month and year: its texts decide, or somebody says it
(`Attribute.date_order`). Where the texts allow several orders, or mix two, the user is asked
(`kanon_core.table.dateorders`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.table.columns.datetexts import ORDERS, read_texts

ENOUGH = 0.95
"""A column holds dates when this share of its cells are."""

_LONGEST = 64
"""Characters of a date."""
_BARE = r"^\d{4}(?:-\d\d)?$"
"""A year, or a month of a year: no date where most other texts are full dates."""
_ISO = r"^\d{4}(?:\D|\d+$|$)"
"""Texts that are tried as ISO 8601: they begin with a year of four digits that no digit follows, or are
digits alone."""


@dataclass(frozen=True)
class DateForm:
    """The notation of a column's dates. ``order``: one of `ORDERS`, by which they are read; "" where there is
    nothing to decide, as in 2024-03-05. ``possible``: the orders by which they could be read, each with
    different dates as a result. ``mixed``: two places, from 0, of cells that are dates by two different
    orders; () = one order reads all cells. ``short``: years have two digits. ``share``: the share of the
    cells that are dates in this notation, 0 … 1."""

    order: str = ""
    possible: tuple[str, ...] = ()
    mixed: tuple[int, ...] = ()
    short: bool = False
    share: float = 1.0

    @property
    def asks(self) -> bool:
        """True if the cells leave open by which order they are to be read."""
        return len(self.possible) > 1 or bool(self.mixed)


def parse_dates(texts: pd.Series, order: str = "") -> pd.Series:
    """Texts to datetime64 in UTC, NaT where a text is no date, as `read_dates` finds them.

    >>> parse_dates(pd.Series(["5.3.2024", "31.3.2024"])).dt.date.astype("str").tolist()
    ['2024-03-05', '2024-03-31']
    """
    return read_dates(texts, order)[0]


def read_dates(texts: pd.Series, order: str = "") -> tuple[pd.Series, DateForm]:
    """Texts to datetime64 in UTC, NaT where a text is no date; and how they are written.

    Where 95 % are ISO, all are. Else they are read in whatever way people write dates
    (`kanon_core.table.columns.datetexts`), all by one order of day, month and year: the given one, by which
    every text is read apart from the others, or the one by which 95 % are dates; where several are possible,
    the first of them. Offsets may differ from text to text, as summer and winter time do; a text without one
    is taken as UTC. Cost O(n), and that of parsing each different text once.
    """
    codes, words, counts = _distinct(texts)
    stamps, bare = _iso(words), np.zeros(len(words), bool)
    if not order:
        bare = _bare(words, counts)
        stamps[bare] = np.datetime64("NaT", "us")
    share = _share(~np.isnat(stamps), counts)
    form = DateForm(share=share)
    if order or share < ENOUGH:
        rest = np.flatnonzero(np.isnat(stamps) & ~bare)
        fields = read_texts(_of_length(words.take(pa.array(rest))))
        readings = {name: stamps.copy() for name in ORDERS}
        for name, reading in readings.items():
            reading[rest] = fields.stamps(name)
        form = _form(codes, counts, readings, order)
        stamps = readings[form.order]
        form = replace(form, short=bool((fields.short & ~np.isnat(stamps[rest])).any()))
        form = form if (fields.shape >= 3).any() else replace(form, order=order)
    dates = np.append(stamps, np.datetime64("NaT", "us"))[codes]
    return pd.Series(dates, index=texts.index).dt.tz_localize("UTC"), form


def are_iso(texts: pd.Series) -> bool:
    """Return whether `read_dates` reads these texts as ISO 8601, each apart from the others; it then reads
    any part of them in the same way.

    >>> are_iso(pd.Series(["2024-05-31", "2024-06-01 12:30"])), are_iso(pd.Series(["31.5.2024"]))
    (True, False)
    """
    _, words, counts = _distinct(texts)
    return _share(~np.isnat(_iso(words)), counts) >= ENOUGH


def seconds(dates: pd.Series) -> np.ndarray:
    """float64: seconds since 1970, UTC, NaN = missing; a microsecond is kept exactly until the year 2106."""
    if getattr(dates.dt, "tz", None) is not None:
        dates = dates.dt.tz_convert("UTC").dt.tz_localize(None)
    stamps = dates.to_numpy().astype("datetime64[us]")
    found = (stamps - np.datetime64(0, "us")).astype(np.float64) / 1e6
    return np.where(np.isnat(stamps), np.nan, found)


def _distinct(texts: pd.Series) -> tuple[np.ndarray, pa.Array, np.ndarray]:
    """The number of each cell's text, −1 = missing, the different texts, and how often each occurs."""
    codes, distinct = pd.factorize(texts.astype("str").str.strip())
    words = pa.array(distinct, pa.large_string(), from_pandas=True)
    return codes, words, np.bincount(codes[codes >= 0], minlength=len(words))


def _iso(words: pa.Array) -> np.ndarray:
    """datetime64[us]: the texts as ISO 8601, NaT where they are not."""
    formed = pc.match_substring_regex(_of_length(words), _ISO)
    if not pc.any(formed).as_py():
        return np.full(len(words), np.datetime64("NaT", "us"))
    texts = pd.Series(pc.if_else(formed, words, None).to_pandas())
    dates = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=True)
    return np.asarray(dates.dt.tz_localize(None).to_numpy().astype("datetime64[us]"))


def _bare(words: pa.Array, counts: np.ndarray) -> np.ndarray:
    """Return which texts are a year or a month alone, where fewer than half are."""
    found = pc.fill_null(pc.match_substring_regex(words, _BARE), False)
    bare = np.asarray(found.to_numpy(zero_copy_only=False), bool)
    return bare if 2 * counts[bare].sum() < counts.sum() else np.zeros(len(words), bool)


def _of_length(words: pa.Array) -> pa.Array:
    """The texts, "" in place of those that are longer than a date."""
    return pc.if_else(pc.less_equal(pc.utf8_length(words), _LONGEST), words, "")


def _form(codes: np.ndarray, counts: np.ndarray, readings: dict[str, np.ndarray], order: str) -> DateForm:
    """Return the form of a column's dates: by which orders its different texts, each with its number of
    cells, are dates."""
    valid = {name: ~np.isnat(reading) for name, reading in readings.items()}
    shares = {name: _share(fits, counts) for name, fits in valid.items()}
    if order:
        return DateForm(order, share=shares[order])
    best = max(ORDERS, key=lambda name: shares[name])  # the first of equals
    others = [name for name in ORDERS if (readings[name] != readings[best])[valid[name] | valid[best]].any()]
    possible = [name for name in others if _rivals(name, best, shares, valid)]
    if possible:
        return DateForm(best, (best, *possible), share=shares[best])
    for name in others:
        against = valid[name] & ~valid[best]
        if against.any() and (shares[best] < ENOUGH or "ymd" not in (name, best)):
            places = (np.flatnonzero(against)[0], np.flatnonzero(valid[best] & ~valid[name])[0])
            where = tuple(sorted(int(np.flatnonzero(codes == place)[0]) for place in places))
            return DateForm(best, mixed=where, share=_share(valid[best] | valid[name], counts))
    return DateForm(best, share=shares[best])


def _rivals(name: str, best: str, shares: dict[str, float], valid: dict[str, np.ndarray]) -> bool:
    """Return whether the texts could as well be dates by this order. One text with a field above 12 decides
    between day first and month first. One text does not decide between these and a year of two digits first:
    31.2.05 may be a slip for 28.2.05."""
    if "ymd" in (name, best):
        return shares[name] >= ENOUGH
    return not (valid[best] & ~valid[name]).any()


def _share(fits: np.ndarray, counts: np.ndarray) -> float:
    """Return how many of all cells fit, 0 … 1; 1 of none."""
    return float(counts[fits].sum() / counts.sum()) if counts.sum() else 1.0
