"""Logs without cells and names."""

from __future__ import annotations

import io
import logging
import threading

import pytest
from streamlit.error_util import _LOGGER, _log_uncaught_app_exception

import kanon_core as kc
from pages.shell.server import RICH_LOGS, logs_without_texts, refuse_rich_logs

CELL = "Ann's diagnosis"


def fails() -> None:
    cells = {"name": CELL}
    try:
        float(cells["name"])
    except ValueError as problem:
        raise KeyError(CELL) from problem


@pytest.fixture
def log():
    """The stream that receives Streamlit's log of failing pages."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    _LOGGER.addHandler(handler)
    yield stream
    _LOGGER.removeHandler(handler)


def test_a_page_that_fails_is_logged_without_what_it_worked_on(log, capsys):
    with logs_without_texts():
        try:
            fails()
        except KeyError as problem:
            _log_uncaught_app_exception(problem)
    said = log.getvalue()
    assert "Uncaught app execution" in said and "in fails" in said and "KeyError, after ValueError" in said
    assert CELL not in said and CELL not in capsys.readouterr().out


def test_a_server_whose_errors_would_go_past_every_log_does_not_start(monkeypatch):
    refuse_rich_logs()
    monkeypatch.setattr("streamlit.get_option", {RICH_LOGS: True}.get)
    with pytest.raises(kc.OptionError, match=f"cannot start with the option {RICH_LOGS}: "):
        refuse_rich_logs()


def test_outside_of_a_server_logs_are_as_they_were(log):
    with logs_without_texts():
        pass
    _LOGGER.error("failed", exc_info=KeyError(CELL))
    assert CELL in log.getvalue()


def test_a_thread_that_fails_says_where_and_no_more(capsys):
    with logs_without_texts():
        thread = threading.Thread(target=fails)
        thread.start()
        thread.join()
    said = capsys.readouterr().err
    assert "in fails" in said and "KeyError, after ValueError" in said and CELL not in said
