"""Tables of one column – or one place – for every distance, with the plain definition beside it."""

from __future__ import annotations

import datetime as dt
import itertools
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.distances import Distance, Part, parts
from kanon_core.table.table import Table
from tests.oracles import circles
from tests.oracles import distances as oracle

NODES = ("root", "a", "b", "a1", "a2", "b1", "a11")
PARENTS = {"a": "root", "b": "root", "a1": "a", "a2": "a", "b1": "b", "a11": "a1"}


@dataclass
class Case:
    """A distance, the values of a table (None = missing), and how far apart two present values are."""

    distance: Distance
    values: list[Any]
    plain: Callable[[Any, Any], float]
    kind: str
    period: float = 0.0

    @property
    def table(self) -> Table:
        """The table; a place has two columns."""
        if self.kind == "latitude":
            both = [value or (None, None) for value in self.values]
            frame = pd.DataFrame(both, columns=["lat", "lon"], dtype="float64")
            kinds = {"lat": "latitude", "lon": "longitude"}
        else:
            dtype = "float64" if self.kind in ("numeric", "cyclic") else None
            frame = pd.DataFrame({"x": pd.Series(self.values, dtype=dtype or "object")})
            kinds = {"x": self.kind}
        attributes = (kc.Attribute(name, kind=kind, period=self.period) for name, kind in kinds.items())
        schema = kc.Schema(tuple(attributes))
        return Table.from_frame(frame, schema.with_distances({next(iter(kinds)): self.distance}))

    @property
    def part(self) -> Part:
        """The column encoded by its distance."""
        (part,) = parts(self.table.quasi)
        return part


def cells(values: st.SearchStrategy, least: int = 2, gaps: bool = True) -> st.SearchStrategy:
    """A few values that repeat, missing ones among them."""
    return st.lists(st.none() | values if gaps else values, min_size=least, max_size=7)


NUMBERS = st.floats(-1e4, 1e4).map(lambda x: round(x, 3) + 0.0)
WORDS = st.text("abcñ日", min_size=1, max_size=6)
DATES = st.datetimes(dt.datetime(1890, 1, 1), dt.datetime(2090, 1, 1)).map(lambda d: d.replace(microsecond=0))
LENGTHS = st.integers(1, 9).map(float)


@st.composite
def absolute(draw) -> Case:
    values, scale = draw(cells(NUMBERS)), draw(st.sampled_from(["range", "sd", "none"]))
    present = [value for value in values if value is not None]
    spread = max(present, default=0) - min(present, default=0)
    unit = 1.0
    if scale == "range":
        unit = spread or 1.0
    if scale == "sd" and spread:
        unit = statistics.stdev(present)
    return Case(kc.Absolute(scale), values, lambda a, b: abs(a - b) / unit, "numeric")


@st.composite
def calendar(draw) -> Case:
    part = draw(st.sampled_from(["days", "day of year", "weekday", "hour"]))
    return Case(kc.Calendar(part), draw(cells(DATES)), lambda a, b: oracle.calendar(part, a, b), "datetime")


@st.composite
def around(draw) -> Case:
    scale, period = draw(st.sampled_from(["half", "none"])), draw(st.sampled_from([7.0, 24.0, 360.0]))
    values = draw(cells(st.floats(0, period).map(lambda x: round(x, 3))))
    unit = 1.0 if scale == "none" else period / 2
    return Case(
        kc.Around(scale), values, lambda a, b: circles.way(a, b, period) / unit, "cyclic", period=period
    )


@st.composite
def great_circle(draw) -> Case:
    degrees = st.tuples(
        st.floats(-89, 89).map(lambda x: round(x, 4)), st.floats(-180, 180).map(lambda x: round(x, 4))
    )
    return Case(kc.GreatCircle(), draw(cells(degrees)), oracle.haversine, "latitude")


@st.composite
def discrete(draw) -> Case:
    kind, values = draw(st.sampled_from([("categorical", WORDS), ("text", WORDS), ("numeric", NUMBERS)]))
    return Case(kc.Discrete(), draw(cells(values)), lambda a, b: float(a != b), kind)


@st.composite
def tree(draw) -> Case:
    lengths = tuple(draw(st.lists(LENGTHS, min_size=3, max_size=4))) if draw(st.booleans()) else ()
    values = draw(cells(st.sampled_from(NODES)))
    return Case(
        kc.Tree(PARENTS, lengths), values, lambda a, b: oracle.tree(PARENTS, lengths, a, b), "categorical"
    )


@st.composite
def graph(draw) -> Case:
    names = "abcde"
    ring = [(x, y, draw(LENGTHS)) for x, y in itertools.pairwise(names)]
    edges = [*ring, ("a", "c", draw(LENGTHS)), ("e", "b", draw(LENGTHS))]
    values = draw(cells(st.sampled_from(names)))
    return Case(kc.Graph(edges), values, lambda a, b: oracle.shortest(edges, a, b), "text")


@st.composite
def given_matrix(draw) -> Case:
    names = "abcd"
    given = {frozenset((x, y)): draw(LENGTHS) for x in names for y in names if x < y}
    rows = [(x, *(given.get(frozenset((x, y)), 0.0) for y in names)) for x in names]
    values = draw(cells(st.sampled_from(names)))
    return Case(kc.GivenMatrix(rows), values, lambda a, b: given.get(frozenset((a, b)), 0.0), "categorical")


def words(distance: Distance, plain: Callable[[str, str], float]) -> st.SearchStrategy:
    return cells(WORDS).map(lambda values: Case(distance, values, plain, "text"))


def sets(values: list[frozenset[str]]) -> Case:
    return Case(kc.Jaccard(), values, oracle.jaccard, "items")


CASES: dict[type[Distance], st.SearchStrategy] = {
    kc.Absolute: absolute(),
    kc.Calendar: calendar(),
    kc.Around: around(),
    kc.GreatCircle: great_circle(),
    kc.Discrete: discrete(),
    kc.Tree: tree(),
    kc.Graph: graph(),
    kc.GivenMatrix: given_matrix(),
    kc.Hamming: words(kc.Hamming(), oracle.hamming),
    kc.Levenshtein: words(kc.Levenshtein(), oracle.levenshtein),
    kc.NormalizedLevenshtein: words(kc.NormalizedLevenshtein(), oracle.normalized_levenshtein),
    kc.DamerauLevenshtein: words(kc.DamerauLevenshtein(), oracle.damerau_levenshtein),
    kc.Jaccard: cells(st.frozensets(st.sampled_from("abcde")), gaps=False).map(sets),
}
