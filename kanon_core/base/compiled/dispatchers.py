"""numba's side of kernels: one dispatcher for Python, and one for the kernels that call a kernel."""

from __future__ import annotations

import logging
from typing import Any

from numba import njit, typeof, types
from numba.extending import typeof_impl

from kanon_core.base.compiled.counting import counts
from kanon_core.base.compiled.kernels import Kernel

try:
    from kanon_core.base.compiled import numba_internals as internals

    internals.install()
except ImportError as missing:  # of another numba: everything works, and compiling takes longer
    logging.getLogger(__name__).warning("Compiling takes longer with this numba: %s", missing)
    internals = None  # type: ignore[assignment]


def entry(kernel: Kernel) -> Any:
    """Return the dispatcher of a kernel as Python calls it; its code is kept on disk."""
    made = _declared(kernel)
    if internals:
        internals.keep(made, kernel.function)
        internals.alone(made)
    return made


def part(kernel: Kernel) -> Any:
    """Return the dispatcher of a kernel as other kernels call it: compiled with each of those."""
    made = _declared(kernel, no_cpython_wrapper=True)
    if internals:
        internals.widen(made)
    return made


def _declared(kernel: Kernel, **options: bool) -> Any:
    _register()
    if internals:
        options["_nrt"] = counts(kernel)
    made = njit(nogil=True, no_cfunc_wrapper=True, **options, **kernel.options)(kernel.function)
    if internals:
        internals.retry_counting(made)
    return made


def types_of(arguments: tuple[Any, ...]) -> tuple[types.Type, ...]:
    """Return numba's types of these arguments."""
    _register()
    return tuple(typeof(argument) for argument in arguments)


def _register() -> None:
    if internals:
        internals.register()


@typeof_impl.register(Kernel)
def _typeof(kernel: Kernel, _: Any) -> types.Dispatcher:
    """Return the dispatcher type of a kernel for the kernels that call it; for the kernel itself, while it is
    compiled as an entry, the type of that entry."""
    entry = vars(kernel).get("entry")
    return types.Dispatcher(entry if entry is not None and entry.is_compiling else kernel.part)
