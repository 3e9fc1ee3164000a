"""Adult, the census table of the UCI Machine Learning Repository (B. Becker, R. Kohavi, 1996), as it is read
by benchmarks and tests alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

NAMES = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
    "income",
)
"""Its columns, which the file does not name."""


def adult(folder: Path, columns: Sequence[str] = NAMES, complete: bool = False) -> pd.DataFrame:
    """The records of ``folder/adult/adult.data``, 32,561 × 15, in these columns; “?” is missing.

    ``complete``: only the 30,162 records in which no column of the file is missing.
    """
    file = folder / "adult" / "adult.data"
    frame = pd.read_csv(file, header=None, names=list(NAMES), skipinitialspace=True, na_values="?")
    if complete:
        frame = frame.dropna().reset_index(drop=True)
    return frame[list(columns)]
