"""Compile in the background, so that no page waits for a compiler.

Compiled code is cached on disk by numba. A fresh machine compiles once, in a process of its own (a compiler in this
process would stall every session's slider); then the cached code is loaded here.
"""

from __future__ import annotations

import subprocess
import sys
import threading

import streamlit as st


@st.cache_resource(show_spinner=False)
def start() -> threading.Thread:
    """Start warming up, once per server."""
    thread = threading.Thread(target=_warm, name="kanon warm-up", daemon=True)
    thread.start()
    return thread


def running() -> bool:
    """Whether code is still being compiled or loaded."""
    return start().is_alive()


def _warm() -> None:
    code = "from kanon_core.warmup import warm_up; warm_up()"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    if done.returncode == 0:
        from kanon_core.warmup import warm_up

        warm_up()
