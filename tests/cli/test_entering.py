"""`kanon app --sign-in FILE`: what the file must say is told before anything is served."""

from __future__ import annotations

import importlib.util

import pytest

from kanon_core.base.entrance import NEEDED, VARIABLE, Entrance
from kanon_core.cli import main, serving
from tests.helpers import looped

SAID = {
    "redirect_uri": "https://kanon.example.org/oauth2callback",
    "cookie_secret": "0123456789abcdef0123456789abcdef",
    "client_id": "kanon",
    "client_secret": "hush",
    "server_metadata_url": "https://login.example.org/.well-known/openid-configuration",
}


@pytest.fixture
def served(monkeypatch):
    """The commands that would have been run, each with its environment; the packages are there."""
    found = []
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(
        serving, "_run", lambda command, environment: found.append((command, environment)) or 0
    )
    known = importlib.util.find_spec
    there = ("authlib", "httpx")
    monkeypatch.setattr(serving.importlib.util, "find_spec", lambda name: name in there or known(name))
    return found


def file(folder, said=SAID, enter='enter = ["example.org"]'):
    path = folder / "team.toml"
    lines = [f'{name} = "{value}"' for name, value in said.items()]
    path.write_text("\n".join(["[auth]", *lines, "[kanon]", enter]), "utf-8")
    return path


def test_the_server_is_told_the_file_and_that_nobody_enters_without(tmp_path, served):
    path = file(tmp_path)
    assert main(["app", "--name", "kanon.example.org", "--sign-in", str(path)]) == 0
    ((command, environment),) = served
    assert command[-2:] == ["--secrets.files", str(path)] and environment[VARIABLE] == "1"
    assert "hush" not in str(command)
    assert main(["app"]) == 0 and VARIABLE not in served[-1][1]


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_missing_is_named(name, tmp_path, served, capsys):
    path = file(tmp_path, {key: value for key, value in SAID.items() if key != name})
    assert main(["app", "--sign-in", str(path)]) == 2 and not served
    said = capsys.readouterr().err
    assert f"team.toml: the section [auth] needs further entries: {name}." in said and "hush" not in said


@looped(
    "said, enter, says",
    [
        ({"cookie_secret": "short"}, 'enter = ["x.org"]', "at least 32 characters"),
        ({"redirect_uri": "https://kanon.example.org/"}, 'enter = ["x.org"]', "/oauth2callback"),
        ({}, "", "the file does not list who may enter"),
        ({}, "enter = []", "the file does not list who may enter"),
        ({}, 'enter = "x.org"', "the file does not list who may enter"),
        ({}, 'enter = ["x.org", ""]', "the file does not list who may enter"),
        ({}, "enter = [", "cannot be read as TOML"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_served(said, enter, says, tmp_path, served, capsys):
    assert main(["app", "--sign-in", str(file(tmp_path, SAID | said, enter))]) == 2 and not served
    assert says in capsys.readouterr().err


def test_a_file_that_is_not_there_and_packages_that_are_not(tmp_path, served, capsys, monkeypatch):
    assert main(["app", "--sign-in", str(tmp_path / "none.toml")]) == 2
    assert "none.toml given with --sign-in cannot be read" in capsys.readouterr().err
    monkeypatch.setattr(serving.importlib.util, "find_spec", lambda name: name != "authlib" or None)
    assert main(["app", "--sign-in", str(file(tmp_path))]) == 2
    assert "authlib; install them with: pip install 'kanon[team]'" in capsys.readouterr().err


@looped(
    "enter, address, admitted",
    [
        (["example.org"], "ann@example.org", True),
        (["@Example.org"], "ANN@EXAMPLE.ORG ", True),
        (["example.org"], "ann@evil-example.org", False),
        (["example.org"], "ann@example.org.evil.com", False),
        (["example.org"], "ann@sub.example.org", False),
        (["example.org"], "example.org", False),
        (["example.org"], "@example.org", False),
        (["ann@example.org"], "bob@example.org", False),
        (["ann@example.org"], "ann@example.org", True),
        (["ann@example.org"], '"ann@example.org"@evil.com', False),
        (["@"], "ann@", False),
        (["*"], "", True),
        ([], "ann@example.org", False),
    ],
)
def test_who_may_enter(enter, address, admitted):
    assert Entrance.of({"kanon": {"enter": enter}}).admits(address) is admitted


@looped("sections", [{}, {"kanon": "all"}, {"kanon": {"enter": "*"}}, {"kanon": {"enter": [1, "*"]}}])
def test_what_is_not_understood_lets_nobody_in(sections):
    assert not Entrance.of(sections).admits("ann@example.org")
