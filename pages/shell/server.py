"""Server: start-up, its own routes, and its logs.

Streamlit runs scripts only for browsers. `lifespan` runs before: it requires every protection, keeps uploads
in memory and requests offline, and imports the first pages and compiles missing code in a thread.
"""

from __future__ import annotations

import ast
import asyncio
import gc
import logging
import sys
import threading
import traceback
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib import import_module
from types import TracebackType
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route

from kanon_core.base.classroom import Classroom
from kanon_core.base.errors import KanonError, OptionError
from kanon_core.base.headroom import held
from kanon_core.base.words import tr
from pages.shell import tabs
from pages.shell.access import ServerLimits, SignInRequired, key_file_addresses
from pages.shell.frame import SERVER_ROUTE, page_file, server_name
from pages.shell.headers import BrowserCookie, SecureCookies, SecurityHeaders
from pages.shell.menu import FIRST, other_addresses, parts_of
from pages.shell.private import insist
from pages.shell.server_address import below, server_address, stay_offline
from pages.shell.sign_in import SIGN_IN_ROUTE, begin_sign_in, entrance
from pages.shell.views import PARAMETER
from pages.state.turns import TURNS

MIDDLEWARE = [
    Middleware(layer)
    for layer in (SecurityHeaders, SecureCookies, SignInRequired, ServerLimits, BrowserCookie)
]
"""The middleware that every request passes, from the outside in, before Streamlit sees it."""
FIRST_PAGES = ("tune", "data")
"""The pages that people open first."""
_LAZY = ("PIL.Image", "pages.state.session", "kanon_core.table.readers", "pages.state.warmup")
"""The modules imported inside functions for the icon, the first page and the first sample."""
_PATIENCE = 2.0
"""Seconds for which a new server waits for its imports."""
_AROUND_FILE = 1024 * 1024
"""The most bytes that a browser sends in addition to a file."""
SWITCH_SECONDS = 0.0005
"""Seconds of a thread's turn. With Python's own 5 ms, the thread that answers browsers waits for all running
pages each time: for seconds with thirty of them."""
RICH_LOGS = "logger.enableRich"
"""Streamlit's option to write errors in colors where the package rich is installed, past every log."""
COUNTS_ROUTE = "/kanon/counts"
"""The route of the counts."""
COUNTS = {
    "kanon_tabs": "Tabs that are open.",
    "kanon_running": "Long computations that are running.",
    "kanon_waiting": "Long computations that wait for their turn.",
    "kanon_memory_bytes": "Memory of the server process.",
}
"""The meaning of each count; all may rise and fall."""
_OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
_COUNT_LINES = "# TYPE {name} gauge\n# HELP {name} {says}\n{name} {value}"
_REPORTED = "kanon_seen"
"""The mark of an error that is already in the log."""


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncGenerator[None]:
    """Start the imports with the server. It answers when they are done or after two seconds, since an earlier
    request would slow both. If a protection is missing, it does not start and says why."""
    try:
        insist(signing_in=entrance() is not None)
        refuse_rich_logs()
    except KanonError as reason:
        sys.stderr.write(f"{reason}\n")
        raise
    stay_offline()
    keep_uploads_in_memory()
    key_file_addresses()
    if Classroom.of() is None:  # the command for a class prints its own text
        sys.stdout.write(tr("Kanon: {address}").format(address=server_address()) + "\n")
        sys.stdout.flush()
    sys.setswitchinterval(SWITCH_SECONDS)
    done = asyncio.create_task(asyncio.to_thread(prepare))
    await asyncio.wait([done], timeout=_PATIENCE)
    gc.freeze()  # the garbage collector skips imported objects, which stay
    tidying = asyncio.create_task(tabs.tidy_for_ever())
    with logs_without_texts():
        yield
    tidying.cancel()


def prepare() -> None:
    """Start compiling, and import ahead."""
    from pages.state import warmup

    warmup.start()
    import_ahead()
    import pyarrow as pa

    # Arrow's own allocator would keep the freed memory of a large file.
    pa.set_memory_pool(pa.system_memory_pool())


def import_ahead() -> None:
    """Import what the first pages import; if an import fails, the page that needs it will say so."""
    with suppress(Exception):
        for module in first_modules():
            import_module(module)


