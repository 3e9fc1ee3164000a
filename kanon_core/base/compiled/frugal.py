"""Spare the compiler what it does besides compiling.

A third of the time that numba takes for our kernels goes into looking up again what it has found, into timers
that nobody reads, and into colors of error messages that nobody sees. Nothing here changes the code that is
made.

This reaches into numba's own classes, of the version named below; of another, numba's way is left alone.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import numba
from numba.core import dispatcher, errors, event, ir, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

VERSION = "0.68."
_OPERATORS = {found for found in vars(operator).values() if callable(found)}
_PLAIN = {types.Integer, types.IntegerLiteral, types.Float, types.Boolean, types.BooleanLiteral}
_PLAIN |= {types.Array, types.containers.UniTuple, types.containers.Tuple}


def spare() -> bool:
    """From now on compile in this way; returns whether it is written for this numba."""
    if not numba.__version__.startswith(VERSION):
        return False
    calls: Any = BaseFunction
    calls.get_call_type = _remembering(calls.get_call_type)
    configuration: Any = TargetConfig
    configuration.values, configuration.__eq__, configuration.__hash__ = _values, _equal, _hash
    ir.Inst._rec_list_vars = _variables
    vars(dispatcher)["ev"] = SimpleNamespace(**{**vars(event), "install_timer": _no_timer})
    colors: Any = type(errors.termcolor())
    colors._markup = _uncolored
    return True


@contextmanager
def no_collections() -> Iterator[None]:
    """Inside, nobody looks for garbage: a compiler makes millions of objects, and most stay. One thread at a
    time, as numba compiles."""
    with global_compiler_lock:
        before = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if before:
                if not gc.get_freeze_count():
                    # What is new counts as old: it is not looked through at once, but with all else.
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()


def _no_timer(*_: object) -> Any:
    """Instead of a timer."""
    return nullcontext()


def _remembering(find: Callable[..., Any]) -> Callable[..., Any]:
    """The type of a call: for operators of numbers and arrays looked up once, not at every place."""

    def call_type(self: Any, context: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        known = vars(self).setdefault("_known_calls", {})
        if not named and (context, given) in known:
            return known[context, given]
        found = find(self, context, given, named)
        if not named and self.typing_key in _OPERATORS and all(type(kind) in _PLAIN for kind in given):
            known[context, given] = found
        return found

    return call_type


def _values(self: Any) -> dict[str, Any]:
    given = self._values
    return {name: given.get(name, option.default) for name, option in self.options.items()}


def _equal(self: Any, other: Any) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return self is other or self._values == other._values or self.values() == other.values()


def _hash(self: Any) -> int:
    return hash(tuple(self.options))  # as numba's: of the names alone


def _variables(self: Any, found: Any) -> list[ir.Var]:
    """The variables in what an instruction holds."""
    if isinstance(found, ir.Var):
        return [found]
    if isinstance(found, ir.Inst):
        return found.list_vars()  # type: ignore[no-any-return]
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list | tuple) else ()
    result: list[ir.Var] = []
    for part in parts:
        kind = type(part)
        if kind is ir.Var:
            result.append(part)
        elif kind is not str and kind is not ir.Loc and part is not None:
            result += _variables(self, part)
    return result


def _uncolored(_: Any, message: str, *__: Any, **___: Any) -> str:
    """Messages as they are: numba makes and colors errors while it tries which type fits."""
    return message
