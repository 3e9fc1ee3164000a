"""What attacks may expect over fresh draws of the seed, never what they find on this draw: as formulas, then
as attacks that were tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.expecting import Expected
from kanon_core.release.release import Release
from kanon_core.report.signing.blocks import Block, Grid, Says, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections.strongest import strongest
from kanon_core.report.signing.texts import share
from kanon_core.risk.tables import Attacked, Rerun, SinglingOut


def section(evidence: Evidence) -> Section:
    """Expected shares of right guesses of who links records to rows, by what the attacker knows; then what
    came of attacks on releases that were made anew."""
    release, title = evidence.release, tr("What attacks may expect")
    shown = ~release.suppressed
    count = int(shown.sum())
    if not count:
        return Section(title, (Says(tr("Nothing is published, so there is nothing to link.")),))
    _, among = strongest(release)
    runs = tr("knows everybody's quasi-identifiers, and the program with its options, but not the seed")
    rows = (
        _row(tr("knows nothing, and guesses (the baseline)"), np.full(count, 1 / count)),
        _guaranteed(release, count),
        _row(runs, 1 / among),
    )
    head = (
        tr("an attacker who …"),
        tr("right for a record, on average"),
        tr("for the worst one"),
        tr("right of {count}").format(count=counted(count, "row")),
    )
    grid = Grid(head, rows, (1, 2, 3), (49, 17, 17, 17))
    return Section.of(title, grid, notes(_about(evidence)), *_tried(evidence.expected))


def _guaranteed(release: Release, count: int) -> tuple[str, ...]:
    """The attacker of the guarantee; of one who knows a few items only the bound is known."""
    guarantee = release.guarantee
    if not guarantee.known_items:
        return _row(guarantee.attacker, 1 / release.hidden_among[~release.suppressed])
    most, who = tr("at most {share}"), f"{guarantee.attacker} (m = {guarantee.known_items})"
    chance = most.format(share=share(1 / guarantee.k))
    return who, chance, chance, most.format(share=f"{count / guarantee.k:,.1f}")


def _row(who: str, chance: np.ndarray) -> tuple[str, ...]:
    return who, share(float(chance.mean())), share(float(chance.max())), f"{chance.sum():,.1f}"


def _about(evidence: Evidence) -> list[str]:
    return [
        *evidence.release.guarantee.about_numbers(),
        tr(
            "These are expectations over fresh draws of the secret seed, for rows whose unchanged columns"
            " tell the attacker nothing: the result of an attack on this very draw would itself tell who is"
            " who. What unchanged columns and some known people tell stands among the findings."
        ),
    ]


def _tried(expected: Expected) -> Iterator[Block | None]:
    """A line for each attack that was tried."""
    if not expected.found:
        yield Says(tr("No attack was tried."), quiet=True)
        return
    head = (
        tr("attack, and what its attacker does"),
        tr("right"),
        tr("95 % interval"),
        tr("at random"),
        tr("control group"),
        tr("guesses"),
    )
    rows = tuple(map(_of_attack, expected.found))
    yield Grid(head, rows, right=(1, 2, 3, 4, 5), widths=(42, 12, 15, 11, 10, 10))
    yield notes([_how(expected), *expected.notes])


def _of_attack(one: Attacked) -> tuple[str, ...]:
    low, high = one.interval
    does = one.attack.sentence[0].lower() + one.attack.sentence[1:]
    control = "–" if one.control_rate is None else share(one.control_rate)
    between = f"{100 * low:.1f} – {100 * high:.1f} %"
    return f"{one.title}: {does}", share(one.rate), between, share(one.baseline), control, f"{one.tried:,}"


def _how(expected: Expected) -> str:
    """On what the attacks were tried, and who knows what."""
    said = tr(
        "Tried on {draws} made for this table with other seeds, which have nothing to do with this release's:"
        " nothing of its draw is told. Up to {targets:,} targets in each. An attacker knows all"
        " quasi-identifiers of the target; “{rerun}”, everybody's and the program; “{alone}”, nobody's. The"
        " control group are records that the release was not made of: an attacker who is as often right about"
        " these learns nothing from being in the table."
    )
    draws = tr("one release") if expected.draws == 1 else tr("{draws} releases").format(draws=expected.draws)
    return said.format(draws=draws, targets=expected.targets, rerun=Rerun.title, alone=SinglingOut.title)
