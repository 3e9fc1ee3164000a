"""Serving: to this machine alone, or on purpose to a class."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys

import pytest

from kanon_core.base.assets import APP
from kanon_core.base.classroom import VARIABLE, Classroom
from kanon_core.cli import main, serving
from tests.helpers import looped


@pytest.fixture
def served(monkeypatch):
    """The commands that would have been run, each with its environment."""
    found = []

    def run(command, environment):
        found.append((command, environment))
        return 0

    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(serving, "_run", run)
    monkeypatch.setattr(serving, "_host", lambda: "192.0.2.7")
    return found


@looped("words", ["app --port 8600", "serve --port 8600"])
def test_without_a_class_only_this_machine_is_served(words, served, monkeypatch):
    monkeypatch.setenv(VARIABLE, Classroom("http://192.0.2.8:1").environment()[VARIABLE])  # left by somebody
    assert main(words.split()) == 0
    command, environment = served[-1]
    assert command[-2:] == ["--server.port", "8600"] and "--server.address" not in command
    assert Classroom.of(environment) is None
    assert 'address = "127.0.0.1"' in (APP / ".streamlit" / "config.toml").read_text("utf-8")


def test_a_server_asks_for_few_pools_of_memory_unless_somebody_said_how_many(served, monkeypatch):
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    for how_many in ("4", "9"):
        assert main(["app"]) == 0 and served[-1][1]["MALLOC_ARENA_MAX"] == how_many
        monkeypatch.setenv("MALLOC_ARENA_MAX", "9")


@pytest.mark.skipif(os.name != "posix", reason="no process becomes another there")
def test_who_ends_the_command_ends_the_server():
    """A signal reaches one process: if the server were another, it would go on without its command."""
    prints = "import os; print(os.getpid(), os.environ['MARK'])"
    server = [sys.executable, "-c", prints, "--server.port", "0"]
    command = f"from kanon_core.cli.serving import _run; print('said'); _run({server}, {{'MARK': 'x'}})"
    with subprocess.Popen([sys.executable, "-c", command], text=True, stdout=subprocess.PIPE) as started:
        assert started.communicate(timeout=60)[0].split() == ["said", str(started.pid), "x"]


def test_a_class_is_served_to_the_network_with_samples_only(served, capsys):
    assert main(["serve", "--class", "--port", "8600"]) == 0
    ((command, environment),) = served
    assert command[-2:] == ["--server.address", "0.0.0.0"]
    assert Classroom.of(environment) == Classroom("http://192.0.2.7:8600")
    said = capsys.readouterr().out
    assert "http://192.0.2.7:8600" in said and "█" in said
    assert "the server refuses every file" in said and "At most 60 browser tabs" in said


def test_a_demo_takes_few_visitors_and_no_file(served, capsys):
    assert main(["serve", "--demo", "--host", "demo.example.org"]) == 0
    ((command, environment),) = served
    assert command[-2:] == ["--server.address", "0.0.0.0"]
    assert Classroom.of(environment) == Classroom("http://demo.example.org:8501", learners=8, demo=True)
    said = capsys.readouterr().out
    assert "refuses every file" in said and "At most 8 browser tabs" in said and "kanon prepare" in said


def test_files_a_number_of_learners_and_a_name_can_be_asked_for(served, capsys):
    more = "--uploads --learners 12 --host desk.local"
    assert main(["serve", "--class", "--port", "8600", *more.split()]) == 0
    assert Classroom.of(served[0][1]) == Classroom("http://desk.local:8600", True, 12)
    said = capsys.readouterr().out
    assert "At most 12 browser tabs" in said and "unencrypted" in said and "refuses" not in said


def test_the_code_on_the_terminal_is_that_of_the_address():
    """As it is printed, two rows of squares to a line: the upper and lower halves of signs."""
    import segno

    room = Classroom("http://192.0.2.7:8501")
    printed = serving.announced(room).split(room.address)[0].splitlines()
    wanted = [[bool(dark) for dark in row] for row in segno.make(room.address).matrix_iter(border=2)]
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    found = [[halves[sign][half] for sign in line] for line in printed if line for half in (0, 1)]
    assert found[: len(wanted)] == wanted


@looped(
    "words, said",
    [
        ("serve --port 0", "1 to 65535"),
        ("serve --class --port many", "1 to 65535"),
        ("serve --uploads", "add --class"),
        ("serve --learners 5", "add --class"),
        ("serve --host here", "add --class"),
        ("serve --demo --class", "no class"),
        ("serve --demo --uploads", "no files"),
        ("serve --demo --learners 0", "1 to 1000"),
        ("serve --class --learners 0", "1 to 1000"),
        ("serve --class --learners some", "1 to 1000"),
        ("serve --class --host a/b", "name or address"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(words, said, served, capsys):
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err and not served


@looped("command", ["app", "serve"])
def test_a_port_in_use_is_an_error_that_names_the_remedy(command, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([command, "--port", str(port)]) == 2
    assert (
        f"Port {port} is in use by another program; choose another one, such as --port "
        in capsys.readouterr().err
    )


def test_a_package_that_is_absent_is_named(served, capsys, monkeypatch):
    usual = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "segno" else usual(name))
    assert main(["serve", "--class"]) == 2
    assert "segno" in capsys.readouterr().err and not served
    assert main(["serve"]) == 0  # who does not serve a class needs none
