"""The wheel: what is in it, and that it works in an empty environment, away from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.servers import free_port, wait_for

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    pytest.importorskip("hatchling", reason="the wheel is built by hatchling, of requirements-dev.txt")
    folder = tmp_path_factory.mktemp("wheel")
    how = ("-q", "--no-deps", "--no-index", "--no-build-isolation")
    run(sys.executable, "-m", "pip", "wheel", *how, "-w", folder, ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def place(wheel, tmp_path_factory) -> Path:
    """The folder of the commands of an environment that has the wheel, and what it needs from here."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    python = commands / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python),
        *("install", "-q", "--no-deps", "--no-index", "--no-compile", wheel),
    )
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", asked).strip())
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"))
    return commands


def run(*words: object, cwd: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.deep
def test_the_wheel_has_two_folders_and_what_they_need(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"kanon_core", "kanon_app"}
    assert {
        "kanon_core/py.typed",
        "kanon_app/assets/map/rectangles.js",
        "kanon_app/assets/map/ground.js",
        "kanon_app/assets/map/page.js",
        "kanon_app/assets/vendor/places/places.json",
        "kanon_app/app.py",
        "kanon_app/pages/data/page.py",
        "kanon_app/.streamlit/config.toml",
        "kanon_app/assets/samples/people-100.csv",
        "kanon_app/assets/vendor/leaflet/leaflet.js",
        "kanon_app/assets/vendor/basemap/detail.json",
    } <= set(names)
    assert not [name for name in names if re.search(r"__pycache__|\.nb[ic]$|make_|screenshot", name)]


@pytest.mark.deep
def test_the_command_works_away_from_the_checkout(place, tmp_path):
    assert run(place / "kanon", "describe", "sample:people-100", cwd=tmp_path).startswith("100 records")
    words = "anonymize sample:people-100 --algorithm sorting --k 5 --metrics ncp --out released.csv"
    assert "k-anonymity: holds" in run(place / "kanon", *words.split(), cwd=tmp_path)
    assert len((tmp_path / "released.csv").read_text("utf-8").splitlines()) == 101


@pytest.mark.deep
def test_the_library_and_the_command_need_no_package_of_the_screens(place, tmp_path):
    program = """
import sys
for name in ("streamlit", "plotly"):
    sys.modules[name] = None
import kanon_core as kc
from kanon_core.cli import main
assert "site-packages" in kc.__file__, kc.__file__
kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), 5)
for words in ("describe sample:people-100", "algorithms", "metrics"):
    assert main(words.split()) == 0
assert main(["app"]) == 2
"""
    run(place / "python", "-c", program, cwd=tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("installed", [True, False], ids=["wheel", "checkout"])
def test_the_command_serves_the_screens(installed, place, tmp_path):
    port = str(free_port())
    command = [place / "kanon"] if installed else [sys.executable, "-m", "kanon_core"]
    server = subprocess.Popen(
        [*map(str, command), "app", "--port", port],
        cwd=tmp_path if installed else ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(server, f"http://127.0.0.1:{port}")
    finally:
        os.killpg(server.pid, 15)
        server.wait(20)


def test_requirements_are_those_of_the_package_with_its_screens():
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    named = [line for line in lines if line and not line.startswith("#")]
    assert named == [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["app"]]
