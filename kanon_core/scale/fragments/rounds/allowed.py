"""Whether both sides of a cut keep the rule on sensitive values, over all parts."""

from __future__ import annotations

from collections.abc import Generator

from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.passes.questions import Answer, Question, Sides
from kanon_core.scale.passes.tree import Cut

Looking = Generator[Question, Answer, Cut | None]
"""Asks what has to be known for a cut; the cut, or None where none is allowed."""


def allowed(frame: Frame, size: int, cut: Cut) -> Generator[Question, Answer, bool]:
    """Whether a cluster of this size may be cut so."""
    from kanon_core.algorithms.partitioning.constraints_kernels import keeps

    rule = frame.limits.rule
    if not rule.active:
        return True
    left, right = (yield Sides(cut, frame.shape.numbers, len(rule.total)))["sides"]
    return bool(keeps(rule, left, cut.left) and keeps(rule, right, size - cut.left))
