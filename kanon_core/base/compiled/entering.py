"""How Python's arrays enter compiled code: read where they lie, and not counted.

numba writes, for each array that an entry is given, a reference counted up and down and checks of what its
dispatcher has checked: of a kernel that takes twenty arrays, more than the kernel. Python holds its arguments
until a call is over, so that a kernel whose result holds no array need not count. What returns an array may
return a part of an argument: that is numba's way.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import boxing, cgutils, cpu, pythonapi, types
from numba.core.types.containers import BaseTuple
from numba.extending import NativeValue

_OURS = "kanon_core."
_SCALARS = (types.Number, types.Boolean, type(types.none))
_borrows = False


def register() -> None:
    """From now on enter in this way."""
    vars(pythonapi)["_unboxers"].functions[types.Array] = _array
    context: Any = cpu.CPUContext
    context.create_cpython_wrapper = _choosing(context.create_cpython_wrapper)


def borrowing() -> bool:
    """Return whether the wrapper that is being written only borrows its arguments."""
    return _borrows


def _choosing(write: Any) -> Any:
    """Write wrappers, knowing what they return."""

    def wrapper(self: Any, library: Any, description: Any, *rest: Any, **options: Any) -> None:
        global _borrows
        _borrows = description.modname.startswith(_OURS) and _is_plain(description.restype)
        try:
            write(self, library, description, *rest, **options)
        finally:
            _borrows = False

    return wrapper


def _is_plain(kind: Any) -> bool:
    """Return whether these are numbers, or tuples of numbers."""
    parts = kind.types if isinstance(kind, BaseTuple) else (kind,)
    return all(isinstance(part, _SCALARS) for part in parts)


def _array(kind: Any, value: Any, c: Any) -> NativeValue:
    """Return what compiled code knows of an array."""
    if not _borrows:
        return boxing.unbox_array(kind, value, c)
    pointer = cgutils.alloca_once(c.builder, c.context.get_value_type(kind))
    fill(c, value, pointer)
    return NativeValue(c.builder.load(pointer))


def fill(c: Any, value: Any, pointer: Any) -> None:
    """Write to an address what compiled code knows of an array, borrowed."""
    shape = ir.FunctionType(ir.IntType(32), [c.pyapi.pyobj, c.pyapi.voidptr])
    adapt = c.pyapi._get_function(shape, name="numba_adapt_ndarray")
    c.builder.call(adapt, (value, c.builder.bitcast(pointer, c.pyapi.voidptr)))
    owner = cgutils.gep_inbounds(c.builder, pointer, 0, 0)
    c.builder.store(cgutils.get_null_value(owner.type.pointee), owner)
