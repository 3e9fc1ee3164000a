"""Rules of the house that a program can check: imports, sizes, no trace of one machine."""

from __future__ import annotations

import ast
import gettext
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import streamlit

import kanon_core as kc
from kanon_core.base import words
from kanon_core.guarantees import ALWAYS
from tests.helpers import release_of, table_of

ROOT = Path(__file__).parents[1]
CODE = sorted(
    path
    for place in ("app.py", "pages", "kanon_core", "benchmarks")
    for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
    if path.is_file()
)
TEXTS = sorted(
    {
        *CODE,
        *(ROOT / "tests").rglob("*.py"),
        *(ROOT / "assets").glob("*.py"),
        *(ROOT / "docs").rglob("*.md"),
        *(path for path in ROOT.iterdir() if path.suffix in (".md", ".toml", ".txt")),
        *(path for folder in (".ci", ".streamlit") for path in (ROOT / folder).rglob("*") if path.is_file()),
    }
)
COMPILER = [f"kanon_core.base.compiled.{name}" for name in ("dispatchers", "numba_internals")]
"""Modules on numba's side of the kernels."""
MACHINE_PATH = re.compile(r"(?<![\w./:<])/(opt|work|home|root|Users|mnt|srv)/\w|\b[A-Z]:\\\w")


