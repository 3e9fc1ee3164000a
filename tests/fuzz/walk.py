"""One made-up person in the app, and what must be true of every page that they see."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from pages.shell import page_address
from pages.shell.menu import parts_of
from pages.state.session import Session
from tests.app.screens import address, choose
from tests.fuzz.alone import Stopper

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"zq\d+[a-z]+")
"""A cell that is in no other column, and that no word on a page contains."""
PRIVATE = ("identifier", "person", "sensitive")
_CHIP = re.compile(r"<span><b>(.*?)</b> (.*?)</span>")
_BOTH = re.compile(r"([\d,]+) requested, ([\d,]+) achieved")
_FIELDS = {
    "button": "trigger_value",
    "toggle": "bool_value",
    "checkbox": "bool_value",
    "selectbox": "string_value",
    "text_input": "string_value",
    "number_input": "double_value",
}
_LISTS = {"slider": "double_array_value", "multiselect": "string_array_value"}
_LISTS["button_group"] = "string_array_value"


@dataclass
class Walk:
    """The app as it is open, and what its user has in hand."""

    rng: random.Random
    stopper: Stopper
    test: AppTest = field(init=False)
    saved: bytes = b""
    meant: tuple[object, ...] = ()
    uploaded: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A new tab."""
        self.test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()

    @property
    def session(self) -> Session | None:
        """Return the session that the app keeps for this tab; None before it has one."""
        state = self.test.session_state
        if "kanon" not in state:
            return None
        return state["kanon"]

    def visit(self, place: str) -> None:
        """Another page, or a view of it."""
        page, view = parts_of(place)
        choose(self.test, page, view)
        self.test.switch_page(str(ROOT / "pages" / page / "page.py")).run()

    def send(self, control: Widget, value: object) -> None:
        """Send what a browser sends when this control is changed; texts of menus go as they are shown."""
        states = self.test._tree.get_widget_states()
        for one in [one for one in states.widgets if one.id == control.id]:
            states.widgets.remove(one)
        changed = WidgetState(id=control.id)
        if control.type in _LISTS:
            getattr(changed, _LISTS[control.type]).data[:] = value
        else:
            setattr(changed, _FIELDS[control.type], value)
        states.widgets.append(changed)
        self.test._run(states)

    def press(self, words: str) -> bool:
        """Presses a button whose key or label begins so, if there is one that can be pressed."""
        for one in self.test.button:
            if not one.proto.disabled and ((one.key or "").startswith(words) or one.label.startswith(words)):
                self.send(one, True)
                return True
        return False


def private_marks(session: Session | None) -> set[str]:
    """The marked cells that may never be told."""
    if session is None:
        return set()
    named = [attribute.name for attribute in session.table.schema.of_role(*PRIVATE)]
    return set(MARK.findall(" ".join(" ".join(map(str, session.table.frame[name])) for name in named)))


def wrong(walk: Walk, private: set[str]) -> str:
    """Return what is wrong with the page on screen; "" when nothing is. ``private``: cells that its messages
    must not show."""
    test, session = walk.test, walk.session
    for one in test.exception:
        return f"an exception: {one.message}\n{one.stack_trace}"
    shown = [block.proto.body for block in test.get("html")] + [text.value for text in test.markdown]
    told = [problem.value for problem in (*test.error, *test.warning)]
    if any("Traceback" in text for text in (*shown, *told)):
        return "a traceback"
    if cells := {cell for text in told for cell in MARK.findall(text.replace("\\", ""))} & private:
        return f"private cells {sorted(cells)[:3]} in: {' '.join(told)[:500]}"
    if "withheld; please report" in " ".join(told).replace("\\", ""):
        return f"a broken promise: {' '.join(told)}"
    bar = next((body for body in shown if 'class="statusbar"' in body), "")
    own = any(f"<h1>{title}</h1>" in body for body in shown for title in ("Learn", "Check"))
    if not bar or session is None or own:  # those pages have bars of their own
        return ""
    return _disagreement(session, bar) or _elsewhere(walk, session)


def _disagreement(session: Session, bar: str) -> str:
    """Return the difference between the status bar and the setting; "" when there is none."""
    chips = {unescape(name): unescape(said) for name, said in _CHIP.findall(bar)}
    setting = session.setting
    if chips.get("algorithm") != setting.title:
        return f"the status bar says {chips.get('algorithm')}, the setting {setting.title}"
    if f"{len(session.table):,} records" not in chips["table"]:
        return f"the status bar says {chips['table']}, the table has {len(session.table):,} records"
    if not chips["k"].startswith(str(setting.guarantee.requested)):
        return f"the status bar says k {chips['k']}, the setting {setting.guarantee.requested}"
    numbers = _BOTH.match(chips["k"])
    if numbers and int(numbers[1].replace(",", "")) > int(numbers[2].replace(",", "")):
        return f"less than what was asked: {chips['k']}"
    return ""


def _elsewhere(walk: Walk, session: Session) -> str:
    """Return the difference between the address and the session; "" when there is none."""
    here = address(walk.test)
    there = page_address.address_of(session)
    wrong = {name: here.get(name) for name in there if here.get(name) != there[name]}
    return f"the address says {wrong}, the session {there}" if wrong else ""
