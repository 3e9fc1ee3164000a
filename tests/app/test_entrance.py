"""Sign-in at a real OpenID provider: who is not signed in reaches nothing, and nobody reaches what is
another's – tried on a real server, by every route, cookie and id."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from websockets.exceptions import InvalidStatus

from pages.shell.access import OPEN
from tests.app.test_headers import PATHS
from tests.app.test_offline import watched
from tests.team import (
    ANN,
    BOB,
    EVE,
    SECRET,
    UNSURE,
    Visitor,
    drawn,
    media,
    place_for_a_file,
    session_of,
    team,
)

RELEASE = "table=people-100&algorithm=MDAV&k="
CLOSED = (
    *(path for path in PATHS if path not in OPEN),
    "/tune",
    "/none",
    "/_stcore",
    "/_stcore/health/",
    "/_stcore/stream",
    "/_stcore/metrics",
    "/_stcore/script-health-check",
    "/_stcore/agent/interact",
    "/_stcore/agent/openapi.json",
    "/_stcore/agent/mcp",
    "/_stcore/bidi-components/kanon.presence/index.js",
    "/app/static/none",
    "//kanon/counts",
    "//_stcore/health",
    "/kanon/sign-in/",
    "/auth/login/..%2F..%2Fkanon%2Fcounts",
)
OWN = ("'127.0.0.1'", "'::1'", "b'localhost'")
"""Forms in which a connection to this machine is written down."""
FILE = {"file": ("mine.csv", b"a,b\n1,2\n", "text/csv")}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with team(tmp_path_factory.mktemp("team")) as (address, book):
        yield address, book


@pytest.fixture
def visitor(server):
    """Makes visitors, each with a browser of their own."""
    made = []

    def another(name: str = "") -> Visitor:
        made.append(Visitor(server[0]))
        return made[-1].signed_in(name) if name else made[-1]

    yield another
    for one in made:
        one.close()


def shut(visitor, **how) -> bool:
    """Return whether the WebSocket refuses this visitor."""
    try:
        visitor.tab(**how).close()
    except InvalidStatus as refusal:
        assert refusal.response.status_code == 403
        return True
    return False


@contextmanager
def at(visitor, page="release", k=7):
    """A tab on a page, its session and what it was told."""
    with visitor.tab() as tab:
        told = drawn(tab, page, f"{RELEASE}{k}")
        yield tab, session_of(told), told


@pytest.mark.deep
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"])
def test_without_signing_in_every_route_is_closed(visitor, method):
    stranger = visitor()
    for path in CLOSED:
        content = b"a,b\n1,2\n" if method in ("POST", "PUT") else None
        answer = stranger.request(method, stranger.address + path, content=content)
        assert answer.status_code == 403, path
        assert "set-cookie" not in answer.headers and answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"]
    assert shut(stranger)


def test_what_is_open_tells_nothing(visitor):
    stranger = visitor()
    assert stranger.get("/_stcore/health").text == "ok"
    for path in ("/auth/login", "/auth/logout", "/oauth2callback?code=x&state=y", "/auth/login?provider=x"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["location"], answer.text) == (302, "/", ""), path
    assert stranger.get("/").status_code == 403


def test_a_page_says_what_to_do_and_other_routes_say_it_in_a_sentence(visitor):
    stranger = visitor()
    page = stranger.get("/data").text
    assert '<a href="/kanon/sign-in">Sign in</a>' in page and "for a team" in page and "<script" not in page
    assert stranger.get("/kanon/counts", headers={"accept": "*/*"}).text == "Sign in first.\n"


@pytest.mark.deep
def test_who_signed_in_works_and_who_signs_out_is_out(visitor):
    ann = visitor(ANN)
    page = ann.get("/")
    assert page.status_code == 200 and 'id="root"' in page.text
    assert ann.get("/kanon/counts").status_code == 200
    with at(ann) as (_, _, told):
        assert "Sign out" in str(told) and any("statusbar" in str(one) for one in told)
    answer = ann.get("/auth/logout")
    assert "/oauth2/end_session" in answer.headers["location"]
    assert ann.get("/").status_code == 403 and shut(ann)


def test_who_says_no_at_the_provider_stays_out(visitor):
    stranger = visitor()
    assert stranger.sign_in(ANN, action="deny").status_code == 403


@pytest.mark.deep
def test_only_those_on_the_list_enter(visitor):
    for name, email in ((EVE, EVE), ("ann@sub.example.org", "ann@sub.example.org")):
        other = visitor(name)
        page = other.get("/")
        assert page.status_code == 403 and f"signed in as {email}. This account has no access" in page.text
        assert other.get("/kanon/counts").status_code == 403 and shut(other)
    assert visitor(BOB).get("/").status_code == 200


def test_an_address_that_the_provider_has_not_confirmed_is_nobodys(visitor):
    mallory = visitor("mallory")
    page = mallory.get("/")
    assert page.status_code == 403 and UNSURE not in page.text and "without a confirmed" in page.text


@pytest.mark.deep
def test_a_cookie_that_was_not_signed_for_this_is_nobodys(visitor, server):
    said = {"iss": "x", "sub": "x", "email": ANN, "is_logged_in": True, "origin": server[0]}
    name, tokens = "_streamlit_user", "_streamlit_user_tokens"
    good = signed(SECRET, name, said)
    start = good.rindex(".") + 1  # of the signature; its last character has bits that nobody reads
    forged = [
        signed("another secret, as long as that one is", name, said),
        signed(SECRET, tokens, said),
        signed(SECRET, name, said | {"origin": "http://127.0.0.1:1"}),
        signed(SECRET, name, said | {"is_logged_in": False}),
        signed(SECRET, name, {key: value for key, value in said.items() if key != "sub"}),
        f"{good[:start]}{'A' if good[start] != 'A' else 'B'}{good[start + 1 :]}",
        good.split(".")[0],
        json.dumps(said).replace(" ", ""),
        "",
    ]
    assert status(visitor(), name, good) == 200
    assert {status(visitor(), name, one) for one in forged} == {403}
    ann = visitor(ANN)
    own = ann.cookies.get(tokens)
    assert own and status(visitor(), name, own) == 403


def signed(secret: str, name: str, said: dict) -> str:
    return create_signed_value(secret, name, json.dumps(said)).decode()


def status(visitor, name: str, cookie: str) -> int:
    visitor.cookies.set(name, cookie, domain="127.0.0.1")
    return visitor.get("/kanon/counts").status_code


def test_a_connection_comes_from_a_page_of_this_server(visitor):
    ann = visitor(ANN)
    assert not shut(ann)
    assert all(shut(ann, origin=origin) for origin in (None, "null", "http://evil.example"))


def test_a_connection_past_the_check_of_pages_is_nobodys_and_shows_nothing(visitor):
    """Streamlit takes nobody for signed in whose token against foreign pages is missing."""
    ann = visitor(ANN)
    with ann.tab(token=False) as tab:
        told = drawn(tab, "release", f"{RELEASE}7")
        assert "not signed in" in str(told) and not any("statusbar" in str(one) for one in told)
        place = f"/_stcore/upload_file/{session_of(told)}/x"
        assert put(ann, place) == 403


@pytest.mark.deep
def test_nobody_puts_or_takes_away_files_of_another(visitor):
    ann, bob = visitor(ANN), visitor(BOB)
    with at(ann, "data") as (tab, session, _):
        place = place_for_a_file(tab, session)
        assert put(ann, place) == 204
        other = place.rpartition("/")[0] + "/an-id-of-bobs"
        for tried in (place, other, place + "/", place.replace("/_stcore", "//_stcore")):
            assert put(bob, tried) == put(bob, tried, "DELETE") == 403, tried
        assert put(visitor(), place) == put(visitor(), place, "DELETE") == 403
        assert put(ann, "/_stcore/upload_file/none/none") == 403
        again = visitor(ANN)  # the same person in another browser
        assert put(again, place) == 204
        assert put(ann, place, "DELETE") == 204


def put(visitor, place: str, method: str = "PUT") -> int:
    headers = {"X-Xsrftoken": (visitor.cookies.get("_streamlit_xsrf") or "").strip('"')}
    files = FILE if method == "PUT" else None
    return visitor.request(method, visitor.address + place, files=files, headers=headers).status_code


@pytest.mark.deep
def test_nobody_sees_pictures_and_downloads_of_another(visitor):
    ann, bob = visitor(ANN), visitor(BOB)
    with at(ann, k=7) as (_, _, hers), at(bob, k=5) as (_, _, his):
        own, others = media(hers), media(his)
        assert own and others and not own & others  # also of the icon of the page, which is the same for all
        for path in own:
            assert ann.get(path).status_code == 200
            tried = (path, path.rpartition(".")[0], path.rpartition(".")[0] + ".png", f"/{path}")
            assert {bob.get(bob.address + one).status_code for one in tried} == {403}
            assert visitor().get(path).status_code == 403
        for path in others:
            assert bob.get(path).status_code == 200


@pytest.mark.deep
def test_nobody_takes_over_a_tab_of_another(visitor):
    ann, bob = visitor(ANN), visitor(BOB)
    with at(ann) as (tab, session, _), bob.tab(session) as his:
        assert session_of(drawn(his, "release", f"{RELEASE}5")) != session
        assert place_for_a_file(tab, session).split("/")[-2] == session  # hers goes on
    with bob.tab(session) as his:  # the connection is lost, and the tab kept for half a minute
        assert session_of(drawn(his, "release", f"{RELEASE}5")) != session
    with ann.tab(session) as tab:
        assert session_of(drawn(tab, "release", f"{RELEASE}7")) == session


@pytest.mark.deep
def test_nobody_finds_what_another_left_in_the_same_browser(visitor):
    """The cookie of the browser is the same; only who is signed in there differs."""
    ann, bob = visitor(ANN), visitor(BOB)
    with at(ann, "tune", k=17):
        pass
    bob.cookies.set("kanon", ann.cookies["kanon"], domain="127.0.0.1")
    with bob.tab() as tab:
        assert "k=17" not in str(drawn(tab, "tune"))
    with ann.tab() as tab:
        assert "k=17" in str(drawn(tab, "tune"))


def test_the_server_asks_the_provider_and_nobody_else(visitor, server):
    visitor(ANN)
    asked = server[1].read_text("utf-8").splitlines()
    assert asked and all(any(name in line for name in OWN) for line in asked)


@pytest.mark.deep
def test_a_server_that_cannot_read_who_may_enter_lets_nobody_in(tmp_path, monkeypatch):
    monkeypatch.setenv("KANON_SIGN_IN", "1")
    with watched(tmp_path / "asked", False, "--secrets.files", str(tmp_path / "none.toml")) as (address, _):
        stranger = Visitor(address)
        assert stranger.get("/").status_code == 403 and shut(stranger)
        name, said = "_streamlit_user", {"iss": "x", "sub": "x", "email": ANN, "is_logged_in": True}
        assert status(stranger, name, signed("", name, said)) == 403
