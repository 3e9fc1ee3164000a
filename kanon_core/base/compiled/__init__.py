"""Compiled loops: how kernels are declared, when they run uncompiled, and where their code is kept.

numba is imported when compiled code is first wanted. No fast math: every machine gives the same bytes,
compiled or not. Kernels release the interpreter's lock, so that a long computation does not stall another
session.
"""

from kanon_core.base.compiled.kernels import Kernel, by_reference, inlined, kernel, uncompiled_twin
from kanon_core.base.compiled.uncompiled import SMALL, compiling_elsewhere, needed, noticed, uncompiled

__all__ = [
    "SMALL",
    "Kernel",
    "by_reference",
    "compiling_elsewhere",
    "inlined",
    "kernel",
    "needed",
    "noticed",
    "uncompiled",
    "uncompiled_twin",
]
