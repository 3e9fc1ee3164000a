"""People with many records: k rows that look alike may all be one person's."""

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
    """Return what six people bought; ``declared``: the column of the person has that role, else it is an
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
    """object (n): the person of each record."""
    return purchases().frame["person"].to_numpy(object)


def _history(k: int) -> Release:
    return released(purchases(), PurchaseHistories(), k)


def _blocks(k: int) -> np.ndarray:
    """The block of people that each record is published with; −1 = left out."""
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
    """The records of the first block."""
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
    "Why k records are not k people, and how whole histories are made to look alike.",
    (
        Screen(
            "Every row hides among three – does it?",
            "{records} purchases, published so that at least {k} rows look alike. The audit of rows is"
            " content: k = {reached}. Here is one of its classes, with {alike} equal rows.",
            "A class of {alike} equal rows of a release.",
            _records_alike,
            ("people with several records",),
            question=Choice(
                "How many different people are behind these {alike} rows, at least?",
                "{fewest}: all are purchases of {person}. An attacker who knows that {person} buys this sees"
                " {alike} rows and one person. k counted rows, and people wanted to be counted.",
                ("As many as there are rows", "Fewer, but more than one", "One"),
                lambda f: 0 if f["fewest"] >= f["alike"] else 1 if f["fewest"] > 1 else 2,
            ),
        ),
        Screen(
            "First say whose each record is",
            "The column that says whose a record is gets the role “person”. Now k counts people: {k} people"
            " shall have the same published history. Their {records} purchases are {least} to {most} a"
            " person.",
            "{people} people, how many records each has, and the group of people each is put into.",
            _whose,
            ("person", "k-anonymity of people"),
            question=Choice(
                "{first} has {most} records, more than anybody. With whom is {first} put together, to lose"
                " least?",
                "With {mate_name}, who has {next}: the people are sorted by the number of their records, and"
                " each {k} neighbors form a group. What one has more than the other cannot be published.",
                ("With the one who has most after {first}", "With the one who has fewest"),
                lambda facts: int(facts["mate"] != 1),
            ),
        ),
        Screen(
            "Histories of one length",
            "{long} has {longer} records and {short} has {shorter}. Histories that shall read alike must be"
            " equally long, so the longer one is cut.",
            "The records of {long} and {short}; those that are left out are struck out.",
            _cut,
            ("history", "Suppressed records"),
            question=Amount(
                "How many records of {long} are left out?",
                "{longer} − {shorter} = {gone}: the cheapest. Of all people {all} records are left out.",
                "gone",
            ),
        ),
        Screen(
            "Row by row",
            "Now both histories are sorted by price, the dearest first, and paired by rank: first with"
            " first, second with second. Each pair publishes the same cells, so that {rows} rows of {one}"
            " and {two} read alike.",
            "The paired records of {one} and {two}, and what is published of each pair.",
            _ranked,
            ("generalize",),
        ),
        Screen(
            "Move k",
            "At k = {k}, {out} of {records} records are left out, {share:%}; {published} of {people} people"
            " are published. Who knows all purchases of a published person finds {fits} histories that fit:"
            " a chance of {chance:%}.",
            "For each person, how many records there are, are published, and are left out at k = {k}.",
            _at_k,
            ("pseudonym",),
            slider=Slider(2, 4, 2),
            question=Amount(
                "Before you move it: at k = {larger}, of how many of the {people} people is nothing"
                " published at all?",
                "Of {left_over}: {larger} people make a group, and the rest is too few for another. They"
                " lose all their records. And a limit of another kind: if next month's release used the same"
                " pseudonyms, both could be joined, and fewer people would hide one another. Each release"
                " needs its own.",
                "left_over",
            ),
        ),
    ),
    Try(
        "Say whose the records of your table are, and see what histories cost.",
        "histories",
        "PurchaseHistories",
    ),
)
