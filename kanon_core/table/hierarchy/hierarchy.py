"""Value hierarchies: trees whose leaves are values and whose inner nodes may be published for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import listed, tr
from kanon_core.table.writers.cells import quoted

ROOT = "*"
"""The text of the node above all values: "any value"."""

_LEVELS_AT_MOST = 64


@dataclass(frozen=True)
class Hierarchy:
    """A tree over the values of an attribute, given as ``parents``: (node, the node above it) for all but the
    root.

    Every label names one node. The root is `ROOT`; the leaves are the values, all other nodes groups of them.
    Raises SchemaError, naming the label, for one that has two parents, lies on a circle or hangs below
    nothing, for a group without a name or with blanks around it, and for a tree without values or deeper than
    64 levels.

    >>> tree = Hierarchy.of_paths([("Paris", "France", "Europe"), ("Rome", "Italy", "Europe")])
    >>> tree.values, tree.above["France"]
    (('Paris', 'Rome'), 'Europe')
    """

    parents: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        above: dict[str, str] = {}
        for node, parent in self.parents:
            if node == ROOT:
                said = tr("“{root}” is the top of every hierarchy; remove the group above it.")
                raise SchemaError(said.format(root=ROOT))
            if node in above:
                raise _twice(node, above[node], parent)
            above[node] = parent
        unseen = next((group for group in above.values() if group != group.strip() or not group), None)
        if unseen is not None:
            said = tr(
                "The hierarchy has a group named “{unseen}”; a group needs a name without a blank at its"
                " beginning or end."
            )
            raise SchemaError(said.format(unseen=unseen))
        if not above:
            said = tr("The hierarchy is empty; it needs at least one value below “{root}”.")
            raise SchemaError(said.format(root=ROOT))
        for node in above:
            _climbed(node, above)

    @classmethod
    def of_paths(cls, paths: Iterable[Sequence[str]]) -> Hierarchy:
        """The tree of paths from a value upward, with or without the root: ``("Paris", "France", "Europe")``.
        A label repeated along its own path is one node, as where a file fills up short branches. Raises
        SchemaError as the constructor, and for a value that has two paths."""
        above: dict[str, str] = {}
        values: set[str] = set()
        for path in paths:
            steps = list(dict.fromkeys(label.strip() for label in path if label.strip()))
            steps = [*steps, ROOT] if steps and steps[-1] != ROOT else steps
            if len(steps) < 2:
                continue
            if steps[0] in values:
                said = tr("The hierarchy lists the value “{value}” twice; keep one line for each value.")
                raise SchemaError(said.format(value=steps[0]))
            values.add(steps[0])
            for node, parent in pairwise(steps):
                if above.setdefault(node, parent) != parent:
                    raise _twice(node, above[node], parent)
        return cls(tuple(above.items()))

    @classmethod
    def of_intervals(
        cls, values: Iterable[float | str], widths: Sequence[float], start: float = 0.0
    ) -> Hierarchy:
        """Numbers below intervals [start + i·w, start + (i + 1)·w) of growing widths. ``values``: numbers, or
        texts of numbers, which become leaves as they are; what is not finite is left out. Raises SchemaError
        unless each width is a multiple of the one before."""
        return cls.of_paths(interval_paths(values, widths, start))

    @cached_property
    def above(self) -> Mapping[str, str]:
        """The node above each node."""
        return dict(self.parents)

    @cached_property
    def below(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes directly below each node, in the order given."""
        found: dict[str, list[str]] = {ROOT: []}
        for node, parent in self.parents:
            found.setdefault(parent, []).append(node)
        return {parent: tuple(nodes) for parent, nodes in found.items()}

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """All labels from the root down, each before those below it (preorder)."""
        found, waiting = [], [ROOT]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting.extend(reversed(self.below.get(node, ())))
        return tuple(found)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The place of each label in `nodes`."""
        return {node: place for place, node in enumerate(self.nodes)}

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The leaves, in preorder."""
        return tuple(node for node in self.nodes if node not in self.below)

    @cached_property
    def parent(self) -> np.ndarray:
        """int32 (nodes): the number of the node above each one; the root is its own."""
        return np.array([self.number[self.above.get(node, ROOT)] for node in self.nodes], np.int32)

    @cached_property
    def end(self) -> np.ndarray:
        """int32 (nodes): one past the last node of each node's subtree, which starts at the node itself."""
        end = np.arange(1, len(self.nodes) + 1, dtype=np.int32)
        for node in range(len(end) - 1, 0, -1):
            end[self.parent[node]] = max(end[self.parent[node]], end[node])
        return end

    @cached_property
    def spread(self) -> np.ndarray:
        """int64 (nodes): the number of values below each node; 1 for a value."""
        leaf = np.array([node not in self.below for node in self.nodes])
        before = np.concatenate([[0], np.cumsum(leaf)])
        return np.asarray(before[self.end] - before[:-1])

    @cached_property
    def depth(self) -> np.ndarray:
        """int64 (nodes): edges up to the root."""
        depth = np.zeros(len(self.nodes), np.int64)
        for node in range(1, len(depth)):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    def places(self, labels: Sequence[str], column: str) -> np.ndarray:
        """int32: each label's leaf; SchemaError naming the first that is no value of this hierarchy."""
        unknown = [label for label in labels if label not in self.number or label in self.below]
        if not unknown:
            return np.array([self.number[label] for label in labels], np.int32)
        said = tr(
            "The hierarchy of column “{column}” lacks values: {values}. Add each below its group, or remove"
            " the hierarchy."
        )
        if unknown[0] in self.below:
            said = tr(
                "The hierarchy of column “{column}” has groups with the names of values: {values}. Rename the"
                " groups, or remove the hierarchy."
            )
            unknown = [label for label in unknown if label in self.below]
        values = listed([f"“{label}”" for label in unknown], 1)
        raise SchemaError(said.format(column=column, values=values))

    def ancestors(self, first: npt.ArrayLike, last: npt.ArrayLike) -> np.ndarray:
        """int32: the lowest node that has both nodes in its subtree, for node numbers first ≤ last; of a
        whole set, those are its least and greatest number. Cost O(len · depth)."""
        return lowest_above(self.parent, self.end, first, last)

    def moved(self, node: str, parent: str) -> Hierarchy:
        """A copy in which the node, with all below it, hangs below another group, or a new one."""
        above = dict(self.parents)
        if node not in above:
            said = tr("The hierarchy has no value or group “{node}”; move one that it has.")
            raise SchemaError(said.format(node=node))
        above[node] = parent
        if parent != ROOT and parent not in above:
            above[parent] = ROOT
        return Hierarchy(tuple(above.items())).without_empty(self.values)

    def renamed(self, group: str, name: str) -> Hierarchy:
        """A copy in which a group has another name; values keep theirs."""
        if group not in self.below or group == ROOT:
            said = tr("“{group}” is not a group of this hierarchy; rename only its groups.")
            raise SchemaError(said.format(group=group))
        pairs = ((name if n == group else n, name if p == group else p) for n, p in self.parents)
        return Hierarchy(tuple(pairs))

    def without_empty(self, values: Sequence[str]) -> Hierarchy:
        """Groups that lost their last value are gone: they would count as values."""
        kept, wanted = dict(self.parents), set(values)
        while True:
            used = set(kept.values()) | wanted
            if used >= kept.keys():
                break
            kept = {node: parent for node, parent in kept.items() if node in used}
        return Hierarchy(tuple(kept.items()))

    def to_json(self) -> list[list[str]]:
        """Pairs (node, parent)."""
        return [list(pair) for pair in self.parents]

    @classmethod
    def from_json(cls, data: Iterable[Sequence[str]]) -> Hierarchy:
        """The hierarchy that `to_json` wrote."""
        try:
            return cls(tuple((str(node), str(parent)) for node, parent in data))
        except (TypeError, ValueError):
            raise SchemaError(
                tr("A hierarchy must be a list of pairs: a value or group, and the group above it.")
            ) from None

    def to_csv(self) -> str:
        """One line for each value, from the value up to the root, separated by semicolons."""
        lines = []
        for value in self.values:
            path = [value]
            while path[-1] != ROOT:
                path.append(self.above[path[-1]])
            lines.append(";".join(map(quoted, path)))
        return "\n".join(lines) + "\n"


