"""The distance along the edges of a value hierarchy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.distances.base import Source, ValueDistance, first_few, lacking
from kanon_core.distances.coordinates import Coordinates, leveled
from kanon_core.distances.encodings import Encoding, Scale
from kanon_core.distances.values.data_options import Lengths, Parents

LEVELS_AT_MOST = 100
"""The most levels that a tree may have."""


@dataclass(frozen=True)
class Tree(ValueDistance):
    """The length of the path between two nodes of a value hierarchy: the number of edges, or the sum of their
    lengths.

    ``parents`` is a mapping from each node to its parent (or pairs); exactly one node, the root, has none.
    Left out, it is the hierarchy of the column itself (`kanon_core.table.schema.Attribute.hierarchy`).
    ``lengths`` are those of the edges by level, the first at the root; left out, every edge is 1. Values may
    be any nodes, so that published groups are measured, too. Takes categories and texts; a metric; bound:
    twice the path from the deepest value up to the lowest node above all values. Cost O(V² height) for V
    values. When to use: where values belong to groups of groups: places, occupations, diseases.

    Raises OptionError when a node has two parents, no node or several are roots, or parents form a cycle.

    >>> tree = Tree({"Paris": "France", "Lyon": "France", "Rome": "Italy", "France": "*", "Italy": "*"})
    >>> tree.between(["Paris"], ["Lyon", "Rome", "France"]).tolist()
    [[2.0, 4.0, 1.0]]

    Reference: ILD paper, §3.1.3, examples 3.1.2 and §3.2.1, figures 3.1 and 3.2.
    """

    title: ClassVar[str] = "Tree"
    sentence: ClassVar[str] = "The number of edges between two values in a hierarchy of values."
    formula: ClassVar[str] = r"d(a,b)=h(a)+h(b)-2\,h(\text{lowest common ancestor})"
    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")

    parents: Annotated[
        tuple[tuple[str, str], ...],
        Parents(
            help="each node and its parent, one pair per line: Tokyo, Kanto; default: the column's hierarchy"
        ),
    ] = ()
    lengths: Annotated[
        tuple[float, ...],
        Lengths(help="lengths of the edges by level, from the root down; default: 1 each"),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        repeated = [node for node, count in Counter(child for child, _ in self.parents).items() if count > 1]
        if repeated:
            raise OptionError(
                tr("Nodes with more than one parent: {names}; give each node one parent.").format(
                    names=first_few(repeated)
                )
            )
        nodes = {node for pair in self.parents for node in pair}
        roots = sorted(nodes - {child for child, _ in self.parents})
        if len(roots) > 1:
            raise OptionError(
                tr("The tree has {count:,} roots, {names}; give all but one a parent.").format(
                    count=len(roots), names=first_few(roots)
                )
            )
        height = max(map(len, self.ways.values()), default=1) - 1
        if height > LEVELS_AT_MOST:
            raise OptionError(
                tr("A tree can have at most {limit} levels below its root; remove levels.").format(
                    limit=LEVELS_AT_MOST
                )
            )
        circling = sorted(nodes - set(self.ways))
        if circling:
            raise OptionError(
                tr("The parents of {names} form a cycle; give the tree one root without a parent.").format(
                    names=first_few(circling)
                )
            )
        if self.lengths and len(self.lengths) < height:
            raise OptionError(
                tr("The tree has {height} of edges but {lengths} lengths; give one for every level.").format(
                    height=counted(height, "level"), lengths=len(self.lengths)
                )
            )

    @cached_property
    def ways(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the nodes on the way from the root down to each node, by the node."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents:
            children.setdefault(parent, []).append(child)
        below = {child for child, _ in self.parents}
        roots = (pair for pair in enumerate(children) if pair[1] not in below)
        ways: dict[str, tuple[int, ...]] = {root: (number,) for number, root in roots}
        open_, count = list(ways), len(children)
        while open_:
            parent = open_.pop()
            for child in children.get(parent, ()) if len(ways[parent]) <= LEVELS_AT_MOST + 1 else ():
                ways[child] = (*ways[parent], count)
                count += 1
                open_.append(child)
        return ways

    def lowest(self, first: tuple[int, ...], second: tuple[int, ...]) -> str:
        """The lowest node above or at the ends of two ways."""
        return self._named[first[: _common(first, second)]]

    @cached_property
    def _named(self) -> dict[tuple[int, ...], str]:
        return {way: node for node, way in self.ways.items()}

    @cached_property
    def _depths(self) -> np.ndarray:
        """float64: how far from the root a node of level 0, 1, … is."""
        height = max(map(len, self.ways.values()), default=1) - 1
        return np.concatenate([[0.0], np.cumsum(self.lengths if self.lengths else np.ones(height))])

    def unsuitable(self, column: Source) -> list[str]:
        """Return why the column does not suit: the tree lacks some of its values."""
        reasons = super().unsuitable(column)
        if reasons:
            return reasons
        try:
            ways = self.of(column).ways
        except OptionError as reason:
            return [tr("Column “{name}”: {reason}").format(name=column.attribute.name, reason=reason)]
        sentence = tr(
            "The tree of column “{name}” lacks {missing:,} of its values ({values}); give each a parent, or"
            " choose a hierarchy of the column."
        )
        return lacking(column, sentence, self.values(column)[1], ways)

    def bound(self, column: Source) -> float:
        """Twice the path from the deepest value up to the lowest node above all values."""
        tree = self.of(column)
        ways = [tree.ways[value] for value in self.values(column)[1] if value in tree.ways]
        if not ways:
            return 0.0
        deepest, shared = max(map(len, ways)), _common(min(ways), max(ways))
        return float(2 * (tree._depths[deepest - 1] - tree._depths[shared - 1]))

    def of(self, column: Source) -> Tree:
        """The tree itself; one without nodes takes those of the column's hierarchy, if there is one."""
        hierarchy = column.attribute.hierarchy
        return self if self.parents or hierarchy is None else replace(self, parents=hierarchy.parents)

    def encoded(self, column: Source, scale: Scale | None = None, tick: Tick = silent) -> Encoding:
        """Return the column as arrays, see `Distance.encoded`; the tree is the column's own hierarchy when no
        other is given."""
        tree = self if self.unsuitable(column) else self.of(column)
        return super(Tree, tree).encoded(column, scale, tick)

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return a mismatch for each level where all values are equally deep; otherwise the coordinates of
        any values."""
        tree = self.of(column)
        codes, values = tree.values(column)
        ways = tree._padded(values)
        if ways.size == 0 or (ways < 0).any():
            return super(Tree, tree).coordinates(column, tick)
        return leveled(codes, ways[:, 1:], np.diff(tree._depths)[: ways.shape[1] - 1])

    def along(self, column: Any) -> np.ndarray | None:
        """Return the order branch by branch, as the tree names its nodes."""
        tree = self.of(column)
        codes, values = tree.values(column)
        ranks = np.full(len(values) + 1, np.nan)
        ranks[sorted(range(len(values)), key=lambda i: tree.ways[values[i]])] = np.arange(len(values))
        return np.asarray(ranks[codes])

    def between(self, values: Any, others: Any) -> np.ndarray:
        """Return the distances, level by level: two ways from the root have nodes in common as long as they
        agree."""
        one, other = self._padded(values), self._padded(others)
        width = min(one.shape[1], other.shape[1])
        agree = np.ones((len(values), len(others)), bool)
        common = np.zeros(agree.shape, np.int64)
        for level in range(width):
            agree &= (one[:, level][:, None] == other[:, level]) & (one[:, level] >= 0)[:, None]
            common += agree
        depths = self._depths
        deep = [depths[(way >= 0).sum(axis=1) - 1] for way in (one, other)]
        return np.asarray(deep[0][:, None] + deep[1] - 2 * depths[common - 1])

    def _padded(self, values: Any) -> np.ndarray:
        ways = [self.ways[value] for value in values]
        height = max(map(len, ways), default=1)
        padded = [[*way, *[-1] * (height - len(way))] for way in ways]
        return np.array(padded, np.int64).reshape(len(ways), height)


def _common(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return how many nodes two paths from the root share."""
    pairs = zip(first, second, strict=False)
    return next((level for level, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
