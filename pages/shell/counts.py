"""How a server does, in numbers for a monitor: never a cell, a name, an address or what anybody set."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from kanon_core.base.headroom import held
from pages.shell import tabs
from pages.state.turns import TURNS

ROUTE = "/kanon/counts"
"""Where they stand."""
COUNTS = {
    "kanon_tabs": "Tabs that are open.",
    "kanon_running": "Long computations that go on now.",
    "kanon_waiting": "Long computations that wait for their turn.",
    "kanon_memory_bytes": "Memory that the server's own process holds.",
}
"""What each number says; all may rise and fall."""
_KIND = "application/openmetrics-text; version=1.0.0; charset=utf-8"
_LINES = "# TYPE {name} gauge\n# HELP {name} {says}\n{name} {value}"


async def counts(request: Request) -> PlainTextResponse:
    """The numbers, in the text format of OpenMetrics."""
    said = "\n".join(_lines()) + "\n# EOF\n"
    return PlainTextResponse(said, media_type=_KIND, headers={"cache-control": "no-store"})


def _lines() -> Iterator[str]:
    values = (tabs.count_open(), TURNS.running, TURNS.waiting, held())
    for (name, says), value in zip(COUNTS.items(), values, strict=True):
        yield _LINES.format(name=name, says=says, value=value)
