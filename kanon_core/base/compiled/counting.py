"""Which kernels need not count references: those that neither make an array nor are given a new one.

numba writes a count up and a count down for every array that a function touches, and takes them out again
where it sees that they cancel out. What only reads and writes elements of its arguments is compiled without.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

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


def relent(dispatcher: Any) -> None:
    """Let a dispatcher that cannot compile without counting try again with it."""
    compile_ = dispatcher.compile

    def compile_either(kinds: Any) -> Any:
        try:
            return compile_(kinds)
        except NumbaError:
            if dispatcher.targetoptions["_nrt"]:
                raise
            dispatcher.targetoptions["_nrt"] = True
            dispatcher._compiler._failed_cache.clear()
            return compile_(kinds)

    dispatcher.compile = compile_either


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