def _twice(node: str, above: str, parent: str) -> SchemaError:
    said = tr(
        "The hierarchy has “{node}” twice, below “{above}” and below “{parent}”; give each group its own name"
        " and each value one place."
    )
    return SchemaError(said.format(node=node, above=above, parent=parent))


def lowest_above(
    parent: np.ndarray, end: np.ndarray, first: npt.ArrayLike, last: npt.ArrayLike
) -> np.ndarray:
    """int32: as `Hierarchy.ancestors`, for any tree numbered in preorder."""
    found, ends = np.array(first, np.int32), np.asarray(last)
    short = np.flatnonzero(end[found] <= ends)
    while len(short):
        found[short] = parent[found[short]]
        short = short[end[found[short]] <= ends[short]]
    return found


def _climbed(node: str, above: Mapping[str, str]) -> None:
    """Raise SchemaError unless the way up from the node ends at the root."""
    seen = [node]
    while seen[-1] != ROOT:
        parent = above.get(seen[-1])
        if parent is None:
            said = tr(
                "The hierarchy has no group above “{node}”; put it below another group, or below “{root}”."
            )
            raise SchemaError(said.format(node=seen[-1], root=ROOT))
        if parent in seen:
            said = tr("The hierarchy has “{parent}” below itself; put it below another group.")
            raise SchemaError(said.format(parent=parent))
        seen.append(parent)
        if len(seen) > _LEVELS_AT_MOST:
            said = tr("The hierarchy has more than {limit} levels, the limit; use fewer.")
            raise SchemaError(said.format(limit=_LEVELS_AT_MOST))


