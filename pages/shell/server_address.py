"""Address of this server: its base path and the place of its screens, found without asking another host."""

from __future__ import annotations

import streamlit as st

from pages.shell.private import put_in_place

_LOCALHOST = "localhost"


def base_path() -> str:
    """Return the path below which the server is served, with a slash before it and none behind; "" for
    none."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def below(path: str) -> str:
    """Return the full path of a route whose path without the base path is this one."""
    return base_path() + path


def within(path: str) -> str:
    """Return the path that is asked for, without the base path, and without extra slashes before it."""
    return "/" + path.removeprefix(base_path()).lstrip("/")


def server_address() -> str:
    """Return the address of the screens, as far as this machine knows it without asking."""
    host = str(st.get_option("browser.serverAddress") or _LOCALHOST).strip("/")
    if host == _LOCALHOST:  # as where no name was given
        host = str(st.get_option("server.address") or _LOCALHOST)
    host = _LOCALHOST if host in ("0.0.0.0", "::") else host
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{st.get_option('browser.serverPort')}{base_path()}"


def stay_offline() -> None:
    """From now on, keep the server from looking for its own addresses outside.

    Streamlit compares the origin of a connection with the addresses of its machine. It learns the external
    one from another host, and the internal one by preparing to send to it: a web page that merely tries to
    connect would make a private server go online. Without these a connection must come from the host that it
    goes to, from this machine, or from what ``browser.serverAddress`` and ``server.corsAllowedOrigins`` name.
    """
    put_in_place("get_external_ip", _unknown)
    put_in_place("get_internal_ip", _unknown)


def _unknown() -> str | None:
    return None
