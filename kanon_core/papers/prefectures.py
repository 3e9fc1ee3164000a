"""Tables 3.1 and 3.2 of the ILD paper: eight prefectures published as four regions, by three distances."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from kanon_core.algorithms import Sorting
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.distances import Discrete, Distance, GivenMatrix, Tree
from kanon_core.metrics import ILD
from kanon_core.papers.base import Part, Task
from kanon_core.papers.printed import PREFECTURES
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

MEASURED = ("I(D)", "I(D̂)", "ILD")
_POWER = {"table 3.1": 2, "table 3.2": 1}
_TITLES = {
    "table 3.1": later("Table 3.1: eight prefectures published as four regions, by distance"),
    "table 3.2": later("Table 3.2: the same with p = 1"),
}
_REGIONS = ("Koshinetsu", "Kanto", "Kansai", "Kyushu")
_NAMES = ("Nagano", "Niigata", "Tokyo", "Kanagawa", "Osaka", "Nara", "Fukuoka", "Kumamoto")
_STEP = 2.0


def tasks() -> Iterator[Task]:
    """Yield the rows of I(D), I(D̂) and ILD of each distance, table by table."""
    for table, printed in PREFECTURES.items():
        data = tr("the paper's eight prefectures, at the distances of its figures 3.2 to 3.4")
        part = Part(table, tr(_TITLES[table]), tr("amounts, share"), data, tr("the same values"), True, 8, 5)
        for name, papers in printed.items():
            for number, measured in enumerate(MEASURED):
                make = partial(_value, name, _POWER[table], number)
                yield Task(part, {"distance": name, "measured": measured}, make, float(papers[number]), 0.01)


def _value(name: str, power: int, number: int, tick: Tick) -> list[float]:
    """Return one of the numbers in `MEASURED` for the prefectures, published two by two."""
    distance, representative = _ways()[name]
    attribute = Attribute("prefecture", distance=distance)
    table = Table.from_frame(pd.DataFrame({"prefecture": list(_NAMES)}), Schema((attribute,)))
    recipe = Recipe(table.schema, Sorting(), 2, 0, table.data_digest, len(table))
    release = Release.of(table, Partition(np.arange(len(table)) // 2), recipe)
    found = ILD("schema", representative, power).measure(table, release)
    return [(found.details["I(A)"], found.details["I(Â)"], found.total)[number]]


def _ways() -> dict[str, tuple[Distance, str]]:
    """Return each distance, and the representative of a region: the node of the tree, or a prefecture of its
    own."""
    ways = ((Discrete(), "group"), (Tree(tuple(_tree().items())), "cell"), (_graph(), "group"))
    return dict(zip(PREFECTURES["table 3.1"], ways, strict=True))


def _tree() -> dict[str, str]:
    """Return the tree of figure 3.2: prefectures in regions, regions in halves of Japan."""
    halves = dict(zip(_REGIONS, ("East", "East", "West", "West"), strict=True))
    return {name: _region(name) for name in _NAMES} | halves | {"East": "Japan", "West": "Japan"}


def _graph() -> GivenMatrix:
    """Return the weights of figures 3.3 and 3.4: 1 within a region; between regions 2, 4 or 6, as on a line
    with step 2 – the only six weights whose sum is 20 and whose squares add up to 80."""
    apart = {
        frozenset(pair): _STEP * abs(_REGIONS.index(pair[0]) - _REGIONS.index(pair[1]))
        for pair in combinations(_REGIONS, 2)
    }

    def weight(first: str, second: str) -> float:
        return 0.0 if first == second else apart.get(frozenset((_region(first), _region(second))), 1.0)

    return GivenMatrix(tuple((one, *(weight(one, other) for other in _NAMES)) for one in _NAMES))


def _region(name: str) -> str:
    return _REGIONS[_NAMES.index(name) // 2]
