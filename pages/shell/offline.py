"""The server asks nobody for anything, whatever comes in."""

from __future__ import annotations

from streamlit import config, net_util
from streamlit.web.server import server_util


def ask_nobody() -> None:
    """From now on the server does not look for its own addresses outside.

    Streamlit compares the origin of a connection with the addresses of its machine. It learns the external
    one from another host, and the internal one by preparing to send to it: a web page that merely tries to
    connect would make a private server go online. Without these a connection must come from the host that it
    goes to, from this machine, or from what ``browser.serverAddress`` and ``server.corsAllowedOrigins`` name.
    """
    net_util.get_external_ip = _unknown
    net_util.get_internal_ip = _unknown


def address() -> str:
    """Where the screens are, as far as this machine knows without asking."""
    named = config.get_option("browser.serverAddress")
    if not config.is_manually_set("browser.serverAddress"):
        named = server_util.get_display_address(config.get_option("server.address") or "localhost")
    return server_util.get_url(named)


def _unknown() -> str | None:
    return None
