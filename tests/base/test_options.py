"""Options: declared once, checked everywhere, written and read back unchanged."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.base.errors import OptionError
from kanon_core.base.kinds import Choice, Columns, Flag, Integer, Real
from kanon_core.base.options import Declared, Nested, declared, expression, from_json, options_of, to_json
from tests.helpers import looped


@dataclass(frozen=True)
class OptionsInner(Declared):
    size: Annotated[int, Integer(1, 9)] = 3


@dataclass(frozen=True)
class OptionsOuter(Declared):
    share: Annotated[float, Real(0, 1, help="how much", unit="%")] = 0.5
    strict: Annotated[bool, Flag()] = False
    loss: Annotated[str, Choice({"sse": "squares", "ncp": "widths"})] = "sse"
    by: Annotated[tuple[str, ...], Columns()] = ()
    start: Annotated[OptionsInner, Nested(("OptionsInner",))] = field(default_factory=OptionsInner)


@looped(
    "kind, given, kept",
    [
        (Real(0, 2), 1, 1.0),
        (Real(0, 2), np.float32(0.5), 0.5),
        (Real(0, 2), 2, 2.0),
        (Integer(1, 5), 5, 5),
        (Integer(1, 5), np.int64(1), 1),
        (Integer(1, 5), 2.0, 2),
        (Flag(), True, True),
        (Choice({"a": ""}), "a", "a"),
        (Columns(), ["x", "y"], ("x", "y")),
        (Columns(), (), ()),
    ],
)
def test_legal_values_become_canonical(kind, given, kept):
    found = kind.check(given)
    assert found == kept and type(found) is type(kept)


@looped(
    "kind, wrong",
    [
        (Real(0, 2), math.inf),
        (Real(0, 2), math.nan),
        (Real(0, 2), [1]),
        (Real(0, 2), -1e-9),
        (Real(0, 2), False),
        (Integer(1, 5), 0),
        (Integer(1, 5), 1.5),
        (Integer(1, 5), math.inf),
        (Flag(), 1),
        (Flag(), "yes"),
        (Choice({"a": ""}), "A"),
        (Columns(), "xy"),
        (Columns(), ("x", "x")),
        (Columns(), 3),
        (Nested(("OptionsInner",)), OptionsInner),
    ],
)
def test_illegal_values_are_refused(kind, wrong):
    with pytest.raises(ValueError):
        kind.check(wrong)


@pytest.mark.parametrize("option", options_of(OptionsOuter), ids=lambda option: option.name)
def test_each_kind_knows_values_it_refuses(option):
    assert option.kind.illegal()
    for value in option.kind.illegal():
        with pytest.raises(OptionError, match=rf"“{option.label}” of OptionsOuter must be .*\.$"):
            OptionsOuter(**{option.name: value})


def test_options_are_listed_in_order_with_their_defaults():
    listed = [(option.name, option.default) for option in options_of(OptionsOuter)]
    assert listed == [
        ("share", 0.5),
        ("strict", False),
        ("loss", "sse"),
        ("by", ()),
        ("start", OptionsInner()),
    ]
    assert options_of(int) == ()


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Real(0, 1), "0.25", 0.25),
        (Integer(1, 9), "7", 7),
        (Flag(), "Yes", True),
        (Flag(), "0", False),
        (Choice({"sse": ""}), "sse", "sse"),
        (Columns(), "a, b", ("a", "b")),
        (Nested(("OptionsInner",)), "optionsinner", OptionsInner()),
    ],
)
def test_words_of_the_command_line_are_parsed(kind, text, value):
    assert kind.parse(text) == value


@pytest.mark.parametrize(
    "kind", [Real(0, 1), Integer(1, 9), Flag(), Choice({"a": ""}), Nested(("OptionsInner",))]
)
def test_other_words_are_refused(kind):
    with pytest.raises(ValueError):
        kind.parse("perhaps")


names = st.lists(st.text(max_size=8), unique=True, max_size=3).map(tuple)
outers = st.builds(
    OptionsOuter,
    share=st.floats(0, 1),
    strict=st.booleans(),
    loss=st.sampled_from(["sse", "ncp"]),
    by=names,
    start=st.builds(OptionsInner, size=st.integers(1, 9)),
)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(outers)
def test_json_and_the_python_expression_give_the_object_back(thing):
    assert from_json(to_json(thing)) == thing
    kc = type("kc", (), {"OptionsInner": OptionsInner})
    assert eval(expression(thing), {"OptionsOuter": OptionsOuter, "kc": kc}) == thing


def test_the_expression_names_only_what_differs():
    assert expression(OptionsOuter()) == "OptionsOuter()"
    changed = dataclasses.replace(OptionsOuter(), strict=True, start=OptionsInner(4))
    assert expression(changed) == "OptionsOuter(strict=True, start=kc.OptionsInner(size=4))"


@looped(
    "data",
    [
        {"name": "NoSuchThing"},
        {"name": "OptionsInner", "options": {"weight": 3}},
        {"name": "OptionsInner", "options": {"size": 10}},
        {"name": "OptionsInner", "options": []},
        {"name": "OptionsOuter", "options": {"start": {"name": "OptionsOuter"}}},
        {"options": {}},
        [],
        None,
    ],
)
def test_json_of_something_else_is_refused(data):
    with pytest.raises(OptionError, match=r"\.$"):
        from_json(data)


def test_an_unknown_name_is_refused():
    with pytest.raises(OptionError, match="Nobody"):
        declared("Nobody")
