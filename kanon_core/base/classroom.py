"""A class or a demo at one address: the settings of a server that many people share, in one environment
variable."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass

VARIABLE = "KANON_CLASS"
LEARNERS = 60
"""The number of tabs that a server for a class lets in unless another number is given."""
VISITORS = 8
"""The same of a demo, which runs on a small host: 1 GB of memory and half a core."""


@dataclass(frozen=True)
class Classroom:
    """A server for a class: the address that learners open, whether they may upload files, and how many tabs
    are let in at a time. ``demo``: it is open to anybody who finds the address.

    >>> variables = Classroom("http://192.0.2.7:8501").environment()
    >>> Classroom.of(variables)
    Classroom(address='http://192.0.2.7:8501', uploads=False, learners=60, demo=False)
    >>> Classroom.of({}) is None
    True
    """

    address: str
    uploads: bool = False
    learners: int = LEARNERS
    demo: bool = False

    def environment(self) -> dict[str, str]:
        """Return the environment variables that hold these settings."""
        return {VARIABLE: json.dumps(asdict(self))}

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Classroom | None:
        """Return the settings in an environment; None where the server is for the person at this machine
        alone."""
        said = environment.get(VARIABLE)
        return cls(**json.loads(said)) if said else None
