"""Properties that every distance of the tuple keeps: axioms, bound, definition, declaration."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.errors import OptionError, SchemaError, UnsuitableError
from kanon_core.distances import AXIOMS, DISTANCES, Distance
from kanon_core.distances.manhattan import distance_matrix, manhattan_points, pair_distances
from kanon_core.table.schema import KINDS
from tests.distances.cases import CASES, Case

each_distance = pytest.mark.parametrize("cls", DISTANCES, ids=lambda cls: cls.__name__)


def matrix(case: Case) -> np.ndarray:
    everybody = np.arange(len(case.values))
    return case.part.encoding.pairs(everybody[:, None], everybody)


def test_every_distance_is_in_the_tuple_and_has_a_case():
    found, todo = set(), [Distance]
    while todo:
        below = [cls for cls in todo.pop().__subclasses__() if cls.__module__.startswith("kanon_core.")]
        todo += below
        found |= {cls for cls in below if "title" in vars(cls)}
    assert found == set(DISTANCES) == set(CASES)
    assert len(set(DISTANCES)) == len(DISTANCES)


@pytest.mark.deep
@each_distance
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_its_axioms_and_its_bound_hold(cls, data):
    case = data.draw(CASES[cls])
    apart, bound = matrix(case), case.distance.bound(case.part.source)
    n, small = len(apart), 1e-9 * (1 + abs(bound))
    assert (apart == apart.T).all() and (np.diag(apart) == 0).all() and (apart >= 0).all()
    present = [i for i, value in enumerate(case.values) if value is not None]
    assert apart[np.ix_(present, present)].max(initial=0.0) <= bound + small
    if case.distance.axioms != "pseudometric":
        different = [(i, j) for i, j in product(range(n), repeat=2) if not same(case, i, j)]
        assert all(apart[i, j] > 0 for i, j in different)
    if case.distance.axioms != "semimetric":
        detour = (apart[:, :, None] + apart[None]).min(axis=1)
        assert (apart <= detour + small).all()
    assert case.distance.axioms in AXIOMS


def same(case: Case, i: int, j: int) -> bool:
    a, b = case.values[i], case.values[j]
    if case.kind == "latitude" and a and b:  # one meridian has two names
        return a[0] == b[0] and (a[1] - b[1]) % 360 == 0
    return a == b


@pytest.mark.deep
@each_distance
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_it_is_its_plain_definition(cls, data):
    case = data.draw(CASES[cls])
    apart, gap = matrix(case), case.distance.bound(case.part.source) or 1.0
    for (i, a), (j, b) in product(enumerate(case.values), repeat=2):
        if a is None or b is None:
            expected = 0.0 if a is b else 1.0 if cls is kc.Discrete else gap
        else:
            expected = case.plain(a, b)
        # near the antipode a last digit of the sine is meters
        assert apart[i, j] == pytest.approx(expected, rel=1e-6, abs=1e-6), (a, b)


@each_distance
@settings(max_examples=20, deadline=None)
@given(data=st.data(), weight=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_the_compiled_sums_are_those_of_its_encoding(cls, data, weight):
    case = data.draw(CASES[cls])
    table = case.table
    table = table.with_schema(table.schema.with_weights({table.schema.names[0]: weight}))
    points, expected = manhattan_points(table.quasi, "chosen"), weight * matrix(case)
    everybody = np.arange(len(table))
    assert distance_matrix(points) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert (pair_distances(points, everybody[:, None], everybody) == distance_matrix(points)).all()
    rows = everybody[::-2]
    assert (distance_matrix(points.take(rows)) == distance_matrix(points)[np.ix_(rows, rows)]).all()


@each_distance
def test_it_is_documented(cls):
    text = cls.__doc__ or ""
    source = text.partition("Reference: ")[2]
    assert re.search(r"(k-concealment|ILD) paper|, (19|20)\d\d\b|\b(19|20)\d\d[ .,;]", source), "no source"
    assert cls.title and cls.sentence.endswith(".") and cls.formula
    assert set(cls.kinds) <= set(KINDS)
    assert cls().axioms in AXIOMS


@each_distance
def test_its_options_are_complete(cls):
    for option in options.options_of(cls):
        assert option.kind.help.strip()
        assert option.kind.check(option.default) == option.default
        for value in option.kind.illegal():
            with pytest.raises(OptionError, match=option.label):
                cls(**{option.name: value})
    assert options.from_json(options.to_json(cls())) == cls()


@each_distance
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_schema_keeps_it_and_its_script_makes_it(cls, data):
    table = data.draw(CASES[cls]).table
    assert kc.Schema.from_json(table.schema.to_json()) == table.schema
    distance = table.schema.attributes[0].distance
    assert eval(options.expression(distance), vars(kc)) == distance
    assert hash(table.schema) == hash(kc.Schema.from_json(table.schema.to_json()))


@each_distance
def test_other_kinds_are_refused_with_the_column_named(cls):
    for kind in KINDS:
        if kind in cls.kinds:
            assert kc.Attribute("town", kind=kind, distance=cls()).distance == cls()
            continue
        with pytest.raises(SchemaError, match="“town” has the kind " + kind):
            kc.Attribute("town", kind=kind, distance=cls())


@each_distance
def test_a_column_without_any_value_is_measured_as_0(cls):
    if cls is kc.Jaccard:
        case = Case(cls(), [frozenset()] * 3, lambda a, b: 0.0, "items")
    else:
        case = Case(cls(), [None] * 3, lambda a, b: 0.0, cls.kinds[0])
    assert (matrix(case) == 0).all()
    assert case.distance.unsuitable(case.part.source) == []
    assert (distance_matrix(manhattan_points(case.table.quasi, "chosen")) == 0).all()


@each_distance
def test_a_column_of_another_kind_is_unsuitable(cls):
    kind = "categorical" if "categorical" not in cls.kinds else "items"
    if kind in cls.kinds:
        return
    column = kc.Table.from_frame(
        Case(kc.Discrete(), ["a b", "c"], lambda a, b: 0.0, kind).table.frame,
        kc.Schema((kc.Attribute("x", kind=kind),)),
    )["x"]
    assert f"“x” is {kind}" in cls().unsuitable(column)[0]
    with pytest.raises(UnsuitableError, match="“x”"):
        cls().encoded(column)
