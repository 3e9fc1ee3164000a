"""Records with a set of items: medical receipts, and baskets of a shop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.set_arrays import chosen_sets, joined
from kanon_core.table.hierarchy.hierarchy import Hierarchy

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_SITES = """
    blood pressure 70 1.0; stomach 55 1.0; throat 12 1.0; skin 25 1.1; knee 72 1.4; eye 60 1.1;
    ear 6 1.0; lung 50 0.8; heart 78 0.7; back 50 0.9; nose 20 1.0; bowel 60 1.0; joint 58 2.2;
    tooth 30 1.0; liver 58 0.6; kidney 68 0.8; shoulder 56 1.1; thyroid 48 3.5; bladder 66 1.3;
    bone 74 2.4; vein 62 1.8; nerve 64 1.0; hand 40 1.0; foot 35 0.9; jaw 28 1.2; scalp 30 0.8
"""
SITES: dict[str, tuple[float, float]] = {
    name: (float(age), float(tilt))
    for name, age, tilt in (site.strip().rsplit(maxsplit=2) for site in _SITES.split(";"))
}
"""Parts of the body: the age around which they ail, and how many times as often in women as in men."""

SYSTEMS: dict[str, tuple[str, ...]] = {
    "circulation": ("blood pressure", "heart", "vein"),
    "digestion": ("stomach", "bowel", "tooth", "liver", "jaw"),
    "airways": ("throat", "lung", "nose"),
    "skin and scalp": ("skin", "scalp"),
    "senses and nerves": ("eye", "ear", "nerve"),
    "bones and joints": ("knee", "back", "joint", "shoulder", "bone", "hand", "foot"),
    "glands and kidneys": ("kidney", "thyroid", "bladder"),
}
"""Groups of parts of the body."""

_DISORDERS = """
    complaint inflammation pain infection disorder allergy injury ulcer swelling cyst bleeding weakness
    spasm stone strain rash obstruction prolapse abscess atrophy
