"""A job: stages of tasks, one after the other, each of which is done once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

from kanon_core.base.progress import Tick
from kanon_core.scale.engines.base import Engine
from kanon_core.scale.work.keeping import Kept, Result, kept

SHARES: dict[str, tuple[float, float]] = {
    "look": (0.0, 0.01),
    "records": (0.01, 0.02),
    "types": (0.02, 0.08),
    "encode": (0.08, 0.2),
    "scatter": (0.2, 0.2),
    "gather": (0.2, 0.2),
    "around": (0.2, 0.21),
    "unrolled": (0.2, 0.21),
    "occurring": (0.2, 0.21),
    "once": (0.21, 0.21),
    "cut": (0.21, 0.36),
    "sample": (0.21, 0.36),
    "route": (0.36, 0.43),
    "apart-values": (0.43, 0.44),
    "apart": (0.44, 0.45),
    "group": (0.45, 0.6),
    "histories": (0.43, 0.6),
    "anonymize": (0.43, 0.83),
    "order": (0.83, 0.95),
    "tally": (0.95, 0.99),
    "audit": (0.99, 1.0),
    "beside": (0.99, 1.0),
    "shown": (1.0, 1.0),
    "items": (1.0, 1.0),
    "ends": (1.0, 1.0),
    "tune": (0.43, 1.0),
}
"""The share of the whole work at which each stage begins and ends, by time measured at 10⁷ rows."""


@dataclass(frozen=True)
class Found(Sequence[Result]):
    """The results of a stage. Each is read only when it is looked at, as together they may be large."""

    keeping: Kept[Any]
    tasks: int

    def __len__(self) -> int:
        return self.tasks

    @overload
    def __getitem__(self, which: int) -> Result: ...
    @overload
    def __getitem__(self, which: slice) -> list[Result]: ...
    def __getitem__(self, which: int | slice) -> Result | list[Result]:
        numbers = range(self.tasks)[which]
        if isinstance(numbers, range):
            return [self[number] for number in numbers]
        found = kept(self.keeping.path(numbers))
        assert found is not None
        return found


@dataclass
class Job:
    """Stages in a folder that all workers see. ``seconds`` by stage, of this run."""

    folder: Path
    engine: Engine
    tick: Tick
    seconds: dict[str, float] = field(default_factory=dict)

    def stage(
        self,
        name: str,
        function: Callable[[Any], Result],
        tasks: Sequence[Any],
        note: str,
        round: int | None = None,
    ) -> Sequence[Result]:
        """Return the results of the function for all tasks; tasks whose results are kept from before are not
        done again."""
        began, share = time.monotonic(), SHARES[name]
        place = self.folder / name / ("" if round is None else f"{round:03d}")
        keeping = Kept(function, str(place))
        numbered = [(i, task) for i, task in enumerate(tasks) if not keeping.path(i).exists()]
        done = len(tasks) - len(numbered)
        width = (share[1] - share[0]) if round is None else (share[1] - share[0]) / 2 ** (round + 1)
        start = share[0] if round is None else share[1] - 2 * width
        self.tick(start + width * done / max(len(tasks), 1), note)
        for found in self.engine.each(keeping, numbered):
            done += found is not None
            self.tick(start + width * done / len(tasks), note)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - began
        return Found(keeping, len(tasks))
