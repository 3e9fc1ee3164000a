"""Finding on a seed that somebody may know or guess."""

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
    """A seed of few bits. A recipe does not say whether its seed was given or drawn. One drawn in secret has
    128 bits, and is shorter than 64 bits with a chance of only 2⁻⁶⁴; so a short one was given. Cost O(1)."""

    name: ClassVar[str] = "known seed"
    asks: ClassVar[str] = "Can somebody know or guess the seed, and so run the release again?"
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
            what = tr("sees which of the rows that could be somebody’s is the true one")
        else:
            what = tr("sees which choices the algorithm made; groups hide their records even so")
        yield self.finding(
            "decide",
            tr(
                "The seed is short, as one that is given or tried out ({bits} bits or fewer; a secret one has"
                " {all}). An attacker who knows it, everybody’s quasi-identifiers and the program runs the"
                " release again and {what}."
            ).format(bits=self.bits, all=SEED_BITS, what=what),
            tr("Give no seed: a secret one is drawn and kept in the recipe."),
        )
