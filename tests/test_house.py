"""Rules of the house that a program can check: imports, sizes, no trace of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
        *(ROOT / "docs").glob("*.md"),
        *(path for path in ROOT.iterdir() if path.suffix in (".md", ".toml", ".txt")),
        *(path for folder in (".ci", ".streamlit") for path in (ROOT / folder).rglob("*") if path.is_file()),
    }
)
MACHINE_PATH = re.compile(r"(?<![\w./:<])/(opt|work|home|root|Users|mnt|srv)/\w|\b[A-Z]:\\\w")

each_file = pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))


def test_imports_point_one_way():
    command = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_imports_without_streamlit_and_nothing_heavy():
    """Every module but the kernels, in a fresh interpreter in which streamlit cannot be imported; the package
    itself imports nothing, and no module a compiler or what only some functions need."""
    program = """
import importlib, pkgutil, sys
sys.modules["streamlit"] = sys.modules["streamlit_folium"] = None
import kanon_core
some = {"numba", "scipy", "sklearn", "openpyxl"}
everything = some | {"numpy", "pandas", "pyarrow", "plotly", "folium"}
assert not everything & set(sys.modules), everything & set(sys.modules)
for module in pkgutil.walk_packages(kanon_core.__path__, "kanon_core."):
    if not module.name.endswith(("_kernels", "__main__", ".compiled")):
        importlib.import_module(module.name)
assert not some & set(sys.modules), some & set(sys.modules)
for name in kanon_core.__all__:
    assert getattr(kanon_core, name) is not None
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@each_file
def test_files_are_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= 300


@each_file
def test_functions_are_short(path):
    """40 lines, 80 for a compiled kernel; the docstring is not counted."""
    most = 80 if path.stem.endswith("_kernels") else 40
    long = {name: lines for name, lines in function_lengths(path) if lines > most}
    assert not long


def function_lengths(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            described = ast.get_docstring(node) is not None
            doc = node.body[0]
            skipped = (doc.end_lineno or 0) - doc.lineno + 1 if described else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - skipped


@each_file
def test_public_things_have_docstrings(path):
    tree = ast.parse(path.read_text("utf-8"))
    bare = [] if ast.get_docstring(tree) or not tree.body else ["the module"]
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            if any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list):
                continue
            bare += [] if ast.get_docstring(node) else [node.name]
            inner = node.body if isinstance(node, ast.ClassDef) else []
            methods = [
                part for part in inner if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")
            ]
            bare += [f"{node.name}.{part.name}" for part in methods if not ast.get_docstring(part)]
    assert not bare


def test_no_file_names_a_place_of_one_machine():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEXTS
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not found
