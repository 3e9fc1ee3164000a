"""Tools that tests of single pages share: a page opened on a session, and what it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from pages.shell import menu
from pages.state.session import Session

PAGES = Path(__file__).resolve().parents[2] / "pages"
PLACES = [
    f"{name}/{view}" if view else name
    for name, screen in menu.PAGES.items()
    for view in (screen.views or ("",))
]
"""Every page, and every view of those that have views."""
EXPLAINED = re.compile('<button type="button" class="word".*?</button><span popover.*?</span></span>')


def opened(place: str, session: Session, **state: object) -> AppTest:
    """The page, or a view of it (“clusters/people”), on this session; ``sets_view="Groups"`` sets the state
    “sets view”."""
    test = fresh(place, session)
    for key, value in state.items():
        test.session_state[key.replace("_", " ")] = value
    return test.run()


def fresh(place: str, session: Session) -> AppTest:
    """The page that is about to be opened on this session."""
    page, view = menu.parts_of(place)
    test = AppTest.from_file(PAGES / page / "page.py", default_timeout=60)
    test.session_state["kanon"] = session
    choose(test, page, view)
    return test


def choose(test: AppTest, page: str, view: str) -> None:
    """Open this view when the page is drawn next."""
    if view:
        test.session_state[f"view {page}"] = view


def words(test: AppTest) -> str:
    """Return the texts of our own elements, without those behind a "?"."""
    assert not test.exception
    return EXPLAINED.sub("", " ".join(block.proto.body for block in test.get("html")))


def charts(test: AppTest) -> list[str]:
    """Return the specification that is sent of each chart."""
    assert not test.exception
    return [chart.proto.spec for chart in test.get("plotly_chart")]


def components(test: AppTest) -> list:
    """Return what is sent of the page's own components, without those of its frame."""
    assert not test.exception
    found = [component.proto for component in test.get("bidi_component")]
    frame = ("address", "chooser", "leaving", "lens", "link", "presence", "presenting", "scheme", "tour")
    return [one for one in found if one.component_name.split(".")[-1] not in frame]


def address(test: AppTest) -> dict[str, str]:
    """The setting that the address of the page shows."""
    drawn = [one.proto for one in test.get("bidi_component") if one.proto.component_name == "kanon.address"]
    assert len(drawn) == 1
    return dict(parse_qsl(json.loads(drawn[0].json)["query"].removeprefix("?")))


def control(found, name: str):
    """The one of these controls that goes by this name; it has another key once its value was changed from
    elsewhere."""
    return next(one for one in found if re.fullmatch(rf"{re.escape(name)}( \d+)?", one.key or ""))
