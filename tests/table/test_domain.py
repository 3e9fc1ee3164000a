"""Domains: parts merged in any order are the whole, and a part with the whole's domain is encoded like it."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import SchemaError
from kanon_core.distances.chosen import parts_of
from kanon_core.distances.mixed import points_of, unit_columns_of
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.domain import Domain, LabelDomain, NumberDomain, exact_sum
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.schema import Attribute, Schema

TREE = Hierarchy.of_paths([("a", "ab"), ("b", "ab"), ("c",), ("d",)])
SCHEMA = Schema(
    (
        Attribute("x", kind="numeric"),
        Attribute("day", kind="datetime"),
        Attribute("lat", kind="latitude", distance=kc.GreatCircle()),
        Attribute("lon", kind="longitude"),
        Attribute("word", kind="text", distance=kc.Levenshtein()),
        Attribute("class", kind="categorical", hierarchy=TREE),
        Attribute("basket", kind="items", delimiter=";", hierarchy=TREE),
    )
)
finite = st.floats(-1e300, 1e300, allow_nan=False) | st.integers(-9, 9).map(float) | st.just(5e-324)
tame = st.floats(-1e140, 1e140, allow_nan=False) | st.integers(-9, 9).map(float)


def frame_of(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": rng.choice([rng.normal(), 0.1, 3.0, 1e9, np.nan], n),
            "day": pd.Timestamp("2024-02-28") + pd.to_timedelta(rng.integers(0, 99, n) * 3_600, unit="s"),
            "lat": rng.uniform(30, 40, n),
            "lon": rng.uniform(130, 140, n),
            "word": rng.choice(["fish", "dish", "washing", None], n),
            "class": rng.choice(list("abcd"), n),
            "basket": [
                ";".join(rng.choice(list("abcd"), rng.integers(0, 4), replace=False)) for _ in range(n)
            ],
        }
    )
    frame.loc[rng.random(n) < 0.3, ["day", "lat"]] = None
    return frame


def table_of(frame: pd.DataFrame, domain: Domain | None = None) -> kc.Table:
    return kc.Table.from_frame(frame, SCHEMA, domain=domain)


@given(st.lists(finite), st.randoms(use_true_random=False))
def test_an_exact_sum_is_exact_and_the_same_in_any_order(values, random):
    found = exact_sum(values)
    assert sum(map(Fraction, found), Fraction(0)) == sum(map(Fraction, values), Fraction(0))
    if values:
        assert (found or (0.0,))[0] == math.fsum(values)
    random.shuffle(values)
    cut = random.randint(0, len(values))
    assert exact_sum([*exact_sum(values[cut:]), *exact_sum(values[:cut])]) == found


@pytest.mark.deep
@given(st.lists(st.lists(tame | st.just(math.nan)), min_size=1), st.randoms(use_true_random=False))
def test_numbers_merged_in_any_order_are_the_whole(parts, random):
    whole = NumberDomain.of(np.array([value for part in parts for value in part], float))
    domains = [NumberDomain.of(np.array(part, float)) for part in parts]
    while len(domains) > 1:
        random.shuffle(domains)
        domains.append(domains.pop().merged(domains.pop()))
    assert domains == [whole]


@given(st.lists(st.integers(-(2**40), 2**40).map(lambda n: n / 64), min_size=2, max_size=30))
def test_mean_and_deviation_are_rounded_once(values):
    """Numbers of few digits, whose sums of squares fractions hold exactly."""
    found, exact = NumberDomain.of(np.array(values)), [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / (len(exact) - 1)
    assert found.mean == float(mean)
    assert found.deviation == math.sqrt(variance)


def test_numbers_too_large_to_be_squared_have_a_range_alone():
    one, other = NumberDomain.of(np.array([1e200, -1e308])), NumberDomain.of(np.array([1.0]))
    merged = other.merged(one)
    assert merged == one.merged(other) == NumberDomain.of(np.array([1.0, 1e200, -1e308]))
    assert merged.range == (-1e308, 1e200) and merged.total == merged.squares == ()


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 40), st.integers(0, 99), st.randoms(use_true_random=False))
def test_parts_merged_in_any_order_are_the_whole_table(n, seed, random):
    frame = frame_of(n, seed)
    cuts = sorted({0, n, *(random.randint(1, n - 1) for _ in range(3))})
    parts = [table_of(frame[a:b]) for a, b in itertools.pairwise(cuts)]
    whole, domains = table_of(frame), [Domain.of(part.columns) for part in parts]
    random.shuffle(domains)
    merged = domains[0].merged(*domains[1:])
    assert merged == Domain.of(whole.columns)
    assert Domain.from_json(json.loads(json.dumps(merged.to_json()))) == merged


def test_a_part_with_the_domain_of_the_whole_is_encoded_as_the_whole():
    """Codes, labels, ranges, closures, points and distances are those of the same records in the whole."""
    for seed in range(8):
        frame = frame_of(40, seed)
        domain = Domain.of(table_of(frame).columns)
        plain, whole = table_of(frame), table_of(frame, domain)
        for rows in (slice(0, 3), slice(7, 8), slice(5, 40)):
            part = table_of(frame[rows], domain)
            for own, all_, untold in zip(part.columns, whole.columns, plain.columns, strict=True):
                assert np.array_equal(own.missing, all_.missing[rows])
                assert own.has_missing == all_.has_missing == untold.has_missing
                if isinstance(own, Numbers):
                    assert np.array_equal(own.values, untold.values[rows], equal_nan=True)
                    for of in ("range", "integral", "unit", "comparable"):
                        assert getattr(own, of) == getattr(all_, of) == getattr(untold, of)
                    assert (own.mean, own.deviation) == (all_.mean, all_.deviation)
                    assert np.allclose((own.mean, own.deviation), (untold.mean, untold.deviation), rtol=1e-14)
                else:
                    assert own.labels == all_.labels == untold.labels
                    assert own.distinct == all_.distinct == untold.distinct
            assert np.array_equal(part["class"].codes, plain["class"].codes[rows])
            sets, all_sets = part["basket"].closure.sets, plain["basket"].closure.sets
            assert sets.labels == all_sets.labels
            start = all_sets.starts[rows.start]
            assert np.array_equal(sets.items, all_sets.items[start : start + len(sets.items)])
            assert np.array_equal(points_of(part).numeric, points_of(whole).numeric[rows])
            assert np.array_equal(points_of(part).codes, points_of(whole).codes[rows])
            mine, theirs = unit_columns_of(part), unit_columns_of(plain)
            assert np.array_equal(mine.numeric, theirs.numeric[rows], equal_nan=True)
            assert np.array_equal(mine.domains, theirs.domains)
            first, second = np.triu_indices(len(part), 1)
            for one, other in zip(parts_of(part), parts_of(whole), strict=True):
                shifted = other.encoding.pairs(first + rows.start, second + rows.start)
                assert one.scale == other.scale
                assert np.array_equal(one.encoding.pairs(first, second), shifted)


def test_a_given_domain_is_part_of_the_digest_alone():
    frame = frame_of(9, 1)
    plain, told = table_of(frame), table_of(frame, Domain.of(table_of(frame).columns))
    assert plain.data_digest == told.data_digest and plain.digest != told.digest
    wider = Domain({**told.domain.columns, "class": LabelDomain(tuple("abcd"), 5)})
    assert table_of(frame, wider).digest != told.digest


def test_what_does_not_fit_a_domain_is_refused():
    frame = frame_of(20, 3)
    table = table_of(frame)
    domain = Domain.of(table.columns)
    few = Domain.of(table_of(frame[:1]).columns)
    narrow = {name: Domain({**domain.columns, name: few.columns[name]}) for name in ("x", "word", "basket")}
    for name, other in narrow.items():
        with pytest.raises(SchemaError, match=f"“{name}” has values outside the given domain"):
            table_of(frame, other)
    with pytest.raises(SchemaError, match="other columns"):
        table_of(frame, Domain(dict(list(domain.columns.items())[1:])))
    with pytest.raises(SchemaError, match="differ in column “x”"):
        table_of(frame, Domain({**domain.columns, "x": domain.columns["word"]}))
    swapped = Domain({**domain.columns, "x": domain.columns["word"]})
    for one, other in ((domain, swapped), (swapped, domain), (domain, Domain({}))):
        with pytest.raises(SchemaError, match="different columns"):
            one.merged(other)
    with pytest.raises(SchemaError, match="different delimiters"):
        LabelDomain(("a",), delimiter=";").merged(LabelDomain(("a",), delimiter=","))
    for wrong in (None, {"x": 3}, {"x": {"low": 1, "lowest": 0}}):
        with pytest.raises(SchemaError, match="A domain must hold"):
            Domain.from_json(wrong)


def test_another_schema_keeps_a_given_domain_unless_a_kind_changes():
    frame = frame_of(20, 4)
    domain = Domain.of(table_of(frame).columns)
    part = table_of(frame[:3], domain)
    other = part.with_schema(SCHEMA.with_roles({"word": "sensitive"}).with_weights({"x": 2}))
    assert other.domain is domain and other["x"].range == part["x"].range
    assert other["word"].labels == part["word"].labels
    with pytest.raises(SchemaError, match="differ in column “x”"):
        part.with_schema(SCHEMA.with_kinds({"x": "categorical"}))
    assert replace(part["x"], values=np.zeros(3)).range == part["x"].range
