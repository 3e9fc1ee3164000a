"""The thirteen distributions DS0 … DS12 on which MIL was measured.

A normal value is made from d = 6 uniform ones: z = (mean − 1/2) / √(1 / (12 d)), then μ + σ z, so that
nothing lies more than √(3 d) ≈ 4.24 standard deviations from its mean. A mixture is the union of equally
large samples of its parts, one after the other; the first parts get one record more where needed.

References: ILD paper, §A.1.2 and table A.1; MIL paper, table 1 (DS0 … DS11). There N(μ, σ) is said to have
variance σ²; the second parameter is the standard deviation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.randomness import generator
from kanon_core.base.words import later, tr

_UNIFORMS = 6


@dataclass(frozen=True)
class Distribution:
    """One distribution: a mixture of equal shares of normal parts (mean, standard deviation). No parts:
    uniform on [0, 1]. ``size`` is the number of records of the paper's data set."""

    name: str
    called: str
    parts: tuple[tuple[float, float], ...]
    size: int

    @property
    def title(self) -> str:
        """The visible shape of the distribution, in words."""
        return tr(self.called)

    @property
    def formula(self) -> str:
        """The density as the paper writes it, such as ``1/2 N(5, 1) + 1/2 N(10, 2)``."""
        share = f"1/{len(self.parts)} " if len(self.parts) > 1 else ""
        return " + ".join(f"{share}N({mean:g}, {sd:g})" for mean, sd in self.parts) or "U(0, 1)"

    def sample(self, rng: np.random.Generator, size: int | None = None) -> np.ndarray:
        """Values of the distribution, float64 (size), part after part; the paper's size when left out."""
        n = self.size if size is None else size
        if not self.parts:
            return rng.random(n)
        share, more = divmod(n, len(self.parts))
        counts = [share + (part < more) for part in range(len(self.parts))]
        parts = zip(self.parts, counts, strict=True)
        drawn = [mean + sd * _normal(rng, count) for (mean, sd), count in parts]
        return np.concatenate(drawn)


_DECLARED = (
    Distribution("DS0", later("one peak"), ((0, 1),), 100),
    Distribution("DS1", later("two equal peaks far apart"), ((5, 1), (10, 1)), 200),
    Distribution("DS2", later("two equal peaks that overlap"), ((5, 1), (8, 1)), 200),
    Distribution("DS3", later("a narrow and a wide peak"), ((5, 1), (10, 2)), 200),
    Distribution("DS4", later("two wide peaks"), ((10, 3), (20, 2)), 200),
    Distribution("DS5", later("three peaks, each wider than the last"), ((0, 1), (5, 2), (12, 3)), 300),
    Distribution("DS6", later("three peaks, the middle one narrow"), ((5, 1.5), (10, 1), (15, 1.5)), 300),
    Distribution("DS7", later("three peaks, each narrower than the last"), ((5, 3), (15, 2), (20, 1)), 300),
    Distribution("DS8", later("a wide, a narrow and a medium peak"), ((5, 3), (12, 1.5), (20, 2)), 300),
    Distribution("DS9", later("a medium, a narrow and a wide peak"), ((5, 2), (10, 1.5), (18, 3)), 300),
    Distribution("DS10", later("three equal peaks far apart"), ((0, 1), (5, 1), (10, 1)), 300),
    Distribution("DS11", later("three equal peaks that overlap"), ((0, 1), (3, 1), (6, 1)), 300),
    Distribution("DS12", later("uniform"), (), 100),
)

DISTRIBUTIONS: Mapping[str, Distribution] = {declared.name: declared for declared in _DECLARED}
"""The distributions by name, in the paper's order."""


def distribution(name: str, seed: int = 0, size: int | None = None) -> pd.DataFrame:
    """A sample of a distribution as a frame with the one column ``x``; same name, seed and size, same bytes.

    ``size`` is the paper's (100, 200 or 300) when left out. Raises InputError for an unknown name or a size
    below 1.

    >>> distribution("DS0", size=3)["x"].round(2).tolist()
    [0.32, 0.74, -0.32]
    """
    if name not in DISTRIBUTIONS:
        said = tr("There is no distribution of that name; choose one of {names}.")
        raise InputError(said.format(names=", ".join(DISTRIBUTIONS)))
    if size is not None and size < 1:
        raise InputError(tr("The size of a sample of {name} must be at least 1.").format(name=name))
    rng = generator(seed, list(DISTRIBUTIONS).index(name))
    return pd.DataFrame({"x": DISTRIBUTIONS[name].sample(rng, size)})


def _normal(rng: np.random.Generator, n: int) -> np.ndarray:
    mean = rng.random((_UNIFORMS, n)).sum(axis=0) / _UNIFORMS
    return np.asarray((mean - 0.5) / np.sqrt(1 / (12 * _UNIFORMS)))
