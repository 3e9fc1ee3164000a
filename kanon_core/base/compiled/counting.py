"""Kernels that need no count of references: those that neither make an array nor are given a new one.

numba writes a count up and a count down for every array that a function touches, and takes them out again
where it sees that they cancel out. A kernel that only reads and writes elements of its arguments is compiled
without: MDAV then takes a tenth less time, V-MDAV a sixth.
"""

from __future__ import annotations

import ast
import inspect
import textwrap

import numpy as np

from kanon_core.base.compiled.kernels import Kernel

_NUMBERS = {"int", "float", "bool", "None", "tuple"}


def counts(kernel: Kernel) -> bool:
    """Return whether a kernel may make an array, or get a new one from a kernel that it calls."""
    function = kernel.function
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    if not all(map(_gives_numbers, (kernel, *(one for one in called if isinstance(one, Kernel))))):
        return True
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:
        return True
    return not all(_is_plain(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))


def _gives_numbers(kernel: Kernel) -> bool:
    given = kernel.function.__annotations__.get("return", "")
    name = given if isinstance(given, str) else getattr(given, "__name__", str(given))
    words = str(given) if name == "tuple" else name
    return bool(words) and set("".join(c if c.isalnum() else " " for c in words).split()) <= _NUMBERS


def _is_plain(called: ast.expr) -> bool:
    """Return whether this is a name, or one of numpy's types or functions of numbers."""
    if not isinstance(called, ast.Attribute):
        return True
    found = getattr(np, called.attr, None)
    return ast.unparse(called.value) == "np" and isinstance(found, type | np.ufunc)
