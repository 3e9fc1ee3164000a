"""Result of an attack on a table: its success, compared with chance and a control group."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.risk.criterion import interval, residual
from kanon_core.risk.tables.base import TableAttack


@dataclass(frozen=True)
class Attacked:
    """The result of an attack.

    ``tried``: the records that were looked for (``unit``; of histories, people), drawn at random from ``of``
    of them; ``succeeded``: the guesses that were right. ``expected``: the mean chance of these guesses,
    before they were drawn. ``baseline``: the chance of the attack's ``unaided`` guess. ``control_tried`` and
    ``control_succeeded``: the same attack on records that the release was not made of; ``control_expected``:
    the mean chance there. ``column``: the sensitive column that was guessed. ``unit`` is "descriptions" for
    singling out: predicates, each true of one record or not, on ``of`` records. ``allowed``: the chance that
    the release's guarantee leaves its own attacker, 1 / k.
    """

    attack: TableAttack
    tried: int
    succeeded: int
    of: int
    expected: float
    baseline: float
    control_tried: int = 0
    control_succeeded: int = 0
    column: str = ""
    unit: str = "records"
    allowed: float = 1.0
    control_expected: float = 0.0

    @property
    def title(self) -> str:
        """Return the title of the attack and the column that it guesses."""
        return f"{self.attack.title}: {self.column}" if self.column else self.attack.title

    @property
    def rate(self) -> float:
        """Return the share of guesses that were right, 0 without any."""
        return self.succeeded / self.tried if self.tried else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Clopper–Pearson interval of ``rate``."""
        return interval(self.succeeded, self.tried)

    @property
    def control_rate(self) -> float | None:
        """Return the share of right guesses about the control group; None where there is none."""
        return self.control_succeeded / self.control_tried if self.control_tried else None

    @property
    def risk(self) -> tuple[float, float, float]:
        """Return what the release adds, 0 to 1, and its 95 % interval: (rate − c) / (1 − c), where c is the
        success on the control group, or without one that of the attack's ``unaided`` guess.

        M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, A unified framework for quantifying privacy risk in
        synthetic data, PETS 2023.
        """
        if self.control_tried:
            return residual((self.succeeded, self.tried), (self.control_succeeded, self.control_tried))
        low, high = self.interval
        beyond = 1.0 - self.baseline
        values = [(one - self.baseline) / beyond if beyond else 0.0 for one in (self.rate, low, high)]
        value, below, above = (min(max(one, 0.0), 1.0) for one in values)
        return value, below, above

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        return " ".join([self._found, *self._beside])

    @property
    def _found(self) -> str:
        low, high = self.interval
        says = tr(
            "{does} Tried on {drawn} {who}, it is right for {right:,}: {rate} (95 % interval {low} to"
            " {high}; {unaided}: {chance})."
        )
        if self.unit == "descriptions":
            says = tr_n(
                "{does} {right:,} of {tried:,} descriptions fits exactly one of {records}: {rate} (95 %"
                " interval {low} to {high}; random descriptions: {chance}).",
                "{does} {right:,} of {tried:,} descriptions fit exactly one of {records}: {rate} (95 %"
                " interval {low} to {high}; random descriptions: {chance}).",
                self.succeeded,
            )
        drawn = tr("all {of:,}") if self.tried >= self.of else tr("{tried:,} of {of:,}")
        who = {"people": tr("people")}.get(self.unit, tr("records"))
        return says.format(
            does=self.attack.sentence,
            drawn=drawn.format(of=self.of, tried=self.tried),
            who=who,
            tried=self.tried,
            records=counted(self.of, "record"),
            right=self.succeeded,
            rate=percent(self.rate),
            low=percent(low),
            high=percent(high),
            unaided=tr(self.attack.unaided),
            chance=percent(self.baseline),
        )

    @property
    def _beside(self) -> list[str]:
        found = []
        if (control := self.control_rate) is not None:
            found.append(self._of_control(control))
        if self.attack.among == "both":
            found.append(self._against_chance())
        if self.attack.among == "published" and self.allowed < 1:
            if self.interval[0] > self.allowed:
                says = tr("That is more than {allowed}, the limit of the guarantee for its own attacker.")
            else:
                says = tr("The limit of the guarantee for its own attacker is {allowed}.")
            found.append(says.format(allowed=percent(self.allowed)))
        return found

    def _against_chance(self) -> str:
        """Return whether the attacker does better than a guess at random."""
        low, high = self.interval
        says = tr(
            "The interval contains {chance}, so the attacker is not shown to do better than a random guess."
        )
        if low > self.baseline:
            says = tr(
                "The interval lies above {chance}, so the attacker does better than a random guess. On a"
                " scale from 0 % (random guess) to 100 % (always right), the attacker reaches {risk}."
            )
        elif high < self.baseline:
            says = tr("The interval lies below {chance}, so the attacker does worse than a random guess.")
        return says.format(chance=percent(self.baseline), risk=percent(self.risk[0]))

    def _of_control(self, rate: float) -> str:
        says = tr(
            "On a control group of {records} that are not in the release, it is right for {rate}; being"
            " in the table adds a risk of {risk} (95 % interval {low} to {high})."
        )
        if self.unit == "descriptions":
            says = tr(
                "In a control group of as many records that are not in the release, {rate} of {tried:,}"
                " descriptions fit exactly one record; being in the table adds a risk of {risk} (95 %"
                " interval {low} to {high})."
            )
        value, low, high = self.risk
        return says.format(
            records=counted(self.control_tried, "record"),
            tried=self.control_tried,
            rate=percent(rate),
            risk=percent(value),
            low=percent(low),
            high=percent(high),
        )
