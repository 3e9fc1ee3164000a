"""A learner without a browser: a client that speaks the app's protocol.

A tab of a browser and the server exchange protocol buffers over a WebSocket, ``/_stcore/stream``: the tab
sends `BackMsg`, which ask for a run of the page with the values of its controls, and gets `ForwardMsg`, which
hold the elements of the page, one by one, and at last that the run has ended. A large element that the tab
has is not sent again but named by its hash. Parts of a page that look for news ask for a run of their own
every second. All this is done here as a browser does it; nothing is drawn.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
import urllib.request
from collections.abc import Collection
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kanon_core.table.samples import sample

PATIENCE = 60.0
"""Seconds after which a move without an answer is an error."""
_TAG = re.compile("<[^>]*>")
_MARKS = re.compile(r"[\\\u2060]")
"""The signs that hide those of Markdown in text."""
_COOKIE = re.compile("^[^;]*")
_RUNS_KEPT = 2


@dataclass
class _Large:
    """A large element that the tab has, and the run that named it last."""

    delta: Any
    run: int


@dataclass
class Learner:
    """One tab of a server at ``address`` that looks at a sample, beginning at k."""

    address: str
    table: str
    k: int
    slider: str = ""
    """The id of the slider of k, once it was sent."""
    algorithm: str = "MDAV"
    query: str = ""
    bytes_taken: int = 0
    problems: list[str] = field(default_factory=list)
    """Messages that the page should not have shown: a traceback, or an answer to another learner."""
    alerts: list[str] = field(default_factory=list)
    """Warnings and errors of the page, as they are read."""
    _socket: ClientConnection | None = field(default=None, repr=False)
    _page: str = ""
    _fragment: str = ""
    _values: dict[str, WidgetState] = field(default_factory=dict, repr=False)
    _large: dict[str, _Large] = field(default_factory=dict, repr=False)
    _runs: int = 0
    _status: str = ""
    _answered: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _clocks: dict[str, asyncio.Task[None]] = field(default_factory=dict, repr=False)
    _listening: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The title of the table, as the page shows it."""
        return sample(self.table).title.partition(" (")[0]

    async def enter(self, seconds: float = PATIENCE) -> None:
        """Open the page at its address, as a new tab does, and wait for the first result."""
        head = await asyncio.to_thread(_cookies, self.address)
        self.query = urlencode({"table": self.table, "algorithm": self.algorithm, "k": self.k})
        self._socket = await connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=self.address,  # type: ignore[arg-type]
            additional_headers={"Cookie": head},
            max_size=None,
        )
        self._listening = asyncio.create_task(self._listen(self._socket))
        await self._ask(BackMsg(), seconds)

    async def move(self, k: int, seconds: float = PATIENCE) -> float:
        """Move the slider to k; seconds until the answer for this k is complete."""
        self.k = k
        self._values[self.slider].double_array_value.data[:] = [float(k)]
        asked = BackMsg()
        asked.rerun_script.fragment_id = self._fragment
        return await self._ask(asked, seconds)

    async def leave(self) -> None:
        """Close the tab."""
        for task in (*self._clocks.values(), *filter(None, [self._listening])):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketException):  # or the server was gone
                await task
        if self._socket is not None:
            await self._socket.close()

    async def _ask(self, message: BackMsg, seconds: float) -> float:
        self._status = ""
        self._answered.clear()
        assert self._listening is not None
        begun = time.perf_counter()
        await self._send(message)
        answer = asyncio.create_task(self._answered.wait())
        waited = [answer, self._listening]
        try:
            await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise self._silence(seconds)
        finally:
            answer.cancel()
        return time.perf_counter() - begun

    def _silence(self, seconds: float) -> ConnectionError:
        """Return the reason for no answer: the connection was closed, or nothing was said."""
        assert self._socket is not None
        assert self._listening is not None
        what = f"no answer for {self.table}, k = {self.k}"
        if not self._listening.done():
            return ConnectionError(f"{what}, within {seconds:.0f} s; the page says {self._status!r}")
        why = self._listening.exception()
        return ConnectionError(f"{what}: closed with {self._socket.close_code}, {why or 'in order'}")

    async def _send(self, message: BackMsg) -> None:
        """Ask for a run, with what a browser says each time."""
        assert self._socket is not None
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self._page
        state.widget_states.widgets.extend(self._values.values())
        state.cached_message_hashes.extend(self._large)
        state.context_info.locale = "en"
        state.context_info.timezone = "UTC"
        state.context_info.color_scheme = "light"
        state.context_info.url = self.address
        await self._socket.send(message.SerializeToString())

    async def _listen(self, socket: ClientConnection) -> None:
        async for data in socket:
            assert isinstance(data, bytes)
            self.bytes_taken += len(data)
            message = ForwardMsg.FromString(data)
            self._take(message)

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            known = self._large[message.ref_hash]
            known.run = self._runs
            self._element(known.delta)
        elif kind == "new_session":
            self._page = message.new_session.page_script_hash
            if not message.metadata.run.fragment_ids:  # the whole page begins anew
                for fragment in list(self._clocks):
                    self._end(fragment)
        elif kind == "auto_rerun":
            self._look_again(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._end(fragment)
        elif kind == "delta":
            if message.metadata.cacheable:
                self._large[message.hash] = _Large(message.delta, self._runs)
            self._element(message.delta)
        elif kind == "script_finished":
            self._forget(message.metadata.run.fragment_ids)
            self._finished()

    def _forget(self, fragments: Collection[str]) -> None:
        """Forget a large element, as browsers do, once two runs of its part did not name it."""
        self._runs += 1
        for key, known in list(self._large.items()):
            ran = not fragments or known.delta.fragment_id in fragments
            if ran and self._runs - known.run > _RUNS_KEPT:
                del self._large[key]

    def _finished(self) -> None:
        """Take note that a run has ended: the answer is complete if it shows this learner's table and k."""
        if not self._status:
            return
        if f"k {self.k} requested" in self._status and not self._answered.is_set():
            asked = parse_qs(self.query)
            if (asked["table"], asked["k"]) != ([self.table], [str(self.k)]):
                self.problems.append(f"{self.table}, k = {self.k}, but the address says {self.query}")
            self._answered.set()

    def _element(self, delta: Any) -> None:
        """Take note of what one element shows, and of the value of a control."""
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "html" and 'class="statusbar"' in element.html.body:
            self._status = unescape(_TAG.sub("", element.html.body))
            if self.name not in self._status:
                self.problems.append(f"{self.name} was asked for, and shown: {self._status}")
        elif kind == "bidi_component" and element.bidi_component.component_name == "kanon.address":
            self.query = json.loads(element.bidi_component.json)["query"].removeprefix("?")
        elif kind == "exception":
            self.problems.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "alert":
            self.alerts.append(_MARKS.sub("", element.alert.body))
        elif kind == "slider":
            one = element.slider
            if one.label.startswith("k:"):
                self.slider, self._fragment = one.id, delta.fragment_id
            state = WidgetState(id=one.id)
            state.double_array_value.data.extend(one.value if one.set_value else one.default)
            self._keep(one.set_value, state)
        elif kind == "number_input":
            number = element.number_input
            value = number.value if number.set_value else number.default
            self._keep(number.set_value, WidgetState(id=number.id, double_value=value))

    def _keep(self, said: bool, state: WidgetState) -> None:
        """Keep the value of a control: the one that the server sends, else the one before."""
        if said or state.id not in self._values:
            self._values[state.id] = state

    def _look_again(self, fragment: str, seconds: float) -> None:
        if fragment not in self._clocks:
            self._clocks[fragment] = asyncio.create_task(self._clock(fragment, seconds))

    def _end(self, fragment: str) -> None:
        if fragment in self._clocks:
            self._clocks.pop(fragment).cancel()

    async def _clock(self, fragment: str, seconds: float) -> None:
        """Ask for a run of a part of the page, again and again."""
        while True:
            await asyncio.sleep(seconds)
            message = BackMsg()
            message.rerun_script.fragment_id, message.rerun_script.is_auto_rerun = fragment, True
            await self._send(message)


def _cookies(address: str) -> str:
    """The name that the server gives a browser with its first page."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as page:
        given = page.headers.get_all("set-cookie") or []
    return "; ".join(found[0] for one in given if (found := _COOKIE.match(one)))
