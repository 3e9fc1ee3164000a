"""Re-identification: the number of published histories that an attacker links to the right person, and its
significance."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, quoted, tr
from kanon_core.release.release import Release
from kanon_core.risk.attacks import Attack
from kanon_core.risk.criterion import contest_threshold, exact_threshold, interval
from kanon_core.risk.evidence import evidence
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Reidentification:
    """The result of an attack.

    ``tried``: pseudonyms for which it named a person; ``identified``: how many of these were right;
    ``people``: all people in the original. ``low`` … ``high``: 95 % Clopper–Pearson interval of the share
    identified of those tried. ``contest_limit`` and ``exact_limit``: the number of successes that proves, at
    1 % over 20, that attempts succeed more often than 1 in 3, by the contest's criterion and by the binomial
    distribution. ``by_chance``: the expected number of right guesses of an attacker who names people at
    random. ``overlooked``: columns published unchanged, which no attack reads; a record with unique cells
    there is identified without any attack.
    """

    attack: Attack
    tried: int
    identified: int
    people: int
    low: float
    high: float
    contest_limit: int
    exact_limit: int
    overlooked: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Identified of tried, 0 without attempts."""
        return self.identified / self.tried if self.tried else 0.0

    @property
    def by_chance(self) -> float:
        """Expected right guesses at random: tried / people."""
        return self.tried / self.people if self.people else 0.0

    @property
    def unsafe(self) -> bool:
        """Return whether the contest's criterion is met; false means only: not shown unsafe."""
        return self.identified >= self.contest_limit

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        if self.contest_limit > self.tried:
            said = tr("{figures}: too few attempts for a conclusion.")
        elif self.unsafe:
            said = tr("{figures}: the release is unsafe by the contest's criterion ({limit:,} or more).")
        else:
            said = tr(
                "{figures}: this does not show that the release is unsafe (that takes {limit:,} or more)."
            )
        return said.format(figures=self._figures, limit=self.contest_limit) + self._beside

    @property
    def _figures(self) -> str:
        return tr(
            "The attacker names the right person for {identified:,} of {histories} ({percent:.1f} %, 95"
            " % interval {low:.1f}–{high:.1f} %; expected at random: {by_chance:.1f})"
        ).format(
            identified=self.identified,
            histories=counted(self.tried, "history"),
            percent=100 * self.share,
            low=100 * self.low,
            high=100 * self.high,
            by_chance=self.by_chance,
        )

    @property
    def _beside(self) -> str:
        if not self.overlooked:
            return ""
        return " " + tr(
            "The attack does not use the columns that are published unchanged ({names}); an attacker"
            " who knows their cells may identify more people."
        ).format(names=quoted(self.overlooked))


def reidentify(table: Table, release: Release, attack: Attack, tick: Tick = silent) -> Reidentification:
    """Let the attacker, who knows the whole original, guess the person of each pseudonym, and count the right
    guesses.

    Raises UnsuitableError for a release that publishes no histories, or for too many people. Cost: that of
    the attack.
    """
    seen, truth = evidence(table, release, tick)
    guesses = attack.guess(seen)
    tried, right = int((guesses >= 0).sum()), int(((guesses >= 0) & (guesses == truth)).sum())
    low, high = interval(right, tried)
    unchanged = tuple(attribute.name for attribute in table.schema.of_role("sensitive", "other"))
    tick(1.0, "done")
    return Reidentification(
        attack,
        tried,
        right,
        len(seen.people),
        low,
        high,
        contest_threshold(tried),
        exact_threshold(tried),
        unchanged,
    )
