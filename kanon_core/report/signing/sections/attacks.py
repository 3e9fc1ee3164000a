"""What attacks may expect over fresh draws of the seed, never what they find on this draw.

Results of further attacks belong here as expectations, as rows of the table in `section`.
"""

from __future__ import annotations

import numpy as np

from kanon_core.base.words import tr
from kanon_core.release.release import Release
from kanon_core.report.signing.blocks import Grid, Says, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections.strongest import strongest
from kanon_core.report.signing.texts import share


def section(evidence: Evidence) -> Section:
    """Expected shares of right guesses of who links records to rows, by what the attacker knows."""
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
        tr("right of {count:,} rows").format(count=count),
    )
    return Section.of(title, Grid(head, rows, (1, 2, 3), (49, 17, 17, 17)), notes(_about(evidence)))


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
