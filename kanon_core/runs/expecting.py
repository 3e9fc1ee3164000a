"""Expected success of attacks on releases that are made like a given one with unrelated seeds, so that the
result reveals nothing of its draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.randomness import subkey
from kanon_core.base.words import tr
from kanon_core.release.release import Release
from kanon_core.risk.tables import Attacked, ReleaseView, TableAttack
from kanon_core.runs.attacking import Parts, beside_control, suiting
from kanon_core.runs.run import anonymize

DRAWS, MOST_DRAWS = 10, 200
"""The number of releases that are drawn, unless another number is given, and the most that may be drawn."""
GUESSES = 2_000
"""The approximate number of targets of each attack over all draws."""


@dataclass(frozen=True)
class Expected:
    """The result of attacks over ``draws`` releases, with up to ``targets`` records (or people) looked for in
    each.

    ``found``: the results of all draws together, by attack and by the column that is guessed; the number of
    right guesses is the sum of their chances, rounded. ``notes``: why an attack was not tried.
    """

    found: tuple[Attacked, ...] = ()
    draws: int = 0
    targets: int = 0
    notes: tuple[str, ...] = ()


def expected(release: Release, draws: int = DRAWS, progress: Tick | None = None) -> Expected:
    """Return the expected results of all attacks on rows that suit a release
    (`kanon_core.risk.tables.TABLE_ATTACKS`), if the release is made again from its table, by its algorithm,
    options and k.

    The algorithm runs four times at most – the release, the attacker's own run, and a release beside each of
    the two control groups (`kc.attack`) –, with seeds that are the same for every release. From each run
    ``draws`` releases are drawn, and targets are attacked in each. Where sets of records do not overlap,
    there is nothing to draw, and one release is enough. So the figures follow from table, algorithm and k
    alone, not from the release's own seed. Without draws, or if nothing is published, no attack is tried.

    Cost: four times that of the algorithm, and 1 to 2 s for 32,561 records. ``progress(fraction, note)`` is
    called often; whatever it raises stops the work.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5)
    >>> found = expected(release).found[0]
    >>> found.title, found.tried, found.expected <= 1 / 5
    ('Linkage, consistent', 100, True)
    """
    table, tick = release.table, progress or silent
    draws = draws if release.cover.overlap else min(draws, 1)
    chosen = suiting(table, release) if draws else ()
    if not chosen:
        return Expected()
    with uncompiled(len(table) <= SMALL):
        runs = _Runs(release, chosen, GUESSES // draws, stage(tick, 0.0, 0.4))
        found = [runs.attacked(number, part) for part, number in stages(tick, range(draws), 0.4)]
    together = tuple(_together(same) for same in zip(*found, strict=True))
    return Expected(together, draws, runs.targets, tuple(dict.fromkeys(runs.problems)))


class _Runs:
    """The runs of the algorithm that all draws share, and the attacks on these."""

    def __init__(self, release: Release, chosen: Sequence[TableAttack], targets: int, tick: Tick) -> None:
        self.made_as, self.targets, self.problems = release, targets, list[str]()
        self.release, self.second = self._run("release", stage(tick, 0.0, 0.4)), list[Release]()
        self.beside = self._controls(chosen, stage(tick, 0.4, 1.0))
        self.attacks = [one for one in chosen if one.among == "published" or one.apart in self.beside]

    def attacked(self, number: int, tick: Tick) -> list[Attacked]:
        """Return the results of the attacks on one draw."""
        seed, found = _seed(f"draw-{number}"), list[Attacked]()
        release = _drawn(self.release, seed)
        parts = Parts(release.table, release, self.targets, seed, self._rerun)
        for apart, seen in self.beside.items():
            parts.beside[apart] = replace(seen, release=_drawn(seen.release, seed))
        for part, one in stages(tick, self.attacks):
            part(0.0, one.title)
            found += parts.outcomes(one, part)
        return found

    def _run(self, purpose: str, tick: Tick) -> Release:
        recipe = self.made_as.recipe
        return anonymize(self.made_as.table, recipe.algorithm, recipe.k, _seed(purpose), tick)

    def _rerun(self, seed: int, tick: Tick) -> Release:
        """Return the attacker's own run, made once, as its draw is not used."""
        if not self.second:
            self.second.append(self._run("rerun", tick))
        return self.second[0]

    def _controls(self, chosen: Sequence[TableAttack], tick: Tick) -> dict[float, ReleaseView]:
        """Return, by the share of records that is set apart, a release of the others."""
        found = dict[float, ReleaseView]()
        for apart in sorted({one.apart for one in chosen if one.among != "published"}):
            try:
                found[apart] = beside_control(self.made_as.table, self.made_as, _seed("control"), tick, apart)
            except UnsuitableError as reason:
                says = tr("Attacks with a control group of {share:.0%} were not tried. {reason}")
                self.problems.append(says.format(share=apart, reason=reason))
        return found


def _drawn(release: Release, seed: int) -> Release:
    """Return the same cover, published with another draw."""
    if not release.cover.overlap:
        return release
    return Release.of(release.table, release.cover, replace(release.recipe, seed=seed))


def _together(attacked: Sequence[Attacked]) -> Attacked:
    """Return the results of one attack over several draws as one: guesses are counted by their chances, so
    that no luck is involved."""
    tried, others = sum(one.tried for one in attacked), sum(one.control_tried for one in attacked)
    right = sum(one.expected * one.tried for one in attacked)
    right_of_others = sum(one.control_expected * one.control_tried for one in attacked)
    return replace(
        attacked[0],
        tried=tried,
        succeeded=round(right),
        expected=right / max(tried, 1),
        baseline=sum(one.baseline * one.tried for one in attacked) / max(tried, 1),
        control_tried=others,
        control_succeeded=round(right_of_others),
        control_expected=right_of_others / max(others, 1),
    )


def _seed(purpose: str) -> int:
    """Return a public seed, which does not depend on the release."""
    return subkey(0, f"expected-{purpose}")
