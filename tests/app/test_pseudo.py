"""Every page in a language that nobody speaks (`tests.pseudo`): nothing fails, no placeholder is left
unfilled, nothing English is left but what comes from data."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.base import words
from kanon_core.base.streets import EXAMPLE
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PLACES, opened
from tests.charts.itemtables import paper
from tests.charts.purchasetables import purchases
from tests.pseudo import Pseudo, fields, known, outside, pseudo
from tests.test_house import CODE, STILL_ENGLISH, named, tree_of

SAYS = {"label", "help", "body", "text", "options", "placeholder", "alt", "content", "title", "legend"}
"""Fields of Streamlit's elements that people read."""
ENGLISH = re.compile(r"(?<![\w.{-])[A-Za-z]{2,}[,;:]? +[a-z]{2,}(?![\w(.=/])")
"""Two words."""
MARKUP = re.compile(r"<style.*?</style>|<svg.*?</svg>|<td.*?</td>|<[^>]*>", re.DOTALL)
UNFILLED = re.compile(r"\{([a-z_0-9]+)[:!}]")


@pytest.fixture
def language(monkeypatch) -> Pseudo:
    """Every reader's language, from here on."""
    spoken = Pseudo()
    monkeypatch.setattr(words, "_catalog", lambda language: spoken)
    return spoken


def people() -> Session:
    table = kc.read_table("sample:people-100")
    return Session(table, "People in a city at midnight (100)", "sample:people-100", Setting(kc.MDAV(), 5))


def concealed() -> Session:
    session = people()
    session.ask(algorithm=kc.OptimalConcealment(), k=4)
    return session


def prescriptions() -> Session:
    return Session(paper(), "Nine prescriptions (9)", "sample:nine", Setting(kc.TopDown(), 2))


def customers() -> Session:
    return Session(purchases(), "purchases", "upload:1", Setting(kc.PurchaseHistories(), 3))


TABS = {
    "clusters/matchings": "concealment view",
    "clusters/sets": "sets view",
    "clusters/people": "histories view",
}
"""The keys of the tabs of a view."""
VIEWS = {
    "clusters/matchings": ("Possible matches", "Cycles", "Distances", "All records"),
    "clusters/sets": ("Items", "Before and after", "Groups", "Pairs", "Step by step", "Lattice"),
    "clusters/people": ("People", "One person", "Products", "Balance", "Ours and the paper's", "Attack"),
}
"""The tabs of a view."""
SESSIONS: dict[str, tuple[Callable[[], Session], ...]] = {
    "clusters/sets": (people, prescriptions),
    "clusters/people": (people, customers),
    "clusters/matchings": (people, concealed),
    "tune": (people, concealed, prescriptions, customers),
    "data": (people, prescriptions, customers),
    "clusters/groups": (people, concealed, customers),
    "map": (people, concealed),
}
"""On which tables a page is looked at, where it shows something else on each; else on one."""


@pytest.mark.deep
@pytest.mark.parametrize("page", PLACES)
def test_a_page_speaks_the_language_of_its_reader(page, language):
    for made in SESSIONS.get(page, (people,)):
        for test in looks(page, made()):
            assert not test.exception
            told = [text for text in texts(test) if text != EXAMPLE]  # a form of address, no message
            assert any("⟦" in text for text in told)
            assert not [text for text in told if set(UNFILLED.findall(text)) & NAMES]
            assert not {text for text in map(outside, told) if ENGLISH.search(text) and not counted(text)}
    assert not language.unknown, "python -m tests.catalog"


NAMES = set().union(*map(fields, known()))
"""The names of all placeholders."""


def looks(page: str, session: Session) -> Iterator[AppTest]:
    """The page with everything unfolded, each of its tabs in turn."""
    for title in VIEWS.get(page, ("",)):
        test = opened(page, session, **{TABS[page]: pseudo(title)} if title else {})
        yield test
        folds = dict.fromkeys(folded(test._tree), True)
        for fold, state in folds.items():
            test.session_state[fold] = state
        yield test.run()


def folded(node: Any) -> Iterator[str]:
    """The keys of what is folded or behind a button."""
    block = getattr(node, "proto", None)
    for kind in ("expandable", "popover"):
        if block is not None and type(block).__name__ == "Block" and block.HasField(kind):
            yield getattr(block, kind).id.split("-", 2)[-1]
    for part in getattr(node, "children", {}).values():
        yield from folded(part)


def texts(test: AppTest) -> Iterator[str]:
    """Return the texts that people read on a page: labels, help, options, texts of our own elements, titles
    of tables."""

    def of(node: Any) -> Iterator[str]:
        proto = getattr(node, "proto", None)
        if proto is not None and node.type not in ("code", "arrow_data_frame"):
            yield from read(proto)
        for part in getattr(node, "children", {}).values():
            yield from of(part)

    return of(test._tree)


def read(proto: Any) -> Iterator[str]:
    for field, value in proto.ListFields():
        for one in value if field.is_repeated else [value]:
            if field.type == field.TYPE_MESSAGE:
                yield from read(one)
            elif field.type == field.TYPE_STRING and field.name in SAYS:
                yield plain(one)


def plain(text: str) -> str:
    """Without markup, and without the signs that keep Markdown from reading it."""
    return unescape(MARKUP.sub(" · ", text)).replace("\\", "").replace("\u2060", "")


def counted(text: str) -> bool:
    """Return whether the text has a piece, of two words or more, of a sentence that the rules of the house
    still count as untranslated."""
    return any(piece in text for piece in GAPS)


def _gaps() -> Iterator[str]:
    for path in CODE:
        if "/".join(named(path).split("/")[:2]) in STILL_ENGLISH:
            for node in ast.walk(tree_of(path)):
                piece = node.value if isinstance(node, ast.Constant) else None
                if isinstance(piece, str) and re.search(r"\w+ \w+", piece):
                    yield piece.strip()


GAPS = sorted(set(_gaps()))
