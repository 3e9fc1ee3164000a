"""Lesson on people with many records: k equal rows may all belong to one person."""

from __future__ import annotations

from functools import cache
from typing import cast

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.base.words import tr
from kanon_core.covers.cover import Histories
from kanon_core.metrics.privacy.classes import AchievedK
from kanon_core.release.release import Release
from kanon_core.risk.candidates import candidates
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Cell, Rows, frame_rows, gone, marked, texts_of
from kanon_core.teaching.lessons.small_tables import released, table_of

_K = 2
_LARGER = 4
_COLUMNS = ("person", "goods", "price", "quantity")


@cache
def purchases(declared: bool = True) -> Table:
    """Return the purchases of six people; ``declared``: the column of the person has the role person, else
    identifier."""
    goods = {
        "A": ["paper", "paper", "paper", "cheese", "wine", "wine"],
        "B": ["bread", "milk", "cheese", "wine", "coffee"],
        "C": ["tea", "bread", "milk", "honey"],
        "D": ["bread", "milk", "apples"],
        "E": ["tea", "honey", "apples"],
        "F": ["wine", "bread"],
    }
    prices = [1, 1, 1, 7.5, 12, 14, 2.5, 1.5, 8, 11, 4, 4.5, 2.2, 1.4, 6, 2, 1.6, 3.6, 4.2, 6.5, 3.9, 9, 2.8]
    quantities = [1, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 1, 3, 2, 1, 1, 2, 1, 1]
    return table_of(
        {
            "person": [person for person, bought in goods.items() for _ in bought],
            "goods": [one for bought in goods.values() for one in bought],
            "price": [float(price) for price in prices],
            "quantity": quantities,
        },
        {"person": "person" if declared else "identifier"},
        {"person": "categorical", "goods": "categorical", "price": "numeric", "quantity": "numeric"},
    )


def owners() -> np.ndarray:
    """Return the person of each record: object (n)."""
    return purchases().frame["person"].to_numpy(object)


def _history(k: int) -> Release:
    return released(purchases(), PurchaseHistories(), k)


def _blocks(k: int) -> np.ndarray:
    """Return the block of people with which each record is published; −1 = left out."""
    return cast(Histories, _history(k).cover).blocks


def _records_alike(k: int) -> ScreenResult:
    table = purchases(declared=False)
    release = released(table, MDAV(), 3)
    found = [np.flatnonzero(release.groups == group) for group in np.unique(release.groups)]
    behind = [len(set(owners()[members])) for members in found]
    worst = found[int(np.argmin(behind))]
    scene = frame_rows(release.to_frame(worst), title=tr("One class of the release"))
    names = {"person": str(owners()[worst[0]])}
    facts: dict[str, float] = {"k": 3, "reached": AchievedK().measure(table, release).total}
    facts |= {"fewest": min(behind), "records": len(table), "alike": len(worst)}
    return ScreenResult(facts, scene, names)


def _whose(k: int) -> ScreenResult:
    table = purchases()
    letters, counts = np.unique(owners(), return_counts=True)
    block = {person: int(_blocks(_K)[owners() == person].max()) for person in letters}
    rows = [[p, int(c)] for p, c in zip(letters, counts, strict=True)]
    most, next_ = np.argsort(-counts, kind="stable")[:2]
    mate = next(p for p in letters if p != letters[most] and block[p] == block[letters[most]])
    names = {"first": str(letters[most]), "mate_name": str(mate)}
    heads = [tr("person"), tr("records")]
    facts: dict[str, float] = {"people": len(letters), "records": len(table), "k": _K, "most": counts.max()}
    facts |= {"mate": list(letters).index(mate), "least": counts.min(), "next": int(counts[next_])}
    return ScreenResult(facts, Rows(heads, rows, [block[person] for person in letters]), names)


def _pair() -> np.ndarray:
    """Return the records of the first block."""
    blocks = _blocks(_K)
    people = set(owners()[blocks == blocks[0]])
    return np.flatnonzero(np.isin(owners(), list(people)))


def _cut(k: int) -> ScreenResult:
    release, members = _history(_K), _pair()
    letters, counts = np.unique(owners()[members], return_counts=True)
    out = release.suppressed[members]
    texts = texts_of(purchases(), _COLUMNS)
    rows = [[gone(t) if out[n] else Cell(t) for t in texts[i]] for n, i in enumerate(members.tolist())]
    names = {"long": str(letters[counts.argmax()]), "short": str(letters[counts.argmin()])}
    facts: dict[str, float] = {"shorter": counts.min(), "longer": counts.max(), "gone": out.sum()}
    facts |= {"all": release.suppressed.sum()}
    return ScreenResult(facts, Rows(_COLUMNS, rows), names)


