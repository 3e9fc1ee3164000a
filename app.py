"""Kanon: the router. Run it with ``streamlit run app.py``.

The server imports this file once and takes ``app``; for every browser it is then run as a script.
"""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.shell import counts, frame, other_addresses, presence, threshold
from pages.shell.ahead import lifespan
from pages.shell.base_path import below
from pages.shell.browsers import Named
from pages.shell.doors import Doors
from pages.shell.entrance import Entered
from pages.shell.headers import Guarded
from pages.shell.sealed import Sealed
from pages.shell.shortage import short_of_memory

if __name__ == "__main__":
    frame.navigate()
else:
    behind = [Middleware(one) for one in (Guarded, Sealed, Entered, Doors, Named)]
    routes = [
        Route(below(presence.ROUTE), presence.says_its_name),
        Route(below(counts.ROUTE), counts.counts),
        Route(below(threshold.BEGIN), threshold.begin),
        *other_addresses.routes(),
    ]
    app = st.App(
        __file__, lifespan=lifespan, middleware=behind, routes=routes, on_script_error=short_of_memory
    )
