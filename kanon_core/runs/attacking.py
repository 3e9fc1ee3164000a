"""Attacks on a whole table: targets, control group, and the result of each attack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.randomness import generator, subkey
from kanon_core.base.words import tr
from kanon_core.release.recipe import check_seed
from kanon_core.release.release import Release
from kanon_core.risk.tables import TABLE_ATTACKS, Attacked, ReleaseView, TableAttack
from kanon_core.risk.tables.base import Answer
from kanon_core.risk.tables.release_view import Rerun
from kanon_core.runs.run import anonymize
from kanon_core.table.domain import Domain
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table

TARGETS = 2_000
"""The number of records that are looked for, unless another number is given."""

CONTROL = TableAttack.apart
"""The share of the records that are set apart as the control group, where an attack has a control group but
sets no share of its own."""


def attack(
    table: Table,
    release: Release,
    attacks: Sequence[TableAttack] | None = None,
    targets: int = TARGETS,
    seed: int = 0,
    progress: Tick | None = None,
) -> tuple[Attacked, ...]:
    """Return the results of attacks on a release of this table, by default of all of
    `kanon_core.risk.tables.TABLE_ATTACKS` that suit it.

    ``targets``: the number of records (for published histories, people) that are attacked, drawn with
    ``seed``. Attacks with a control group (`TableAttack.among`) set a fifth of the records apart, or half,
    anonymize the rest with the release's algorithm, options and k, and attack records of both parts; the
    others attack the release itself. The same seed finds the same. ``progress(fraction, note)`` is called
    often; whatever it raises stops the work.

    Raises RecipeError for another table's release, OptionError for less than one target, UnsuitableError
    with the reasons where a named attack cannot be tried. Cost: about 2 s for each attack at 2,000 targets of
    30,000 records, besides that of the algorithm where it runs again.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
    >>> (found,) = kc.attack(table, release, [kc.ConsistentLinkage()])
    >>> found.tried, found.expected <= 1 / 5
    (100, True)
    """
    release.recipe.check_table(table)
    seed = check_seed(seed)
    if not isinstance(targets, int) or targets < 1:
        raise OptionError(tr("The number of targets must be a whole number of at least 1."))
    chosen = suiting(table, release) if attacks is None else tuple(attacks)
    reasons = [reason for one in chosen for reason in one.unsuitable(table, release)]
    if reasons:
        raise UnsuitableError(" ".join(dict.fromkeys(reasons)))
    tick, found, parts = progress or silent, list[Attacked](), Parts(table, release, targets, seed)
    with uncompiled(len(table) <= SMALL):
        for part, one in stages(tick, chosen):
            part(0.0, one.title)
            found += parts.outcomes(one, part)
    tick(1.0, tr("done"))
    return tuple(found)


def beside_control(
    table: Table, release: Release, seed: int = 0, tick: Tick = silent, apart: float = CONTROL
) -> ReleaseView:
    """Return a release of most records and the whole table. The release is made as ``release`` was, and
    encoded as the whole table is; the other records, a share of ``apart``, are the control group. Raises
    UnsuitableError where the algorithm cannot work on so few."""
    size = max(1, round(apart * len(table)))
    mixed = generator(subkey(seed, "control")).permutation(len(table))
    records, whole = np.sort(mixed[size:]), Domain.of(table.columns)
    part = Table.from_frame(table.frame.iloc[records], table.schema, domain=whole)
    recipe = release.recipe
    made = anonymize(part, recipe.algorithm, recipe.k, subkey(seed, "release"), tick)
    return ReleaseView(table, made, records)


def suiting(table: Table, release: Release) -> tuple[TableAttack, ...]:
    """Return the attacks on a table that can be tried on this release."""
    return tuple(one for one in (cls() for cls in TABLE_ATTACKS) if not one.unsuitable(table, release))


class Parts:
    """The common parts of several attacks: the release as the attacker sees it, the releases beside a control
    group, by the share of the records that each has, and the targets. ``rerun``: the program, run by the
    attacker."""

    def __init__(
        self, table: Table, release: Release, targets: int, seed: int, rerun: Rerun | None = None
    ) -> None:
        self.table, self.release, self.targets, self.seed = table, release, targets, seed
        self.seen = ReleaseView.of(release, rerun or self._rerun)
        self.beside: dict[float, ReleaseView] = {}

    def outcomes(self, attack: TableAttack, tick: Tick) -> list[Attacked]:
        """Return the results of one attack, by column."""
        rng = generator(subkey(self.seed, attack.title))
        if attack.among == "published":
            return self._of_release(attack, rng, tick)
        seen = self._split(attack.apart, stage(tick, 0.0, 0.4))
        members, others = self._drawn(seen.records), self._drawn(self._outside(seen))
        part = stage(tick, 0.4, 1.0)
        if attack.among == "both":
            size = min(len(members), len(others))
            both = np.concatenate([members[:size], others[:size]])
            answers = list(attack.answers(seen, both, rng, part))
            return [self._outcome(attack, answer, rng, 2 * len(self._outside(seen))) for answer in answers]
        on_members = list(attack.answers(seen, members, rng, stage(part, 0.0, 0.6)))
        on_others = list(attack.answers(seen, others, rng, stage(part, 0.6, 1.0)))
        pairs = zip(on_members, on_others, strict=True)
        return [self._outcome(attack, answer, rng, len(seen.records), other) for answer, other in pairs]

    def _of_release(self, attack: TableAttack, rng: np.random.Generator, tick: Tick) -> list[Attacked]:
        population = len(persons_of(self.table)) if self.release.pseudonymous else len(self.table)
        targets = self._drawn(np.arange(population))
        return [
            self._outcome(attack, answer, rng, population)
            for answer in attack.answers(self.seen, targets, rng, tick)
        ]

    def _outcome(
        self,
        attack: TableAttack,
        answer: Answer,
        rng: np.random.Generator,
        of: int,
        other: Answer | None = None,
    ) -> Attacked:
        """Return the outcome. One guess is drawn for each answer: it is right with the answer's chance."""
        control = np.zeros(0) if other is None else other.chances
        return Attacked(
            attack,
            len(answer.chances),
            int((rng.random(len(answer.chances)) < answer.chances).sum()),
            of,
            float(answer.chances.mean()) if len(answer.chances) else 0.0,
            answer.baseline,
            len(control),
            int((rng.random(len(control)) < control).sum()),
            answer.column,
            attack.unit or self.release.unit,
            1.0 / self.release.guarantee.k,
            float(control.mean()) if len(control) else 0.0,
        )

    def _drawn(self, records: np.ndarray) -> np.ndarray:
        """Return up to so many of these as targets, in an order that the seed draws."""
        return generator(subkey(self.seed, "targets")).permutation(records)[: self.targets]

    def _outside(self, seen: ReleaseView) -> np.ndarray:
        return np.setdiff1d(np.arange(len(self.table)), seen.records)

    def _split(self, apart: float, tick: Tick) -> ReleaseView:
        """Return a release of most records and the whole table, of which the other records are the control
        group; made once."""
        if apart not in self.beside:
            self.beside[apart] = beside_control(self.table, self.release, self.seed, tick, apart)
        return self.beside[apart]

    def _rerun(self, seed: int, tick: Tick) -> Release:
        recipe = self.release.recipe
        return anonymize(self.table, recipe.algorithm, recipe.k, seed, tick)