def _ranked(k: int) -> ScreenResult:
    release = _history(_K)
    members = np.array([i for i in _pair().tolist() if not release.suppressed[i]])
    prices = purchases().numbers("price").values
    order = sorted(
        members.tolist(), key=lambda i: (-float(prices[release.groups == release.groups[i]].max()), i)
    )
    frame, texts = release.to_frame(np.array(order)), texts_of(purchases(), _COLUMNS)
    ranks = {group: rank for rank, group in enumerate(dict.fromkeys(release.groups[order].tolist()))}
    rows = [
        [*texts[i], *(marked(str(cell)) for cell in frame.iloc[n][["goods", "price", "quantity"]])]
        for n, i in enumerate(order)
    ]
    heads = [*_COLUMNS, tr("goods published"), tr("price"), tr("quantity")]
    groups = [ranks[int(group)] for group in release.groups[order]]
    letters = np.unique(owners()[members])
    names = {"one": str(letters[0]), "two": str(letters[1])}
    return ScreenResult({"rows": len(ranks)}, Rows(heads, rows, groups), names)


def _at_k(k: int) -> ScreenResult:
    release = _history(k)
    table = purchases()
    kept = np.unique(owners()[~release.suppressed])
    counts = {
        p: (int((owners() == p).sum()), int((release.suppressed & (owners() == p)).sum()))
        for p in np.unique(owners())
    }
    found = candidates(table, release, 0)
    blocks = [int(_blocks(k)[owners() == person].max()) for person in counts]
    rows = [[person, all_, all_ - out, out] for person, (all_, out) in counts.items()]
    heads = [tr("person"), tr("records"), tr("published"), tr("left out")]
    facts: dict[str, float] = {"k": k, "records": len(table), "out": release.suppressed.sum()}
    facts |= {"people": len(counts), "published": len(kept), "share": release.suppressed.mean()}
    facts |= {"fits": found.count_after, "chance": 1 / found.count_after, "larger": _LARGER}
    facts |= {"left_over": len(counts) - len(np.unique(owners()[~_history(_LARGER).suppressed]))}
    return ScreenResult(facts, Rows(heads, rows, blocks))


PEOPLE = Lesson(
    "people",
    "People with many records",
    7,
    "Why k records are not k people, and how k people get the same published history.",
    (
        Screen(
            "k rows are not k people",
            "{records} purchases are published so that at least {k} rows look alike. The audit of the rows"
            " confirms it: k = {reached}. Here is one of the classes, with {alike} equal rows.",
            "A class of {alike} equal rows of a release.",
            _records_alike,
            ("people with several records",),
            question=Choice(
                "How many different people do these {alike} rows belong to?",
                "{fewest}: all are purchases of {person}. An attacker who knows that {person} buys these"
                " goods sees {alike} rows, all of one person. The audit counted rows; here people must be"
                " counted.",
                ("As many as there are rows", "Fewer, but more than one", "One"),
                lambda f: 0 if f["fewest"] >= f["alike"] else 1 if f["fewest"] > 1 else 2,
            ),
        ),
        Screen(
            "Declare whose each record is",
            "The column that names the person of each record gets the role “person”. A person's history is"
            " all records of this person. Now k counts people: at least {k} people must have the same"
            " published history. Each of the {people} people has {least} to {most} of the {records}"
            " purchases.",
            "{people} people, the number of records of each, and the group of people in which each is"
            " published.",
            _whose,
            ("person", "k-anonymity of people"),
            question=Choice(
                "{first} has {most} records, more than anybody else. Which partner in the group makes the"
                " loss smallest?",
                "{mate_name}, who has {next}. The people are sorted by their number of records, and each"
                " {k} neighbors form a group. Records beyond the shorter history cannot be published.",
                ("The person with most records after {first}", "The person with fewest records"),
                lambda facts: int(facts["mate"] != 1),
            ),
        ),
        Screen(
            "Histories of equal length",
            "{long} has {longer} records and {short} has {shorter}. Histories that look alike must have"
            " equally many records, so the longer one is cut.",
            "The records of {long} and {short}; records that are left out are crossed out.",
            _cut,
            ("history", "Suppressed records"),
            question=Amount(
                "How many records of {long} are left out?",
                "{longer} − {shorter} = {gone}; the lowest prices are left out. In the whole table, {all}"
                " records are left out.",
                "gone",
            ),
        ),
        Screen(
            "Pair the records",
            "Both histories are now sorted by price, the highest first, and paired by rank: first with"
            " first, second with second. The records of a pair publish the same cells, so {rows} rows of"
            " {one} and {two} look alike.",
            "The paired records of {one} and {two}, and the published cells of each pair.",
            _ranked,
            ("generalize",),
        ),
        Screen(
            "Move k",
            "At k = {k}, {out} of {records} records are left out, {share:%}; {published} of {people} people"
            " are published. An attacker who knows all purchases of a published person finds {fits}"
            " histories that fit: the chance to pick the right one is {chance:%}.",
            "For each person, the number of records, of published records, and of records left out at k ="
            " {k}.",
            _at_k,
            ("pseudonym",),
            slider=Slider(2, 4, 2),
            question=Amount(
                "Before you move k: of how many of the {people} people is nothing published at k = {larger}?",
                "Of {left_over}: {larger} people form a group, and too few remain for another one; all"
                " their records are left out. The pseudonyms, numbers that replace the names, set another"
                " limit. If next month's release used the same ones, an attacker could join both releases,"
                " and fewer people would share a history. Each release needs pseudonyms of its own.",
                "left_over",
            ),
        ),
    ),
    Try(
        "Declare whose the records of your table are, and see the loss of published histories.",
        "clusters/people",
        "PurchaseHistories",
    ),
)
