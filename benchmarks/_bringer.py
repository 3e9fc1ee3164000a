"""A learner who brings a table of their own: the same client, which also uploads a file on the Data page."""

from __future__ import annotations

import asyncio
import itertools
import re
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks._learner import PATIENCE, Learner

_XSRF = re.compile("(?:^|; )_streamlit_xsrf=([^;]*)")
_EDGE = "kanon-soak-edge"


class RefusedError(Exception):
    """Raised with the page's reason for not taking a file."""


@dataclass
class Bringer(Learner):
    """A learner who uploads files while they look at the pages."""

    brought: str = ""
    """The name of the file that was uploaded last, without its ending."""
    _session: str = ""
    _pages: dict[str, str] = field(default_factory=dict, repr=False)
    _first: str = ""
    _field: str = ""
    _places: dict[str, FileURLs] = field(default_factory=dict, repr=False)
    _told: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _between: bool = False
    _count: Iterator[int] = field(default_factory=itertools.count, repr=False)

    @property
    def name(self) -> str:
        """The title of the table, as the page shows it; "" on the way from one to the next."""
        return "" if self._between else self.brought or super().name

    async def bring(self, name: str, content: bytes, seconds: float = PATIENCE) -> None:
        """Upload a file on the Data page, go back to Tune, and wait at most so long for the first result."""
        await self.give(name, content)
        self._page, self._values = self._first, {}
        await self._ask(BackMsg(), seconds)

    async def give(self, name: str, content: bytes) -> None:
        """Upload a file on the Data page, and wait until it is the table; raises RefusedError with what the
        page says where it does not take it."""
        self.alerts.clear()
        await self._give(name, content, lambda: bool(self.alerts) or f"{name}.csv" in self._status)
        if f"{name}.csv" not in self._status:
            raise RefusedError(" ".join(self.alerts))
        self.brought, self.table = name, "own"
        self._between = False

    async def _give(self, name: str, content: bytes, there: Callable[[], bool]) -> None:
        """Upload a file on the Data page, and wait until the page says what is asked for."""
        self._between = True
        await self._to("data", lambda: bool(self._field))
        place = await self._place(f"{name}.csv")
        await asyncio.to_thread(self._put, place.upload_url, f"{name}.csv", content)
        given = WidgetState(id=self._field)
        info = given.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = f"{name}.csv", len(content), place.file_id
        info.file_urls.CopyFrom(place)
        self._values[self._field] = given
        await self._until(BackMsg(), there)

    async def _to(self, page: str, there: Callable[[], bool]) -> None:
        self._page, self._values, self._field = self._pages[page], {}, ""
        await self._until(BackMsg(), there)

    async def _until(self, message: BackMsg, there: Callable[[], bool]) -> None:
        """Send, and wait until the page says it."""
        self._status = ""
        await self._send(message)
        await self._wait(there)

    async def _wait(self, there: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not there():
                    self._told.clear()
                    await self._told.wait()
        except TimeoutError:
            field_there = "is there" if self._field else "is missing"
            raise TimeoutError(f"the page says {self._status!r}, its field for files {field_there}") from None

    async def _place(self, file: str) -> FileURLs:
        """Return the address at which the server takes a file."""
        asked, number = BackMsg(), str(next(self._count))
        asked.file_urls_request.request_id = number
        asked.file_urls_request.session_id = self._session
        asked.file_urls_request.file_names.append(file)
        assert self._socket is not None
        await self._socket.send(asked.SerializeToString())
        await self._wait(lambda: number in self._places)
        return self._places.pop(number)

    def _put(self, path: str, file: str, content: bytes) -> None:
        """Send a file as browsers do, with the token that the server gave."""
        with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=PATIENCE) as answer:
            cookie = answer.headers["set-cookie"].partition(";")[0]
        token = _XSRF.search(cookie)
        assert token is not None
        head = f'--{_EDGE}\r\nContent-Disposition: form-data; name="file"; filename="{file}"\r\n\r\n'
        told = {
            "Content-Type": f"multipart/form-data; boundary={_EDGE}",
            "Cookie": cookie,
            "X-Xsrftoken": token[1],
        }
        body = head.encode() + content + f"\r\n--{_EDGE}--\r\n".encode()
        put = urllib.request.Request(f"{self.address}{path}", body, told, method="PUT")
        with urllib.request.urlopen(put, timeout=PATIENCE) as answer:
            assert answer.status == 204, answer.status

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash" and message.ref_hash not in self._large:
            return  # named while this tab dropped it; a browser would load the page anew
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
        elif kind == "navigation":
            pages = message.navigation.app_pages
            self._pages = {one.url_pathname: one.page_script_hash for one in pages}
            self._first = next(one.page_script_hash for one in pages if one.is_default)
        elif kind == "file_urls_response":
            self._places[message.file_urls_response.response_id] = message.file_urls_response.file_urls[0]
        super()._take(message)
        self._told.set()

    def _element(self, delta: Any) -> None:
        element = delta.new_element
        if element.WhichOneof("type") == "file_uploader" and not self._field:
            self._field = element.file_uploader.id
        super()._element(delta)
