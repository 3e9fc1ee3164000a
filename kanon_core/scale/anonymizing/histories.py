"""Published histories of people: their groups and pseudonyms.

A fragment knows the histories of its people, but the pseudonyms are drawn over all of them. So the fragments
first add up the hashes of each history; then all histories are named at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from kanon_core.base.words import tr
from kanon_core.covers.cover import Cover, Histories
from kanon_core.covers.pseudonyms import bearers_of, history_sums, names_of, row_hashes
from kanon_core.release.recipe import Recipe
from kanon_core.scale.anonymizing.fragment import Settled, covered, shown_of
from kanon_core.scale.fragments.dividing import Divided
from kanon_core.scale.fragments.gathering import Gathered
from kanon_core.scale.fragments.routing import Rows, table_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result, keep, kept
from kanon_core.table.people import persons_of

HISTORIES, NAMES = "histories", "names"


@dataclass(frozen=True)
class Assign:
    """Puts the people of a fragment into groups; its other attributes are those of `Anonymize`."""

    encoded: Encoded
    recipe: Recipe
    rows: Rows
    settled: Settled

    def __call__(self, numbered: tuple[int, Any, str]) -> Result:
        """Return the groups and blocks of its records, the bearer of each one's pseudonym, int64 (n), and the
        sums of each bearer's history, uint64 (bearers, 2)."""
        place, which, path = numbered
        batch, whole = self.rows.batch(which), self.encoded.whole
        table = table_of(whole, batch)
        recipe = self.recipe
        found, published = covered(table, recipe.algorithm, recipe.k, recipe.seed, path)
        own = zip(published, table.quasi, strict=True)
        published = [self.settled.recoded(one, column, found) for one, column in own]
        cover, bearers = cast(Histories, found), bearers_of(persons_of(table), found).numbers
        shown = shown_of(batch, whole, published, self.settled, place)
        sums = history_sums(bearers, row_hashes(shown.values(), recipe.seed))
        return {"groups": cover.groups, "blocks": cover.blocks, "bearers": bearers, "sums": sums}


@dataclass(frozen=True)
class Named:
    """The results of `Assign` for each fragment, and the names of its bearers, kept in a folder."""

    folder: str

    def cover(self, place: int) -> Histories:
        """Return the groups of people in the fragment of this place."""
        found = self._found(HISTORIES, place)
        return Histories(found["groups"], found["blocks"])

    def pseudonyms(self, place: int) -> np.ndarray:
        """int64 (n): the number under which each record is published; 0 = suppressed."""
        names: np.ndarray = self._found(NAMES, place)["names"]
        return np.asarray(np.append(names, 0)[self._found(HISTORIES, place)["bearers"]])

    def _found(self, what: str, place: int) -> Result:
        found = kept(Path(self.folder) / what / f"{place:06d}.npz")
        assert found is not None
        return found


def named_in(
    job: Job, people: Gathered, recipe: Recipe, rows: Divided, settled: Settled
) -> tuple[Settled, Callable[[int], Cover]]:
    """Return the pseudonyms of all histories, and the groups of each fragment. The driver holds 24 bytes of
    each history."""
    work, note = Assign(people.encoded, recipe, rows.rows, settled), tr("grouping people")
    sums = [one["sums"] for one in job.stage(HISTORIES, work, rows.fragments, note)]
    names = names_of(np.concatenate(sums), recipe.seed, people.names)
    bounds = np.cumsum([len(own) for own in sums])[:-1]
    for place, own in enumerate(np.split(names, bounds)):
        keep(job.folder / NAMES / f"{place:06d}.npz", {"names": own})
    named = Named(str(job.folder))
    return replace(settled, pseudonyms=named.pseudonyms), named.cover
