"""From a sample of whole cells to the table that it was drawn from: the command for all files."""

from __future__ import annotations

import shlex

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.incells import everywhere
from kanon_core.report.command import option_flags, whole_flags
from kanon_core.table.wholecells import WholeCells


def command_for_everything(cells: WholeCells, algorithm: Algorithm, k: int) -> str:
    """The ``kanon anonymize …`` that does in the whole table what this algorithm does in the cells.

    By the engine that drew the cells, at its address. Quoted for a POSIX shell, every value as
    ``--flag=value``. It draws a seed of its own. Raises
    UnsuitableError where the cells tell nothing of the whole (`everywhere`).

    >>> import kanon_core as kc, numpy as np
    >>> schema = kc.Schema((kc.Attribute("age", kind="numeric"), kc.Attribute("name", "identifier")))
    >>> cells = WholeCells(np.array([0, 0]), np.zeros(0, int), 2, 900, 5, "my data/*.csv", schema)
    >>> print(command_for_everything(cells, kc.Mondrian(), 2))  # doctest: +ELLIPSIS
    kanon anonymize 'my data/*.csv' --quasi=age --identifier=name --kinds=age=numeric,name=categorical ...
    """
    whole = everywhere(algorithm, cells, k)
    source = f"./{cells.source}" if cells.source.startswith("-") else cells.source
    words = ["kanon", "anonymize", source]
    words += [f"--{flag}={value}" for flag, value in whole_flags(cells.schema)]
    words += [f"--algorithm={type(whole).__name__.lower()}"]
    words += [f"--{flag}={value}" for flag, value in option_flags(whole)]
    words += [f"--{flag}={value}" for flag, value in cells.engine.items()]
    words += [f"--k={k}", "--out=release", "--recipe=recipe.json"]
    return " ".join(shlex.quote(word) for word in words)
