"""How compiled loops are made: one declaration for all kernels.

Import this module only from modules named ``…_kernels``, and those only inside the functions that call them:
numba takes seconds to import, and a page must not wait for it. No fast math: every machine gives the same
bytes. Kernels release the interpreter's lock, so that a long computation does not stall another session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

_INNER = {"cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@overload
def kernel(what: Function) -> Function: ...
@overload
def kernel(what: str) -> Callable[[Function], Function]: ...
def kernel(what: Any) -> Any:
    """Decorator of a kernel, or of one for the types of a numba signature. Compiled code is kept on disk."""
    return njit(what, cache=True, nogil=True)


def inner(function: Function) -> Function:
    """Decorator of a kernel that only kernels call: without an entry from Python, which takes longer to
    compile than the kernel."""
    return njit(**_INNER)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """As `inner`, and always inlined."""
    return njit(**_INNER, forceinline=True)(function)  # type: ignore[no-any-return]
