"""Price of the remedies of findings: the release is made again with them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent, stages
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.findings.base import Finding, Remedy
from kanon_core.findings.ends import ExactEnds
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.metrics.loss.roundends import round_ends
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table

SECONDS = 1.0
"""The most seconds that the price of a finding may take."""


class _TooLong(Exception):
    """Raised when the seconds are over."""


def priced(
    table: Table,
    release: Release,
    findings: Iterable[Finding],
    seconds: float = SECONDS,
    progress: Tick | None = None,
) -> tuple[Finding, ...]:
    """Return the findings with a ``price`` for each remedy: the loss when the release is made again, by the
    same algorithm, k and seed, with these columns as quasi-identifiers or with round ends.

    Loss is the certainty penalty (`NCP`), the mean over columns. A price that takes longer than ``seconds``
    is reported as not computed. ``progress(fraction, note)`` is called often; whatever it raises stops the
    work. Raises RecipeError for another table's release.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,city\\n20,A\\n21,B\\n60,A\\n61,B\\n")
    >>> table = table.with_schema(table.schema.with_roles({"city": "other"}))
    >>> release = kc.anonymize(table, kc.MDAV(), k=2, seed=1)
    >>> (found,) = kc.judge(table, release, [kc.findings.UnchangedColumns()])
    >>> (found,) = kc.priced(table, release, [found])
    >>> found.price[:80]
    'As a quasi-identifier, this column has a certainty penalty (0 % = exact values) '
    """
    release.recipe.check_table(table)
    return tuple(
        one if one.remedy is None else replace(one, price=_price(table, release, one.remedy, seconds, part))
        for part, one in stages(progress or silent, tuple(findings))
    )


def _price(table: Table, release: Release, remedy: Remedy, seconds: float, tick: Tick) -> str:
    end = time.monotonic() + seconds

    def within(fraction: float | None, note: str = "") -> None:
        if time.monotonic() > end:
            raise _TooLong
        tick(fraction, note)

    try:
        recipe = release.recipe
        changed = replace(table.with_schema(remedy.schema(table.schema)), given_order=recipe.given_order)
        made = anonymize(changed, recipe.algorithm, recipe.k, recipe.seed, within)
        return _rounded(release, made, remedy) if remedy.make == "round_ends" else _as_quasi(release, made)
    except _TooLong:
        return tr("The cost was not computed: it takes more than {seconds:g} s.").format(seconds=seconds)
    except KanonError as reason:
        return tr("The cost was not computed. {reason}").format(reason=reason)


def _as_quasi(before: Release, after: Release) -> str:
    old, new = (NCP().measure(each.table, each).attributes for each in (before, after))
    own = [loss for name, loss in new.items() if name not in old]
    said = tr(
        "As quasi-identifiers, these columns have a certainty penalty ({scale}) of {own};"
        " that of the other columns is {after} instead of {before}."
    )
    if len(own) == 1:
        said = tr(
            "As a quasi-identifier, this column has a certainty penalty ({scale}) of {own};"
            " that of the other columns is {after} instead of {before}."
        )
    return said.format(
        scale=NCP.scale,
        own=_mean(own),
        after=_mean([new[name] for name in old]),
        before=_mean(list(old.values())),
    )


def _rounded(before: Release, after: Release, remedy: Remedy) -> str:
    old, new = (NCP().measure(each.table, each).attributes for each in (before, after))
    steps = ", ".join(each.step or tr("none") for each in round_ends(after) if each.column in remedy.columns)
    left = sum(found.count for found in ExactEnds().find(after.table, after, silent))
    said = tr_n(
        "With round ends (steps {steps}), the certainty penalty ({scale}) of these columns"
        " is {after} instead of {before}, and {left:,} of {all} still has an exact end.",
        "With round ends (steps {steps}), the certainty penalty ({scale}) of these columns"
        " is {after} instead of {before}, and {left:,} of {all} still have an exact end.",
        left,
    )
    return said.format(
        steps=steps,
        scale=NCP.scale,
        after=_mean([new[name] for name in remedy.columns]),
        before=_mean([old[name] for name in remedy.columns]),
        left=left,
        all=counted(len(after), "record"),
    )


def _mean(values: list[float]) -> str:
    return NCP().text(sum(values) / len(values))
