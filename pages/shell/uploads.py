"""Uploaded files stay in memory: nothing of them is written to the disk."""

from __future__ import annotations

import streamlit as st
from starlette.formparsers import MultiPartParser

_AROUND = 1024 * 1024
"""Bytes that may stand around a file in what a browser sends."""


def keep_in_memory() -> None:
    """From now on files of any size that the server accepts are received in memory.

    The web server's parser would else write what is larger than 1 MB to a temporary file, from which it is
    read back at once. How large a file may be says the option ``server.maxUploadSize``, in MB.
    """
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") * 1024 * 1024 + _AROUND
