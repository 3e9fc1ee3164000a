"""How the rows are divided among workers, as the algorithm declares it: each takes rows of which no group
reaches out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.words import tr
from kanon_core.release.cover import Cover
from kanon_core.scale.fragments.beginning import Asked, Begun, cut, rows_of_a_fragment
from kanon_core.scale.fragments.leaves import Leaves, Rows
from kanon_core.scale.fragments.ranking import divided_by_ranks
from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.fragments.rounds.rounds import first_rounds, last_rounds
from kanon_core.scale.fragments.routing import Route
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.job import Job


@dataclass(frozen=True)
class Divided:
    """``rows`` of each fragment, and the ``fragments``: of each its place, which rows, and the sides of the
    cuts that lead to it; ``groups`` of a fragment by its place, where they are made already."""

    rows: Rows
    fragments: list[tuple[int, Any, str]]
    groups: Callable[[int], Cover] | None = None


def divided(job: Job, by: Begun, asked_for: Asked) -> Divided:
    """The rows routed to their fragments, in the way that the algorithm declares."""
    algorithm = asked_for.algorithm
    if algorithm.by_ranks:
        rows, ranks = divided_by_ranks(job, by, asked_for)
        return Divided(rows, [(place, which, "") for place, which in enumerate(ranks)])
    if not algorithm.in_rounds:
        tree = cut(job, by, asked_for)
        return Divided(routed(job, by, tree), _fragments(tree))
    assert isinstance(algorithm, TopDown)
    frame = Frame(by.whole, algorithm, asked_for.k)
    first = first_rounds(job, by, frame, rows_of_a_fragment(by.whole, asked_for))
    leaves = routed(job, by, first.tree)
    return Divided(leaves, _fragments(first.tree), last_rounds(job, leaves, frame, first))


def routed(job: Job, by: Begun, tree: Tree, only: tuple[int, ...] = ()) -> Leaves:
    """Bring the rows of each leaf together; only those of some leaves where these are named."""
    found = job.stage("route", Route(by.encoded, tree, only), range(by.parts), tr("bringing rows together"))
    return Leaves(by.encoded, tuple(tuple(one["leaves"].tolist()) for one in found))


def _fragments(tree: Tree) -> list[tuple[int, Any, str]]:
    paths = tree.paths()
    return [(place, leaf, paths[leaf]) for place, leaf in enumerate(tree.leaves)]