def test_imports_point_one_way():
    command = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_imports_without_streamlit_and_nothing_heavy():
    """Every module but those on numba's side of the kernels, in a fresh interpreter in which streamlit cannot
    be imported; the package itself imports nothing, and no module a compiler or what only some functions
    need."""
    program = (
        f"COMPILER = {COMPILER!r}"
        + """
import importlib, pkgutil, sys
sys.modules["streamlit"] = None
import kanon_core
some = {"numba", "scipy", "sklearn", "openpyxl"}
everything = some | {"numpy", "pandas", "pyarrow", "plotly"}
assert not everything & set(sys.modules), everything & set(sys.modules)
for module in pkgutil.walk_packages(kanon_core.__path__, "kanon_core."):
    if not module.name.endswith(("_kernels", "__main__")) and module.name not in COMPILER:
        importlib.import_module(module.name)
assert not some & set(sys.modules), some & set(sys.modules)
for name in kanon_core.__all__:
    assert getattr(kanon_core, name) is not None
"""
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_files_are_short():
    """500 lines: a file is one idea."""
    lines = {named(path): len(path.read_text("utf-8").splitlines()) for path in CODE}
    assert not {name: count for name, count in lines.items() if count > 500}


def test_functions_are_short():
    """40 lines, 80 for a compiled kernel; the docstring is not counted."""
    found = {
        f"{named(path)}: {name}": lines
        for path in CODE
        for name, lines in function_lengths(path)
        if lines > (80 if path.stem.endswith("_kernels") else 40)
    }
    assert not found


def function_lengths(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            described = ast.get_docstring(node) is not None
            doc = node.body[0]
            skipped = (doc.end_lineno or 0) - doc.lineno + 1 if described else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - skipped


def test_public_things_have_docstrings():
    assert not [f"{named(path)}: {name}" for path in CODE for name in undescribed(tree_of(path))]


def undescribed(tree: ast.Module) -> Iterator[str]:
    if tree.body and not ast.get_docstring(tree):
        yield "the module"
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            continue
        if any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list):
            continue
        parts = node.body if isinstance(node, ast.ClassDef) else []
        for part in (node, *(part for part in parts if isinstance(part, ast.FunctionDef))):
            if not part.name.startswith("_") and not ast.get_docstring(part):
                yield part.name if part is node else f"{node.name}.{part.name}"


RIDDLES = re.compile(r"(What|Whether|Whoever|Who|Which|How|Where|Whose|Of|That|Those|As of)\b")
"""No docstring begins with these: it says what is returned or done, or names a thing
(`docs/explanation/style.md`)."""


def test_docstrings_begin_with_what_is_returned_or_done():
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = (
        (f"{named(path)}: {getattr(node, 'name', 'the module')}", ast.get_docstring(node) or "")
        for path in (*CODE, *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").glob("*.py"))
        for node in ast.walk(tree_of(path))
        if isinstance(node, described)
    )
    assert not [place for place, text in texts if RIDDLES.match(text)]


GUARANTEES = {cls.__name__ for cls in (*kc.GUARANTEES, *map(type, ALWAYS))}
COVERS, CELLS = {"Partition", "Concealment", "Histories"}, {"Intervals", "ValueSets", "Nodes", "CommonItems"}
OWNERS = {
    "guarantee": (GUARANTEES, "kanon_core/guarantees/"),
    "cover": (COVERS, "kanon_core/covers/cover.py"),
    "cells": (CELLS, "kanon_core/covers/cells/"),
}
ASKED = {
    "kanon_core/algorithms/clustering/mil.py": "the algorithm it starts from makes groups",
    "kanon_core/algorithms/clustering/refine/refine.py": "the algorithm it starts from makes groups",
    "kanon_core/charts/concealment/matches.py": "matchings are drawn",
    "kanon_core/charts/curves/optima.py": "theorem 2.1 compares concealment with k-anonymity",
    "kanon_core/metrics/loss/matching_cost.py": "the cost of matchings has a closed form",
    "kanon_core/covers/pseudonyms.py": "a history may go on under another pseudonym",
    "kanon_core/release/release.py": "only disjoint groups have numbers",
    "pages/curves/choosing.py": "pairing makes groups, and is compared with concealment",
    "pages/widgets/sentences.py": "the verdict on columns is shown apart",
}


def test_no_other_code_asks_what_kind_of_guarantee_cover_or_cell_this_is():
    """Outside the rooms that own them, at most once a file, and each file has its reason."""
    found = Counter(
        named(path) for path in CODE for kind in kinds_asked(tree_of(path)) if outside(path, kind)
    )
    assert found == dict.fromkeys(ASKED, 1) and len(ASKED) <= 15


def outside(path: Path, kind: str) -> bool:
    return not named(path).startswith((OWNERS[kind][1], "benchmarks/"))


def kinds_asked(tree: ast.AST) -> Iterator[str]:
    """Yield the subject of each check by class or by name: a family, guarantee, cover or kind of cell."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
            yield from kinds_of(node.args[1])
        elif isinstance(node, ast.MatchClass):
            yield from kinds_of(node.cls)
        elif isinstance(node, ast.Compare):
            read = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
            words = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            calls = {getattr(part.func, "id", "") for part in ast.walk(node) if isinstance(part, ast.Call)}
            if "name" in read or "type" in calls:
                yield from kinds_of(node)
            if read & {"family", "guarantee", "__name__"} and any(isinstance(word, str) for word in words):
                yield "guarantee"
            if "unit" in read and words & {"people", "records"}:
                yield "guarantee"


def kinds_of(node: ast.AST) -> Iterator[str]:
    names = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node)}
    yield from (kind for kind, (classes, _) in OWNERS.items() if names & classes)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


PRIVATE = "pages/shell/private.py"
DOCUMENTED = {"streamlit", "streamlit.components.v1", "streamlit.testing.v1", "streamlit.typing"}
"""The modules of Streamlit that its documentation names; of the first all but its modules."""
NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
"""Names that begin with an underscore but are documented by Python all the same."""


def test_one_file_alone_uses_of_streamlit_what_it_does_not_document():
    files = [path for path in CODE if not named(path).startswith(("benchmarks/", PRIVATE))]
    assert not {named(path): uses for path in files if (uses := list(undocumented(tree_of(path))))}
    screens = [path for path in files if not named(path).startswith("kanon_core/")]
    assert not {named(path): uses for path in screens if (uses := list(private_uses(tree_of(path))))}
    modules = {module for module, _ in imported(tree_of(ROOT / PRIVATE))}
    assert not {module for module in modules if module.startswith("pages")}  # all may import it


def test_each_use_of_what_streamlit_does_not_document_is_found():
    for use in (
        "import streamlit.runtime",
        "from streamlit import config",
        "from streamlit.runtime.scriptrunner import get_script_run_ctx",
        "def f(place: st.delta_generator.DeltaGenerator): ...",
        "server._session_mgr.list_sessions()",
        "getattr(requests, '_state', None)",
        "setattr(storage, '_calculate_file_id', f)",
        "import_module('streamlit.net_util')",
    ):
        tree = ast.parse(use)
        assert [*undocumented(tree), *private_uses(tree)], use
    tree = ast.parse("import streamlit as st; st.App; st.components.v1; self._app; row._replace(k=2)")
    assert not [*undocumented(tree), *private_uses(tree)]


def undocumented(tree: ast.AST) -> Iterator[str]:
    """The modules of Streamlit that a file uses beyond its documentation."""
    for module, names in imported(tree):
        if module.partition(".")[0] == "streamlit" and module not in DOCUMENTED:
            yield module
        yield from (f"{module}.{name}" for name in names if module == "streamlit")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "st":
            module = isinstance(getattr(streamlit, node.attr, None), ModuleType)
            if module and node.attr not in ("components", "column_config", "typing"):
                yield f"st.{node.attr}"
        elif isinstance(node, ast.Constant) and re.fullmatch(r"streamlit(\.\w+)+", str(node.value)):
            yield from {str(node.value)} - DOCUMENTED


def private_uses(tree: ast.AST) -> Iterator[str]:
    """The private attributes of other objects that a file uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") not in ("self", "cls"):
            yield from filter(is_private, [node.attr])
        elif called(node) in ("getattr", "setattr", "hasattr", "delattr"):
            yield from (name for part in node.args if is_private(name := str(getattr(part, "value", ""))))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLES


def imported(tree: ast.AST) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each module that is imported, and what is imported from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, ()) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", tuple(name.name for name in node.names)


def test_no_file_names_a_place_of_one_machine():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEXTS
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not found


SENTENCE = re.compile(r"[A-Za-z’“”]{2,}[,;:.]? +[A-Za-z“(]|\0 [a-z]{2,}|[a-z]{2,}[:,]? \0")
STILL_ENGLISH: dict[str, int] = {}
"""By room, how many sentences do not pass through gettext yet. The numbers may only fall."""


def test_new_sentences_pass_through_gettext():
    """Sentences of declared objects (titles, summaries, help …) pass where they are read; others are given to
    `tr`."""
    found = Counter(
        "/".join(named(path).split("/")[:2])
        for path in CODE
        if not path.stem.endswith("_kernels") and "benchmarks" not in path.parts
        for _ in untranslated(tree_of(path), KEYED if named(path).startswith("pages") else {"counted": 1})
    )
    more = {room: count for room, count in found.items() if count > STILL_ENGLISH.get(room, 0)}
    assert not more, "give new sentences to kanon_core.base.words.tr"
    fewer = {room: count for room, count in STILL_ENGLISH.items() if count > found[room]}
    assert not fewer, "good: write the lower numbers down"


PLACE = re.compile(r"((left|right|top|bottom|center|middle|\0) ?)+")
"""A pattern of the words that give the place of a text in a chart."""
UNSAID = {"key", "kind", "uirevision"}
"""Arguments with these names are keys of controls and classes of style, which nobody reads."""
KEYED = {
    "Key": 0,
    "Lasting": 0,
    "behind": 1,
    "cell": 1,
    "chart": 1,
    "choice": 2,
    "counted": 1,
    "drawn": 1,
    "endswith": 0,
    "fold": 2,
    "kept": 0,
    "linked": 0,
    "linked_number": 0,
    "_linked": 0,
    "menu": 2,
    "named": 1,
    "number": 1,
    "of": 0,
    "offer": 4,
    "once": 0,
    "picture": 0,
    "release_or_reason": 3,
    "one_column": 1,
    "panel": 0,
    "upload": 2,
    "upload_into": 1,
    "views": 0,
    "working": 1,
}
"""The position of the argument that is a key, for each of these functions of the pages."""


def untranslated(tree: ast.AST, keyed: Mapping[str, int]) -> Iterator[ast.AST]:
    """Sentences in functions: texts of two words or more that are neither docstrings nor given to `tr`, here
    or where `later` marks them. ``keyed``: which argument of these functions is a key."""
    later = [call for call in ast.walk(tree) if isinstance(call, ast.Call) and called(call) == "later"]
    marked = {getattr(text, "value", None) for call in later for text in call.args}
    for found in sentences(tree, keyed):
        if getattr(found, "value", None) not in marked or isinstance(found, ast.JoinedStr):
            yield found


def sentences(tree: ast.AST, keyed: Mapping[str, int], inside: bool = False) -> Iterator[ast.AST]:
    """Yield the sentences that are not given to `tr`."""
    if isinstance(tree, ast.JoinedStr) or (isinstance(tree, ast.Constant) and isinstance(tree.value, str)):
        parts = tree.values if isinstance(tree, ast.JoinedStr) else [tree]
        text = "".join(part.value if isinstance(part, ast.Constant) else "\0" for part in parts)
        code = re.search(r"</|=\"|;\s*\}|=>|%\{", text) or PLACE.fullmatch(text)
        if inside and SENTENCE.search(text) and not code:
            yield tree
        return
    inside = inside or isinstance(tree, ast.FunctionDef)
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.FunctionDef) and node.name in ("__repr__", "__getattr__"):
            continue  # which programmers read
        if isinstance(node, ast.Raise) and called(node.exc) == "TypeError":
            continue  # so do they this
        if not isinstance(node, ast.Compare | ast.Subscript) and not unsaid(tree, node, keyed):
            yield from sentences(node, keyed, inside)


