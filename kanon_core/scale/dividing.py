"""The stages that bring the rows of each fragment together, in the way in which an algorithm can be run on
many machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.words import tr
from kanon_core.release.cover import Cover
from kanon_core.scale.beginning import Asked, Begun, cut, most_rows
from kanon_core.scale.job import Job
from kanon_core.scale.rounds.reading import Frame
from kanon_core.scale.rounds.rounds import first_rounds, last_rounds
from kanon_core.scale.routing import Encoded, Route
from kanon_core.scale.tree import Tree

Leaves = tuple[tuple[int, ...], ...]
"""By part, the fragments that it has rows of, in the order of its batches."""


@dataclass(frozen=True)
class Divided:
    """Rows that lie fragment by fragment: the ``tree`` whose leaves they are, and the ``groups`` of a
    fragment by its place, where they are made already."""

    tree: Tree
    leaves: Leaves
    groups: Callable[[int], Cover] | None = None

    @property
    def fragments(self) -> list[tuple[int, int, str]]:
        """Of each its place, its leaf, and the sides of the cuts that lead to it."""
        paths = self.tree.paths()
        return [(place, leaf, paths[leaf]) for place, leaf in enumerate(self.tree.leaves)]


def divided(job: Job, by: Begun, asked_for: Asked) -> Divided:
    """The rows in fragments that one worker can hold."""
    algorithm = asked_for.algorithm
    if not algorithm.in_rounds:
        tree = cut(job, by, asked_for)
        return Divided(tree, routed(job, by.encoded, by.parts, tree))
    assert isinstance(algorithm, TopDown)
    frame = Frame(by.whole, algorithm, asked_for.k)
    first = first_rounds(job, by.encoded, by.parts, frame, most_rows(by, asked_for))
    leaves = routed(job, by.encoded, by.parts, first.tree)
    return Divided(first.tree, leaves, last_rounds(job, by.encoded, frame, first, leaves))


def routed(job: Job, encoded: Encoded, parts: int, tree: Tree, only: tuple[int, ...] = ()) -> Leaves:
    """Bring the rows of each leaf together; only those of some leaves where these are named."""
    found = job.stage("route", Route(encoded, tree, only), range(parts), tr("bringing rows together"))
    return tuple(tuple(one["leaves"].tolist()) for one in found)
