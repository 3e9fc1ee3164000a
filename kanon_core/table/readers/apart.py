"""Reading in another thread or process, while this thread ticks and can stop it: in a thread for a library
that returns only when it has finished; in a process for formats whose libraries take as much memory and time
as a file demands.

The process has a limit on its memory. It is ended when it takes too long or nobody waits for it any more, and
it may crash without harm. It starts in about half a second; its table is handed over unchanged.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.headroom import reserved
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import set_language, spoken, tr
from kanon_core.table.readers.base import Reading, ReadOptions

_WAIT, _STARTING, _SIZE = 0.1, 2.0, 10 * 2**20
_TIMES = 16
"""Bytes of memory that reading may take beyond `Limits.memory`, for each byte of the file."""

_FULL = 3
"""The exit code of the process when its memory was too small."""
_LATE = -getattr(signal, "SIGXCPU", 0) or None
"""Its exit code when its processor time is over, on systems that count it."""
_WAITS = 10
"""The time that a process may take by the clock, as a multiple of its processor seconds: others may keep the
machine busy."""

Read = Callable[[bytes, ReadOptions], Reading]
T = TypeVar("T")


class Source(io.BytesIO):
    """A file in memory that gives no more bytes once it is stopped. ``given``: the number of bytes given so
    far, also after the library has closed the file."""

    stopped = False
    given = 0

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes; raises OSError when it was stopped."""
        if self.stopped:
            raise OSError
        piece = super().read(size)
        self.given += len(piece)
        return piece


def ticking(parse: Callable[[Any], T], data: bytes, tick: Tick, note: str) -> T:
    """Return the result of ``parse`` for a file with these bytes, which it reads piece by piece in a separate
    thread. Whatever the tick raises stops it at its next piece.

    >>> ticking(lambda file: file.read(3), b"abcdef", lambda share, note: None, "reading")
    b'abc'
    """
    source = Source(data)
    work = _begun(parse, source)
    try:
        while not work.done():
            tick(min(source.given / max(len(data), 1), 1.0), note)
            wait([work], _WAIT)
    finally:
        source.stopped = True
    return work.result()


def _begun(work: Callable[..., T], *arguments: Any) -> Future[T]:
    """Begin a work in a thread of its own."""
    pool = ThreadPoolExecutor(1, "kanon-reading")
    try:
        return pool.submit(work, *arguments)
    finally:
        pool.shutdown(wait=False)


def read_apart(read: Read, data: bytes, options: ReadOptions, damaged: str) -> Reading:
    """Return the result of ``read``, a function of a module, for the file, from a separate process. Raises
    InputError as ``read`` does, when the file needs more than the limits allow, and with ``damaged`` when the
    process ends without an answer."""
    sent = pickle.dumps((spoken(), read, replace(options, tick=silent), data), 5)
    memory = options.limits.memory + _TIMES * len(data)
    seconds = options.limits.seconds * (1 + len(data) // _SIZE)
    process = _started(memory, seconds + _STARTING)
    work = _begun(process.communicate, sent)
    until = time.monotonic() + (_WAITS if _LATE else 1) * seconds + _STARTING
    try:
        while not work.done():
            options.tick(None, tr("reading the file in a separate process"))
            if time.monotonic() > until:
                raise _too_slow(seconds)
            wait([work], _WAIT)
    finally:
        process.kill()
        wait([work])
    if process.returncode == _FULL:
        raise too_large(memory)
    if process.returncode == _LATE:
        raise _too_slow(seconds)
    return _understood(b"" if work.exception() else work.result()[0], damaged)


def _started(memory: int, seconds: float) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[3])
    place = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    few = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    return subprocess.Popen(
        [sys.executable, "-m", __name__, str(memory), str(ceil(seconds))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **few, "PYTHONPATH": place},
    )


def _understood(answer: bytes, damaged: str) -> Reading:
    try:
        found = pickle.loads(answer)
    except (EOFError, pickle.UnpicklingError):
        raise InputError(damaged) from None
    if isinstance(found, KanonError):
        raise found
    assert isinstance(found, Reading)
    return found


def _too_slow(seconds: float) -> InputError:
    said = tr(
        "Reading the file was stopped after {seconds:.0f} s, the limit for its size; save the table as"
        " csv, or leave out columns of lists and records."
    )
    return InputError(said.format(seconds=seconds))


def too_large(memory: int) -> InputError:
    """Return the error on a file whose table takes more than so many bytes."""
    said = tr(
        "The unpacked table takes more than {size:,.0f} MB of memory, the limit for a file of this size;"
        " leave out columns that are not needed, or take a sample of the rows."
    )
    return InputError(said.format(size=memory / 2**20))


def main() -> None:
    """Read a file from standard input and write the result to standard output, which nothing else uses."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    language, read, options, data = pickle.load(sys.stdin.buffer)
    set_language(language)
    _bound(int(sys.argv[1]), int(sys.argv[2]))
    try:
        pickle.dump(read(data, options), out, 5)
    except MemoryError:  # perhaps within an answer, after which nothing more can be said
        sys.exit(_FULL)
    except KanonError as problem:
        pickle.dump(problem, out)
    out.flush()


def _bound(memory: int, seconds: int) -> None:
    """Limit the process from now on to so many further bytes, where the system reports its memory, and to so
    many processor seconds in all, where the system counts them."""
    if _LATE:
        import resource

        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no cell is left behind in a file
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if not (most := reserved()):  # there the time alone is bounded
        return
    import resource

    most += memory
    with contextlib.suppress(OSError, ValueError):  # a stricter limit holds
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
