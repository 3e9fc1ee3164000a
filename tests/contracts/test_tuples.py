"""The tuples name every algorithm and metric, and each has what a registered one must have."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import kanon_core.algorithms
import kanon_core.metrics
from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.options import Nested, from_json, options_of, to_json
from kanon_core.cli.arguments import parser
from kanon_core.metrics import METRICS, UTILITIES, Metric

TESTS = Path(__file__).parents[1]
REFERENCE = re.compile(
    r"\[00\d|\b(k-concealment|set-valued|purchase-history|ILD|MIL) paper\b|\b(19|20)\d\d\b"
)

each_class = pytest.mark.parametrize("cls", [*ALGORITHMS, *METRICS, *UTILITIES], ids=lambda cls: cls.__name__)


def subclasses(base: type, package) -> set[type]:
    """Every subclass that the package's modules define (compiled kernels define none) and give a title: bases
    have none."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("_kernels"):
            importlib.import_module(module.name)
    found, todo = set(), [base]
    while todo:
        below = todo.pop().__subclasses__()
        todo += below
        found |= {cls for cls in below if cls.__module__.startswith("kanon_core.") and "title" in vars(cls)}
    return found


def test_every_algorithm_is_in_its_tuple():
    assert subclasses(Algorithm, kanon_core.algorithms) == set(ALGORITHMS)
    assert len(set(ALGORITHMS)) == len(ALGORITHMS) > 0


def test_every_metric_is_in_its_tuple():
    assert subclasses(Metric, kanon_core.metrics) == {*METRICS, *UTILITIES}
    assert len({*METRICS, *UTILITIES}) == len(METRICS) + len(UTILITIES)


@each_class
def test_it_is_documented_with_a_reference(cls):
    text = cls.__dict__.get("__doc__") or ""
    assert len(text) > 80 and REFERENCE.search(text), f"{cls.__name__} cites no source"


@each_class
def test_it_has_a_golden_case(cls):
    folders = ("golden", "algorithms", "metrics")
    files = [path for folder in folders for path in (TESTS / folder).rglob("test_*.py")]
    assert any(re.search(rf"\b{cls.__name__}\b", path.read_text("utf-8")) for path in files)


@pytest.mark.parametrize("cls", ALGORITHMS, ids=lambda cls: cls.__name__)
def test_an_algorithm_says_what_it_is(cls):
    assert cls.title.strip() and cls.summary.endswith(".")
    assert cls.__module__.startswith(f"kanon_core.algorithms.{cls.family}.")
    assert cls().guarantees(7)[0].k == 7
    assert isinstance(cls.randomized, bool)


@each_class
def test_its_options_are_complete(cls):
    names = {known.__name__ for known in ALGORITHMS}
    for option in options_of(cls):
        assert option.kind.help.strip(), option.name
        assert option.kind.check(option.default) == option.default
        assert option.kind.illegal()
        if isinstance(option.kind, Nested):
            assert set(option.kind.among) <= names
    assert from_json(to_json(cls())) == cls()


@pytest.mark.parametrize("cls", ALGORITHMS, ids=lambda cls: cls.__name__)
def test_its_options_are_flags_of_the_command_line(cls, capsys):
    words = ["anonymize", f"--algorithm={cls.__name__.lower()}", "--help"]
    with pytest.raises(SystemExit):
        parser(words).parse_args(words)
    shown = capsys.readouterr().out
    assert all(f"--{option.name.replace('_', '-')}" in shown for option in options_of(cls))
