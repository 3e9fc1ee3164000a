"""Kernels that run as Python while their compiled code does not exist yet and the table is small.

The same loops give the same bytes either way (overflowing integers included), but Python is a hundred times
slower. This way a user sees a first result without waiting for the compiler. The time that Python takes is
counted: once it exceeds the time that compiling would take, kernels are compiled after all, unless another
process is already compiling them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from kanon_core.base.compiled.kernels import Kernel

Notice = Callable[["Kernel", tuple[Any, ...]], object]

_COMPILED, _EITHER, _PYTHON = 0, 1, 2
_mode = ContextVar("how kernels run", default=_COMPILED)
_notice: ContextVar[Notice | None] = ContextVar("who is told of calls", default=None)

SMALL = 300
"""Records up to which no table waits for a compiler."""
BUDGET = 4.0
"""Seconds of uncompiled loops after which a process compiles."""
_YIELDED = 0.25
"""After `BUDGET`, the most seconds for which a loop leaves the processor, each time, to the process that
compiles for it."""
_spent, _elsewhere = 0.0, False


@contextmanager
def uncompiled(allowed: bool) -> Iterator[None]:
    """Inside, kernels without compiled code run as Python if that is ``allowed``; outside they compile."""
    before = _mode.set(_EITHER if allowed and _mode.get() == _COMPILED else _mode.get())
    try:
        yield
    finally:
        _mode.reset(before)


@contextmanager
def needed() -> Iterator[bool]:
    """Run kernels compiled inside, however long compiling takes, for a search whose seconds are counted;
    yield True. Where another process compiles for this one and the table is small, yield False instead."""
    python = _mode.get() != _COMPILED and (_elsewhere or _notice.get() is not None)
    before = _mode.set(_mode.get() if python else _COMPILED)
    try:
        yield not python
    finally:
        _mode.reset(before)


@contextmanager
def noticed(notice: Notice) -> Iterator[None]:
    """Run kernels as Python inside, and call ``notice`` with each kernel that Python calls and with its
    arguments."""
    told, before = _notice.set(notice), _mode.set(_EITHER)
    try:
        yield
    finally:
        _mode.reset(before)
        _notice.reset(told)


def compiling_elsewhere(yes: bool) -> None:
    """Declare whether another process compiles for this one; if so, this process does not start compiling
    too."""
    global _elsewhere
    _elsewhere = yes


def switched_off() -> bool:
    """Return whether numba is set to compile nothing, as debuggers and coverage measurement need it; kernels
    then run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "").strip() not in ("", "0")


def choose(kernel: Kernel) -> Callable[..., Any]:
    """Return the function to call for a kernel now: its compiled code or its Python."""
    mode = _mode.get()
    if mode == _PYTHON:
        return kernel.plain
    notice = _notice.get()
    if notice is not None:
        return lambda *arguments: (notice(kernel, arguments), _as_python(kernel.plain)(*arguments))[1]
    if switched_off():
        return _as_python(kernel.plain)
    if mode == _COMPILED or kernel.ready or (_spent > BUDGET and not _elsewhere):
        return kernel.entry  # type: ignore[no-any-return]
    return _as_python(kernel.plain)


def _as_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, and everything that it calls, uncompiled."""

    def run(*arguments: Any) -> Any:
        global _spent
        before, begin = _mode.set(_PYTHON), time.perf_counter()
        try:
            # Compiled integers wrap around in silence.
            with np.errstate(all="ignore"):
                return function(*arguments)
        finally:
            _mode.reset(before)
            took = time.perf_counter() - begin
            _spent += took
            if _elsewhere and _spent > BUDGET:
                time.sleep(min(took, _YIELDED))

    return run
