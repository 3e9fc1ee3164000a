"""Results of the program, case by case: the tables, the algorithms, digests of releases, recipes and audits,
and numbers that stand for the scores.

``python -m tests.golden.recipes`` writes the list beside this file anew and names the altered entries;
``test_same_bytes`` compares with it. Only names of `kanon_core` itself are used, so that modules may move.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from tests.helpers import purchases_of

LIST = Path(__file__).with_suffix(".json")
"""The file that holds the digests."""

Maker = Callable[[], kc.Table]


@dataclass(frozen=True)
class Case:
    """One release to be made: of which table, how, and what is measured of it.

    ``more``: metrics beside `USUAL`. ``known_items``: what the audit is asked about item sets (`kc.audit`).
    ``keyed``: the algorithm sees the records in an order of content and seed, not in that of the table.
    """

    name: str
    table: Maker
    algorithm: kc.Algorithm
    k: int
    seed: int
    more: tuple[kc.Metric, ...] = ()
    known_items: int | None = None
    keyed: bool = False


USUAL: tuple[kc.Metric, ...] = tuple(
    kc.NCP(constant=True) if cls is kc.NCP else cls()
    for cls in (*kc.METRICS, *kc.UTILITIES)
    if cls is not kc.ModelLoss
)
"""Measured of every case; NCP as the papers have it, columns that cannot vary included. A trained model takes
seconds, so a few small cases name it."""


# Tables


@functools.cache
def _sample(name: str) -> kc.Table:
    return kc.read_table(f"sample:{name}")


def _changed(table: kc.Table, changes: dict[str, Any]) -> kc.Table:
    """``changes``: values for the methods of `kc.Schema`, by what follows ``with_``, in this order."""
    schema = table.schema
    for what, values in changes.items():
        schema = getattr(schema, f"with_{what}")(values)
    return table.with_schema(schema)


def sample(name: str, rows: int | None = None, first: int = 0, **changes: Any) -> Maker:
    """A sample, or ``rows`` of its records from number ``first`` on."""

    def make() -> kc.Table:
        table = _sample(name)
        if rows is not None:
            table = kc.Table.from_frame(table.frame.iloc[first : first + rows], table.schema)
        return _changed(table, changes)

    return make


def own(frame: Callable[[], pd.DataFrame], **changes: Any) -> Maker:
    """A table of ours; all columns are quasi-identifiers unless ``roles`` says otherwise."""

    def make() -> kc.Table:
        data = frame()
        roles = {**dict.fromkeys(data.columns, "quasi_identifier"), **changes.get("roles", {})}
        table = kc.Table.from_frame(data, kc.Schema.infer(data).with_roles(roles))
        return _changed(table, {what: values for what, values in changes.items() if what != "roles"})

    return make


def _numbers() -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(1).normal(size=(60, 3)).round(2), columns=["x", "y", "z"])


def _ties() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    return pd.DataFrame({"x": rng.integers(0, 3, 60), "letter": rng.choice(["a", "b"], 60), "same": 7})


def _gaps() -> pd.DataFrame:
    """Numbers, dates and words, all with missing cells; one column has nothing else."""
    rng, n = np.random.default_rng(3), 90
    age, day = (
        rng.integers(18, 90, n).astype(float),
        rng.integers(-20_000, 20_000, n).astype("timedelta64[D]"),
    )
    age[rng.random(n) < 0.2] = np.nan
    born = pd.Series((np.datetime64("1970-01-01") + day).astype("datetime64[s]"))
    cities = np.array(["Oslo", "Kyoto", "Quito", None], dtype=object)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": age,
            "born": born.mask(rng.random(n) < 0.15),
            "city": pd.Series(rng.choice(cities, n), dtype="str"),
            "nothing": pd.Series([None] * n, dtype="str"),
            "diagnosis": rng.choice(["flu", "=cold", "none"], n),
        }
    )


def _days() -> pd.DataFrame:
    """Dates, points in time and a number."""
    rng, n = np.random.default_rng(4), 80
    days, minutes = rng.integers(-40_000, 20_000, n), rng.integers(0, 3_000_000, n)
    return pd.DataFrame(
        {
            "born": (np.datetime64("1970-01-01") + days.astype("timedelta64[D]")).astype("datetime64[s]"),
            "seen": np.datetime64("2020-01-01T00:00:00") + minutes.astype("timedelta64[m]"),
            "x": np.arange(n) % 7,
        }
    )


def _around() -> pd.DataFrame:
    """Hours and times around midnight, sizes in order, and islands on both sides of 180° east."""
    rng, n = np.random.default_rng(6), 80
    minutes = rng.integers(-240, 240, n) % 1440
    return pd.DataFrame(
        {
            "hour": rng.integers(0, 24, n),
            "at": [f"{minute // 60}:{minute % 60:02d}" for minute in minutes.tolist()],
            "size": rng.choice(["small", "medium", "large", "huge"], n),
            "lat": rng.normal(-17, 1, n).round(3),
            "lon": (rng.normal(180, 3, n).round(3) + 180) % 360 - 180,
        }
    )


def _towns() -> pd.DataFrame:
    """Two grouped columns, one of them with missing cells and odd labels, and two others."""
    rng, n = np.random.default_rng(5), 80
    towns = np.array(["Oslo", "Bergen", "Quito", "(any)", "{}", None], dtype=object)
    return pd.DataFrame(
        {
            "town": pd.Series(rng.choice(towns, n), dtype="str"),
            "step": rng.integers(0, 12, n).astype(str),
            "letter": rng.choice(list("abc"), n),
            "x": rng.normal(size=n).round(1),
        }
    )


def _odd() -> pd.DataFrame:
    """Names and cells that a spreadsheet, a browser or a csv reader could take for something else."""
    rng = np.random.default_rng(6)
    cells = np.array(["=1+1", "<script>", 'a "b", c', "-", "名", "'"], dtype=object)
    names = ("-dash", "comma, name", 'so "called"', "名前 😀", "a=b")
    return pd.DataFrame({name: rng.choice(cells, 40) for name in names}).assign(number=np.arange(40) % 5)


def _sets() -> pd.DataFrame:
    """Two columns of item sets, one with empty sets and odd items, beside a number, a word and a class."""
    rng, n = np.random.default_rng(7), 120
    odd = np.array(["=1+1", "a, b", '"', "{}", "*"], dtype=object)
    shares = 1 / np.arange(1, 13) / (1 / np.arange(1, 13)).sum()
    held = [rng.choice(12, rng.integers(1, 6), replace=False, p=shares) for _ in range(n)]
    tags = [[str(tag) for tag in rng.choice(odd, rng.integers(0, 4), replace=False)] for _ in range(n)]
    return pd.DataFrame(
        {
            "basket": [";".join(f"item {item}" for item in items) for items in held],
            "tags": pd.Series(tags, dtype=object),
            "age": rng.integers(18, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "class": rng.choice(["high", "low", "none"], n),
        }
    )


def _visits() -> pd.DataFrame:
    return purchases_of(np.random.default_rng(8), 160, 0.2, 24)


def _magnitudes() -> pd.DataFrame:
    """The largest, the closest and the most uneven numbers that are still compared."""
    rng, n = np.random.default_rng(9), 40
    sign = rng.choice([-1.0, 1.0], n)
    large, uneven = (
        sign * rng.choice([1e150, 5e149, 1.0], n),
        sign * np.ldexp(rng.random(n), rng.integers(-990, 495, n)),
    )
    return pd.DataFrame({"large": large, "small": np.arange(n) % 5 * 2.5e-141, "uneven": uneven})


# Hierarchies, categories and distances

TOWNS = kc.Hierarchy.of_paths(
    [
        ("Oslo", "Norway", "[North"),
        ("Bergen", "Norway", "[North"),
        ("(any)", "Other, odd", "[North"),
        ("{}", "Other, odd", "[North"),
        ("Quito",),
        ("never",),
    ]
)
REGIONS = kc.Hierarchy.of_paths(
    [
        *((name, "outer", "mainland") for name in ("north", "east", "west", "south")),
        *((name, "inner", "mainland") for name in ("capital", "center", "coast")),
        ("islands",),
    ]
)
FAMILY = {"married": "couple", "partnered": "couple", "never married": "single"}
MARITAL = kc.Hierarchy.of_paths(
    [(name, FAMILY.get(name, "once married")) for name in (*FAMILY, "separated", "divorced", "widowed")]
)
SEXES = kc.Hierarchy.of_paths([("female",), ("male",)])
AGES = kc.Hierarchy.of_intervals(range(130), (5, 10, 40))
BIRTHS = kc.Hierarchy.of_intervals(range(1900, 2030), (10, 50), 1900)
STEPS = kc.Hierarchy.of_intervals(range(12), (2, 6))
DRUGS = kc.Hierarchy.of_paths(
    [(item, "early" if item < "d" else "late" if item > "s" else "middle") for item in "abcdefgxyz"]
)
GOODS = kc.Hierarchy.of_paths([(f"item {i}", f"shelf {i // 3}", f"hall {i // 6}") for i in range(12)])
SECTORS = {"private": "business", "self-employed": "business", "public": "public", "not working": "none"}
SHELVES = {f"item {i}": f"shelf {i // 3}" for i in range(9)}
INCOMES = ("under 2M", "2M-4M", "4M-6M", "6M-10M", "over 10M")


def mapped(categories: dict[str, str]) -> kc.CategoryMap:
    """The map of these pairs."""
    return kc.CategoryMap(tuple(categories.items()))


def grouped_items(name: str, rows: int, column: str, between: str, parts: int, **changes: Any) -> Maker:
    """A sample whose items are grouped by their names but for the last word; these, in ``parts``."""

    def make() -> kc.Table:
        table = sample(name, rows)()
        items = sorted({item for cell in table.frame[column] for item in str(cell).split(";")})
        above = [f"all of {item.rpartition(between)[0] or item}" for item in items]
        number = {group: i * parts // len(set(above)) for i, group in enumerate(dict.fromkeys(above))}
        paths = [(i, group, f"part {number[group]}") for i, group in zip(items, above, strict=True)]
        return _changed(table, {"hierarchies": {column: kc.Hierarchy.of_paths(paths)}, **changes})

    return make


def neighbors(values: Iterable[str]) -> kc.Graph:
    """A graph in which each value is next to the one before it, ever farther."""
    names = list(values)
    return kc.Graph(edges=tuple((a, b, 1 + i / 2) for i, (a, b) in enumerate(pairwise(names))))


def matrix(values: Iterable[str]) -> kc.GivenMatrix:
    """The square roots of how far apart two values stand in this list."""
    names = list(values)
    cells = tuple((a, *(math.sqrt(abs(i - j)) for j in range(len(names)))) for i, a in enumerate(names))
    return kc.GivenMatrix(cells=cells)


# Cases

HOUSE = ["age", "education_years", "sex", "region"]
REGION_NAMES = tuple(REGIONS.values)
VISITS = own(_visits, roles={"customer": "person"}, kinds={"product": "categorical"})
SETS = own(_sets, roles={"class": "sensitive"}, kinds={"basket": "items", "tags": "items"})
GAPS = own(_gaps, roles={"name": "identifier", "diagnosis": "sensitive"}, kinds={"nothing": "categorical"})
ITEMS_ONLY = own(
    _sets,
    roles={"class": "other", "age": "other", "sex": "other", "tags": "other"},
    kinds={"basket": "items", "tags": "items"},
)
GOODS_SETS = own(
    _sets,
    roles={"class": "sensitive", "tags": "other"},
    kinds={"basket": "items", "tags": "items"},
    hierarchies={"basket": GOODS},
)
GROUPED = own(
    _towns, kinds={"town": "categorical", "step": "categorical"}, hierarchies={"town": TOWNS, "step": STEPS}
)
WORDS = sample("households-5000", 150, quasi=["age", "region", "education"])
AGGREGATES = {"age": "mean", "education_years": "median", "sex": "mode", "region": "mode"}
ILDS = tuple(
    kc.ILD(weights=weights, representative=representative, power=power, p=p)
    for weights in ("1/I", "schema")
    for representative in ("group", "cell")
    for power, p in ((2, 1.0), (1, 2.0), (1, float("inf")))
)
SAMPLED = (
    kc.ILD(p=3.0),
    kc.ILD(p=3.0, power=1),
    kc.QueryError(queries=3000, attributes=3, share=0.1, seed=5),
)
"""Scores that are found from a sample of a table of more than 2,000 records, and another set of queries."""
TREE = kc.Tree(
    parents=(
        *((name, "outer") for name in ("north", "east", "west", "south")),
        *((name, "inner") for name in ("capital", "center", "coast")),
        ("islands", "land"),
        ("outer", "land"),
        ("inner", "land"),
    ),
    lengths=(2.0, 1.0),
)
SETS_OF_WEIGHT = own(
    _sets,
    roles={"class": "sensitive"},
    kinds={"basket": "items", "tags": "items"},
    weights={"basket": 5, "tags": 0.5, "sex": 0},
)
MAPPED_SETS = own(
    _sets,
    roles={"class": "other", "tags": "other"},
    kinds={"basket": "items", "tags": "items"},
    categories={"basket": mapped(SHELVES)},
)
EARTH = {"latitude": kc.GreatCircle()}
SETS_APART = own(
    _sets,
    roles={"class": "sensitive"},
    kinds={"basket": "items", "tags": "items"},
    distances={"basket": kc.Jaccard()},
)


def _house(rows: int = 200, **changes: Any) -> Maker:
    return sample("households-5000", rows, quasi=HOUSE, **changes)


def _apart(column: str, distance: kc.Distance, rows: int = 90) -> Maker:
    return sample("households-5000", rows, quasi=["age", "education", "region"], distances={column: distance})


def _cases_of_microaggregation() -> list[Case]:
    mdav, vmdav = kc.MDAV(), kc.VMDAV()
    mean = {"latitude": "mean", "longitude": "median", "age": "mean"}
    return [
        Case("mdav four", sample("four"), mdav, 2, 0),
        Case("mdav people 100", sample("people-100"), mdav, 3, 1, (kc.ModelLoss(), *ILDS)),
        Case("mdav people 5000", sample("people-5000"), mdav, 10, 2),
        Case(
            "mdav households", sample("households-5000", 600), mdav, 5, 3, (kc.ModelLoss("capital_income"),)
        ),
        Case("mdav weights", _house(weights={"age": 0.5, "sex": 3, "region": 0}), mdav, 4, 4, ILDS),
        Case("mdav mean, median and mode", _house(recodings=AGGREGATES), mdav, 4, 5, ILDS),
        Case("mdav means of places", sample("people-100", recodings=mean), mdav, 4, 6),
        Case("mdav hierarchies", _house(hierarchies={"region": REGIONS, "sex": SEXES}), mdav, 4, 7),
        Case("mdav gaps", GAPS, mdav, 3, 8),
        Case("mdav gaps, penalty of columns that vary", GAPS, mdav, 3, 8, (kc.NCP(),)),
        Case("mdav dates", own(_days), mdav, 3, 9),
        Case("mdav mean dates", own(_days, recodings={"born": "mean", "seen": "median"}), mdav, 3, 10),
        Case("mdav ties", own(_ties), mdav, 4, 11),
        Case("mdav odd cells", own(_odd), mdav, 4, 12),
        Case("mdav magnitudes", own(_magnitudes), mdav, 3, 13),
        Case("mdav all in one", own(_numbers), mdav, 40, 14),
        Case("mdav pairs", own(_numbers), mdav, 2, 15),
        Case("vmdav people 100", sample("people-100"), vmdav, 3, 16),
        Case("vmdav gamma 0", sample("people-5000", 500), kc.VMDAV(gamma=0), 5, 17),
        Case("vmdav gamma 1.1", sample("people-5000", 500, 1000), kc.VMDAV(gamma=1.1), 5, 18),
        Case("vmdav gaps", GAPS, kc.VMDAV(gamma=2), 4, 19),
        Case("vmdav households", sample("households-5000", 400, 2000), vmdav, 6, 20),
        Case("sorting people 100", sample("people-100"), kc.Sorting(), 3, 21),
        Case("sorting by age", sample("people-5000", 400), kc.Sorting(by=("age", "longitude")), 7, 22),
        Case("sorting gaps", GAPS, kc.Sorting(by=("city", "born")), 4, 23),
        Case("sorting nine numbers", own(_numbers), kc.Sorting(by=("z",)), 5, 24),
        Case("sorting groups", _house(hierarchies={"region": REGIONS}), kc.Sorting(by=("region",)), 5, 25),
    ]


def _cases_of_one_number() -> list[Case]:
    best, mean = kc.OptimalUnivariate(), {"x": "mean"}
    starts = (kc.MDAV(), kc.VMDAV(gamma=0.5), kc.Sorting(), best)
    return [
        *(Case(f"optimal DS{i}", sample(f"DS{i}"), best, 2 + i, i) for i in range(13)),
        *(
            Case(f"mil DS{i}", sample(f"DS{i}", recodings=mean), kc.MIL(starts[i % 4]), 3, i)
            for i in range(1, 13, 2)
        ),
        *(Case(f"mil starts at {s.title}", sample("DS4"), kc.MIL(s), 5, i) for i, s in enumerate(starts)),
        Case("mil ages", sample("people-5000", 700, quasi=["age"]), kc.MIL(), 8, 30),
        Case("optimal dates", own(_days, quasi=["seen"], recodings={"seen": "median"}), best, 4, 31),
        Case("optimal ages", sample("people-5000", quasi=["age"], recodings={"age": "median"}), best, 20, 32),
        Case("mdav DS2", sample("DS2"), kc.MDAV(), 6, 33),
        Case("refine DS6", sample("DS6"), kc.Refine(kc.MIL(), steps=120), 4, 34),
    ]


def _cases_of_refining() -> list[Case]:
    starts = (kc.MDAV(), kc.VMDAV(), kc.Mondrian(), kc.Sorting())
    one_number = (kc.MIL(), kc.OptimalUnivariate())
    return [
        Case("refine people 100", sample("people-100"), kc.Refine(steps=200), 3, 1),
        Case("refine people 100, another seed", sample("people-100"), kc.Refine(steps=200), 3, 2),
        *(Case(f"refine starts at {s.title}", _house(120), kc.Refine(s, steps=80), 4, 3) for s in starts),
        *(
            Case(f"refine starts at {s.title}", sample("DS3"), kc.Refine(s, steps=80), 4, 4)
            for s in one_number
        ),
        Case("refine ncp", sample("people-100"), kc.Refine(loss="ncp", steps=200), 3, 5),
        Case("refine ncp households", _house(150), kc.Refine(loss="ncp", steps=200), 4, 6),
        Case("refine ncp gaps", GAPS, kc.Refine(kc.Mondrian(), loss="ncp", steps=100), 3, 7),
        Case("refine gaps", GAPS, kc.Refine(kc.Mondrian(), steps=100), 3, 8),
        Case("refine weights", _house(150, weights={"age": 4, "region": 0.25}), kc.Refine(steps=200), 5, 9),
        Case("refine means", _house(150, recodings=AGGREGATES), kc.Refine(steps=200), 5, 10, ILDS[:3]),
        Case("refine people 5000", sample("people-5000", 1500), kc.Refine(steps=300), 10, 11),
        Case("refine ncp people 5000", sample("people-5000", 1500), kc.Refine(loss="ncp", steps=300), 10, 12),
        Case("refine one step", own(_numbers), kc.Refine(steps=1), 3, 11),
    ]


def _cases_of_generalization() -> list[Case]:
    both = {"region": REGIONS, "marital_status": MARITAL}
    grouped = sample("households-5000", 900, hierarchies=both)
    shelved = own(_shelved, kinds={"basket": "items"}, hierarchies={"basket": GOODS})
    few, plain = kc.FullDomain(max_suppressed=0.05), sample("baskets-77512", 2000)
    return [
        Case("full domain people", sample("people-100"), kc.FullDomain(), 3, 1),
        Case("full domain households", grouped, few, 5, 2),
        Case("full domain precision", grouped, replace(few, loss="precision"), 5, 3),
        Case("full domain entropy", grouped, replace(few, loss="entropy", halvings=3), 5, 4),
        Case("full domain gaps", GAPS, few, 3, 5),
        Case("full domain means", _house(recodings=AGGREGATES), few, 4, 6),
        Case("rare items", plain, kc.RareItems(), 5, 7),
        Case("rare items 2 known", plain, kc.RareItems(known_items=2), 5, 8),
        Case("rare items of shelves", shelved, kc.RareItems(known_items=3), 3, 9),
        Case("local partition", shelved, kc.LocalPartition(), 3, 10, (), 2),
        Case("apriori", shelved, kc.Apriori(), 3, 11, (), 2),
        Case("apriori all", shelved, kc.Apriori(known_items=3, top="all"), 3, 12),
    ]


def _shelved() -> pd.DataFrame:
    """Baskets of a few frequent and many rarer items."""
    rng = np.random.default_rng(17)
    sets = [sorted(set(rng.geometric(0.25, rng.integers(1, 6)) % 12)) for _ in range(80)]
    return pd.DataFrame({"basket": [";".join(f"item {item}" for item in own) for own in sets]})


def _cases_of_mondrian() -> list[Case]:
    both = {"region": REGIONS, "marital_status": MARITAL}
    grouped = sample("households-5000", 900, hierarchies=both)
    ages = _house(300, kinds={"age": "categorical"}, hierarchies={"age": AGES})
    many = sample("receipts-100000", 20_000, roles={"diseases": "other"})
    condition, income = ("condition",), ("income",)
    return [
        Case("mondrian people 100", sample("people-100"), kc.Mondrian(), 3, 1),
        Case("mondrian people 5000", sample("people-5000"), kc.Mondrian(), 10, 2),
        Case("mondrian households", sample("households-5000"), kc.Mondrian(), 25, 3),
        Case("mondrian many receipts", many, kc.Mondrian(cut="gain"), 50, 21),
        Case("mondrian sampled scores", sample("people-5000", 2500), kc.Mondrian(), 20, 22, SAMPLED),
        Case("mondrian relaxed", own(_ties), kc.Mondrian(strict=False), 4, 4),
        Case("mondrian relaxed gain", _house(), kc.Mondrian(strict=False, cut="gain"), 5, 5),
        Case("mondrian gain", sample("people-100"), kc.Mondrian(cut="gain"), 3, 6),
        Case("mondrian groups", grouped, kc.Mondrian(), 6, 7),
        Case("mondrian gain groups", grouped, kc.Mondrian(cut="gain"), 6, 8, ILDS[:4]),
        Case("mondrian ages in intervals", ages, kc.Mondrian(cut="gain"), 5, 9),
        Case("mondrian towns", GROUPED, kc.Mondrian(), 3, 10),
        Case("mondrian gaps", GAPS, kc.Mondrian(), 4, 11),
        Case("mondrian dates", own(_days), kc.Mondrian(cut="gain"), 4, 12),
        Case("mondrian odd cells", own(_odd), kc.Mondrian(), 4, 13),
        Case("mondrian magnitudes", own(_magnitudes), kc.Mondrian(), 4, 14),
        Case("mondrian 3-diversity", sample("people-5000", 500), kc.Mondrian(diversity=3), 5, 15),
        Case(
            "mondrian entropy",
            sample("people-5000", 500),
            kc.Mondrian(protect=condition, diversity=2, entropy=True),
            5,
            16,
        ),
        Case("mondrian closeness", _house(500), kc.Mondrian(protect=income, closeness=0.3), 5, 17),
        Case("mondrian diversity and closeness", _house(500), kc.Mondrian(diversity=2, closeness=0.4), 5, 18),
        Case(
            "mondrian gain entropy",
            _house(300),
            kc.Mondrian(cut="gain", protect=income, diversity=2.5),
            5,
            19,
        ),
        Case(
            "mondrian categories",
            sample("households-5000", 400, categories={"sector": mapped(SECTORS)}),
            kc.Mondrian(),
            8,
            20,
        ),
    ]


def _cases_of_top_down() -> list[Case]:
    whole = sample("receipts-10000", 1500)
    groups = grouped_items("receipts-10000", 800, "diseases", " ", 4)
    births = grouped_items("receipts-10000", 800, "diseases", " ", 3, kinds={"birth_year": "categorical"})
    years = sample(
        "receipts-10000", 700, kinds={"birth_year": "categorical"}, hierarchies={"birth_year": BIRTHS}
    )
    return [
        Case("top-down nine", sample("nine"), kc.TopDown(), 2, 0, (), 3),
        Case("top-down nine first", sample("nine"), kc.TopDown(ties="first"), 2, 1, (), 2),
        Case("top-down nine suppressed", sample("nine"), kc.TopDown(max_suppressed=0.3), 3, 2, (), 1),
        Case("top-down nine groups", sample("nine", hierarchies={"drugs": DRUGS}), kc.TopDown(), 2, 3, (), 2),
        Case("top-down receipts", sample("receipts-10000"), kc.TopDown(), 10, 4),
        Case("top-down receipts midpoint", whole, kc.TopDown(split="midpoint"), 5, 5),
        Case("top-down receipts first", whole, kc.TopDown(ties="first"), 5, 6, (), 1),
        Case("top-down receipts suppressed", whole, kc.TopDown(max_suppressed=0.05), 5, 7),
        Case("top-down many receipts", sample("receipts-100000", 1500), kc.TopDown(), 5, 8),
        Case("top-down baskets", sample("baskets-77512", 2000), kc.TopDown(), 5, 9),
        Case("top-down baskets suppressed", sample("baskets-77512", 2000), kc.TopDown(0.1), 5, 10, (), 1),
        Case("top-down groups of items", groups, kc.TopDown(), 5, 11, (), 1),
        Case("top-down groups of items suppressed", groups, kc.TopDown(max_suppressed=0.1), 5, 12),
        Case("top-down groups of items and births", births, kc.TopDown(), 4, 13),
        Case("top-down births in intervals", years, kc.TopDown(split="midpoint"), 5, 14),
        Case("top-down sets", SETS, kc.TopDown(), 3, 15, (), 3),
        Case("top-down sets 2-diversity", SETS, kc.TopDown(diversity=2), 3, 16),
        Case(
            "top-down sets entropy", SETS, kc.TopDown(diversity=1.8, entropy=True, protect=("class",)), 3, 17
        ),
        Case("top-down sets closeness", SETS, kc.TopDown(closeness=0.35, max_suppressed=0.1), 3, 18),
        Case("top-down grouped sets", GOODS_SETS, kc.TopDown(), 3, 19, (), 2),
        Case("top-down weights", SETS_OF_WEIGHT, kc.TopDown(), 3, 20),
        Case("top-down mapped items", MAPPED_SETS, kc.TopDown(), 3, 21, (), 2),
        Case("top-down people", sample("people-100"), kc.TopDown(), 4, 22, ILDS[:4]),
        Case("top-down households", sample("households-5000", 600), kc.TopDown(), 5, 23),
        Case("top-down gaps", GAPS, kc.TopDown(split="midpoint"), 3, 24),
        Case("top-down towns", GROUPED, kc.TopDown(), 3, 25),
        Case("top-down means", _house(recodings=AGGREGATES), kc.TopDown(), 4, 26),
    ]


def _cases_of_known_items() -> list[Case]:
    baskets = sample("baskets-77512", 600)
    tops = [kc.TopDown(known_items=m) for m in range(4)]
    return [
        *(Case(f"known items {m} nine", sample("nine"), tops[m], 2, m, (), m) for m in (1, 2, 3)),
        *(Case(f"known items {m} sets", SETS, tops[m], 3, m, (), 3) for m in (1, 2, 3)),
        *(Case(f"known items {m} baskets", baskets, tops[m], 5, m, (), m) for m in (1, 2)),
        *(Case(f"known items {m} mapped items", MAPPED_SETS, tops[m], 3, m, (), m) for m in (2, 3)),
        Case("known items 2 receipts", sample("receipts-10000", 500), tops[2], 5, 4, (), 2),
        Case("known items 2 first", SETS, kc.TopDown(known_items=2, ties="first", split="midpoint"), 3, 5),
        Case("known items 1 many receipts", sample("receipts-100000", 3000), tops[1], 8, 6, (), 1),
    ]


def _cases_of_refined_sets() -> list[Case]:
    few = sample("receipts-10000", 400, quasi=["sex", "diseases"])
    groups = grouped_items("receipts-10000", 400, "diseases", " ", 4, quasi=["diseases", "sex"])
    two_sets = own(_sets, kinds={"basket": "items", "tags": "items"}, quasi=["basket", "tags"])
    return [
        Case("refined sets nine", sample("nine"), kc.RefineSets(steps=2), 2, 1),
        Case("refined sets items", ITEMS_ONLY, kc.RefineSets(steps=12), 3, 2, (), 2),
        Case("refined sets", two_sets, kc.RefineSets(steps=8), 3, 3),
        Case("refined sets receipts", few, kc.RefineSets(steps=8), 4, 4),
        Case("refined sets baskets", sample("baskets-77512", 800), kc.RefineSets(steps=3), 10, 5),
        Case("refined sets baskets, longer", sample("baskets-77512", 1500), kc.RefineSets(steps=40), 10, 8),
        Case("refined sets groups", groups, kc.RefineSets(steps=8), 4, 6),
        Case("refined sets suppressed", few, kc.RefineSets(kc.TopDown(0.1, ties="first"), steps=2), 5, 7),
    ]


def _cases_of_histories() -> list[Case]:
    shop = sample("purchases-80000", 900)
    products = {f"{i}": f"aisle {i % 7}" for i in range(20000, 60000)}
    aisles = sample("purchases-80000", 600, 5000, categories={"product": mapped(products)})
    groupings = ("count", "fewest", "similar", "whole")
    pairings = ("rank", "assignment")
    ways = [(g, p, r) for g in groupings for p in pairings for r in ("drop", "spread")]
    visitors = own(
        _gaps, roles={"name": "person", "diagnosis": "sensitive"}, kinds={"nothing": "categorical"}
    )
    return [
        *(
            Case(
                f"histories visits {g}, {p}, {r}",
                VISITS,
                kc.PurchaseHistories(grouping=g, pairing=p, remainder=r),
                3,
                i,
            )
            for i, (g, p, r) in enumerate(ways)
        ),
        *(
            Case(f"histories purchases {g}", shop, kc.PurchaseHistories(grouping=g, pairing=p), 4, 20 + i)
            for i, (g, p) in enumerate(zip(groupings, pairings * 2, strict=True))
        ),
        Case("histories by date", shop, kc.PurchaseHistories(by=("date", "price")), 5, 30),
        Case("histories of many", sample("purchases-80000", 9000), kc.PurchaseHistories("fewest"), 10, 33),
        Case("histories of aisles", aisles, kc.PurchaseHistories("similar", "assignment"), 3, 31),
        Case("histories of visitors", visitors, kc.PurchaseHistories(), 3, 32),
    ]


def _cases_of_concealment() -> list[Case]:
    tours = ("best", "identity", "random", "nearest insertion", "cheapest insertion", "farthest insertion",
             "arbitrary insertion", "nearest neighbor", "repetitive nearest neighbor", "two-opt")  # fmt: skip
    ways = ("range", "plain", "chosen")
    people, four, some = sample("people-100"), sample("four"), _house(80)
    weighed = _house(80, weights={"age": 2, "sex": 0.5})
    many = sample("receipts-10000", 5500, roles={"diseases": "other"})
    lottery = kc.Lottery(draws=200)
    return [
        Case("optimal concealment four", four, kc.OptimalConcealment(), 2, 0),
        *(Case(f"optimal concealment {w}", weighed, kc.OptimalConcealment(w), 3, 1) for w in ways),
        *(Case(f"tours {heuristic}", people, kc.Tours(heuristic), 3, 2) for heuristic in tours),
        *(Case(f"tours by {w}", weighed, kc.Tours("two-opt", w), 4, 3) for w in ways),
        *(Case(f"greedy by {w}", weighed, kc.Greedy(distance=w), 3, 4) for w in ways),
        Case("greedy restart", people, kc.Greedy(dead_end="restart"), 3, 5),
        Case("greedy four", four, kc.Greedy(), 3, 6),
        *(Case(f"lottery by {w}", weighed, kc.Lottery(300, w), 3, 7) for w in ways),
        Case("lottery four", four, kc.Lottery(), 2, 8),
        Case("lottery people", people, lottery, 5, 9),
        Case("clusters lottery", people, kc.Clustered(lottery), 3, 10),
        Case("clusters greedy", people, kc.Clustered(kc.Greedy()), 3, 11),
        Case("clusters tours", some, kc.Clustered(kc.Tours("two-opt"), cut="fine"), 3, 12),
        Case("clusters fine", people, kc.Clustered(lottery, cut="fine"), 4, 13),
        *(Case(f"pairing by {w}", weighed, kc.Pairing(distance=w), 3, 14) for w in ways),
        Case("pairing exact", people, kc.Pairing(exact=True), 2, 15),
        Case("pairing exact four", four, kc.Pairing(exact=True), 2, 16),
        Case("pairing many receipts", many, kc.Pairing(), 5, 21),
        Case("pairing people 5000", sample("people-5000"), kc.Pairing(), 10, 22),
        Case("pairing households", sample("households-5000", 300), kc.Pairing(), 4, 17),
        Case("concealment of gaps", GAPS, kc.OptimalConcealment(), 3, 18),
        Case("concealment of groups", GROUPED, kc.Greedy(), 3, 19),
        Case("concealment of dates", own(_days), kc.Tours("nearest neighbor"), 3, 20),
    ]


def _cases_of_fragments() -> list[Case]:
    receipts, people = sample("receipts-10000", 600), sample("people-5000", 900)
    few = sample("people-100")
    hours = own(_around, kinds={"hour": "cyclic", "at": "cyclic", "size": "ordinal"})
    return [
        Case("fragments mdav", people, kc.Fragments(rows=200), 5, 1),
        Case("fragments one", few, kc.Fragments(), 5, 2),
        Case("fragments vmdav", GAPS, kc.Fragments(kc.VMDAV(), 40), 3, 3),
        Case("fragments refine", people, kc.Fragments(kc.Refine(loss="ncp", steps=4), 300), 5, 4),
        Case("fragments sorting", _house(), kc.Fragments(kc.Sorting(), 60), 4, 5),
        Case("fragments top-down", receipts, kc.Fragments(kc.TopDown(), 150), 5, 6, (), 2),
        Case("fragments top-down 2 known", receipts, kc.Fragments(kc.TopDown(known_items=2), 150), 5, 7),
        Case("fragments refine sets", receipts, kc.Fragments(kc.RefineSets(steps=4), 200), 4, 8),
        Case("fragments concealment", people, kc.Fragments(kc.OptimalConcealment(), 250), 3, 9),
        Case("fragments clusters", few, kc.Fragments(kc.Clustered(kc.Lottery(200)), 40), 3, 10),
        Case("fragments around midnight and 180°", hours, kc.Fragments(rows=30), 3, 11),
        Case("fragments histories", VISITS, kc.Fragments(kc.PurchaseHistories(), 60), 3, 12),
    ]


def _cases_of_distances() -> list[Case]:
    best, tours, greedy = (
        kc.OptimalConcealment("chosen"),
        kc.Tours("random", "chosen"),
        kc.Greedy("repair", "chosen"),
    )
    edits = (kc.Levenshtein(), kc.NormalizedLevenshtein(), kc.DamerauLevenshtein())
    scales = ("range", "sd", "none")
    parts = ("days", "day of year", "weekday", "hour")
    regions = {"matrix": matrix(REGION_NAMES), "graph": neighbors(REGION_NAMES), "tree": TREE}
    grouped = sample(
        "households-5000", 90, quasi=["age", "region"], hierarchies={"region": REGIONS},
        distances={"region": kc.Tree()}, weights={"region": 2},
    )  # fmt: skip
    codes = sample("purchases-80000", 90, roles={"customer": "other"}, distances={"product": kc.Hamming()})
    two = ILDS[::5]

    def hours(scale: str) -> Maker:
        kinds = {"hour": "cyclic", "at": "cyclic", "size": "ordinal"}
        return own(_around, kinds=kinds, distances={"hour": kc.Around(scale=scale)})

    def seen(part: str) -> dict[str, kc.Distance]:
        return {"seen": kc.Calendar(part=part)}

    return [
        *(Case(f"distance {s}", _apart("age", kc.Absolute(scale=s)), best, 3, 1, two) for s in scales),
        *(Case(f"distance {p}", own(_days, distances=seen(p)), tours, 3, 2, two) for p in parts),
        *(Case(f"distance {d.title}", _apart("education", d), greedy, 3, 3, two) for d in edits),
        *(Case(f"distance {name}", _apart("region", d), kc.Pairing(distance="chosen"), 3, 4, two)
          for name, d in regions.items()),
        Case("distance tree of the hierarchy", grouped, best, 3, 5, two),
        Case("distance discrete", _apart("education", kc.Discrete()), kc.Lottery(100, "chosen"), 3, 6, two),
        Case("distance hamming", codes, greedy, 3, 7, two),
        Case("distance of places", sample("people-100", distances=EARTH), kc.Clustered(tours), 3, 8, two),
        Case("distance of sets", SETS_APART, kc.TopDown(), 3, 9, two),
        Case("distance around, half", hours("half"), tours, 3, 11, two),
        Case("distance around, none", hours("none"), greedy, 3, 12, two),
        Case("around midnight and 180°", hours("half"), kc.MDAV(), 3, 13, two),
        Case("around midnight and 180°, cut", hours("half"), kc.Mondrian(), 4, 14, two),
        Case("distance left aside", _apart("age", kc.Absolute(scale="sd")), kc.MDAV(), 3, 10, two),
    ]  # fmt: skip


def _all() -> list[Case]:
    makers = (
        _cases_of_microaggregation,
        _cases_of_one_number,
        _cases_of_refining,
        _cases_of_mondrian,
        _cases_of_generalization,
        _cases_of_top_down,
        _cases_of_known_items,
        _cases_of_refined_sets,
        _cases_of_histories,
        _cases_of_concealment,
        _cases_of_fragments,
        _cases_of_distances,
    )
    cases = [case for make in makers for case in make()]
    return cases + [replace(case, name=f"{case.name}, keyed", keyed=True) for case in _first_of_each(cases)]


def _first_of_each(cases: list[Case]) -> Iterable[Case]:
    return {type(case.algorithm): case for case in reversed(cases)}.values()


CASES: tuple[Case, ...] = tuple(_all())
"""Every case; names are unique."""


# What comes out


TOLERANCE = 1e-12
"""Relative. Powers, roots and sums of scores are rounded otherwise by other processors and versions of NumPy
and SciPy; 8e-14 is the largest difference that was seen."""


def computed(case: Case) -> dict[str, Any]:
    """Digests of the release and its recipe but for the version; the audit's numbers; and `sketch` of its
    scores."""
    table = case.table() if case.keyed else case.table().in_given_order()
    release = kc.anonymize(table, case.algorithm, case.k, seed=case.seed)
    scores = kc.score(table, release, (*(m for m in USUAL if m not in case.more), *case.more))
    verdicts = kc.audit(table, release, known_items=case.known_items)
    recipe = json.loads(release.recipe.to_json())
    del recipe["kanon"], recipe["order"]
    return {
        "audit": ", ".join(
            f"{'yes' if v.holds else 'no'} {float(v.found)!r}/{float(v.required)!r}" for v in verdicts
        ),
        "csv": _sha(release.publish().to_csv(index=False)),
        "frame": _sha(release.to_frame().to_csv(index=False)),
        "recipe": _sha(json.dumps(recipe, ensure_ascii=False)),
        **sketch(scores),
    }


def sketch(scores: pd.DataFrame) -> dict[str, Any]:
    """Return ``score_names``, a digest of what the numbers are of and which are not finite, and ``scores``:
    of each metric and part (total, attribute, record) one number, the mean of its values and errors with
    weights from 1 to 2 by their place. Where one of n values differs by a share d, the mean differs by about
    d / n.
    """
    names = scores[["metric", "part", "name"]].to_csv(index=False)
    numbers = scores[["value", "error"]].to_numpy(np.float64)
    endless = np.where(np.isfinite(numbers), "", numbers.astype(str))
    where = scores.groupby(["metric", "part"], sort=False).indices.values()
    means = [_weighted(numbers[rows][:, numbers[rows].any(axis=0)].ravel()) for rows in where]
    return {"score_names": _sha(names + "\t".join(endless.ravel())), "scores": means}


def _weighted(values: np.ndarray) -> float:
    """The mean with weights by place, of those that are finite; 0 of none."""
    weights = 1 + np.arange(len(values)) * ((math.sqrt(5) - 1) / 2) % 1
    held = np.isfinite(values)
    return float(f"{np.dot(weights[held], values[held]) / max(weights[held].sum(), 1):.15g}")


def differing(entry: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """The parts of an entry that are not as they are found: scores beyond `TOLERANCE`, all else at all."""
    parts = [part for part in found if part != "scores" and found[part] != entry.get(part)]
    kept, now = np.array(entry.get("scores", [])), np.array(found["scores"])
    same = kept.shape == now.shape and np.allclose(kept, now, rtol=TOLERANCE, atol=1e-15)
    return parts if same else [*parts, "scores"]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def kept() -> dict[str, Any]:
    """The list: ``changes``, sentences on entries that were altered on purpose, and ``cases``."""
    return json.loads(LIST.read_text("utf-8"))


def write(cases: dict[str, dict[str, Any]], changes: list[str]) -> None:
    """Keep these, sorted by name, one case a line."""
    lines = [f"    {_json(name)}: {_json(cases[name])}" for name in sorted(cases)]
    told = ",\n".join(f"    {_json(change)}" for change in changes)
    LIST.write_text(
        '{\n  "changes": ['
        + (f"\n{told}\n  " if told else "")
        + '],\n  "cases": {\n'
        + ",\n".join(lines)
        + "\n  }\n}\n",
        "utf-8",
    )


def _json(thing: object) -> str:
    return json.dumps(thing, ensure_ascii=False, sort_keys=True)


def main() -> None:
    """Write the list anew; says which entries are new, altered or gone."""
    before = kept() if LIST.exists() else {"changes": [], "cases": {}}
    after = {case.name: computed(case) for case in CASES}
    write(after, before["changes"])
    for name in sorted(after.keys() | before["cases"].keys()):
        if name not in after or differing(before["cases"].get(name, {}), after[name]):
            print(name)


if __name__ == "__main__":
    main()
