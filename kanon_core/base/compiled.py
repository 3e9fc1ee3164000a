"""How compiled loops are made: one declaration for all kernels.

Import this module only from modules named ``…_kernels``, and those only inside the functions that call them:
numba takes seconds to import, and a page must not wait for it. No fast math: every machine gives the same
bytes. Kernels release the interpreter's lock, so that a long computation does not stall another session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

_INNER = {"cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Decorator of a kernel. Compiled code is kept on disk."""
    return njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]


def recursive(signature: str) -> Callable[[Function], Function]:
    """Decorator of a kernel that calls itself, and has to say its types in numba's words."""
    return njit(signature, cache=True, nogil=True)  # type: ignore[no-any-return]


def inner(function: Function) -> Function:
    """Decorator of a kernel that only kernels call: without an entry from Python, which takes longer to
    compile than the kernel."""
    return njit(**_INNER)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """As `inner`, and always inlined."""
    return njit(**_INNER, forceinline=True)(function)  # type: ignore[no-any-return]
