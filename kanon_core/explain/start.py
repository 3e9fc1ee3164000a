"""The story of the algorithm that another one starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step


def start_steps(run: Logged) -> Iterator[Step]:
    """The steps of a start, with its own lines beside them; none where it logged nothing."""
    from kanon_core.explain.narrations import narration_of  # which knows whoever starts from another

    if not run.events:
        return
    narration = narration_of(run.algorithm)
    for step in narration.steps(run):
        yield step if step.lines else replace(step, lines=narration.lines())
