"""The server asks nobody for anything, whatever comes in."""

from __future__ import annotations

import streamlit as st

from pages.shell.base_path import base_path
from pages.shell.private import put_in_place

_HERE = "localhost"


def ask_nobody() -> None:
    """From now on the server does not look for its own addresses outside.

    Streamlit compares the origin of a connection with the addresses of its machine. It learns the external
    one from another host, and the internal one by preparing to send to it: a web page that merely tries to
    connect would make a private server go online. Without these a connection must come from the host that it
    goes to, from this machine, or from what ``browser.serverAddress`` and ``server.corsAllowedOrigins`` name.
    """
    put_in_place("get_external_ip", _unknown)
    put_in_place("get_internal_ip", _unknown)


def address() -> str:
    """Return where the screens are, as far as this machine knows without asking."""
    named = str(st.get_option("browser.serverAddress") or _HERE).strip("/")
    if named == _HERE:  # as where nothing was said of it
        named = str(st.get_option("server.address") or _HERE)
    named = _HERE if named in ("0.0.0.0", "::") else named
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{named}:{st.get_option('browser.serverPort')}{base_path()}"


def _unknown() -> str | None:
    return None
