"""Kanon: the router. Run it with ``streamlit run app.py``.

The server imports this file once and takes ``app``; for every browser it is then run as a script.
"""

from __future__ import annotations

from starlette.middleware import Middleware
from streamlit.starlette import App

from pages.shell import frame
from pages.shell.ahead import lifespan
from pages.shell.browsers import Named
from pages.shell.doors import Doors

if __name__ == "__main__":
    frame.navigate()
else:
    app = App(__file__, lifespan=lifespan, middleware=[Middleware(Doors), Middleware(Named)])
