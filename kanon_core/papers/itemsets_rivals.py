"""Other methods beside figures 9 and 11 of the set-valued paper: rare items left out, and methods that need a
hierarchy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from kanon_core.algorithms import Algorithm, Apriori, LocalPartition, RareItems, TopDown
from kanon_core.base.words import later, tr
from kanon_core.papers.base import Part, Task
from kanon_core.papers.itemsets_runs import Runs, Value
from kanon_core.table.columns.columns import Items
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.table import Table

SIZES = (10, 100, 1_000)
"""How many items are in a group, level by level, where they have no hierarchy of their own."""
BESIDE = "beside "
"""Before the figure that the methods stand beside."""


class _Rivals(NamedTuple):
    """Methods that can be compared, by what they are called; whether items are ``grouped`` for them; and what
    must be known of them."""

    name: str
    grouped: bool
    methods: dict[str, Algorithm]
    remark: str


RIVALS = (
    _Rivals(
        later("leaving items out"),
        False,
        {"top-down": TopDown(), "rare items": RareItems()},
        later("Top-down leaves an item out of single records; a rare item is left out of all."),
    ),
    _Rivals(
        later("with a hierarchy"),
        True,
        {
            "top-down, grouped": TopDown(),
            "local partition": LocalPartition(),
            "apriori": Apriori(),
        },
        later(
            "Items without a hierarchy of their own are given one: ten that follow one another are a group,"
            " as are ten such groups, and ten of these. An item published as a group counts as suppressed by"
            " the share of all items that are in the group. Apriori holds against an attacker who knows at"
            " most two items of a record, the others against one who knows all."
        ),
    ),
)
"""Each with its default options. Local partition: He and Naughton 2009; apriori: Terrovitis et al. 2008; rare
items: Xu et al. 2008."""


def beside(
    samples: tuple[Table, ...],
    quasi: tuple[str, ...],
    ks: Sequence[int],
    shown: Sequence[tuple[Part, str, Value]],
) -> Iterator[Task]:
    """Rows of the rivals, on samples of item sets alone, beside those of each part that is shown: the part, a
    title with a place for the ``methods``, and the value of a run. A run is made once for all of them."""
    runs: dict[str, Runs] = {}
    for rivals in RIVALS:
        tables = tuple(map(in_tens, samples)) if rivals.grouped else samples
        runs |= {
            method: Runs(tables, quasi, algorithm=algorithm, repeats=1)
            for method, algorithm in rivals.methods.items()
        }
    for part, title, value in shown:
        for rivals in RIVALS:
            called = title.format(methods=tr(rivals.name))
            mine = replace(part, table=BESIDE + part.table, called=called, remark=tr(rivals.remark))
            for k, method in product(ks, rivals.methods):
                yield runs[method].task(mine, {"k": k, "method": method}, k, value)


def in_tens(table: Table) -> Table:
    """The table whose items are in tens, hundreds and thousands, in the order of their numbers, or names;
    columns that have a hierarchy keep it."""
    trees = {}
    for column in table.quasi:
        if not isinstance(column, Items) or column.attribute.hierarchy is not None:
            continue
        numbers = all(label.isdecimal() for label in column.labels)
        items = sorted(column.labels, key=int) if numbers else list(column.labels)
        paths = [(item, *(f"[{size}:{i // size}]" for size in SIZES)) for i, item in enumerate(items)]
        trees[column.attribute.name] = Hierarchy.of_paths(paths)
    return table.with_schema(table.schema.with_hierarchies(trees))