"""
DISORDERS = tuple(_DISORDERS.split())
_ROUNDS = 60


def receipts(
    size: int = 10_000, items: int = 169, mean: float = 5.2021, seed: int = 0, steepness: float = 1.0
) -> pd.DataFrame:
    """Invented receipts of one year: birth year, sex, month and the diseases on them, separated by ";".

    ``size`` receipts (at least 1) of ``items`` different diseases (at most 4,160), together round(size ·
    mean) of them; with as many receipts or more each occurs. The sizes of the two receipt tables of the
    set-valued paper (table 1) are the defaults and (100,000, 4,156, 4.4194).

    A disease is a part of the body (`SITES`) with a disorder. Diseases come in bundles of 1 to 6 of one part,
    that of rank r in proportion to 1 / r^steepness, the part according to age and sex; older people have more
    of them.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    age = np.floor(95 * rng.beta(1.25, 1.35, size)).astype(np.int64)
    female = rng.random(size) < 0.54
    names, site = _diseases(items)
    bundles = _bundles(rng, site, 2.6)
    center, tilt = np.array(list(SITES.values()))[bundles.site].T
    ages = np.arange(5, 100, 10)
    fit = 0.04 + np.exp(-(((ages[:, None] - center) / 24) ** 2))
    odds = np.concatenate([fit, fit * tilt]) * bundles.odds**steepness
    frailty = rng.lognormal(0, 0.55, size) * (0.4 + age / 60)
    group = np.minimum(age // 10, 9) + 10 * female
    texts = _cells(_drawn(rng, odds, group, bundles, frailty, round(size * mean)), names, size)
    month = rng.integers(1, 13, size)
    sex = np.where(female, "female", "male").tolist()
    return pd.DataFrame({"birth_year": 2012 - age, "sex": sex, "month": month, "diseases": texts})


def receipt_groups(items: int = 169) -> Hierarchy:
    """The diseases of as many receipts below parts of the body, and these below `SYSTEMS`."""
    above = {part: system for system, parts in SYSTEMS.items() for part in parts}
    names, site = _diseases(items)
    parts = [list(SITES)[place] for place in site.tolist()]
    return Hierarchy.of_paths((name, part, above[part]) for name, part in zip(names, parts, strict=True))


def _diseases(items: int) -> tuple[list[str], Integers]:
    """The names of so many diseases, and which of `SITES` each is of."""
    many = items > len(DISORDERS) * len(SITES) // 2
    sites, disorders = (len(SITES), len(DISORDERS)) if many else (13, 13)
    site = np.arange(items) % sites
    names = [
        f"{list(SITES)[place]} {DISORDERS[number % disorders]}"
        + (f" {number // disorders + 1}" if number >= disorders else "")
        for place, number in zip(site.tolist(), (np.arange(items) // sites).tolist(), strict=True)
    ]
    return names, site


def baskets(size: int = 77_512, items: int = 3_340, mean: float = 4.6222, seed: int = 0) -> pd.DataFrame:
    """Invented baskets: ``size`` sets of ``items`` articles, together round(size · mean), separated by ";".
    The sizes are those of BMS-WebView-2 (set-valued paper, table 1). Articles of a department come in
    bundles, that of rank r in proportion to 1/r; a few baskets are very large."""
    rng = np.random.Generator(np.random.PCG64(seed))
    departments = max(1, items // 40)
    department = np.arange(items) % departments
    names = [
        f"{place + 1:02d}-{number + 1:03d}"
        for number, place in zip((np.arange(items) // departments).tolist(), department.tolist(), strict=True)
    ]
    bundles = _bundles(rng, department, 1.9)
    frailty = np.minimum(rng.pareto(1.7, size) + 0.05, 25)
    sets = _drawn(rng, bundles.odds[None], np.zeros(size, np.int64), bundles, frailty, round(size * mean))
    return pd.DataFrame({"items": _cells(sets, names, size)})


@dataclass(frozen=True)
class _Bundles:
    """Items that occur together: bundle b holds ``items[starts[b]:starts[b + 1]]``, all of ``site[b]``."""

    starts: Integers
    items: Integers
    site: Integers
    odds: Floats
    count: int


def _bundles(rng: np.random.Generator, site: Integers, mean: float) -> _Bundles:
    """Bundles of 1 to 6 items of a site, half as many as items, and a rare one for each item in none."""
    count = len(site)
    number = max(count // 2, 1)
    first = np.sort(rng.permutation(count)[:number])
    sizes = np.minimum(rng.geometric(1 / mean, number), 6)
    owner = np.repeat(np.arange(number), sizes)
    step = int(site.max()) + 1
    # Items of a site lie `step` apart, and the first of them are the most frequent ones.
    among = (count - 1 - site[first][owner]) // step + 1
    near = np.floor(among * rng.random(len(owner)) ** 3).astype(np.int64)
    items = site[first][owner] + step * near
    items[np.cumsum(sizes) - sizes] = first
    alone = np.setdiff1d(np.arange(count), items)
    keys = distinct(np.concatenate([owner * count + items, (number + np.arange(len(alone))) * count + alone]))
    sizes = np.bincount(keys // count)
    odds = 1.0 / np.concatenate([np.arange(1.0, number + 1), np.full(len(alone), 4.0 * number)])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    members = keys % count
    return _Bundles(starts, members, site[members[starts[:-1]]], odds, count)


def _drawn(
    rng: np.random.Generator, odds: Floats, group: Integers, bundles: _Bundles, frailty: Floats, total: int
) -> Integers:
    """Pairs record · items + item, ascending and distinct, ``total`` of them where there is room. Each record
    gets a bundle by the odds of its group, each bundle a record, then records in proportion to their frailty
    get further ones; last, single items are taken out until the total is met."""
    n, kinds = len(group), len(bundles.starts) - 1
    reached = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    prone = (frailty / frailty.sum()).cumsum()
    pairs = _pairs(bundles, np.arange(n), _chosen(rng, reached, group))
    if n >= bundles.count:
        more = _pairs(bundles, rng.integers(0, n, kinds), np.arange(kinds))
        pairs = distinct(np.concatenate([pairs, more]))
    for _ in range(_ROUNDS):
        if len(pairs) >= total:
            break
        records = np.minimum(np.searchsorted(prone, rng.random((total - len(pairs)) // 2 + 1)), n - 1)
        more = _pairs(bundles, records, _chosen(rng, reached, group[records]))
        pairs = distinct(np.concatenate([pairs, more]))
    shuffled = rng.permutation(pairs)
    kept = np.zeros(len(shuffled), bool)
    for part in (shuffled // bundles.count, shuffled % bundles.count):
        kept[np.unique(part, return_index=True)[1]] = True
    surplus = np.flatnonzero(~kept)[: max(len(pairs) - total, 0)]
    return np.sort(np.delete(shuffled, surplus))


def _chosen(rng: np.random.Generator, reached: Floats, group: Integers) -> Integers:
    """A bundle for each record, by the cumulative odds of its group."""
    drawn, chosen = rng.random(len(group)), np.zeros(len(group), np.int64)
    for number, edges in enumerate(reached):
        mine = group == number
        chosen[mine] = np.minimum(np.searchsorted(edges, drawn[mine], side="right"), len(edges) - 1)
    return chosen


def _pairs(bundles: _Bundles, records: Integers, chosen: Integers) -> Integers:
    starts, items = chosen_sets(bundles.starts, bundles.items, chosen)
    return distinct(np.repeat(records, np.diff(starts)) * bundles.count + items)


def _cells(pairs: Integers, names: list[str], size: int) -> pd.Series:
    """The sets as texts, items in the order of their numbers."""
    counts = np.bincount(pairs // len(names), minlength=size)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return pd.Series(joined(starts, pairs % len(names), names, ";").to_pylist(), dtype="str")
