"""Division of the rows among workers, as the algorithm declares it: no group has rows of two workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanon_core.base.words import tr
from kanon_core.scale.fragments.first_stages import Begun, JobSpec, cut
from kanon_core.scale.fragments.ranking import divided_by_ranks
from kanon_core.scale.fragments.routing import Leaves, Route, Rows
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.job import Job


@dataclass(frozen=True)
class Divided:
    """The divided rows: ``rows`` reads those of each fragment; ``fragments`` has, for each, its place, the
    name of its rows, and the sides of the cuts that lead to it."""

    rows: Rows
    fragments: list[tuple[int, Any, str]]


def divided(job: Job, by: Begun, asked_for: JobSpec) -> Divided:
    """Return the rows, routed to their fragments as the algorithm declares."""
    if asked_for.algorithm.by_ranks:
        rows, ranks = divided_by_ranks(job, by, asked_for)
        return Divided(rows, [(place, which, "") for place, which in enumerate(ranks)])
    tree = cut(job, by, asked_for)
    paths = tree.paths()
    return Divided(routed(job, by, tree), [(i, leaf, paths[leaf]) for i, leaf in enumerate(tree.leaves)])


def routed(job: Job, by: Begun, tree: Tree, only: tuple[int, ...] = ()) -> Leaves:
    """Bring the rows of each leaf together; only those of some leaves where these are named."""
    found = job.stage("route", Route(by.encoded, tree, only), range(by.parts), tr("bringing rows together"))
    return Leaves(by.encoded, tuple(tuple(one["leaves"].tolist()) for one in found))
