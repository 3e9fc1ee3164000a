"""What a new server does before it answers.

Streamlit runs scripts only for browsers. This is its hook for the time before: a server that starts calls
`lifespan`, which keeps uploads in memory and has nobody asked for anything, and a thread imports what the
first pages import and has missing code compiled.
"""

from __future__ import annotations

import ast
import asyncio
import gc
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module

import streamlit as st

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from pages.shell.addresses import address_whole_files
from pages.shell.frame import page_file
from pages.shell.logs import insist_on_plain, without_texts
from pages.shell.offline import address, ask_nobody
from pages.shell.private import insist
from pages.shell.tabs import tidy_for_ever
from pages.shell.uploads import keep_in_memory
from pages.state.classroom import classroom
from pages.state.person import entrance

FIRST = ("tune", "data")
"""The pages that people open first."""
_UNSEEN = ("PIL.Image", "pages.state.session", "kanon_core.table.readers", "pages.shell.warmup")
"""What drawing the icon, opening a page and reading the first sample import inside functions."""
_PATIENCE = 2.0
TURN = 0.0005
"""Seconds that a thread computes before another one has its turn. Python's own 5 ms let the thread that talks
to the browsers wait for all pages that are being run, each time: with thirty of them, for seconds."""


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncGenerator[None]:
    """Start the imports with the server. It answers when they are done, or after two seconds: a browser that
    asks meanwhile only makes both slower. Where a protection is missing it does not start, and says why."""
    try:
        insist(signing_in=entrance() is not None)
        insist_on_plain()
    except KanonError as reason:
        sys.stderr.write(f"{reason}\n")
        raise
    ask_nobody()
    keep_in_memory()
    address_whole_files()
    if classroom() is None:  # for a class its command says more
        sys.stdout.write(tr("Kanon: {address}").format(address=address()) + "\n")
        sys.stdout.flush()
    sys.setswitchinterval(TURN)
    done = asyncio.create_task(asyncio.to_thread(begin))
    await asyncio.wait([done], timeout=_PATIENCE)
    gc.freeze()  # what was imported stays for ever: looking for what nobody uses any more passes it by
    tidying = asyncio.create_task(tidy_for_ever())
    with without_texts():
        yield
    tidying.cancel()


def begin() -> None:
    """Start compiling, and import ahead."""
    from pages.shell import warmup

    warmup.start()
    import_ahead()
    import pyarrow as pa

    # Arrow's own allocator keeps what was freed: after reading a large file as much as its table takes.
    pa.set_memory_pool(pa.system_memory_pool())


def import_ahead() -> None:
    """Import what the first pages import; what fails will be told by the page that needs it."""
    with suppress(Exception):
        for module in needed():
            import_module(module)


def needed() -> Iterator[str]:
    """The modules that the first pages import: inside functions, and at the top of their scripts. Each is to
    be imported before the next is asked for."""
    yield from _UNSEEN
    for page in FIRST:
        for node in ast.parse(page_file(page).read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                for name in node.names:  # some are modules themselves
                    if not hasattr(sys.modules[node.module], name.name):
                        yield f"{node.module}.{name.name}"
