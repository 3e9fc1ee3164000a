"""anonymize and repeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Algorithm
from kanon_core.covers.cover import Partition
from tests.helpers import table_of


@dataclass(frozen=True)
class Liar(Algorithm):
    """Publishes every record alone."""

    title: ClassVar[str] = "Liar"
    family: ClassVar[str] = "tests"
    summary: ClassVar[str] = "keeps no guarantee"

    def cover(self, table, k, run):
        return Partition(np.arange(len(table)))


def line(n=30):
    return table_of(x=np.arange(n) ** 1.5)


def test_a_broken_promise_is_never_returned():
    with pytest.raises(kc.BrokenPromise, match="Liar did not keep its guarantee of k-anonymity: 30 records"):
        kc.anonymize(line(), Liar(), 2)


@pytest.mark.parametrize("k", [0, 1, -3, 2.5, "5", None, True, float("nan")])
def test_illegal_k(k):
    with pytest.raises(kc.OptionError, match="at least 2"):
        kc.anonymize(line(), kc.MDAV(), k)


def test_a_seed_that_is_not_given_is_drawn_in_secret_and_kept(secrets):
    table = line()
    seeds = {kc.anonymize(table, kc.MDAV(), 2).recipe.seed for _ in range(3)}
    assert len(seeds) == 3 and all(2**64 < seed < 2**128 for seed in seeds)
    for algorithm in (kc.Lottery(), kc.Refine(steps=3), kc.Refine(loss="ncp", steps=3)):
        release = kc.anonymize(table, algorithm, 3)
        again = kc.repeat(table, kc.Recipe.from_json(release.recipe.to_json()))
        assert again.recipe == release.recipe and again.publish().equals(release.publish())


@pytest.mark.parametrize("seed", [-1, 2**128, 0.5, "a", True])
def test_illegal_seed(seed):
    with pytest.raises(kc.OptionError, match="seed"):
        kc.anonymize(line(), kc.MDAV(), 2, seed=seed)


def test_more_than_the_records_and_no_quasi_identifier():
    with pytest.raises(kc.UnsuitableError, match="only 30 records, fewer than k = 31"):
        kc.anonymize(line(), kc.MDAV(), 31)
    table = line()
    with pytest.raises(kc.UnsuitableError, match="quasi-identifier"):
        kc.anonymize(table.with_schema(table.schema.with_roles({"x": "other"})), kc.MDAV(), 2)


def test_an_algorithm_class_instead_of_an_object_is_refused():
    with pytest.raises(kc.OptionError, match=r"MDAV\(\)"):
        kc.anonymize(line(), kc.MDAV, 2)


def test_the_recipe_repeats_the_release_and_knows_its_data():
    table = line()
    release = kc.anonymize(table, kc.MDAV(), 4, seed=7)
    recipe = kc.Recipe.from_json(release.recipe.to_json())
    again = kc.repeat(table, recipe)
    assert again.to_frame().equals(release.to_frame())
    assert again.publish().equals(release.publish())
    with pytest.raises(kc.KanonError, match="digests differ"):
        kc.repeat(line(31), recipe)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"kanon": "1"}', b"\xff\xfe", '{"algorithm": 3}'])
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(kc.KanonError):
        kc.Recipe.from_json(text)


def test_a_recipe_cannot_ask_for_a_metric():
    text = kc.anonymize(line(), kc.MDAV(), 4).recipe.to_json().replace('"MDAV"', '"NCP"')
    with pytest.raises(kc.KanonError, match="not an algorithm"):
        kc.Recipe.from_json(text)


class Stop(BaseException):
    pass


def test_whatever_progress_raises_passes_unchanged():
    def stop(fraction, note):
        raise Stop

    with pytest.raises(Stop):
        kc.anonymize(line(), kc.MDAV(), 2, progress=stop)
    with pytest.raises(Stop):
        list(kc.sweep(line(), [kc.MDAV()], [2], progress=stop))


def test_progress_grows_from_0_to_1():
    seen = []
    kc.anonymize(line(), kc.MDAV(), 2, progress=lambda fraction, note: seen.append(fraction))
    known = [fraction for fraction in seen if fraction is not None]
    assert known[0] == 0
    assert known[-1] == 1
    assert known == sorted(known)


def test_concealment_is_refused_for_columns_published_as_means():
    table = line()
    table = table.with_schema(table.schema.with_recodings({"x": "mean"}))
    with pytest.raises(kc.UnsuitableError, match="Column “x” is published as a mean, median or mode"):
        kc.anonymize(table, kc.OptimalConcealment(), 2)
