"""Address of this server: its base path and the place of its screens, found without a request to another
host."""

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
    """Return the address of the screens, as far as this machine knows it without a request."""
    host = str(st.get_option("browser.serverAddress") or _LOCALHOST).strip("/")
    if host == _LOCALHOST:  # the default, when no name is configured
        host = str(st.get_option("server.address") or _LOCALHOST)
    host = _LOCALHOST if host in ("0.0.0.0", "::") else host
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{st.get_option('browser.serverPort')}{base_path()}"


def stay_offline() -> None:
    """Keep the server from looking for its own addresses outside.

    Streamlit compares the origin of a connection with the addresses of its machine. It asks another host for
    the external one and prepares to send to it for the internal one, so a web page that tries to connect
    would make a private server go online. Without these addresses, a connection must come from the host that
    it goes to, from this machine, or from ``browser.serverAddress`` or ``server.corsAllowedOrigins``.
    """
    put_in_place("get_external_ip", _unknown)
    put_in_place("get_internal_ip", _unknown)


def _unknown() -> str | None:
    return None
