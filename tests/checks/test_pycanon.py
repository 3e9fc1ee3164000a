"""Levels of Adult as pycanon, an outside implementation, finds them: recorded by its version 1.3.6, and by
itself where it is installed (``pip install --no-deps "pycanon>=1.3,<2"``).

Rows are complete: it drops or fails on missing cells. Where it errs the right number is found by hand.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from benchmarks._adult import adult
from kanon_core.guarantees.files.written import WrittenFile
from tests.helpers import verdict_on
from tests.needs import needs

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex"]
SENSITIVE = ["occupation", "hours-per-week"]


class Found(NamedTuple):
    """k, α, ℓ, entropy ℓ rounded down, t of a category and of a number, β and δ, as pycanon finds them."""

    k: int
    alpha: float
    diversity: int
    entropy: int
    t: float
    t_number: float
    beta: float
    delta: float


FOUND: dict[str, Found] = {
    "as it is": Found(1, 1.0, 1, 1, 0.9766666666666669, 0.5103603603603603, 299.0, 5.703782474656201),
    "200": Found(
        202,
        0.6762589928057554,
        9,
        3,
        0.5470349854376113,
        0.14523317338511615,
        146.1317073170732,
        4.991328153782222,
    ),
    "1000": Found(
        1047,
        0.555739058629232,
        12,
        6,
        0.3981839716601262,
        0.07915928298622438,
        25.227826086956526,
        3.2668209115633347,
    ),
}
"""By release, Mondrian at this k or 300 rows as they are: what pycanon 1.3.6 found."""


@cache
def released(folder: Path, name: str) -> pd.DataFrame:
    """Adult's 30,162 complete rows: by Mondrian at this k, or 300 of them as they are."""
    frame = adult(folder, [*QUASI, *SENSITIVE], complete=True)
    if name == "as it is":
        return frame.head(300)
    schema = kc.Schema.infer(frame).with_quasi(QUASI).with_roles(dict.fromkeys(SENSITIVE, "sensitive"))
    table = kc.Table.from_frame(frame, schema).in_given_order()
    release = kc.anonymize(table, kc.Mondrian(), int(name), seed=1)
    return release.to_frame()


def file_of(frame: pd.DataFrame) -> WrittenFile:
    texts = frame.astype("str")
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(SENSITIVE, "sensitive")).with_quasi(QUASI)
    return WrittenFile(kc.Table.from_frame(frame, schema), texts)


def ours(frame: pd.DataFrame) -> Found:
    file = file_of(frame)

    def level(model: kc.Guarantee) -> float:
        return verdict_on(model, file).found

    return Found(
        int(level(kc.KAnonymity())),
        level(kc.AlphaKAnonymity()),
        int(level(kc.LDiversity())),
        int(level(kc.LDiversity(entropy=True)) + 1e-9),
        level(kc.TCloseness(protect=("occupation",))),
        level(kc.TCloseness(protect=("hours-per-week",))),
        level(kc.BetaLikeness()),
        level(kc.DeltaDisclosure(absent=False)),
    )


def theirs(frame: pd.DataFrame) -> Found:
    by = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    alpha, k = by.alpha_k_anonymity(frame, QUASI, SENSITIVE)
    return Found(
        k,
        alpha,
        by.l_diversity(frame, QUASI, SENSITIVE),
        by.entropy_l_diversity(frame, QUASI, SENSITIVE),
        by.t_closeness(frame, QUASI, ["occupation"]),
        by.t_closeness(frame, QUASI, ["hours-per-week"]),
        by.basic_beta_likeness(frame, QUASI, SENSITIVE),
        by.delta_disclosure(frame, QUASI, SENSITIVE),
    )


@pytest.mark.parametrize("name", FOUND)
def test_the_levels_are_those_of_pycanon(name, kanon_data):
    assert ours(released(kanon_data, name)) == pytest.approx(FOUND[name])


@pytest.mark.deep
@pytest.mark.parametrize("name", ["as it is", "1000"])
def test_pycanon_itself_still_finds_these_levels(name, kanon_data):
    assert theirs(released(kanon_data, name)) == pytest.approx(FOUND[name])


def wards(*diseases: str) -> pd.DataFrame:
    half = len(diseases) // 2
    return pd.DataFrame({"age": ["a"] * half + ["b"] * half, "disease": list(diseases)})


def level(frame: pd.DataFrame, model: kc.Guarantee) -> float:
    schema = kc.Schema.infer(frame).with_quasi(["age"]).with_roles({"disease": "sensitive"})
    return verdict_on(model, WrittenFile(kc.Table.from_frame(frame, schema), frame.astype("str"))).found


def test_recursive_diversity_is_right_by_hand_where_pycanon_sorts_upwards():
    """Three of four have the flu, one a cold: r₁ = 3 < c · 1 asks for c above 3. It takes r₁ = 1."""
    frame = wards("flu", "flu", "flu", "cold", "flu", "flu", "flu", "cold")
    assert level(frame, kc.RecursiveDiversity(l=2)) == 3
    by = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    assert by.recursive_c_l_diversity(frame, ["age"], ["disease"]) == (1, 2)


def test_enhanced_likeness_is_right_by_hand_where_pycanon_mixes_values():
    """The flu has 9 of 10, and 5 of 5 in the first class: it gains 0.111 and may gain −ln 0.9 = 0.105,
    whatever β is. It compares the worst gain of any value, the cold's 1, with the −ln of every value."""
    frame = wards("flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "cold")
    assert level(frame, kc.BetaLikeness(enhanced=True)) == np.inf
    by = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    assert by.enhanced_beta_likeness(frame, ["age"], ["disease"]) == pytest.approx(1)


def test_disclosure_counts_what_a_class_lacks_where_pycanon_passes_over_it():
    """No flu in the second class: ln 0. It compares what is there."""
    frame = wards("flu", "cold", "cold", "cold")
    assert level(frame, kc.DeltaDisclosure()) == np.inf
    assert level(frame, kc.DeltaDisclosure(absent=False)) == pytest.approx(np.log(2))
    by = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    assert by.delta_disclosure(frame, ["age"], ["disease"]) == pytest.approx(np.log(2))


def test_rows_with_missing_cells_are_judged_where_pycanon_drops_them():
    """Its classes are those of pandas' groupby, which leaves such rows out: the row that is alone is not
    seen."""
    frame = pd.DataFrame({"age": ["a", "a", None], "disease": ["flu", "cold", "flu"]})
    assert level(frame, kc.KAnonymity()) == 1
    by = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    assert by.k_anonymity(frame, ["age"]) == 2
