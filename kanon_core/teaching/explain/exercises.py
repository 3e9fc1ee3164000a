"""Exercises with computed answers: the next group, the loss of a release, its largest k.

Each is made from a number alone (and, for the next group, a table and an algorithm), so that the same number
makes the same exercise again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps import Scene
from kanon_core.charts.steps.onplane import Choosing, OnPlane
from kanon_core.metrics import NCP
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table
from kanon_core.teaching.explain.narration import Step
from kanon_core.teaching.explain.story import Story, make_story

RECORDS = 24
"""The records of an exercise on groups, few enough to show the number of each."""
KS = (2, 3, 4)
CITIES = ("Rome", "Paris", "Oslo")
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A question with its answer. ``lead``: the text before it.

    ``answer``: numbers of records, from 1, ascending, if ``scene`` is a picture to choose them in; else one
    number, in ``unit``. A number that is at most ``within`` away is right. ``why``: how the answer comes
    about. ``heads`` and ``rows``: the table that the question is about, if it is about one.
    """

    question: str
    answer: tuple[float, ...]
    why: str
    lead: str = ""
    scene: Scene | None = None
    heads: tuple[str, ...] = ()
    rows: Rows = ()
    unit: str = ""
    within: float = 0.0


def next_group(table: Table, algorithm: Algorithm, number: int) -> Exercise:
    """Return the exercise on the next group of an algorithm. ``table``: at most 200 records; k is 2, 3 or 4.

    Raises UnsuitableError for an algorithm that makes no group out of records without one, and whatever
    `make_story` raises. Cost: that of a run.

    >>> import kanon_core as kc
    >>> one = next_group(kc.read_table("sample:people-100"), kc.MDAV(), 7)
    >>> one.answer
    (24.0, 36.0, 66.0, 90.0)
    """
    rng = np.random.default_rng([0, number])
    k = min(int(rng.choice(KS)), max(2, len(table) // 3))
    story = make_story(table, algorithm, k, seed=number)
    found = list(_made(story, k))
    if not found:
        raise UnsuitableError(
            tr(
                "This exercise needs an algorithm that forms one group after another, and {title} does not;"
                " choose another algorithm."
            ).format(title=algorithm.title)
        )
    at, members = found[int(rng.integers(len(found)))]
    step, before = story.steps[at], (story.steps[at - 1] if at else None)
    groups = np.full(len(table), -1) if before is None else before.cover
    free, rule = int((groups < 0).sum()), step.lines[step.line]
    ahead = before is not None and _looks_ahead(before, story, at)
    question = tr("k is {k}. Which {count} records become the next group?").format(k=k, count=len(members))
    lead = _lead(story, free, before.sentence if before is not None and ahead else "")
    marks = before.scene.marks if ahead and before is not None and isinstance(before.scene, OnPlane) else ()
    scene = Choosing(story.run.table, groups, marks=marks, numbers=story.run.records + 1)
    answer = tuple(np.sort(story.run.records[members] + 1.0).tolist())
    return Exercise(question, answer, f"{step.sentence} {rule}", lead, scene)


def _made(story: Story, k: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the steps that form a group of records without one while at least 2k are left, and its
    members."""
    before = np.full(len(story.run.table), -1)
    for at, step in enumerate(story.steps):
        if step.cover.ndim != 1:
            return
        fresh = np.flatnonzero((before < 0) & (step.cover >= 0))
        one = len(set(step.cover[fresh].tolist())) == 1
        if one and len(fresh) >= 2 and (before < 0).sum() >= max(2 * k, len(fresh) + 1):
            yield at, fresh
        before = step.cover


def _lead(story: Story, free: int, last: str) -> str:
    """Return the text before the question: the state of the run, its last result and, where the picture shows
    only a part of the distances, a warning about it."""
    count, shown = len(story.run.table), plane(story.run.table)
    says = tr_n(
        "{free} of {count} has no group yet: it is gray.",
        "{free} of {count} have no group yet: they are gray.",
        free,
    ).format(free=free, count=counted(count, "record"))
    if free == count:
        says = tr("None of the {count} records has a group yet.").format(count=count)
    part = tr(
        "The picture shows {share} of the variation, so records that are near in it can be far apart."
    ).format(share=percent(shown.shown, 1))
    return " ".join(filter(None, (says, last, part if shown.partial else "")))


def _looks_ahead(before: Step, story: Story, at: int) -> bool:
    """Return whether the previous step formed no group, but found the record around which the next group is
    built."""
    earlier = story.steps[at - 2].cover if at > 1 else np.full(len(before.cover), -1)
    return np.array_equal(before.cover, earlier)


def loss_of_release(number: int) -> Exercise:
    """Return the exercise on the certainty penalty, in percent, of a release of six ages.

    >>> one = loss_of_release(7)
    >>> round(one.answer[0], 2), one.unit
    (22.81, '%')
    """
    rng = np.random.default_rng([1, number])
    ages = np.sort(rng.choice(np.arange(20, 70), 6, replace=False))
    table = Table.from_frame(pd.DataFrame({"age": ages}))
    release = anonymize(table, MDAV(), int(rng.choice(KS[:2])), seed=number)
    share = NCP().evaluate(table, release).total
    low, high = int(ages.min()), int(ages.max())
    lead = tr(
        "The ages of six people range from {low} to {high}; the table shows their release. Its certainty"
        " penalty (NCP) is the width of a cell divided by the width of the column, averaged over the"
        " records."
    ).format(low=low, high=high)
    question = tr("What is the certainty penalty, in percent?")
    why = tr("{widths}, divided by {count} records and {span} years: {share}.").format(
        widths=_widths(release), count=len(table), span=high - low, share=percent(share, 1)
    )
    heads, rows = _published(release, rng)
    return Exercise(question, (100 * share,), why, lead, None, heads, rows, "%", 0.6)


def _widths(release: Release) -> str:
    """Return the sum of the widths, such as ``3 × (30 − 20) + 3 × (60 − 40)``."""
    cells, counts = np.unique(release.to_frame()["age"].astype("str"), return_counts=True)
    parts = []
    for text, count in zip(cells.tolist(), counts.tolist(), strict=True):
        ends = [int(part) for part in text.strip("[]").split(",")]
        parts.append(tr("{count} × ({high} − {low})").format(count=count, high=ends[-1], low=ends[0]))
    return " + ".join(parts)


def largest_k(number: int) -> Exercise:
    """Return the exercise on the largest k for which a release is k-anonymous.

    >>> largest_k(7).answer
    (2.0,)
    """
    rng = np.random.default_rng([2, number])
    count, k = int(rng.integers(9, 13)), int(rng.choice(KS))
    frame = pd.DataFrame({"age": rng.integers(20, 70, count), "city": rng.choice(CITIES, count)})
    table = Table.from_frame(frame)
    release = anonymize(table, MDAV(), k, seed=number)
    _, reached, _ = release.guarantee.achieved(release)
    lead = tr(
        "A release is k-anonymous when every record shares all its published cells with at least k − 1"
        " others."
    )
    question = tr("What is the largest k for which this release is k-anonymous?")
    sizes = [str(size) for size in np.sort(release.class_sizes).tolist()]
    why = tr(
        "The equivalence classes, rows with equal cells, have {sizes} records, and the smallest decides: k"
        " = {k}. An attacker who knows the age and city of a person finds at least {k} rows that fit."
    ).format(sizes=listed(sizes), k=reached)
    return Exercise(question, (float(reached),), why, lead, None, *_published(release, rng))


def _published(release: Release, rng: np.random.Generator) -> tuple[tuple[str, ...], Rows]:
    """Return the release as texts, its rows in random order."""
    frame = release.to_frame().astype("str")
    rows = frame.iloc[rng.permutation(len(frame))]
    return tuple(map(str, frame)), tuple(tuple(row) for row in rows.itertuples(index=False))
