"""How kernels read and write elements of arrays: with a third of the instructions that numba writes for it.

numba copies all that it knows of an array to the stack at every index and leaves it to LLVM to find out that
only the address and a length were wanted. Here these two are taken out of the value: the same code in the
end, from less text. Only for one element of contiguous arrays of numbers; all else is numba's.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import default_manager
from numba.core.imputils import lower_getattr
from numba.core.types.containers import BaseTuple
from numba.extending import lower_builtin
from numba.np import arrayobj

_ARRAY = default_manager.lookup(types.Array(types.float64, 1, "C"))
_COUNT, _DATA, _SHAPE = (_ARRAY.get_field_position(name) for name in ("nitems", "data", "shape"))
_NUMBERS = (types.Integer, types.Float, types.Boolean)


def register() -> None:
    """From now on lower in this way."""
    lower_builtin(operator.getitem, types.Array, types.Integer)(_read)
    lower_builtin(operator.getitem, types.Array, BaseTuple)(_read)
    lower_builtin(operator.setitem, types.Array, types.Any, types.Any)(_write)
    lower_builtin(len, types.Array)(_length)
    lower_getattr(types.Array, "size")(_size)
    lower_getattr(types.Array, "shape")(_shape)


def _read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index = sig.args
    if not _is_plain(context, array, index):
        single = isinstance(index, types.Integer)
        numbas = arrayobj.getitem_arraynd_intp if single else arrayobj.getitem_array_tuple
        return numbas(context, builder, sig, args)
    return context.unpack_value(builder, array.dtype, _place(context, builder, sig, args))


def _write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index, kind = sig.args
    if not _is_plain(context, array, index) or not isinstance(kind, _NUMBERS):
        return arrayobj.setitem_array(context, builder, sig, args)
    value = context.cast(builder, args[2], kind, array.dtype)
    return context.pack_value(builder, array.dtype, value, _place(context, builder, sig, args))


def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if type(sig.args[0]) is not types.Array:
        return arrayobj.array_len(context, builder, sig, args)
    return builder.extract_value(args[0], (_SHAPE, 0))


def _size(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if type(kind) is not types.Array:
        return arrayobj.array_size(context, builder, kind, value)
    return builder.extract_value(value, _COUNT)


def _shape(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if type(kind) is not types.Array:
        return arrayobj.array_shape(context, builder, kind, value)
    return builder.extract_value(value, _SHAPE)


def _is_plain(context: Any, array: Any, index: Any) -> bool:
    """Return whether this is one number of an array whose numbers lie side by side."""
    kinds = _kinds(index)
    return (
        type(array) is types.Array
        and array.layout == "C"
        and array.aligned
        and isinstance(array.dtype, _NUMBERS)
        and len(kinds) == array.ndim
        and all(isinstance(kind, types.Integer) for kind in kinds)
        and not context.enable_boundscheck
    )


def _kinds(index: Any) -> tuple[Any, ...]:
    return tuple(index.types) if isinstance(index, BaseTuple) else (index,)


def _place(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The address of the element; indices below 0 count from the end."""
    array, kinds = args[0], _kinds(sig.args[1])
    several = isinstance(sig.args[1], BaseTuple)
    indices = cgutils.unpack_tuple(builder, args[1]) if several else [args[1]]
    place = None
    for axis, (kind, index) in enumerate(zip(kinds, indices, strict=True)):
        length = builder.extract_value(array, (_SHAPE, axis)) if kind.signed or axis else None
        if kind.signed:
            index = context.cast(builder, index, kind, types.intp)
            negative = builder.icmp_signed("<", index, index.type(0))
            index = builder.select(negative, builder.add(index, length), index)
        else:
            index = context.cast(builder, index, kind, types.uintp)
        place = index if place is None else builder.add(builder.mul(place, length), index)
    return builder.gep(builder.extract_value(array, _DATA), [place])
