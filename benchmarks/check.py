"""Checking a file: Adult by all models, beside what pyCANON takes, and a million rows.

    python -m benchmarks check            needs KANON_DATA for Adult; takes about a minute

Seconds are the least wall time of several runs, without reading the file; what a file remembers once it is
asked for is forgotten before each run. pyCANON is run on a release of few classes, where it is installed; on
Adult as it is, which takes it minutes, only with PYCANON=all, and else as recorded.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks._timing import seconds
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.guarantees.base import Judged

RUNS = 4
_QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
_PEERS: dict[str, Callable[[Any, pd.DataFrame], object]] = {
    "k-anonymity": lambda by, frame: by.k_anonymity(frame, _QUASI),
    "distinct ℓ-diversity": lambda by, frame: by.l_diversity(frame, _QUASI, ["income"]),
    "entropy ℓ-diversity": lambda by, frame: by.entropy_l_diversity(frame, _QUASI, ["income"]),
    "(α, k)-anonymity": lambda by, frame: by.alpha_k_anonymity(frame, _QUASI, ["income"]),
    "t-closeness": lambda by, frame: by.t_closeness(frame, _QUASI, ["income"]),
    "β-likeness": lambda by, frame: by.basic_beta_likeness(frame, _QUASI, ["income"]),
    "δ-disclosure privacy": lambda by, frame: by.delta_disclosure(frame, _QUASI, ["income"]),
}

RECORDED = {
    "k-anonymity": 1.0,
    "distinct ℓ-diversity": 11.0,
    "entropy ℓ-diversity": 20.0,
    "t-closeness": 35.0,
    "(α, k)-anonymity": 27.0,
    "β-likeness": 44.0,
    "δ-disclosure privacy": 33.0,
}
"""Seconds that pyCANON 1.3 took for Adult's complete rows as they are."""


def rows() -> Iterator[dict[str, Any]]:
    """Adult as it is and as a release, all models and each; then a million rows."""
    if folder := os.environ.get("KANON_DATA", ""):
        frame = adult(Path(folder), [*_QUASI, "income"])
        yield _all("all models, Adult as it is, 32,561 × 9", opened(frame), 1.0)
        complete = frame.dropna().reset_index(drop=True)
        table = Table.from_frame(complete, _schema(complete))
        release = kc.anonymize(table, kc.Mondrian(), 100, seed=1).to_frame()
        yield from _beside("Adult by Mondrian at k = 100", release)
        yield from _beside("Adult's complete rows as they are", complete, RECORDED)
        yield _original(frame)
    million = opened(_people(1_000_000))
    yield _row("k-anonymity, 1,000,000 × 9", partial(_judged, kc.KAnonymity(5), million), 1.0)
    yield _all("all models, 1,000,000 × 9", million, 10.0)
    counting = kc.Counting(missing="any")
    yield _all("all models, 1,000,000 × 9, suppressed cells fit every value", million, 10.0, counting)


def opened(frame: pd.DataFrame) -> kc.OpenedFile:
    """A frame as a file that was read."""
    texts = frame.astype("str")
    return kc.OpenedFile(Table.from_frame(frame, _schema(frame)), texts, {"typed": False})


def fresh(file: kc.OpenedFile) -> WrittenFile:
    """The file, of which nothing is known yet."""
    return WrittenFile(file.table, file.frame)


def _schema(frame: pd.DataFrame) -> kc.Schema:
    last = frame.columns[-1]
    return kc.Schema.infer(frame).with_quasi(frame.columns[:-1]).with_roles({last: "sensitive"})


def _people(n: int) -> pd.DataFrame:
    """Eight quasi-identifiers of a released file, some cells suppressed, and a diagnosis."""
    rng = np.random.default_rng(5)
    ages = [f"[{low}, {low + 4}]" for low in range(0, 100, 5)]
    made = {
        "age": rng.choice(ages, n),
        "sex": rng.choice(["F", "M", "*"], n, p=[0.5, 0.49, 0.01]),
        "zip": np.char.add(rng.integers(10, 99, n).astype(str), "***"),
        "race": rng.choice(list("abcde"), n),
        "work": rng.choice(["private", "public", "none", "*"], n, p=[0.5, 0.3, 0.19, 0.01]),
        "school": rng.choice([f"{i} years" for i in range(8)], n),
        "married": rng.choice(["yes", "no"], n),
        "children": rng.integers(0, 5, n).astype(str),
        "diagnosis": rng.choice([f"illness {i}" for i in range(40)], n),
    }
    return pd.DataFrame(made)


def _all(
    work: str, file: kc.OpenedFile, target: float, counting: kc.Counting | None = None
) -> dict[str, Any]:
    counted = counting or kc.Counting()
    return _row(work, lambda: kc.check(file, counting=counted), target)


def _original(frame: pd.DataFrame) -> dict[str, Any]:
    table = Table.from_frame(frame, _schema(frame))
    release = kc.anonymize(table, kc.Mondrian(), 10, seed=1)
    file = opened(release.publish())
    return _row(
        "all models, Adult by Mondrian at k = 10 beside its original",
        lambda: kc.check(file, original=table),
        None,
    )


def _row(work: str, do: Callable[[], object], target: float | None) -> dict[str, Any]:
    return {"work": work, "ours_s": min(seconds(do) for _ in range(RUNS)), "target_s": target}


def _beside(
    what: str, frame: pd.DataFrame, recorded: dict[str, float] | None = None
) -> Iterator[dict[str, Any]]:
    """Each model by itself, and pyCANON's time for it, measured now or as it is recorded."""
    file = opened(frame)
    known = {} if os.environ.get("PYCANON") == "all" else recorded or {}
    try:
        by = importlib.import_module("pycanon.anonymity")
    except ModuleNotFoundError:
        by = None
    models = {m.guarantee.called: m.guarantee for m in kc.check(file).models if m.verdict is not None}
    for name, peer in _PEERS.items():
        row = _row(f"{name}, {what}", partial(_judged, models[name], file), None)
        if name in known:
            row |= {"peer": "pyCANON", "peer_s": known[name], "note": "recorded before, on two shared cores"}
        elif by is not None:
            row |= {"peer": "pyCANON", "peer_s": seconds(partial(peer, by, frame))}
        yield row


def _judged(model: kc.Guarantee, file: kc.OpenedFile) -> kc.Verdict:
    return model.check(file.table, cast("Judged", fresh(file)))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
