"""Lesson on item sets: baskets that are cut at one item after another (set-valued paper, figure 6)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kanon_core.algorithms.base import Log
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.words import tr
from kanon_core.metrics.loss.items import SuppressedItems
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.risk.attackers import FewItems
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Cell, Rows, marked
from kanon_core.teaching.lessons.small_tables import SEED, chances, released, table_of

FIGURE = ("abd", "afg", "adfyz", "abfg", "bcf", "cex", "ex", "bc", "cex")
_K = 2


def baskets() -> Table:
    """Return the nine sets of the paper's figure 6."""
    return _BASKETS


_BASKETS = table_of({"items": [";".join(one) for one in FIGURE]}, {}, {"items": "items"})


def _basket(number: int) -> str:
    return ", ".join(FIGURE[number])


def kept(k: int = _K) -> list[str]:
    """Return the published items of each basket, one letter each."""
    shown = released(baskets(), TopDown(), k).to_frame()["items"]
    return ["".join(letter for letter in text if letter.isalpha()) for text in shown]


def cuts(k: int = _K) -> list[dict[str, object]]:
    """Return the cuts of the run, in order."""
    log = Log()
    anonymize(baskets(), TopDown(), k, SEED, None, log)
    return [what for event, what in log.events if event == "split"]


def _seen_items(k: int) -> ScreenResult:
    found = chances(baskets(), attacker=FewItems(2))
    alone = np.flatnonzero(found.records == 1)
    person = int(alone[0])
    pairs = combinations(FIGURE[person], 2)
    pair = next(pair for pair in pairs if sum(set(pair) <= set(one) for one in FIGURE) == 1)
    rows = [[i + 1, _basket(i)] for i in range(len(FIGURE))]
    facts: dict[str, float] = {"records": len(FIGURE), "person": person + 1, "alone": len(alone)}
    facts |= {"fits": sum(set(pair) <= set(one) for one in FIGURE)}
    return ScreenResult(
        facts, Rows([tr("basket"), tr("items")], rows), dict(zip(("x", "y"), pair, strict=True))
    )


def _first(k: int) -> ScreenResult:
    cut = cuts()[0]
    pivot, part = str(cut["pivot"]), np.asarray(cut["part"])
    counts = {item: sum(item in one for one in FIGURE) for item in sorted(set("".join(FIGURE)))}
    groups = [0 if pivot in one else 1 for one in FIGURE]
    rows = [[i + 1, marked(_basket(i)) if pivot in FIGURE[i] else _basket(i)] for i in range(len(FIGURE))]
    facts: dict[str, float] = {"with": len(part), "without": len(FIGURE) - len(part), "k": _K}
    facts |= {"rare": counts["y"], "rest": len(FIGURE) - counts["y"]}
    return ScreenResult(facts, Rows([tr("basket"), tr("items")], rows, groups), {"item": pivot, "odd": "y"})


def _second(k: int) -> ScreenResult:
    found = cuts()
    groups = np.zeros(len(FIGURE), np.int64)
    for number, cut in enumerate(found, 1):
        groups[np.asarray(cut["part"])] = number
    sizes = np.bincount(groups)
    names = {"one": str(found[1]["pivot"]), "two": str(found[2]["pivot"]), "first": str(found[0]["pivot"])}
    order = np.argsort(groups, kind="stable")
    rows = [[int(i) + 1, _basket(int(i))] for i in order]
    facts: dict[str, float] = {"cuts": len(found), "groups": len(sizes), "least": sizes.min(), "k": _K}
    facts |= {"most": sizes.max()}
    return ScreenResult(facts, Rows([tr("basket"), tr("items")], rows, groups[order].tolist()), names)


def _published(k: int) -> ScreenResult:
    shown, release = kept(k), released(baskets(), TopDown(), k)
    total, left = sum(map(len, FIGURE)), sum(map(len, shown))
    order = np.argsort(release.groups, kind="stable").tolist()
    rows = [
        [
            i + 1,
            ", ".join(shown[i]) or tr("nothing"),
            Cell(", ".join(sorted(set(FIGURE[i]) - set(shown[i]))), "gone"),
        ]
        for i in order
    ]
    heads = [tr("basket"), tr("published"), tr("left out")]
    facts: dict[str, float] = {"items": total, "kept": left, "gone": total - left}
    facts |= {"share": (total - left) / total, "k": k, "groups": len(release.cover.sizes)}
    return ScreenResult(facts, Rows(heads, rows, release.groups[order].tolist()))


def _attacked(k: int) -> ScreenResult:
    release = released(baskets(), TopDown(), _K)
    before, after, shown = chances(baskets()), chances(baskets(), release), kept()
    longest = max(range(len(FIGURE)), key=lambda i: len(FIGURE[i]) - len(shown[i]))
    rows = [[i + 1, _basket(i), ", ".join(shown[i])] for i in range(len(FIGURE))]
    facts: dict[str, float] = {"worst_before": before.worst, "worst": after.worst, "basket": longest + 1}
    facts |= {"bought": len(FIGURE[longest]), "shown": len(shown[longest])}
    return ScreenResult(facts, Rows([tr("basket"), tr("bought"), tr("published")], rows))


