"""Small tables on which every algorithm and metric must keep its contract, and every way to set an
algorithm."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.options import Nested, options_of
from tests.helpers import purchases_of

ODD_NAMES = (
    "-dash",
    "comma, name",
    'so "called"',
    "名前 😀",
    "<b>bold</b>",
    "it's",
    "a=b",
    " blank ",
    "$HOME `x` \\n",
)


def _random(n: int) -> np.random.Generator:
    return np.random.default_rng(n)


def _one_number(n: int) -> pd.DataFrame:
    return pd.DataFrame({"x": _random(n).normal(size=n).round(3)})


def _three_numbers(n: int) -> pd.DataFrame:
    return pd.DataFrame(_random(n).normal(size=(n, 3)).round(2), columns=["x", "y", "z"])


def _mixed(n: int) -> pd.DataFrame:
    """Numbers and words, both with missing cells, an identifier and a sensitive column."""
    rng = _random(n)
    age = rng.integers(18, 90, n).astype(float)
    age[rng.random(n) < 0.2] = np.nan
    city = rng.choice(np.array(["Oslo", "Kyoto", "Quito", None], dtype=object), n)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": age,
            "city": pd.Series(city, dtype="str"),
            "diagnosis": rng.choice(["flu", "=cold"], n),
        }
    )


def _duplicates(n: int) -> pd.DataFrame:
    rng = _random(n)
    return pd.DataFrame({"x": rng.integers(0, 2, n), "letter": rng.choice(["a", "b"], n)})


def _constant(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {"x": np.full(n, 7), "letter": ["a"] * n, "nothing": pd.Series([None] * n, dtype="str")}
    )


def _places(n: int) -> pd.DataFrame:
    rng = _random(n)
    return pd.DataFrame({"lat": 35 + rng.normal(size=n), "lon": 139 + rng.normal(size=n)})


def _dates(n: int) -> pd.DataFrame:
    days = _random(n).integers(-40_000, 20_000, n)
    born = np.datetime64("1970-01-01") + days.astype("timedelta64[D]")
    return pd.DataFrame({"born": born.astype("datetime64[s]"), "x": np.arange(n) % 3})


def _round_ends(n: int) -> pd.DataFrame:
    """Numbers, dates and places whose published intervals have round ends; some values are missing."""
    return _dates(n).join(_places(n)).assign(age=_mixed(n)["age"])


def _hours(n: int) -> pd.DataFrame:
    """Hours around midnight, times of day, weekdays, directions that are sometimes missing."""
    rng = _random(n)
    minutes = rng.integers(0, 1440, n)
    wind = rng.integers(-180, 181, n).astype(float)
    wind[rng.random(n) < 0.2] = np.nan
    return pd.DataFrame(
        {
            "hour": np.mod(rng.normal(0, 2, n).round(), 24),
            "clock": [f"{minute // 60:02d}:{minute % 60:02d}" for minute in minutes],
            "weekday": rng.choice(["Mon", "Tue", "Sat", "Sun"], n),
            "wind": wind,
        }
    )


def _one_hour(n: int) -> pd.DataFrame:
    return _hours(n)[["hour"]]


def _islands(n: int) -> pd.DataFrame:
    """Islands on both sides of 180° east."""
    rng = _random(n)
    east = np.mod(rng.normal(180, 3, n) + 180, 360) - 180
    return pd.DataFrame({"lat": -17 + rng.normal(size=n).round(3), "lon": east.round(4)})


def _earth(n: int) -> pd.DataFrame:
    """Places all around the earth, whose longitudes have all digits."""
    rng = _random(n)
    return pd.DataFrame({"lat": rng.uniform(-80, 80, n), "lon": rng.uniform(-180, 180, n)})


def _levels(n: int) -> pd.DataFrame:
    """Ordinal values with odd texts and missing ones, in an order given or guessed, beside a number."""
    rng = _random(n)
    sizes = np.array([*SIZES[:5], None], dtype=object)
    return pd.DataFrame(
        {
            "size": pd.Series(rng.choice(sizes, n), dtype="str"),
            "pain": rng.choice(["low", "medium", "high"], n),
            "ages": rng.choice(["20-29", "30-39", "40+", "<20"], n),
            "x": rng.normal(size=n).round(1),
        }
    )


SIZES = ("a, b", "[small", "{1}", "(any)", "=1+1", "never")
KINDS = {
    "hours": {"hour": "cyclic", "clock": "cyclic", "weekday": "cyclic", "wind": "cyclic"},
    "one hour": {"hour": "cyclic"},
    "levels": {"size": "ordinal", "pain": "ordinal", "ages": "ordinal"},
}
ROUND_ENDS = {"x": "10", "born": "month", "lat": "500 m", "lon": "0.3", "age": "auto"}


def _one_category(n: int) -> pd.DataFrame:
    return pd.DataFrame({"letter": _random(n).choice(list("abcde"), n)})


def _magnitudes(n: int) -> pd.DataFrame:
    """The largest, the closest and the most uneven numbers that are still compared."""
    rng = _random(n)
    sign = rng.choice([-1.0, 1.0], n)
    return pd.DataFrame(
        {
            "large": sign * rng.choice([1e150, 5e149, 1.0], n),
            "small": np.arange(n) % 5 * 2.5e-141,
            "uneven": sign * 10 ** rng.uniform(-300, 150, n),
        }
    )


def _one_magnitude(n: int) -> pd.DataFrame:
    return _magnitudes(n)[["uneven"]]


def _odd(n: int) -> pd.DataFrame:
    """Names and cells that a shell, a browser, a spreadsheet or a csv reader could take for something
    else."""
    cells = np.array(["=1+1", "<script>", 'a "b", c', "-", "名", "'"], dtype=object)
    frame = pd.DataFrame({name: _random(n + i).choice(cells, n) for i, name in enumerate(ODD_NAMES)})
    return frame.assign(**{ODD_NAMES[0]: np.arange(n) % 5})


def _baskets(n: int) -> pd.DataFrame:
    """Item sets alone: a few frequent items and a tail of rare ones."""
    rng = _random(n)
    sets = [rng.choice(12, rng.integers(1, 6), replace=False, p=_TAIL) for _ in range(n)]
    return pd.DataFrame({"basket": [";".join(f"item {item}" for item in held) for held in sets]})


_TAIL = 1 / np.arange(1, 13) / (1 / np.arange(1, 13)).sum()


def _composite(n: int) -> pd.DataFrame:
    """Numbers, categories and two columns of item sets, one of them with empty sets and odd items."""
    rng = _random(n)
    odd = np.array(["=1+1", "a, b", '"', "{}", "*"], dtype=object)
    tags = [[str(tag) for tag in rng.choice(odd, rng.integers(0, 4), replace=False)] for _ in range(n)]
    return _baskets(n).assign(
        age=rng.integers(18, 90, n), sex=rng.choice(["f", "m"], n), tags=pd.Series(tags, dtype=object)
    )


def _grouped(n: int) -> pd.DataFrame:
    """Two columns with a hierarchy, one of them with missing cells and odd labels, and others without."""
    rng = _random(n)
    cities = np.array([*(value for value in CITIES.values if value != "never"), None], dtype=object)
    return pd.DataFrame(
        {
            "town": pd.Series(rng.choice(cities, n), dtype="str"),
            "step": rng.integers(0, 12, n).astype(str),
            "letter": rng.choice(list("abc"), n),
            "x": rng.normal(size=n).round(1),
        }
    )


def _wares(n: int) -> pd.DataFrame:
    """Item sets with a hierarchy, of which some groups have one item and odd names, beside sets without one
    and a grouped category."""
    rng = _random(n)
    wares = np.array([value for value in WARES.values if value != "never"], dtype=object)
    held = [list(rng.choice(wares, rng.integers(0, 5), replace=False)) for _ in range(n)]
    return _grouped(n)[["town"]].assign(basket=_baskets(n)["basket"], wares=pd.Series(held, dtype=object))


def _goods(n: int) -> pd.DataFrame:
    """Item sets alone, with a hierarchy: two columns, some sets empty, so that not all share a group."""
    rng = _random(n)
    held = [list(rng.choice(WARES.values, rng.integers(0, 5), replace=False)) for _ in range(n)]
    items = [";".join(f"item {i}" for i in rng.choice(12, 3, replace=False, p=_TAIL)) for _ in range(n)]
    return pd.DataFrame({"wares": pd.Series(held, dtype=object), "shelved": ["", *items[1:]]})


WARES = kc.Hierarchy.of_paths(
    [
        ("beer", "alcohol", "drinks"),
        ("wine", "alcohol", "drinks"),
        ("milk", "drinks"),
        ("a, b", "odd, {group}"),
        ('"', "odd, {group}"),
        ("(any)", "single"),
        ("nails",),
        ("never", "nobody's"),
    ]
)
CITIES = kc.Hierarchy.of_paths(
    [
        ("Oslo", "Norway", "[North"),
        ("Bergen", "Norway", "[North"),
        ("(any)", "Other, odd", "[North"),
        ("{}", "Other, odd", "[North"),
        ("Quito",),
        ("never",),
    ]
)
SHELVES = kc.Hierarchy.of_paths((f"item {i}", f"shelf {i // 3}", f"hall {i // 6}") for i in range(12))
HIERARCHIES = {
    "town": CITIES,
    "wares": WARES,
    "shelved": SHELVES,
    "step": kc.Hierarchy.of_intervals(range(12), (2, 6)),
}


def _purchases(n: int) -> pd.DataFrame:
    return purchases_of(_random(n), n, 0.25, 1 + n // 2)


def _visitors(n: int) -> pd.DataFrame:
    """Everybody has one record, so records stand for people."""
    return _mixed(n).rename(columns={"name": "visitor"}).drop(columns="diagnosis")


FRAMES: dict[str, Callable[[int], pd.DataFrame]] = {
    "one number": _one_number,
    "three numbers": _three_numbers,
    "mixed": _mixed,
    "duplicates": _duplicates,
    "constant": _constant,
    "places": _places,
    "dates": _dates,
    "one category": _one_category,
    "odd": _odd,
    "magnitudes": _magnitudes,
    "one magnitude": _one_magnitude,
    "baskets": _baskets,
    "composite": _composite,
    "purchases": _purchases,
    "visitors": _visitors,
    "grouped": _grouped,
    "wares": _wares,
    "goods": _goods,
    "round ends": _round_ends,
    "hours": _hours,
    "one hour": _one_hour,
    "islands": _islands,
    "earth": _earth,
    "levels": _levels,
}

INCOMPARABLE: dict[str, Callable[[int], np.ndarray]] = {
    "huge": lambda n: _random(n).choice([-1e308, 1e308, 0.0], n),
    "largest": lambda n: np.full(n, np.finfo(float).max),
    "denormal": lambda n: np.arange(n) * 5e-324,
    "tiny": lambda n: _random(n).normal(size=n) * 1e-200,
    "uneven": lambda n: 10 ** _random(n).uniform(-300, 300, n),
}
"""Numbers whose squared differences leave the range of floating-point numbers."""


@functools.cache
def table_of(name: str, n: int = 23) -> kc.Table:
    """The table of that name with n records, made once for all tests.

    Only ``mixed``, ``purchases`` and ``visitors`` have columns that are no quasi-identifiers.
    """
    frame = FRAMES[name](n)
    quasi = dict.fromkeys(frame.columns, "quasi_identifier")
    special = {
        "mixed": {"name": "identifier", "diagnosis": "sensitive"},
        "purchases": {"customer": "person"},
        "visitors": {"visitor": "person"},
    }
    roles = special.get(name, {})
    sets = dict.fromkeys(
        (column for column in ("basket", "tags", "wares", "shelved") if column in frame), "items"
    )
    groups = {column: tree for column, tree in HIERARCHIES.items() if column in frame}
    schema = kc.Schema.infer(frame).with_kinds(
        {**dict.fromkeys(groups, "categorical"), **sets, **KINDS.get(name, {})}
    )
    schema = schema.with_orders({"size": SIZES} if name == "levels" else {})
    schema = schema.with_roles({**quasi, **roles}).with_hierarchies(groups)
    return kc.Table.from_frame(frame, schema.with_round_ends(ROUND_ENDS if name == "round ends" else {}))


def settings_of(cls: type[Algorithm]) -> Iterator[Algorithm]:
    """The algorithm as declared, and with each other word, flag and nested object that its options allow.

    A time budget is cut to 30 ms: the contract is about what comes out, not how good it is. Fragments have at
    most 8 records, so that there are several.
    """
    usual = _usual(cls)
    yield usual
    for option in options_of(cls):
        for value in _values(option.kind):
            if value != getattr(usual, option.name):
                yield dataclasses.replace(usual, **{option.name: value})


def _usual(cls: type[Algorithm]) -> Algorithm:
    names = {option.name for option in options_of(cls)}
    return cls(**{name: value for name, value in {"seconds": 0.03, "rows": 8}.items() if name in names})


def _values(kind: object) -> list[object]:
    if isinstance(kind, Choice):
        return list(kind.words)
    if isinstance(kind, Flag):
        return [False, True]
    if not isinstance(kind, Nested):
        return []
    return [_usual(cls) for cls in ALGORITHMS if cls.__name__ in kind.among]


SETTINGS: list[Algorithm] = [setting for cls in ALGORITHMS for setting in settings_of(cls)]
SETTINGS += [kc.Fragments(), kc.Fragments(kc.TopDown(known_items=2), rows=8)]
SETTINGS += [kc.TopDown(known_items=2), kc.RareItems(known_items=2), kc.Apriori(known_items=3)]


@functools.cache
def suitable(algorithm: Algorithm, n: int | None = None, k: int | None = None) -> tuple[kc.Table, ...]:
    """The tables this algorithm accepts."""
    tables = [table_of(name, RECORDS[k_of(algorithm)] if n is None else n) for name in FRAMES]
    return tuple(t for t in tables if not algorithm.unsuitable(t, k_of(algorithm) if k is None else k))


@functools.cache
def releases(algorithm: Algorithm) -> tuple[kc.Release, ...]:
    """Return the algorithm's release of each suitable table at its `k_of`, made once for all tests."""
    return tuple(kc.anonymize(table, algorithm, k=k_of(algorithm)) for table in suitable(algorithm))


RECORDS = {3: 23, 2: 24}
"""By k: how many records its tables have. An algorithm is tried at the first k at which it accepts some
table."""


@functools.cache
def k_of(algorithm: Algorithm) -> int:
    """The k at which an algorithm is tried: 3, or 2 for one that only forms pairs."""
    accepts = (
        k
        for k, n in RECORDS.items()
        if any(not algorithm.unsuitable(table_of(name, n), k) for name in FRAMES)
    )
    return next(accepts, 3)
