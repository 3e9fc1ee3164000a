"""The size and shape of the code: lines, files, rooms and their floors, circles, tests, names of others' own.

A room is a package right below `kanon_core`, and `pages` as a whole. Its floor is one above the highest room
that it imports; rooms that import one another share a floor, and make a circle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).resolve().parents[1]
PLACES = {"core": "kanon_core", "pages": "pages", "scripts and styles": "assets", "tests": "tests"}
OTHERS_OWN = re.compile(
    r"^(numba\.(core|np|cpython)\.|streamlit\.(?!testing\.|components\.v[12]\.|column_config\.))"
)
"""Modules of libraries that their documentation does not promise."""


def rows() -> Iterator[dict[str, Any]]:
    """The counts."""
    for name, folder in PLACES.items():
        files = [path for path in sources(folder) if "vendor" not in path.parts]
        yield {"work": f"{name}: lines", "count": sum(len(lines_of(path)) for path in files)}
        yield {"work": f"{name}: files", "count": len(files)}
    ours = [*sources("kanon_core"), *sources("pages")]
    yield {"work": "core and pages: files under 40 lines", "count": sum(len(lines_of(p)) < 40 for p in ours)}
    yield {"work": "tests: functions", "count": sum(map(tests_in, sources("tests")))}
    yield {"work": "imports of modules that libraries do not promise", "count": len(set(others_own(ours)))}
    rooms, floors, circles = shape(ours)
    yield {"work": "rooms", "count": rooms}
    yield {"work": "floors", "count": floors}
    yield {"work": "circles of rooms", "count": circles}


def sources(folder: str) -> list[Path]:
    """Return the files of code in a folder, sorted."""
    kinds = (".py", ".js", ".css") if folder == "assets" else (".py",)
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in kinds and path.is_file())


@cache
def lines_of(path: Path) -> list[str]:
    """Return the lines of a file."""
    return path.read_text("utf-8").splitlines()


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the parsed file."""
    return ast.parse("\n".join(lines_of(path)))


def tests_in(path: Path) -> int:
    """Return how many functions of a file are tests."""
    return sum(line.startswith("def test_") for line in lines_of(path))


def targets(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    found = set[str]()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return found


def others_own(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield file and module of each import that a library does not promise."""
    for path in paths:
        yield from ((path, module) for module in targets(path) if OTHERS_OWN.match(module + "."))


def room_of(path: Path) -> str:
    """Return the room of a file.

    >>> room_of(ROOT / "kanon_core" / "table" / "schema.py"), room_of(ROOT / "pages" / "map" / "page.py")
    ('table', 'pages')
    """
    return room(".".join(path.relative_to(ROOT).with_suffix("").parts))


def room(module: str) -> str:
    """Return the room of a module, "" where it is none of ours."""
    parts = module.split(".")
    if parts[0] == "pages":
        return "pages"
    return parts[1] if parts[0] == "kanon_core" and len(parts) > 1 and not parts[1].startswith("_") else ""


def shape(paths: Iterable[Path]) -> tuple[int, int, int]:
    """Return the numbers of rooms, of floors and of circles. Cost O(imports)."""
    arrows = {(room_of(path), room(target)) for path in paths for target in targets(path)}
    arrows = {(a, b) for a, b in arrows if a and b and a != b}
    names = sorted({one for arrow in arrows for one in arrow})
    place = {name: i for i, name in enumerate(names)}
    ends = np.array([(place[a], place[b]) for a, b in arrows]).reshape(-1, 2)
    graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(names), len(names)))
    count, of = connected_components(graph, connection="strong")
    below = {(int(of[a]), int(of[b])) for a, b in ends if of[a] != of[b]}

    @cache
    def floor(group: int) -> int:
        return 1 + max((floor(b) for a, b in below if a == group), default=0)

    circles = int((np.bincount(of, minlength=count) > 1).sum())
    return len(names), max(map(floor, range(count)), default=0), circles