def unsaid(call: ast.AST, part: ast.AST, keyed: Mapping[str, int]) -> bool:
    """Return whether this part of a call is a text that `tr` translates, a key, a class of style or the name
    of a thread, or whether this variable is a key."""
    if isinstance(part, ast.keyword):
        return bool(keyed) and (part.arg in UNSAID or called(call) == "Thread")
    if called(part) in ("tr", "later", "tr_n"):
        return True
    if keyed and isinstance(part, ast.Assign):
        return getattr(part.targets[0], "id", "") in UNSAID
    if not isinstance(call, ast.Call):
        return False
    place = keyed.get(called(call), len(call.args))
    return part in call.args[place : place + 1]


def called(call: ast.AST | None) -> str:
    """The name of what is called, "" for what is no call."""
    what = getattr(call, "func", None)
    what = what.value if isinstance(what, ast.Subscript) else what
    return str(getattr(what, "id", getattr(what, "attr", "")))


def test_declared_words_are_read_in_the_language_of_the_reader(monkeypatch):
    monkeypatch.setattr(words, "_catalog", lambda language: Shouting())
    assert kc.MDAV.title == kc.MDAV().title == "MDAV" and kc.MDAV.summary == kc.MDAV.summary.upper()
    assert kc.KAnonymity.meaning.isupper() and kc.TopDown().guarantees(3)[0].meaning.isupper()
    table = table_of(age=[1, 1, 2, 2])
    release = release_of(table, [0, 0, 1, 1])
    assert kc.KAnonymity(2).check(table, release).sentence.startswith("EVERY PUBLISHED RECORD SHARES")


class Shouting(gettext.NullTranslations):
    """A language of capitals."""

    def gettext(self, message: str) -> str:
        return re.sub(r"{[^}]*}|[^{]+", lambda m: m[0] if m[0][0] == "{" else m[0].upper(), message)