def interval_paths(
    values: Iterable[float | str], widths: Sequence[float], start: float = 0.0
) -> list[tuple[str, ...]]:
    """Return, for each number, the path up from it: the intervals [start + i·w, start + (i + 1)·w) around it,
    the narrowest first.

    ``values``: numbers, or texts of numbers, which stay as they are; what is not finite is left out. Raises
    SchemaError unless each width is a multiple of the one before.

    >>> interval_paths([7], [5, 10])
    [('7', '[5, 10)', '[0, 10)')]
    """
    if not np.isfinite([*map(float, widths), float(start)]).all():
        raise SchemaError(tr("The widths of intervals and the start of the first must be finite numbers."))
    steps = [_exact(width) for width in widths]
    if not steps or steps[0] <= 0 or any(b <= a or (b / a) % 1 for a, b in pairwise(steps)):
        raise SchemaError(tr("The widths of intervals must be above 0, each a multiple of the one before."))
    leaves = {
        value if isinstance(value, str) else _number(float(value)): _exact(value)
        for value in values
        if np.isfinite(float(value))
    }
    first = _exact(start)
    return [
        (leaf, *(_interval(first + (number - first) // w * w, w) for w in steps))
        for leaf, number in sorted(leaves.items(), key=lambda pair: pair[1])
    ]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _interval(low: Fraction, width: Fraction) -> str:
    ends = [float(end) if abs(end) < 1e300 else np.inf for end in (low, low + width)]
    if not -np.inf < ends[0] < ends[1] < np.inf:
        raise SchemaError(tr("The intervals are too narrow or too wide for numbers; choose other widths."))
    return f"[{_number(ends[0])}, {_number(ends[1])})"


def _exact(number: float | str) -> Fraction:
    """Return the number exactly as its decimals are written: in binary, 0.6 / 0.1 is less than 6."""
    return Fraction(repr(float(number)))
