"""Tables of the classes and rows of a file that fail."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kanon_core.base.words import tr
from kanon_core.checks.checking import Checked, Model
from kanon_core.guarantees.files.written import WrittenFile

MOST = 1_000
"""The most classes that are shown."""


def failing(checked: Checked) -> list[tuple[str, np.ndarray, str]]:
    """Return the failures of required guarantees and of the truth of the file: the name, the numbers (from 0)
    of the failing rows or records, and which of both they are ("rows" of the file or "records" of the
    original)."""
    found = [_named(model) for model in checked.asked if model.verdict and not model.verdict.holds]
    if checked.truth is not None and not checked.truth.holds:
        found.append((checked.truth.guarantee, checked.truth.failing, "rows"))
    return found


def _named(model: Model) -> tuple[str, np.ndarray, str]:
    assert model.verdict is not None
    of_records = model.guarantee.needs_original and model.verdict.named != "rows"
    return model.guarantee.called, model.verdict.failing, "records" if of_records else "rows"


def classes_failing(checked: Checked, most: int = MOST) -> pd.DataFrame:
    """Return the classes of rows that fail, the smallest first, at most ``most``: the number of rows, the
    number of rows or persons that are indistinguishable, the first row, the failing guarantees, and the
    quasi-identifiers as written. No cell of another column is shown. Cost O(rows · log).

    >>> import kanon_core as kc
    >>> found = kc.check(b"age,diagnosis\\n[30-39],flu\\n[30-39],gout\\n[40-49],flu\\n", [kc.KAnonymity(2)])
    >>> classes_failing(found).to_dict("records")
    [{'rows': 1, 'indistinguishable rows': 1, 'first row': 3, 'fails': 'k-anonymity', 'age': '[40-49]'}]
    """
    file, fails = checked.file, dict[int, list[str]]()
    for name, numbers, named in failing(checked):
        if named == "rows":
            classes = file.classes[numbers]
            for number in np.unique(classes[classes >= 0]).tolist():
                fails.setdefault(number, []).append(name)
    sizes = np.bincount(file.classes[file.classes >= 0], minlength=max(fails, default=-1) + 1)
    chosen = np.array(sorted(fails, key=lambda number: (sizes[number], number))[:most], np.int64)
    return _table(file, chosen, sizes, [", ".join(fails[number]) for number in chosen.tolist()])


def _table(file: WrittenFile, chosen: np.ndarray, sizes: np.ndarray, fails: Sequence[str]) -> pd.DataFrame:
    rows = np.flatnonzero(~file.suppressed)[file.first[chosen]] if len(chosen) else chosen
    alike = tr("indistinguishable people") if file.person else tr("indistinguishable rows")
    shown: dict[str, object] = {
        "rows": sizes[chosen],
        alike: file.class_sizes[chosen],
        tr("first row"): rows + 1,
        "fails": fails,
    }
    for cells in map(file.cells, file.quasi):
        name = cells.name
        while name in shown:
            name += "\u2060"  # a column of the file may have the same name; this character is invisible
        shown[name] = [cells.texts[code] for code in cells.codes[rows].tolist()]
    return pd.DataFrame(shown)


def rows_failing(checked: Checked) -> pd.DataFrame:
    """Return every failing row of the file and record of the original: columns fails (the guarantee), of
    ("rows" or "records"), number (from 1), class (of rows, from 1)."""
    parts = []
    for name, numbers, named in failing(checked):
        of = checked.file.classes[numbers] + 1 if named == "rows" else np.zeros(len(numbers), np.int64)
        parts.append(pd.DataFrame({"fails": name, "of": named, "number": numbers + 1, "class": of}))
    columns = ["fails", "of", "number", "class"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
