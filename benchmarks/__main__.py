"""Run the benchmarks and print one table: ``python -m benchmarks [NAME …]``.

A benchmark is a module of this package with a function ``rows()`` that yields dicts: ``work`` (what was
done), ``ours_s``, ``peer`` (who else did it), ``peer_s``, ``target_s``, ``note``, all but the first optional;
``ours_mb`` and ``target_mb`` are megabytes, and any other key becomes a column. Seconds are wall time, the
least of several runs, unless the note says otherwise. A line above the table tells the machine; its load
tells whether the numbers are to be trusted.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import pkgutil
import platform
import sys
from collections.abc import Iterator
from typing import Any

import benchmarks
from kanon_core.base.version import __version__
from kanon_core.cli.output import text_table

_KNOWN = (
    "benchmark",
    "work",
    "ours_s",
    "peer",
    "peer_s",
    "ratio",
    "target_s",
    "ours_mb",
    "target_mb",
    "met",
    "note",
)
_NUMBERS = ("ours_s", "peer_s", "ratio", "target_s", "ours_mb", "target_mb")


def main() -> int:
    """Print the machine and the rows; 1 when a benchmark failed, 2 for an unknown name."""
    there = sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name[0] != "_"
    )
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(there)}; all when left out")
    names = parser.parse_args().names or there
    unknown = sorted(set(names) - set(there))
    if unknown:
        print(f"There is no benchmark {unknown[0]}; choose from {', '.join(there)}.", file=sys.stderr)
        return 2
    print(machine())
    found: list[dict[str, Any]] = []
    failures: list[str] = []
    for name in names:
        try:
            for row in measured(name):
                print(f"  {name}: {row['work']}", file=sys.stderr, flush=True)
                found.append(row)
        except Exception as problem:
            failures.append(f"{name} failed: {type(problem).__name__}: {problem}")
    print(table(found))
    print("\n".join(failures), file=sys.stderr)
    return 1 if failures else 0


def machine() -> str:
    """Cores, load and versions in one line."""
    load = f", load {os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""
    versions = ", ".join(
        f"{name} {_version(name)}" for name in ("numpy", "numba", "pandas", "scipy", "streamlit")
    )
    python = f"Python {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} cores{load}; kanon {__version__}, {python}, {versions}"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def measured(name: str) -> Iterator[dict[str, Any]]:
    """The rows of one benchmark, with how many times as long the peer took and whether the target was met."""
    module = importlib.import_module(f"benchmarks.{name}")
    if not hasattr(module, "rows"):
        print(f"  {name} has no rows for this table: python -m benchmarks.{name}", file=sys.stderr)
        return
    for row in module.rows():
        ours, peer, target = row.get("ours_s"), row.get("peer_s"), row.get("target_s")
        ours, target = ours or row.get("ours_mb"), target or row.get("target_mb")
        yield {
            **row,
            "benchmark": name,
            "ratio": peer / ours if ours and peer else None,
            "met": "" if not ours or not target else "yes" if ours <= target else "no",
        }


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as aligned text; columns that nobody filled are left out."""
    keys = [*_KNOWN[:-1], *dict.fromkeys(key for row in rows for key in row if key not in _KNOWN), _KNOWN[-1]]
    keys = [key for key in keys if any(row.get(key) not in (None, "") for row in rows)]
    cells = [[_text(key, row.get(key)) for key in keys] for row in rows]
    numeric = [
        place for place, key in enumerate(keys) if key in _NUMBERS or not any(row[place] for row in cells)
    ]
    return text_table(
        [key.replace("_s", " s").replace("_mb", " MB") if key in _NUMBERS else key for key in keys],
        cells,
        numeric,
    )


def _text(key: str, value: Any) -> str:
    if value is None:
        return ""
    if key == "ratio":
        return f"{value:.3g}×"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
