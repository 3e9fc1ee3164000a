"""Every regular expression that outside text meets takes time in proportion to the text's length."""

from __future__ import annotations

import ast
import heapq
import importlib
import itertools
import math
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from kanon_core.table import naming
from kanon_core.table.columns.itemcells import parts_of
from kanon_core.table.naming import names_persons, numbers_persons
from kanon_core.table.notation.cell_parts import parts_of as interval_of
from kanon_core.table.readers import around
from kanon_core.table.readers.notes import notes_with
from kanon_core.table.readers.text import detect
from tests.fuzz.case import Late, at_most

pytestmark = pytest.mark.deep

LENGTH, SHORT, SECONDS = 10**5, 2_000, 2.0
ROOMS = ("table", "release", "cli", "checks", "distances", "session", "report", "papers", "findings")
METHODS = ("match", "fullmatch", "search", "sub", "findall", "finditer", "split")
FRAGMENTS = (
    *(" ", "1", "a", "\t", '"', '""', ",", ".", "[", "{", "}", "<", ">", "“", "-", "*", "_", "@", ":", ";"),
    *("1 ", "1,", "a,", "1.", "a@", ".a", " a", "“a", "\\", '\\"', '"a",', '"a";', "jan ", "1 jan ", "1-"),
    *("[1;", "[1, ", "{a;", "{a,", "{a", "(", "http://", "@ITEM=1=", "-1 ", "-2 ", "\n", "\r", "\r\n", "\n "),
    *("年", "商", "id", "id ", "customer ", "customer id ", "hash ", "lat", "lat1", "date", "<tspan", "</b>"),
    *("www.", "1e", "e", "+", "[a,b]", "{}", "\x00", "\x01", "\u2028", "#", "|", "x", "%{", ":1", "salary."),
)
BEGINNINGS = ("", "1", "{", '"', "[1;", "[ 1,", "a@", "id", "customer", "@ITEM=1=", ",", "jan", "<tspan", "'")
ENDS = ("", "x", "!", "\n\n")


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The modules that read outside text, with their syntax trees."""
    for room in ROOMS:
        package = importlib.import_module(f"kanon_core.{room}")
        names = [package.__name__]
        if hasattr(package, "__path__"):
            names += [one.name for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        for name in names:
            if name.endswith("__main__"):
                continue
            place = importlib.import_module(name).__file__
            assert place is not None
            yield name, ast.parse(Path(place).read_text("utf-8"))


def constants() -> dict[str, tuple[re.Pattern, set[str]]]:
    """Compiled patterns at the top of modules, each with the methods that its module calls."""
    found = {}
    for name, tree in sources():
        module = importlib.import_module(name)
        text = ast.unparse(tree)
        for key, value in vars(module).items():
            patterns = value if isinstance(value, tuple | list) else (value,)
            for place, pattern in enumerate(patterns):
                if isinstance(pattern, re.Pattern) and re.search(rf"^\(?.*\b{key}\b.*= ", text, re.M):
                    used = set(re.findall(rf"\b{key}\.({'|'.join(METHODS)})\b", text))
                    found[f"{name}.{key}[{place}]"] = pattern, used or {"match", "fullmatch"}
    return found


def written() -> dict[str, tuple[re.Pattern, set[str]]]:
    """Patterns written where they are used, with `re` or by pandas."""
    found = {}
    for name, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                continue
            by_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            by_pandas = isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "str"
            plain = any(word.arg == "regex" and not getattr(word.value, "value", 1) for word in node.keywords)
            known = node.func.attr in (*METHODS, "contains", "replace")
            if not known or not (by_re or (by_pandas and not plain)):
                continue
            pattern = node.args[0]
            if isinstance(pattern, ast.Constant) and (by_re or node.func.attr != "split"):
                method = {"contains": "search", "replace": "sub"}.get(node.func.attr, node.func.attr)
                found[f"{name}:{node.lineno}"] = re.compile(pattern.value), {method}
    return found


def built_inside() -> set[str]:
    """Functions that build a pattern when they are called: each has a line in `BUILT`."""
    found = set()
    for name, tree in sources():
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if (
                        isinstance(node, ast.Call)
                        and isinstance(node.func, ast.Attribute)
                        and isinstance(node.func.value, ast.Name)
                        and node.func.value.id == "re"
                        and node.func.attr in (*METHODS, "compile")
                        and node.args
                        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
                    ):
                        found.add(f"{name}.{function.name}")
    return found


def items(delimiter: str) -> Callable[[str], object]:
    return lambda text: parts_of(pa.array([text + '"'], pa.large_string()), delimiter)


BUILT: dict[str, list[Callable[[str], object]]] = {
    "kanon_core.table.columns.itemcells._unquoted": [items(";"), items("\t"), items("||")],
    "kanon_core.table.readers.text.detect.records": [
        lambda text, d=delimiter: list(detect.records(f'{text}"', d)) for delimiter in detect.DELIMITERS
    ],
    "kanon_core.table.readers.text.ragged.refuse_open_quote": [lambda text: open_quote(text)],
}
"""By function that builds a pattern: how it meets a text."""
PARSERS: list[Callable[[str], object]] = [
    names_persons,
    numbers_persons,
    interval_of,
    lambda text: interval_of(text, True),
    lambda text: notes_with([text], ["a"], ["b"]),
    lambda text: around.VALUE.fullmatch(text),
    items("json"),
    items("{}"),
    items(""),
]
"""Functions that parse by hand, or with several patterns."""


def open_quote(text: str) -> None:
    from kanon_core.base.errors import InputError
    from kanon_core.table.readers.text.ragged import refuse_open_quote

    try:
        refuse_open_quote(text.encode("utf-8", "replace"), ",")
    except InputError:
        return


BOUNDED = {
    "kanon_core.table.naming._NUMBERED[0]": naming._LONGEST,
    "kanon_core.table.naming._NAMED[0]": naming._LONGEST,
}
"""Patterns that meet no longer text than this."""


def text(made: tuple[str, str, str], length: int) -> str:
    beginning, fragment, end = made
    return beginning + fragment * (length // len(fragment)) + end


def seconds(work: Callable[[str], object], made: tuple[str, str, str], length: int) -> float:
    given, start = text(made, length), time.process_time()
    try:
        with at_most(SECONDS):
            work(given)
    except Late:
        return math.inf
    return time.process_time() - start


def slow(work: Callable[[str], object], length: int = LENGTH) -> list[str]:
    """The worst texts of all that are made, told by short ones, that take too long when they are long."""
    every = itertools.product(BEGINNINGS, FRAGMENTS, ENDS)
    worst = heapq.nlargest(5, every, key=lambda made: seconds(work, made, min(SHORT, length)))
    return [repr(made) for made in worst if seconds(work, made, length) > SECONDS]


def calls(pattern: re.Pattern, method: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        given = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
        if method == "sub":
            return pattern.sub(given[:0], given)
        if method == "finditer":
            return list(pattern.finditer(given))
        return getattr(pattern, method)(given)

    return call


def test_each_pattern_is_known() -> None:
    assert built_inside() == set(BUILT)
    assert len(constants()) > 30 and len(written()) > 10


@pytest.mark.parametrize("room", ROOMS)
def test_patterns_are_linear(room: str) -> None:
    late = {}
    for name, (pattern, methods) in {**constants(), **written()}.items():
        if name.startswith(f"kanon_core.{room}."):
            for method in methods:
                if found := slow(calls(pattern, method), BOUNDED.get(name, LENGTH)):
                    late[name, method] = found
    assert not late


def test_parsers_are_linear() -> None:
    works = [*PARSERS, *(work for made in BUILT.values() for work in made)]
    late = {place: found for place, work in enumerate(works) if (found := slow(work))}
    assert not late
