"""Named tuples that compiled code passes by reference: one pointer to the arrays instead of all their parts.

A tuple of 40 arrays is 280 numbers at every call, and numba writes and LLVM reads each of them: a chain of
eight trivial functions compiles in 4.2 s with such a tuple as in 0.85 s with two arrays.
"""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox

from kanon_core.base.compiled import entering
from kanon_core.base.compiled.kernels import RECORDS


class Reference(types.Type):
    """The type of a named tuple passed by reference."""

    def __init__(self, record: type, parts: tuple[types.Type, ...]) -> None:
        self.record, self.parts = record, parts
        self.names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]
        digest = hashlib.blake2b(repr((record.__module__, parts)).encode(), digest_size=6).hexdigest()
        super().__init__(f"{record.__qualname__}{digest}")  # short: every symbol bears it

    @property
    def key(self) -> tuple[type, tuple[types.Type, ...]]:
        """Return what makes two types the same."""
        return self.record, self.parts


def register() -> None:
    """Make the named tuples that have been declared since known to numba."""
    while RECORDS:
        typeof_impl.register(RECORDS.pop())(_typeof)


def _typeof(value: Any, purpose: Any) -> Reference:
    return Reference(type(value), tuple(typeof_impl(part, purpose) for part in value))


@register_model(Reference)
class _Pointer(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Reference) -> None:
        parts = ir.LiteralStructType([manager.lookup(part).get_value_type() for part in kind.parts])
        super().__init__(manager, kind, ir.PointerType(parts))


@infer_getattr
class _Field(AttributeTemplate):
    key = Reference

    def generic_resolve(self, kind: Reference, name: str) -> types.Type | None:
        return kind.parts[kind.names.index(name)] if name in kind.names else None


@lower_getattr_generic(Reference)
def _read(context: Any, builder: Any, kind: Reference, value: Any, name: str) -> Any:
    place = kind.names.index(name)
    part = builder.load(cgutils.gep_inbounds(builder, value, 0, place))
    # Nobody writes into a named tuple, so that a loop need not read it again after it wrote into an array.
    part.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(context, builder, kind.parts[place], part)


@unbox(Reference)
def _enter(kind: Reference, value: Any, c: Any) -> NativeValue:
    """Lay the parts side by side on the caller's stack."""
    pointer = cgutils.alloca_once(c.builder, c.context.get_value_type(kind).pointee)
    undo: list[Any] = []
    failed = cgutils.false_bit
    for place, part in enumerate(kind.parts):
        item = c.pyapi.tuple_getitem(value, place)
        into = cgutils.gep_inbounds(c.builder, pointer, 0, place)
        if entering.borrowing() and isinstance(part, types.Array):
            entering.fill(c, item, into)
            continue
        native = c.unbox(part, item)
        c.builder.store(native.value, into)
        failed = c.builder.or_(failed, native.is_error)
        undo += [native.cleanup] if native.cleanup else []
        if not entering.borrowing():
            undo.append(lambda part=part, value=native.value: c.context.nrt.decref(c.builder, part, value))
    # An address that the compiler cannot trace back: otherwise it might read before what is stored above.
    same = ir.FunctionType(pointer.type, [pointer.type])
    pointer = c.builder.asm(same, "", "=r,0,~{memory}", [pointer], True)
    return NativeValue(pointer, is_error=failed, cleanup=lambda: [each() for each in undo])
