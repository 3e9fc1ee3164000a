"""A real server for a class: what it refuses, and that learners at once get answers of their own."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.error
import urllib.request

import pytest

from benchmarks._learner import Learner
from kanon_core.base.classroom import Classroom
from kanon_core.cli.serving import started
from tests.helpers import run_apart
from tests.servers import free_port, serving

pytestmark = pytest.mark.deep

TABLES = ("people-100", "DS0", "DS1")


@contextlib.contextmanager
def served(**allowed):
    """The address of a server for a class."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with serving(*started(str(port), Classroom(address, **allowed)), address):
        yield address


def asked(address: str, **how) -> tuple[int, str]:
    """Status and text of an answer."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, **how), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def put(address: str) -> tuple[int, str]:
    """Return the status and the text with which a server answers a file that is sent as browsers send it."""
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\na,b\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    return asked(f"{address}/_stcore/upload_file/session/file", data=body, headers=headers, method="PUT")


@pytest.fixture(scope="module")
def address():
    with served(learners=len(TABLES)) as found:
        yield found


def test_the_server_of_a_class_refuses_files(address):
    status, says = put(address)
    assert status == 403 and "accepts no files" in says


def test_a_server_that_allows_files_takes_them_to_its_own_check():
    """Streamlit then complains about its own token; the refusal is not that of Kanon."""
    with served(uploads=True) as open_to_files:
        _, says = put(open_to_files)
    assert "accepts no files" not in says


def test_learners_at_once_get_answers_of_their_own_and_no_more_of_them_than_said(address):
    async def lesson() -> list[Learner]:
        learners = [Learner(address, table, 3 + number) for number, table in enumerate(TABLES)]
        await asyncio.gather(*(one.enter() for one in learners))
        with pytest.raises(Exception, match="403"):
            await Learner(address, "people-100", 9).enter()
        for step in (4, 9, 2):
            await asyncio.gather(*(one.move(one.k + step) for one in learners))
        for one in learners:
            await one.leave()
        return learners

    learners = run_apart(lesson())
    assert [one.k for one in learners] == [18, 19, 20]
    assert not [problem for one in learners for problem in one.problems]
