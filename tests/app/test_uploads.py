"""Files that are uploaded: none is written to the disk, however large."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator

import pytest
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser

from pages.shell import server
from tests.helpers import run_apart

CELL = b"a private cell, "


@pytest.fixture
def usual(monkeypatch):
    """Whatever a test changes of the parser is taken back."""
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)


async def received(size: int) -> UploadFile:
    """A file of this size, as the server's parser receives it."""
    head = b'--part\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n'

    async def sent() -> AsyncIterator[bytes]:
        yield head
        for _ in range(0, size, 1 << 16):
            yield CELL * ((1 << 16) // len(CELL))
        yield b"\r\n--part--\r\n"

    headers = Headers({"content-type": "multipart/form-data; boundary=part"})
    form = await MultiPartParser(headers, sent()).parse()
    (file,) = form.values()
    assert isinstance(file, UploadFile)
    return file


async def started_and_received(monkeypatch, size: int) -> UploadFile:
    monkeypatch.setattr(server, "prepare", lambda: None)
    async with server.lifespan(None):
        return await received(size)


@pytest.mark.parametrize("megabytes", [0.4, 4, 40])
def test_no_file_is_written_to_the_disk(usual, monkeypatch, megabytes):
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a file was made on the disk")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    file = run_apart(started_and_received(monkeypatch, int(megabytes * 2**20)))
    assert run_apart(file.read()).startswith(CELL) and file.size >= megabytes * 2**20


def test_without_it_the_parser_would_write_to_the_disk(usual, monkeypatch):
    """The reason for `keep_in_memory`: if this fails, it can go."""
    made = list[int]()
    make = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *a, **how: made.append(1) or make(*a, **how))
    run_apart(received(4 * 2**20))
    assert made