def _averages(k: int) -> ScreenResult:
    release = released(baskets(), TopDown(), _K)
    fast = SuppressedItems().measure(baskets(), release).total
    exact = NCP().measure(baskets(), release).total
    lost = [1 - len(left) / len(own) for own, left in zip(FIGURE, kept(), strict=True)]
    rows = [
        [i + 1, len(FIGURE[i]), len(FIGURE[i]) - len(kept()[i]), f"{100 * lost[i]:.0f} %"] for i in range(9)
    ]
    heads = [tr("basket"), tr("items"), tr("left out"), tr("share of the basket")]
    facts: dict[str, float] = {"fast": fast, "exact": exact, "one": lost[2], "size": len(FIGURE[2])}
    facts |= {"number": 3}
    return ScreenResult(facts, Rows(heads, rows))


SETS = Lesson(
    "sets",
    "Item sets: which items can be published",
    7,
    "How item sets such as baskets, receipts and lists of diseases are anonymized, and what a published set"
    " does not show.",
    (
        Screen(
            "Two known items identify a basket",
            "Here are {records} baskets; each is a set of items. At the checkout you saw two items in the"
            " basket of the customer before you: {x} and {y}.",
            "{records} baskets and their items.",
            _seen_items,
            ("items", "A few known items"),
            question=Amount(
                "How many baskets contain both?",
                "Only basket {person}, so you learn all its other items. The same holds for {alone} of"
                " {records} baskets: each has two items that no other basket has together. No column can be"
                " made coarser here; the remedy is to leave items out.",
                "fits",
            ),
        ),
        Screen(
            "Begin with nothing published",
            "Begin with one group of all baskets, of which no item is published. Then choose an item and"
            " cut the group: {with} baskets have item {item}, {without} do not. Item {item} can now be"
            " published for the first group, because all its baskets have it.",
            "The baskets in two groups: those with {item} and those without.",
            _first,
            ("Top-down",),
            question=Choice(
                "Only one basket has item {odd}. Why was {odd} not chosen?",
                "It would leave a group of {rare}, and at k = {k} every group needs at least {k} baskets."
                " Rare items identify people best, and they are the ones that are left out.",
                (
                    "One of the two groups would be smaller than k",
                    "It is late in the alphabet",
                    "It would publish more items",
                ),
                lambda f: 0 if min(f["rare"], f["rest"]) < f["k"] else 2,
            ),
        ),
        Screen(
            "Cut the groups again",
            "Each group is cut again at the item after which most items are published: one group at {one},"
            " the other at {two}. After {cuts} cuts there are {groups} groups of {least} to {most} baskets."
            " No further cut leaves {k} baskets on both sides and publishes more items.",
            "The baskets in {groups} groups.",
            _second,
        ),
        Screen(
            "Publish the items that all share",
            "Each group publishes the items that all its baskets have. The other items are left out; this"
            " is called suppression.",
            "For each basket, the published items and the items left out.",
            lambda _: _published(_K),
            ("suppression", "Suppressed items"),
            question=Amount(
                "How many of the {items} items are left out? (Count the last column.)",
                "{gone} of {items}, {share:%}; {kept} are published.",
                "gone",
            ),
        ),
        Screen(
            "Move k",
            "At k = {k} there are {groups} groups, and {share:%} of all items are left out. Item sets lose"
            " much, because few people share many items: a slightly larger k can remove nearly all items.",
            "For each basket, the published items and the items left out at k = {k}.",
            _published,
            slider=Slider(2, 4, 2),
        ),
        Screen(
            "How to read a published set",
            "Consider an attacker who knows all items of a basket. The chance that this attacker picks its"
            " row is at most {worst:%}; in the original it was {worst_before:%}. Every published item"
            " really was in the basket.",
            "For each basket, the items bought and the items published.",
            _attacked,
            ("k-anonymity",),
            question=Choice(
                "You read the row of basket {basket}. May you conclude that nothing else was bought?",
                "No: {bought} items were bought, and {shown} are published. A missing item may have been"
                " left out. Counts of items from a release are therefore too low.",
                ("Yes", "No"),
                lambda facts: int(facts["bought"] > facts["shown"]),
            ),
        ),
        Screen(
            "Two averages of one loss",
            "{fast:%} of all items are left out, but a basket loses on average {exact:%} of its own items."
            " Both figures are right: large baskets count more in the first. Basket {number}, of {size}"
            " items, loses {one:%}.",
            "For each basket, the number of its items and of the items left out.",
            _averages,
            ("Certainty penalty",),
        ),
    ),
    Try("If your table has item sets, see which items are published at each k.", "clusters/sets", "TopDown"),
)
