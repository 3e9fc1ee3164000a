"""Logs say where something failed and of which kind, never what was in a cell or how a column is called.

The text of an error is often made of data: “could not convert string to float: 'Ann'”.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import streamlit as st

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr

RICH = "logger.enableRich"
"""Streamlit's option to write errors in colors where the package rich is installed, past every log."""


def insist_on_plain() -> None:
    """Raise OptionError where errors would be written past every log, with their text."""
    if st.get_option(RICH):
        raise OptionError(
            tr(
                "Kanon does not start with the option {option}: errors would be logged with their texts,"
                " which may hold private cells. Start it without this option."
            ).format(option=RICH)
        )


@contextmanager
def without_texts() -> Iterator[None]:
    """As long as this lasts, errors are logged without their text, also those of threads."""
    make, hook = logging.getLogRecordFactory(), threading.excepthook

    def made(*given: Any, **more: Any) -> logging.LogRecord:
        record = make(*given, **more)
        if record.exc_info:
            record.exc_text, record.exc_info = untold(*record.exc_info[1:]), None
        return record

    def failed(given: threading.ExceptHookArgs) -> None:
        sys.stderr.write(f"{untold(given.exc_value, given.exc_traceback)}\n")

    logging.setLogRecordFactory(made)
    threading.excepthook = failed
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)
        threading.excepthook = hook


def untold(problem: BaseException | None, where: TracebackType | None) -> str:
    """The lines of code that an error went through, its kind and those of the errors behind it.

    >>> try:
    ...     float("Ann")
    ... except ValueError as problem:
    ...     "Ann" in untold(problem, None), untold(problem, None)
    (False, 'ValueError')
    """
    kinds = list[str]()
    while problem is not None and len(kinds) < 10:
        kinds.append(type(problem).__name__)
        problem = problem.__cause__ or problem.__context__
    return "".join(traceback.format_tb(where)) + ", after ".join(kinds)
