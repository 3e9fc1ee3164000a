"""Kanon: the router. Run it with ``streamlit run app.py``.

The server imports this file once and takes ``app``; for every browser it is then run as a script.
"""

from __future__ import annotations

import streamlit as st

from pages.shell import frame, server

if __name__ == "__main__":
    frame.navigate()
else:
    app = st.App(
        __file__,
        lifespan=server.lifespan,
        middleware=server.MIDDLEWARE,
        routes=server.routes(),
        on_script_error=server.short_of_memory,
    )
