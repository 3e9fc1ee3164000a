"""``python -m deploy``: pin what is installed here, and say under which licenses.

It writes ``deploy/requirements.lock`` (every package of ``pyproject.toml`` with its extra “team”, and all
they need, in the versions that are installed here where they are, with the digests of their files for every
platform), ``deploy/requirements-dev.lock`` (the same of what tests and checks need), ``deploy/sbom.json``
(CycloneDX) and ``docs/reference/licenses.md``. It needs the programs uv and cyclonedx-py and asks the package
index.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK, DEV = ROOT / "deploy" / "requirements.lock", ROOT / "deploy" / "requirements-dev.lock"
SBOM, LICENSES = ROOT / "deploy" / "sbom.json", ROOT / "docs" / "reference" / "licenses.md"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
"""A package and its version in the lock."""
HEAD = """# Licenses

Kanon is under Apache-2.0 ([LICENSE](../../LICENSE)). This page is made by `python -m deploy`.

## Shipped with it

| what | where | license |
|---|---|---|
| Leaflet | `assets/vendor/leaflet` | BSD-2-Clause |
| Leaflet.Sync | `assets/vendor/sync` | BSD-3-Clause |
| leaflet.fullscreen | `assets/vendor/fullscreen` | MIT |
| leaflet-measure | `assets/vendor/measure` | MIT |
| Leaflet.MousePosition | `assets/vendor/mouse_position` | MIT |
| Leaflet.awesome-markers | `assets/vendor/awesome_markers` | MIT |
| jQuery | `assets/vendor/jquery` | MIT |
| Glyphicons Halflings, of Bootstrap 3 | `assets/vendor/glyphicons` | MIT |
| outlines of Natural Earth | `assets/vendor/basemap` | public domain |
| names of places of GeoNames | `assets/vendor/places` | CC BY 4.0 |

## Installed with it

The packages of `deploy/requirements.lock`, which are not part of Kanon, as their own descriptions say it.
Streamlit's package holds a front end in JavaScript with licenses of its own.

| package | version | license |
|---|---|---|
"""
ELSEWHERE = "only on other systems or versions of Python: see its own description"


def main() -> None:
    """Write the three files."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder, "here.txt")
        here.write_text("\n".join(sorted(f"{one.name}=={one.version}" for one in distributions())), "utf-8")
        compile_ = ("uv", "pip", "compile", "--constraint", str(here), *HOW)
        _run(*compile_, "pyproject.toml", "--extra", "team", f"--output-file={LOCK.relative_to(ROOT)}")
        _run(*compile_, "requirements-dev.txt", f"--output-file={DEV.relative_to(ROOT)}")
    _run("cyclonedx-py", "requirements", str(LOCK), "--output-reproducible", "--of", "JSON", "-o", str(SBOM))
    SBOM.write_text(json.dumps(listed(json.loads(SBOM.read_text("utf-8"))), indent=1) + "\n", "utf-8")
    rows = (f"| {name} | {version} | {said} |\n" for name, version, said in licenses())
    LICENSES.write_text(HEAD + "".join(rows), "utf-8")


def listed(made: dict[str, Any]) -> dict[str, Any]:
    """The list for scanners with the digests of each package at its place, its license, and no address of an
    index, which it need not come from."""
    said = {name: license for name, _, license in licenses()}
    for one in made["components"]:
        del one["description"]
        one["hashes"] = [digest for place in one.pop("externalReferences") for digest in place["hashes"]]
        one["licenses"] = [{"license": {"name": said[one["name"]]}}]
    return made


HOW = (
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--quiet",
)


def _run(*command: str) -> None:
    if shutil.which(command[0]) is None:
        sys.exit(f"{command[0]} is needed: pip install uv cyclonedx-bom")
    subprocess.run(command, cwd=ROOT, check=True)


def licenses() -> Iterator[tuple[str, str, str]]:
    """Every package of the lock, its version and its license."""
    there = {_plain(one.name): one for one in distributions()}
    for name, version in PINNED.findall(LOCK.read_text("utf-8")):
        one = there.get(_plain(name))
        yield name, version, license_of(one) if one else ELSEWHERE


def license_of(package: Distribution) -> str:
    """Return the license that a package states: an expression, else its classifiers, else a short text."""
    about = package.metadata
    if said := about.get("License-Expression"):
        return str(said)
    classified = about.get_all("Classifier") or ()
    kinds = [one.split(" :: ")[-1] for one in classified if one.startswith("License ::")]
    short = str(about.get("License") or "").strip().partition("\n")[0]
    return ", ".join(kinds) or short or "not said"


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