def first_modules() -> Iterator[str]:
    """Yield the modules that the first pages import. Import each before the next is requested."""
    yield from _LAZY
    for page in FIRST_PAGES:
        for node in ast.parse(page_file(page).read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                for name in node.names:  # some are modules themselves
                    if not hasattr(sys.modules[node.module], name.name):
                        yield f"{node.module}.{name.name}"


def keep_uploads_in_memory() -> None:
    """Receive files of any accepted size in memory.

    The parser of the web server would write files above 1 MB to a temporary file. The option
    ``server.maxUploadSize`` limits the size of a file, in MB.
    """
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") * 1024 * 1024 + _AROUND_FILE


def refuse_rich_logs() -> None:
    """Raise OptionError where errors would be written past every log, with their text."""
    if st.get_option(RICH_LOGS):
        raise OptionError(
            tr(
                "Kanon cannot start with the option {option}: the log would contain the texts of"
                " errors, which may contain private cells. Start Kanon without this option."
            ).format(option=RICH_LOGS)
        )


@contextmanager
def logs_without_texts() -> Iterator[None]:
    """Log errors without their text, also those of threads, within this context."""
    make, hook = logging.getLogRecordFactory(), threading.excepthook

    def made(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        if record.exc_info:
            record.exc_text, record.exc_info = without_text(*record.exc_info[1:]), None
        return record

    def failed(error: threading.ExceptHookArgs) -> None:
        sys.stderr.write(f"{without_text(error.exc_value, error.exc_traceback)}\n")

    logging.setLogRecordFactory(made)
    threading.excepthook = failed
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)
        threading.excepthook = hook


def without_text(problem: BaseException | None, where: TracebackType | None) -> str:
    """Return the lines of code that an error passed, its type and the types of its causes.

    >>> try:
    ...     float("Ann")
    ... except ValueError as problem:
    ...     "Ann" in without_text(problem, None), without_text(problem, None)
    (False, 'ValueError')
    """
    kinds = list[str]()
    while problem is not None and len(kinds) < 10:
        kinds.append(type(problem).__name__)
        problem = problem.__cause__ or problem.__context__
    return "".join(traceback.format_tb(where)) + ", after ".join(kinds)


def short_of_memory(problem: Exception) -> bool:
    """Return whether an error that ended a page needs no further message: a lack of memory, which the page
    then reports, or an error of a fragment that was already reported."""
    behind = problem.__cause__ or problem.__context__
    setattr(problem, _REPORTED, True)
    if getattr(behind, _REPORTED, False):
        return True
    if not isinstance(problem, MemoryError):
        return False
    from kanon_core.base.memory import give_back
    from pages.state.jobs import SHORT
    from pages.widgets.text import error

    give_back()
    error(tr(SHORT))
    return True


def routes() -> list[Route]:
    """Return this server's own routes: its name, counts, the way in, and other addresses of pages."""
    return [
        Route(below(SERVER_ROUTE), server_name),
        Route(below(COUNTS_ROUTE), counts),
        Route(below(SIGN_IN_ROUTE), begin_sign_in),
        *(Route(below(f"/{other}"), _redirect) for other in other_addresses()),
    ]


async def _redirect(request: Request) -> RedirectResponse:
    """Lead to the page and its view, with the same table, algorithm and k."""
    page, view = parts_of(other_addresses()[request.url.path.rsplit("/", 1)[-1]])
    asked = (f"{PARAMETER}={view}" if view else "", request.url.query)
    query = "&".join(filter(None, asked))
    address = below("/" if page == FIRST else f"/{page}")
    return RedirectResponse(f"{address}?{query}" if query else address)


async def counts(request: Request) -> PlainTextResponse:
    """Return the numbers, in the text format of OpenMetrics: no cell, name, address or setting."""
    text = "\n".join(_lines()) + "\n# EOF\n"
    return PlainTextResponse(text, media_type=_OPENMETRICS, headers={"cache-control": "no-store"})


def _lines() -> Iterator[str]:
    values = (tabs.count_open(), TURNS.running, TURNS.waiting, held())
    for (name, says), value in zip(COUNTS.items(), values, strict=True):
        yield _COUNT_LINES.format(name=name, says=says, value=value)
