"""Means, medians and modes that our own algorithms write, checked with the original: never called untrue."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc

KINDS = {"city": "categorical", "sex": "categorical", "age": "numeric", "pay": "numeric", "day": "datetime"}
KINDS |= {"level": "ordinal", "hour": "cyclic"}
MODES = {"categorical": ("mode",), "ordinal": ("mode", "median")}
ALGORITHMS = (kc.MDAV(), kc.Mondrian(), kc.Pairing())


def records(rng: np.random.Generator, count: int) -> pd.DataFrame:
    """So many records with up to four of the columns, in some of which cells are missing, and a diagnosis."""
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 40, count), "D")
    frame = pd.DataFrame(
        {
            "city": rng.choice(["Rome", "Oslo", "Bonn"], count),
            "sex": rng.choice(["F", "M"], count),
            "age": rng.integers(20, 50, count).astype(float),
            "pay": rng.integers(0, 8, count) * rng.choice([0.5, 1.0]),
            "day": days.astype(str),
            "level": rng.choice(["a", "b", "c", "d"], count),
            "hour": rng.integers(0, 24, count),
        }
    )
    frame = frame[list(rng.choice(list(KINDS), int(rng.integers(1, 5)), replace=False))]
    for name in frame.columns.intersection(["city", "age", "pay"]):
        if rng.random() < 0.2:
            frame[name] = frame[name].astype(object).where(rng.random(count) > 0.2, None)
    return frame.assign(ill=rng.choice(["flu", "gout", "none"], count))


def original(rng: np.random.Generator) -> tuple[kc.Table, kc.Schema]:
    """A table, and its schema with random recodings."""
    frame = records(rng, int(rng.integers(8, 40)))
    roles = {name: "sensitive" if name == "ill" else "quasi_identifier" for name in frame}
    own = {name: KINDS[name] for name in frame if name != "ill"}
    schema = kc.Schema.infer(frame).with_roles(roles).with_kinds(own).with_orders({})
    offered = {n: ("generalize", *MODES.get(kind, ("mean", "median", "mode"))) for n, kind in own.items()}
    recodings = {name: str(rng.choice(words)) for name, words in offered.items()}
    return kc.Table.from_frame(frame, schema), schema.with_recodings(recodings)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(30))
def test_what_we_write_is_never_called_untrue(seed):
    rng = np.random.default_rng(seed)
    table, schema = original(rng)
    k = int(rng.integers(2, 4))
    for algorithm in ALGORITHMS:
        release = kc.anonymize(table.with_schema(schema), algorithm, k=k, seed=seed)
        for shuffled in (True, False):
            file = release.publish(shuffle=shuffled).to_csv(index=False).encode()
            truth = kc.check(file, [kc.KAnonymity(k)], table).truth
            assert truth is not None and (truth.holds or truth.unconfirmed), truth.sentence
            assert truth.said in ("holds", "not confirmed")


def aged(*cities: str) -> pd.DataFrame:
    return pd.DataFrame({"age": ["[20, 30]"] * 3 + ["[40, 50]"] * 3, "city": cities})


def test_modes_beside_intervals_say_both_what_is_wrong_of_values_and_that_it_may_be_modes():
    """Each city stands as often as in the original, but not with these ages: modes, or falsified values."""
    frame = pd.DataFrame({"age": [20, 25, 30, 40, 45, 50], "city": ["a", "a", "b", "b", "b", "a"]})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["age", "city"]))
    own = table.with_schema(table.schema.with_recodings({"city": "mode"}))
    file = kc.anonymize(own, kc.MDAV(), k=3, seed=1).publish(shuffle=False)
    assert file.astype(str).equals(aged("a", "a", "a", "b", "b", "b"))
    truth = kc.check(file.to_csv(index=False).encode(), original=table).truth
    assert truth is not None and truth.unconfirmed and not truth.holds
    assert "If they are values of single records, the file contradicts the original" in truth.sentence
    assert truth.witnesses == tuple(range(1, 7))
    # Whose recoding is said, in the order of the records, is confirmed.
    told = kc.check(file.to_csv(index=False).encode(), original=own).truth
    assert told is not None and told.holds


def test_an_age_that_is_wrong_is_found_beside_modes():
    frame = pd.DataFrame({"age": [20, 25, 30, 40, 45, 50], "city": ["a", "a", "b", "b", "b", "a"]})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["age", "city"]))
    wrong = aged("a", "a", "a", "b", "b", "b").assign(age=["[20, 30]"] * 4 + ["[45, 50]"] * 2)
    truth = kc.check(wrong.to_csv(index=False).encode(), original=table).truth
    assert truth is not None and truth.said == "does not hold" and truth.witnesses
