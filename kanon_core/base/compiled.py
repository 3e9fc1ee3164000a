"""How compiled loops are made: one declaration for all kernels.

Import this module only from modules named ``…_kernels``, and those only inside the functions that call them:
numba takes seconds to import, and a page must not wait for it. No fast math: every machine gives the same
bytes. Kernels release the interpreter's lock, so that a long computation does not stall another session.
"""

from __future__ import annotations

from functools import partial

from numba import njit

kernel = partial(njit, cache=True, nogil=True)
"""Decorator of a kernel; takes a signature and numba's options. Compiled code is kept on disk."""

inner = partial(njit, cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Decorator of a kernel that only kernels call: it needs no entry from Python, whose compilation takes longer
than its own."""

inlined = partial(inner, forceinline=True)
"""As `inner`, and always inlined."""
