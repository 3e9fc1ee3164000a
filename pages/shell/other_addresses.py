"""Other addresses of a page: those it had once, and its name in the menu. They lead to the page, with the
same table, algorithm and k."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from pages.shell.base_path import below
from pages.shell.frame import FIRST, PAGES

FORMER = {"explore": FIRST}
"""By a former address: the page."""


def leads() -> dict[str, str]:
    """By each other address: the page it leads to.

    >>> leads()["tune"], leads()["release"], leads()["people"]
    ('tune', 'export', 'histories')
    """
    names = {screen.title.lower(): name for name, screen in PAGES.items()}
    return {other: name for other, name in (names | FORMER).items() if other == FIRST or other not in PAGES}


def routes() -> list[Route]:
    """One for each other address."""
    return [Route(below(f"/{other}"), _redirect) for other in leads()]


async def _redirect(request: Request) -> RedirectResponse:
    name = leads()[request.url.path.rsplit("/", 1)[-1]]
    address = below("/" if name == FIRST else f"/{name}")
    return RedirectResponse(f"{address}?{request.url.query}" if request.url.query else address)
