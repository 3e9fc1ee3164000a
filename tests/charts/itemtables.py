"""Small tables of item sets for the tests of what is drawn of them."""

from __future__ import annotations

import pandas as pd

import kanon_core as kc
from kanon_core.charts.sets.itemsets import ItemView

EVIL = '<img src=x onerror=alert(1)> ![x](http://a.b) $x$ "q"'
FIGURE_6 = ["abd", "afg", "adfyz", "abfg", "bcf", "cex", "ex", "bc", "cex"]


def item_table(sets: list[list[str]], **beside: list) -> kc.Table:
    """A table of one column of item sets, ``things``, and others beside it, all quasi-identifiers."""
    frame = pd.DataFrame({"things": sets, **beside})
    schema = kc.Schema.infer(frame.assign(things="x"))
    return kc.Table.from_frame(
        frame, schema.with_kinds({"things": "items"}).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    )


def paper() -> kc.Table:
    """The first column of figure 6 of paper 001."""
    return item_table([list(letters) for letters in FIGURE_6])


def view_of(table: kc.Table, k: int = 2, **options) -> ItemView:
    """Return the view of what the top-down pass does to ``things``."""
    return ItemView.of(table, kc.anonymize(table, kc.TopDown(**options), k), "things")


ODD = {
    "empty sets only": item_table([[] for _ in range(4)]),
    "one item only": item_table([["a"]] * 4),
    "nothing in common": item_table([["a"], ["b"], ["c"]]),
    "some empty": item_table([["a"], [], ["a", "b"], [], ["a"]]),
    "one large set": item_table(
        [[f"i{n:05d}" for n in range(10_000)], ["i00000"], ["i00000"], ["i00001", "i00000"]]
    ),
    "HTML in items": item_table([[EVIL, "b"], [EVIL], [EVIL, "b"], ["<b>c</b>"], ["<b>c</b>", "b"]]),
    "beside others": item_table(
        [["a", "b"], ["a"], ["a", "c"], ["c"], ["c", "b"], ["b"]],
        age=[1, 2, 3, 50, 60, 70],
        sex=list("fmfmfm"),
    ),
}
