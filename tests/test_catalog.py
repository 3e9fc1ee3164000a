"""The catalog of messages: complete, up to date, and kept to by every translation."""

from __future__ import annotations

import ast

import pytest

from tests import catalog
from tests.pseudo import fields, known, pseudo
from tests.test_house import CODE, called, named, tree_of


@pytest.fixture(scope="module")
def found() -> set[str]:
    return set(catalog.messages(catalog.found()))


@pytest.mark.deep
def test_the_template_has_the_messages_that_babel_finds(found):
    assert set(catalog.messages(catalog.read(catalog.POT))) == found, "run: python -m tests.catalog"


def test_every_message_in_the_sources_is_in_it(found):
    """Babel does not see messages within an f-string before Python 3.12, so they stand before the string."""
    said = {
        (named(path), text.value)
        for path in CODE
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and called(call) in ("tr", "later", "tr_n")
        for text in call.args[: 2 if called(call) == "tr_n" else 1]
        if isinstance(text, ast.Constant)
    }
    assert len(said) > 1_000
    assert not {one for one in said if one[1] not in found}


def test_everything_declared_is_in_it(found):
    declared = {message for _, message in catalog.declared()}
    assert len(declared) > 700 and declared <= found


def test_the_template_names_files_without_lines():
    lines = catalog.POT.read_text("utf-8").splitlines()
    places = [line for line in lines if line.startswith("#:")]
    assert places and not any(":" in line[2:] for line in places)
    assert not any("python-format" in line for line in lines)


@pytest.mark.parametrize("path", sorted(catalog.POT.parent.glob("*/LC_MESSAGES/kanon.po")), ids=str)
def test_a_translation_keeps_what_is_filled_in(path):
    for message, said in catalog.messages(catalog.read(path)).items():
        assert not said or fields(said) == fields(message), message


def test_the_language_that_nobody_speaks_keeps_what_is_filled_in():
    for message in known():
        said = pseudo(message)
        assert fields(said) == fields(message) and len(said) > len(message)
        assert said.count("*") == message.count("*")
