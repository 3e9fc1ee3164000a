"""A server for a team, a real OpenID provider on this machine, and people who sign in without a browser."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.app.test_offline import watched

httpx = pytest.importorskip("httpx", reason="sign-in needs the package httpx")
mock = pytest.importorskip(
    "oidc_provider_mock", reason="tests of sign-in need the package oidc-provider-mock"
)
pytest.importorskip("authlib", reason="sign-in needs the package Authlib")

ANN, BOB, EVE = "ann@example.org", "bob@example.com", "eve@example.com"
ENTER = ["example.org", BOB]
UNSURE = "mallory@example.org"
"""The address of somebody who claims to be at example.org, which the provider has not confirmed."""
SECRETS = """[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "{secret}"
client_id = "kanon"
client_secret = "told to nobody"
server_metadata_url = "{provider}/.well-known/openid-configuration"

[kanon]
enter = {enter}
"""
SECRET = "a secret of these tests, told to nobody"


@contextlib.contextmanager
def provider():
    """The address of a provider that knows everybody who asks."""
    people = [mock.User(sub="mallory", claims={"email": UNSURE, "email_verified": False})]
    with mock.run_server_in_thread(user_claims=people) as server:
        yield f"http://localhost:{server.server_port}"


@contextlib.contextmanager
def team(folder: Path):
    """The address of a server whose people sign in, and the file in which it writes whom it asks."""
    with provider() as known:
        book = folder / "asked"
        with watched(book, False, "--secrets.files", str(told(folder, known))) as (address, _):
            yield address, book


def told(folder: Path, known: str) -> Path:
    """The file that says where people sign in, and who may enter."""
    path = folder / "secrets.toml"
    path.write_text(SECRETS.format(secret=SECRET, provider=known, enter=ENTER), "utf-8")
    return path


class Visitor(httpx.Client):
    """Somebody with a browser of their own, of which only requests and cookies are real."""

    def __init__(self, address: str) -> None:
        super().__init__(base_url=address, timeout=30, headers={"accept": "text/html"})
        self.address = address

    def signed_in(self, name: str):
        """The same, after signing in at the provider under this name."""
        self.sign_in(name)
        self.get("/_stcore/health")  # whose answer brings the token against foreign pages
        return self

    def sign_in(self, name: str, action: str = ""):
        """The page that is shown after signing in; ``action``: "deny" goes back without."""
        form = self.get("/kanon/sign-in", follow_redirects=True)
        assert "Authorize" in form.text
        data = {"action": action} if action else {"sub": name}
        return self.post(form.url, data=data, follow_redirects=True)

    def tab(self, session: str = "", origin: str | None = "", token: bool = True):
        """A connection as a tab has one; ``session``: that which it says to have been."""
        cookies = "; ".join(
            f"{one.name}={one.value}" for one in self.cookies.jar if one.domain == "127.0.0.1"
        )
        said = (self.cookies.get("_streamlit_xsrf") or "none") if token else "none"
        return connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=["streamlit", said.strip('"'), *filter(None, [session])],
            origin=self.address if origin == "" else origin,
            additional_headers={"Cookie": cookies},
            max_size=None,
        )


def drawn(tab, page: str = "", query: str = "") -> list[ForwardMsg]:
    """Return the messages that a tab gets when it asks for a page, until the page is drawn."""
    asked = BackMsg()
    asked.rerun_script.page_name, asked.rerun_script.query_string = page, query
    asked.rerun_script.context_info.locale = "en"
    tab.send(asked.SerializeToString())
    found = []
    while True:
        found.append(ForwardMsg.FromString(tab.recv(timeout=120)))
        if found[-1].WhichOneof("type") == "script_finished" and found[-1].script_finished == 0:
            return found


def session_of(messages: list[ForwardMsg]) -> str:
    """The id that the server gave to a tab."""
    return next(one.new_session.initialize.session_id for one in messages if one.HasField("new_session"))


def place_for_a_file(tab, session: str) -> str:
    """The path to which the tab may upload a file."""
    asked = BackMsg()
    asked.file_urls_request.request_id = "1"
    asked.file_urls_request.file_names.append("mine.csv")
    asked.file_urls_request.session_id = session
    tab.send(asked.SerializeToString())
    while True:
        said = ForwardMsg.FromString(tab.recv(timeout=60))
        if said.HasField("file_urls_response"):
            return urljoin("/", said.file_urls_response.file_urls[0].upload_url)


def media(messages: list[ForwardMsg]) -> set[str]:
    """The paths of pictures and downloads on a page."""
    return {found for one in messages for found in re.findall(r"/media/[0-9a-f]+\.\w+", str(one))}
