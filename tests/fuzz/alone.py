"""The app without a server: nothing is computed aside, secrets are known, and whoever waits long presses
Stop."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import streamlit as st
from streamlit.testing.v1.util import patch_config_options

from kanon_core.base import randomness
from pages.clusters.matchings import optimum
from pages.papers import panel
from pages.state import jobs, warmup
from pages.widgets import curves

PATIENCE = 2.0
"""Seconds of computing after which Stop is pressed."""
_OFTEN = 5
"""The greatest number of times Stop is pressed while a page is drawn."""
_TICKERS = (jobs, optimum, panel)


class Stopper:
    """Presses Stop: at the next tick when it is told to, else when the patience of somebody is over."""

    def __init__(self) -> None:
        self.at_once = False
        self.pressed = 0

    def ticker(self, make: Callable[..., Any]) -> Callable[..., Any]:
        """As `jobs.ticker`, with somebody who watches: what Stop calls is called, and the page drawn again,
        as after a click."""

        def ticker(place: Any, stop: Callable[[], Any], *words: Any, **named: Any) -> Any:
            tick, until = make(place, stop, *words, **named), time.monotonic() + PATIENCE

            def watched(fraction: float | None, note: str = "") -> None:
                tick(fraction, note)
                if (self.at_once or time.monotonic() > until) and self.pressed < _OFTEN:
                    self.at_once, self.pressed = False, self.pressed + 1
                    stop()
                    st.rerun()

            return watched

        return ticker


@contextlib.contextmanager
def alone() -> Iterator[Stopper]:
    """Within it pages can be drawn in this process; gives what presses Stop."""
    idle = SimpleNamespace(running=False, ready=set(), says="", ask=lambda name: None)
    sweeper = SimpleNamespace(owners=1, wish=lambda *_: None, drop=lambda owner: None, end=lambda: None)
    stopper = Stopper()
    watched = stopper.ticker(jobs.ticker)
    with contextlib.ExitStack() as patches:
        logging.disable(logging.WARNING)  # without a server Streamlit warns of every call
        patches.callback(logging.disable, logging.NOTSET)
        for module in _TICKERS:
            patches.enter_context(patch.object(module, "ticker", watched))
        patches.enter_context(patch.object(warmup, "start", lambda: idle))
        patches.enter_context(patch.object(curves, "sweeper", lambda: sweeper))
        patches.enter_context(patch_config_options({"client.showErrorDetails": "full"}))
        known = SimpleNamespace(getrandbits=lambda bits: 0)
        patches.enter_context(patch.object(randomness, "_system", known))
        yield stopper
