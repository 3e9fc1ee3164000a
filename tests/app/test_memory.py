"""The memory that a server has of browsers, and the contents of addresses."""

from __future__ import annotations

import pytest

import kanon_core as kc
from pages.shell import memory, page_address
from pages.shell.memory import Memory
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import address, opened, words


def session_of(name: str = "people-100", k: int = 5) -> Session:
    return Session(kc.read_table(f"sample:{name}"), name, f"sample:{name}", Setting(kc.MDAV(), k, 2**127))


def anything(session: Session) -> bool:
    return True


@pytest.fixture
def there():
    """The tabs whose pages are open."""
    return {"tab 1", "tab 2"}


@pytest.fixture
def held(there):
    return Memory(there.__contains__)


def test_a_browser_finds_what_it_left_and_no_other_does(held, there):
    mine, yours = session_of(), session_of("nine", 3)
    held.keep("my cookie", "tab 1", mine)
    held.keep("your cookie", "tab 2", yours)
    assert held.resume("my cookie", anything) is None  # its page is still open
    there.clear()
    assert held.resume("third cookie", anything) is None and held.resume("", anything) is None
    assert held.resume("my cookie", anything) is mine
    assert held.resume("my cookie", anything) is None  # another tab has it now
    assert held.resume("your cookie", anything) is yours


def test_a_page_whose_connection_comes_back_is_not_given_to_another_tab(held, there):
    mine = session_of()
    held.keep("cookie", "tab 1", mine)
    there.discard("tab 1")
    held.tidy()
    there.add("tab 1")
    assert held.resume("cookie", anything) is None
    there.discard("tab 1")
    assert held.resume("cookie", anything) is mine


def test_of_several_the_last_that_suits_comes_back(held, there):
    first, last = session_of(), session_of("nine", 3)
    held.keep("cookie", "tab 1", first)
    held.keep("cookie", "tab 2", last)
    there.clear()
    assert held.resume("cookie", lambda session: session.source == "sample:people-100") is first
    assert held.resume("cookie", anything) is last


def test_what_was_left_an_hour_ago_is_forgotten(held, there, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(memory.time, "monotonic", lambda: now[0])
    held.keep("cookie", "tab 1", session_of())
    there.clear()
    held.tidy()
    now[0] = memory.HOUR - 1
    held.tidy()
    assert len(held._held) == 1
    now[0] = memory.HOUR + 1
    held.tidy()
    assert not held._held and held.resume("cookie", anything) is None


def test_what_is_too_much_makes_room_and_open_pages_stay(held, there, monkeypatch):
    monkeypatch.setattr(memory, "MOST_RECORDS", 250)
    there.add("open")
    held.keep("cookie", "open", session_of())
    for number in range(4):
        held.keep("cookie", f"tab {number}", session_of())
    there.intersection_update({"open"})
    held.tidy()
    assert [one.tab for one in held._held] == ["open", "tab 2", "tab 3"]


def test_a_browser_can_have_all_forgotten(held, there):
    held.keep("cookie", "tab 1", session_of())
    there.clear()
    held.forget("cookie")
    assert held.resume("cookie", anything) is None


def test_the_cookie_itself_is_not_kept(held):
    held.keep("a cookie of my own", "tab 1", session_of())
    assert "a cookie of my own" not in repr(held)


def test_an_address_leads_to_the_same_setting():
    session = session_of("nine", 3)
    session.ask(algorithm=kc.TopDown(known_items=2), k=2)
    other = session_of()
    assert not page_address.follow(other, page_address.address_of(session))
    assert (other.source, other.setting.algorithm, other.setting.k) == (
        "sample:nine",
        session.setting.algorithm,
        2,
    )


def test_an_address_has_neither_seed_nor_columns_of_an_own_table():
    session = session_of()
    session.ask(algorithm=kc.Sorting(by=("age",)), seed=77)
    assert "age" in page_address.address_of(session)["algorithm"]  # of a sample everybody knows the columns
    assert set(page_address.address_of(session)) == {"table", "algorithm", "k"}
    session.source, session.name = "upload:1", "patients of Dr Sato.csv"
    said = " ".join(page_address.address_of(session).values())
    assert said == "own Sorting 5"


@pytest.mark.parametrize(
    "wanted",
    [
        {"table": "no such sample"},
        {"algorithm": "Session"},
        {"algorithm": "<script>"},
        {"algorithm": '{"name": "MDAV", "options": {"x": 1}}'},
        {"algorithm": "{broken"},
        {"algorithm": "NCP"},
        {"k": "one"},
        {"k": "1"},
        {"k": "-3"},
    ],
)
def test_what_is_wrong_in_an_address_changes_nothing_and_is_said(wanted):
    session = session_of()
    before = session.setting
    said = page_address.follow(session, wanted)
    assert said.endswith(".") and session.setting == before and session.source == "sample:people-100"


def test_a_page_writes_its_address():
    test = opened("clusters", session_of(k=7))
    assert address(test) == {"table": "people-100", "algorithm": "MDAV", "k": "7"}


def test_an_address_that_is_older_than_the_setting_changes_nothing():
    """The address that a browser sends with a click may be outdated; only a new tab follows its address."""
    test = opened("clusters", session_of(k=7))
    test.query_params["k"] = "4"
    test.run()
    assert test.session_state["kanon"].setting.k == 7 and address(test)["k"] == "7"
    assert "7 requested, 7 achieved" in words(test)
