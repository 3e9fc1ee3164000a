"""Files from which a server for a team is installed and started."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from deploy.__main__ import PINNED, license_of
from kanon_core.cli import serving
from kanon_core.cli.commands import parser
from tests.app.test_offline import refused, watched
from tests.needs import needs
from tests.servers import ROOT, healthy

UNIT, CONTAINER = ROOT / "deploy" / "kanon.service", ROOT / "deploy" / "Containerfile"
LOCK, DEV_LOCK = ((ROOT / "deploy" / f"requirements{of}.lock").read_text("utf-8") for of in ("", "-dev"))
NAME = "kanon.example.org"
STEPS = "FROM WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK ENTRYPOINT"
HARDENED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "IPAddressDeny": "any",
    "MemorySwapMax": "0",
    "LimitCORE": "0",
    "CapabilityBoundingSet": "",
}


def unit() -> dict[str, str]:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str
    read.read_string(UNIT.read_text("utf-8"))
    return dict(read["Service"])


def started(command: list[str], gigabytes: str) -> tuple[str, str | None]:
    """The name and the address of the server that a command starts. Files are refused before so much memory
    is taken that all work is ended."""
    program, *words = command
    given = parser(words).parse_args(words)
    assert Path(program).name == "kanon" and given.command == "app"
    assert int(given.memory) * 10**6 < int(gigabytes) * 2**30
    return given.name, given.listen


def test_the_unit_is_hardened_and_starts_what_there_is():
    said = unit()
    assert {name: said[name] for name in HARDENED} == HARDENED
    assert started(shlex.split(said["ExecStart"]), said["MemoryMax"].removesuffix("G")) == (NAME, None)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=needs("systemd"))
def test_systemd_reads_the_unit_and_finds_little_to_say(tmp_path):
    copy = tmp_path / "kanon.service"
    started = re.sub("ExecStart=[^ ]*", f"ExecStart={sys.executable}", UNIT.read_text("utf-8"))
    copy.write_text(started, "utf-8")
    for check in ("verify", "security"):
        how = ["--offline=true", "--threshold=20"] if check == "security" else []
        done = subprocess.run(
            ["systemd-analyze", check, *how, str(copy)], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stdout[-500:] + done.stderr


def test_the_container_installs_what_is_pinned_and_runs_as_nobody():
    lines = CONTAINER.read_text("utf-8").splitlines()
    said = [line for line in lines if line and not line.startswith(("#", " "))]
    assert {line.split()[0] for line in said} <= set(STEPS.split())
    assert any("--require-hashes -r deploy/requirements.lock" in line for line in said)
    assert said.index("USER kanon") < next(i for i, line in enumerate(said) if line.startswith("ENTRYPOINT"))
    copied = {name for line in said if line.startswith("COPY ") for name in line.split()[1:-1]}
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    assert {*wheel["only-include"], *wheel["force-include"], ".gitignore"} <= copied and "." not in copied
    shell = json.loads(said[-1].removeprefix("ENTRYPOINT "))
    (limit,) = re.findall("--memory ([0-9]+)g --memory-swap [0-9]+g --ulimit core=0", "".join(lines))
    assert f"--memory-swap {limit}g" in "".join(lines), "memory goes to swap"
    assert started(shlex.split(shell[2])[1:], limit) == ("$KANON_NAME", "0.0.0.0")


@pytest.mark.deep
@pytest.mark.parametrize("listen", [None, "0.0.0.0"], ids=["unit", "container"])
def test_a_server_for_a_proxy_answers_to_its_name_and_asks_nobody(tmp_path, listen):
    """As the unit and the container start it."""
    book = tmp_path / "asked"
    with watched(book, False, *serving.reached(NAME, listen)) as (address, _):
        assert healthy(address)
        assert not refused(address, f"https://{NAME}", NAME) and not refused(address, address)
        assert refused(address, "https://evil.example", "evil.example")
        assert refused(address, "https://evil.example", NAME)
    assert [line for line in book.read_text("utf-8").splitlines() if "127.0.0.1" not in line] == []


def test_everything_is_pinned_with_digests_and_nothing_tells_where_it_came_from():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = " ".join((*project["dependencies"], *extras["app"], *extras["team"]))
    wanted = set(re.findall(r"([a-z-]+)[><=]", asked))
    assert {"numpy", "streamlit", "authlib"} <= wanted <= {name for name, _ in PINNED.findall(LOCK)}
    for lock in (LOCK, DEV_LOCK):
        for one in re.split(r"\n(?=\S)", lock.strip()):
            assert PINNED.match(one) and re.search("--hash=sha256:[0-9a-f]{64}", one), one[:80]
        assert "://" not in lock and " @ " not in lock and "file:" not in lock
    tests = set(re.findall(r"(?m)^([a-z-]+)[><=]", (ROOT / "requirements-dev.txt").read_text("utf-8")))
    assert {"pytest", "playwright"} <= tests <= {name for name, _ in PINNED.findall(DEV_LOCK)}


def test_the_list_for_scanners_and_the_licenses_name_every_package():
    pinned = PINNED.findall(LOCK)
    listed = json.loads((ROOT / "deploy" / "sbom.json").read_text("utf-8"))["components"]
    assert {(one["name"], one["version"]) for one in listed} == set(pinned)
    assert all(one["hashes"] and one["licenses"] and "externalReferences" not in one for one in listed)
    page = (ROOT / "docs" / "reference" / "licenses.md").read_text("utf-8")
    assert all(f"| {name} | {version} | " in page for name, version in pinned)
    assert "not said" not in page


def test_licenses_are_what_packages_say():
    assert license_of(distribution("numpy")).startswith("BSD-3-Clause")
    assert "Apache" in license_of(distribution("streamlit"))
