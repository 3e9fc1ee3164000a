"""What tests of single pages share: a page opened on a session, and what it shows."""

from __future__ import annotations

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.state.session import Session

PAGES = Path(__file__).resolve().parents[2] / "pages"
EXPLAINED = re.compile('<button type="button" class="word".*?</button><span popover.*?</span></span>')


def opened(page: str, session: Session, **state: object) -> AppTest:
    """The page on this session; ``sets_view="Groups"`` sets the state “sets view”."""
    test = AppTest.from_file(PAGES / page / "page.py", default_timeout=60)
    test.session_state["kanon"] = session
    for key, value in state.items():
        test.session_state[key.replace("_", " ")] = value
    return test.run()


def words(test: AppTest) -> str:
    """What our own elements say, but for what is behind a "?"."""
    assert not test.exception
    return EXPLAINED.sub("", " ".join(block.proto.body for block in test.get("html")))


def charts(test: AppTest) -> list[str]:
    """What is sent of each chart."""
    assert not test.exception
    return [chart.proto.spec for chart in test.get("plotly_chart")]


def components(test: AppTest) -> list:
    """What is sent of the page's own components; those of its frame are left out."""
    assert not test.exception
    found = [component.proto for component in test.get("bidi_component")]
    frame = ("leaving", "lens", "presence", "presenting", "scheme")
    return [one for one in found if one.component_name.split(".")[-1] not in frame]


def control(found, name: str):
    """The one of these controls that goes by this name; it has another key once its value was changed from
    elsewhere."""
    return next(one for one in found if re.fullmatch(rf"{re.escape(name)}( \d+)?", one.key or ""))
