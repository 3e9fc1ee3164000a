"""Finding on a seed that an attacker may know or guess."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.randomness import SEED_BITS
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class KnownSeed(Search):
    """A seed of few bits. A recipe does not record whether its seed was set or drawn. One drawn in secret has
    128 bits, and is shorter than 64 bits with a chance of only 2⁻⁶⁴; so a short one was set. Cost O(1)."""

    name: ClassVar[str] = "known seed"
    asks: ClassVar[str] = "Can an attacker know or guess the seed, and so reproduce the release?"
    attacker: ClassVar[str] = "knows everybody’s quasi-identifiers, the program and its options"
    decide: ClassVar[str] = "the seed has {bits} bits or fewer"

    bits: Annotated[int, Integer(0, SEED_BITS, help="bits of a seed that can be guessed")] = 64

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding, where the seed is short."""
        yield from self.of_seed(release.recipe.seed, release.cover.overlap)

    def of_seed(self, seed: int, overlap: bool) -> Iterator[Finding]:
        """Yield the finding on this seed; ``overlap``: the rows that could be a record's overlap, and the
        seed draws the true one."""
        if seed.bit_length() > self.bits:
            return
        if overlap:
            what = tr("sees which of the possible rows of a record is the true one")
        else:
            what = tr("sees the choices of the algorithm; the groups still protect their records")
        yield self.finding(
            "decide",
            tr(
                "The seed is short ({bits} bits or fewer; a secret seed has {all}), so it may be known or"
                " guessed. An attacker who knows it, everybody’s quasi-identifiers and the program"
                " reproduces the release and {what}."
            ).format(bits=self.bits, all=SEED_BITS, what=what),
            tr("Do not set a seed: a secret one is then drawn and kept in the recipe."),
        )
