"""Tables in parts of every kind, and how they are released on one machine and over many files."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.partitioning import equals
from kanon_core.release.release import Release
from kanon_core.scale import files
from kanon_core.scale.files import FilesRelease, anonymize_files
from kanon_core.scale.fragments import first_stages
from kanon_core.scale.passes import asking
from kanon_core.table.attribute import Attribute
from tests.scale.inside import Inside, Off

CITIES = ("Oslo", "Kyoto", "Quito", "Lima", "Rome", "Faro", "Bern", "=1+1")
JOBS = kc.Hierarchy.of_paths(
    [("nurse", "care"), ("midwife", "care"), ("smith", "craft"), ("baker", "craft"), ("thief",)]
)
SIZES = ("tiny", "small", "medium", "large", "huge")
GOODS = kc.CategoryMap((("mug", "kitchen"), ("bowl", "kitchen"), ("lamp", "light")))

Column = Callable[[np.random.Generator, np.ndarray], "pd.Series | np.ndarray"]
"""Cells of the records whose part, int (n), this is."""


def _gone(rng: np.random.Generator, cells: np.ndarray, where: np.ndarray) -> np.ndarray:
    """The cells, half of those ``where`` missing."""
    return np.where(where & (rng.random(len(cells)) < 0.5), np.nan, cells)


def _words(rng: np.random.Generator, words: Sequence[str], part: np.ndarray) -> pd.Series:
    """Words of which each part has its own few, sometimes missing in one part."""
    pick = np.minimum(rng.geometric(0.5, len(part)) - 1 + 2 * part, len(words) - 1)
    return pd.Series(np.array(words, object)[pick], dtype="str").mask(
        (part == 1) & (rng.random(len(part)) < 0.2)
    )


def is_whole(cells: pd.Series) -> bool:
    """Return whether all cells are whole numbers and none is missing: files then hold them as such."""
    return bool(cells.notna().all() and (cells % 1 == 0).all())


def _days(rng: np.random.Generator, part: np.ndarray) -> np.ndarray:
    return np.datetime64("1950-01-01") + rng.integers(0, 20_000, len(part)).astype("timedelta64[D]")


def _bearings(rng: np.random.Generator, part: np.ndarray) -> np.ndarray:
    """Degrees, of which the last part has both ends of the circle, and the others the end alone."""
    found = rng.choice([350.0, 355.5, 10.0, 20.0, 360.0], len(part))
    return np.where((part == 2) & (found == 360.0) & (rng.random(len(part)) < 0.5), 0.0, found)


def _clock(seconds: float) -> str:
    minutes = int(seconds // 60) % 1440
    return f"{minutes // 60}:{minutes % 60:02d}"


QUASI: dict[str, tuple[Column, Attribute]] = {
    "age": (lambda r, p: r.integers(18, 90, len(p)), Attribute("age", kind="numeric")),
    "few": (lambda r, p: r.integers(0, 3, len(p)) / 2, Attribute("few", kind="numeric", weight=2.5)),
    "skewed": (lambda r, p: (r.random(len(p)) ** 9 * 1e6).round(2), Attribute("skewed", kind="numeric")),
    "gaps": (
        lambda r, p: _gone(r, r.integers(0, 50, len(p)), p == 1),
        Attribute("gaps", kind="numeric", weight=0.5),
    ),
    "halves": (
        lambda r, p: np.where(p == 2, r.random(len(p)) * 9, r.integers(0, 9, len(p))),
        Attribute("halves", kind="numeric"),
    ),
    "rounded": (lambda r, p: r.normal(30, 9, len(p)), Attribute("rounded", kind="numeric", round_to="2.5")),
    "median": (
        lambda r, p: np.where(p == 2, r.random(len(p)) * 9, r.integers(0, 9, len(p))),
        Attribute("median", kind="numeric", recoding="median"),
    ),
    "mean": (
        lambda r, p: (r.random(len(p)) ** 9 * 10.0 ** (p * 5)).round(2),
        Attribute("mean", kind="numeric", recoding="mean"),
    ),
    "mode": (lambda r, p: r.integers(0, 9, len(p)), Attribute("mode", kind="numeric", recoding="mode")),
    "city": (lambda r, p: _words(r, CITIES, p), Attribute("city")),
    "plain": (lambda r, p: r.choice(["F", "M"], len(p)), Attribute("plain", kind="text", weight=0.0)),
    "postal": (lambda r, p: _gone(r, r.integers(10, 14, len(p)), p == 0), Attribute("postal")),
    "word": (lambda r, p: _words(r, CITIES, p), Attribute("word", recoding="mode")),
    "job": (
        lambda r, p: r.choice(
            ["nurse", "midwife", "smith", "baker", "thief"], len(p), p=[0.3, 0.2, 0.3, 0.1, 0.1]
        ),
        Attribute("job", hierarchy=JOBS),
    ),
    "goods": (
        lambda r, p: r.choice(["mug", "bowl", "lamp", "rug", "cup"], len(p)),
        Attribute("goods", categories=GOODS),
    ),
    "born": (_days, Attribute("born", kind="datetime")),
    "month": (_days, Attribute("month", kind="datetime", round_to="month")),
    "moment": (
        lambda r, p: (
            _days(r, p).astype("datetime64[us]")
            + np.where(p == 1, r.integers(0, 10**6, len(p)), 0).astype("timedelta64[us]")
        ),
        Attribute("moment", kind="datetime"),
    ),
    "day_of": (_days, Attribute("day_of", kind="datetime", recoding="median")),
    "stepped": (
        lambda r, p: r.integers(18, 90, len(p)),
        Attribute("stepped", kind="numeric", round_to="auto"),
    ),
    "fine_steps": (
        lambda r, p: (r.random(len(p)) ** 9 * 10.0 ** (p * 3)).round(2),
        Attribute("fine_steps", kind="numeric", round_to="auto"),
    ),
    "few_steps": (
        lambda r, p: _gone(r, r.integers(0, 2, len(p)) * 7.0, p == 1),
        Attribute("few_steps", kind="numeric", round_to="auto"),
    ),
    "day_steps": (_days, Attribute("day_steps", kind="datetime", round_to="auto")),
    "lon_steps": (
        lambda r, p: (139 + r.normal(size=len(p))).round(4),
        Attribute("lon_steps", kind="longitude", round_to="auto"),
    ),
    "gone_mean": (
        lambda r, p: _gone(r, r.integers(0, 9, len(p)), p == 1),
        Attribute("gone_mean", kind="numeric", recoding="mean"),
    ),
    "gone_median": (
        lambda r, p: _gone(r, r.normal(size=len(p)), (p == 1) & (np.arange(len(p)) % 50 == 0)),
        Attribute("gone_median", kind="numeric", recoding="median"),
    ),
    "gone_mode": (
        lambda r, p: _gone(r, r.integers(0, 3, len(p)), p == 2),
        Attribute("gone_mode", kind="numeric", recoding="mode"),
    ),
    "hour": (
        lambda r, p: _gone(r, (r.normal(23 + p, 2.5, len(p)).round() % 24), p == 1),
        Attribute("hour", kind="cyclic"),
    ),
    "bearing": (lambda r, p: _bearings(r, p), Attribute("bearing", kind="cyclic", recoding="mean")),
    "turn": (
        lambda r, p: (r.normal(170, 30 + 9 * p, len(p)).round(1) + 180) % 360 - 180,
        Attribute("turn", kind="cyclic", period=360.0, weight=2.0),
    ),
    "clock": (
        lambda r, p: pd.Series([_clock(s) for s in r.normal(86_000 + 900 * p, 4000, len(p))], dtype="str"),
        Attribute("clock", kind="cyclic"),
    ),
    "weekday": (
        lambda r, p: _words(r, ("sat", "sun", "mon", "tue", "wed"), p),
        Attribute("weekday", kind="cyclic"),
    ),
    "time_of": (
        lambda r, p: (
            np.datetime64("2024-02-01T22:00:00")
            + (r.random(len(p)) * 9000).astype("timedelta64[s]")
            + r.integers(0, 9, len(p)).astype("timedelta64[D]")
        ),
        Attribute("time_of", kind="cyclic", recoding="median"),
    ),
    "globe": (
        lambda r, p: (r.normal(175, 20 + 40 * (p == 2), len(p)).round(3) + 180) % 360 - 180,
        Attribute("globe", kind="longitude"),
    ),
    "globe_ends": (
        lambda r, p: r.choice([-180.0, -179.5, -90.0, 20.0, 175.0, 180.0], len(p)),
        Attribute("globe_ends", kind="longitude", round_to="auto"),
    ),
    "mean_day": (_days, Attribute("mean_day", kind="datetime", recoding="mean")),
    "lat": (lambda r, p: (35 + p * r.normal(size=len(p))).round(4), Attribute("lat", kind="latitude")),
    "lon": (
        lambda r, p: (139 + r.normal(size=len(p))).round(4),
        Attribute("lon", kind="longitude", round_to="500 m"),
    ),
    "longitude": (
        lambda r, p: np.where(r.random(len(p)) < 0.5, -1, 1) * (180 - (r.random(len(p)) * 40).round(1)),
        Attribute("longitude", kind="numeric"),
    ),
    "mean_longitude": (
        lambda r, p: _gone(r, (r.random(len(p)) * 360 - 180).round(0), p == 2),
        Attribute("mean_longitude", kind="numeric", recoding="mean"),
    ),
    "size": (lambda r, p: _words(r, SIZES, p), Attribute("size", kind="ordinal", order=SIZES)),
    "band": (lambda r, p: r.choice(["<20", "20-29", "30+"], len(p)), Attribute("band", kind="ordinal")),
    "level": (
        lambda r, p: _gone(r, r.integers(1, 5, len(p)), p == 2),
        Attribute("level", kind="ordinal", recoding="median"),
    ),
}
"""Quasi-identifiers."""
ROUND = sorted(name for name, (_, a) in QUASI.items() if a.kind == "cyclic" or name.startswith("globe"))
"""Those on circles, which are anonymized within Fragments only."""
STRAIGHT = sorted(set(QUASI) - set(ROUND))

CARRIED: dict[str, tuple[Column, Attribute]] = {
    "illness": (lambda r, p: _words(r, ["flu", "cold", "gout", "mumps", "=x"], p), Attribute("illness")),
    "income": (lambda r, p: r.integers(0, 7, len(p)) * 1000, Attribute("income", kind="numeric")),
    "grade": (
        lambda r, p: _gone(
            r, np.where(p == 2, r.integers(0, 9, len(p)) / 2, r.integers(0, 4, len(p))), p == 1
        ),
        Attribute("grade", kind="numeric"),
    ),
    "seen": (
        lambda r, p: np.datetime64("2020-01-01") + r.integers(0, 5, len(p)).astype("timedelta64[D]"),
        Attribute("seen", kind="datetime"),
    ),
    "pain": (lambda r, p: r.choice(["low", "medium", "high"], len(p)), Attribute("pain", kind="ordinal")),
    "trade": (
        lambda r, p: r.choice(["nurse", "midwife", "smith", "baker"], len(p)),
        Attribute("trade", hierarchy=JOBS),
    ),
    "truth": (lambda r, p: np.where(r.random(len(p)) < 0.5, "True", "False"), Attribute("truth")),
    "nothing": (lambda r, p: pd.Series([None] * len(p), dtype="str"), Attribute("nothing")),
    "late": (
        lambda r, p: np.where(p == 2, r.integers(0, 9, len(p)), np.nan),
        Attribute("late", kind="numeric"),
    ),
}
"""Columns that are published as they stand."""


DRAWN: dict[str, st.SearchStrategy[Any]] = {
    "seed": st.integers(0, 10**6),
    "ends": st.tuples(st.floats(0, 1), st.floats(0, 1)),
}
"""Parameters of a random table (`Many.of`): its seed, and where a part ends."""


@dataclass(frozen=True)
class Many:
    """All rows, the schema, and where one part ends and the next begins."""

    frame: pd.DataFrame
    schema: kc.Schema
    bounds: tuple[int, ...]

    @classmethod
    def of(cls, seed: int, ends: Sequence[float], columns: Sequence[str], records: int) -> Many:
        """A random table; ``ends``: shares of the records, 0..1. Roles are those of the two lists, those of
        `CARRIED` by turns sensitive and other; a column of names is never published. Of several columns of
        longitudes it has the first."""
        far = [name for name in columns if (QUASI | CARRIED)[name][1].kind == "longitude"]
        columns = [name for name in columns if name not in far[1:]]
        rng = np.random.default_rng(seed)
        bounds = (0, *sorted(round(end * records) for end in ends), records)
        part = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        cells: dict[str, object] = {"name": [f"person {i}" for i in range(records)]}
        attributes = [Attribute("name", "identifier")]
        for name in columns:
            make, attribute = (QUASI | CARRIED)[name]
            made = make(rng, part)
            if isinstance(made, np.ndarray) and made.dtype.kind == "M":
                made = made.astype("datetime64[us]")
            cells[name] = made
            carried = [each for each in columns if each in CARRIED]
            role = "quasi_identifier" if name in QUASI else ("sensitive", "other")[carried.index(name) % 2]
            attributes.append(replace(attribute, role=role))
        frame = pd.DataFrame(cells)
        for name in frame.columns:
            if frame[name].dtype == object:
                frame[name] = frame[name].astype("str")
            elif frame[name].dtype.kind == "f" and is_whole(frame[name]):
                frame[name] = frame[name].astype("int64")
        return cls(frame, kc.Schema(tuple(attributes)), bounds)

    def written(self, folder: Path) -> Path:
        """The folder with a parquet file of each part; whole numbers and nothing are written as such."""
        folder.mkdir()
        for number, (start, end) in enumerate(zip(self.bounds, self.bounds[1:], strict=False)):
            part = self.frame.iloc[start:end].copy()
            for name in part:
                cells = part[name]
                if len(cells) and cells.isna().all():
                    part[name] = pd.Series([None] * len(cells), index=cells.index, dtype=object)
                elif cells.dtype.kind == "f" and is_whole(cells):
                    part[name] = cells.astype("int64")
            part.to_parquet(folder / f"part-{number}.parquet", index=False, row_group_size=25)
        return folder

    def release(self, algorithm: kc.Algorithm, k: int, seed: int = 3) -> Release:
        """On one machine."""
        return kc.anonymize(kc.Table.from_frame(self.frame, self.schema), algorithm, k, seed)


def suited(quasi: Sequence[str], algorithm: kc.Algorithm) -> list[str]:
    """Return those of the `QUASI` that the algorithm takes over many files, or ages."""
    return [name for name in quasi if name not in ROUND or algorithm.fragment_rows is not None] or ["age"]


def over_files(
    source: Path,
    many: Many,
    algorithm: kc.Algorithm,
    k: int,
    out: Path,
    rows: int,
    seed: int | None = 3,
    engine: Inside | None = None,
) -> FilesRelease:
    """The release of the folder by this process alone, in small parts and files."""
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        said = {"rows": rows, "despite": "made up"}  # some of its columns single everybody out
        return anonymize_files(
            str(source), many.schema, algorithm, k, str(out), engine or Inside(), seed, **said
        )


def check_goes_on(many: Many, algorithm: kc.Algorithm, folder: Path, stop_after: int) -> None:
    """Work that ends after so many tasks, again and again, and work whose last task is done first, give the
    bytes of work that is done at once."""
    source = many.written(folder / "source")
    over_files(source, many, algorithm, 3, folder / "whole", 30)
    over_files(source, many, algorithm, 3, folder / "turned", 30, engine=Inside(turned=True))
    while not (folder / "parts").exists():
        with contextlib.suppress(Off):
            over_files(source, many, algorithm, 3, folder / "parts", 30, engine=Inside(stop_after=stop_after))
    assert bytes_in(folder / "parts") == bytes_in(folder / "turned") == bytes_in(folder / "whole")


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return the content of each file in a folder, by file name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def small(patch: pytest.MonkeyPatch) -> None:
    """Parts and files of few rows; equal rows of all but the smallest parts are counted once; workers merge
    answers of more than three parts."""
    patch.setattr(asking, "RUNS", 3)
    patch.setattr(equals, "FEWEST", 25)
    patch.setattr(equals, "TIMES", 0.0)
    patch.setattr(first_stages, "ROWS_OF_A_PART", 40)
    patch.setattr(files, "ROWS_OF_A_FILE", 50)


def published(out: Path | str) -> pd.DataFrame:
    """All rows of the files of a release, in the order of their names; the different texts of each column
    stand in a file as its rows show them, in their order, and no others."""
    found = sorted(Path(out).iterdir())
    for file in found:
        for name, shown in zip(*listed(file), strict=True):
            assert shown["listed"] == shown["first"], f"{file.name} lists other texts of {name} than its rows"
    return pd.concat([pq.read_table(file).to_pandas() for file in found], ignore_index=True)


def listed(file: Path) -> tuple[list[str], list[dict[str, list[str]]]]:
    """The columns of texts of a parquet file; of each the texts that the file lists, and those of its rows by
    first occurrence."""
    fields = pq.read_schema(file)
    names = [one.name for one in fields if pa.types.is_string(one.type) or pa.types.is_large_string(one.type)]
    plain, coded = pq.read_table(file), pq.read_table(file, read_dictionary=names)
    return names, [
        {
            "first": [text for text in dict.fromkeys(plain[name].to_pylist()) if text is not None],
            "listed": coded[name].unify_dictionaries().combine_chunks().dictionary.to_pylist(),
        }
        for name in names
    ]


def differences(one: pd.DataFrame, many: pd.DataFrame) -> list[str]:
    """Return the differences in columns, number of rows, or cells of a column, of which the first is
    named."""
    if list(one.columns) != list(many.columns) or len(one) != len(many):
        return [f"{list(one.columns)} × {len(one)} against {list(many.columns)} × {len(many)}"]
    found = []
    for name in one.columns:
        left, right = _plain(one[name]), _plain(many[name])
        if apart := [i for i, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]:
            i = apart[0]
            found.append(f"{name}: {len(apart)} cells, as {left[i]!r} against {right[i]!r} in row {i}")
    return found


def _plain(cells: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in cells.astype(object)]
