"""Names of numba that its documentation does not promise, each with its reason and what happens without it.

- `FunctionCache`, `CompileResultCacheImpl`, `_CacheLocator`: compiled code is kept by the digest of all
  sources that it is made of; numba looks at one file alone. Without: every process compiles.
- The option `_nrt`: a loop that makes no array counts no references (`counting`); MDAV then takes a tenth
  less time. Without: all loops count.
- `get_call_template`, `unliteral`: a loop that others call is not compiled once more for each constant.
  Without: more versions of a loop.
- Models and attributes of a type of our own: named tuples enter a call as one address (`Reference`); a chain
  of eight trivial functions with a tuple of 40 arrays compiles in 0.85 s in place of 4.2 s. Without: numba's
  own named tuples.
- `JITCodeLibrary`, `set_env`: what only loops call is compiled within these (`Library`); MDAV, Mondrian,
  Top-down and Refine compile in 15 processor seconds in place of 31.
- Look-ups, timers, colors of messages, garbage (`spare`, `alone`): 15 processor seconds in place of 19.

The bytes of results are the same with and without each. The last two change classes of numba, and only those
of `VERSION`. Where a name is missing, this file as a whole is left out (`dispatchers`).
"""

from __future__ import annotations

import gc
import hashlib
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numba
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, codegen, dispatcher, errors, event, ir
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.types.misc import unliteral
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox

from kanon_core.base.compiled.cache import kept_in, stamp
from kanon_core.base.compiled.kernels import RECORDS

VERSION = "0.68."
_WORD = 64


def install() -> bool:
    """Install these changes in numba if they are written for its version; return whether they are."""
    if not numba.__version__.startswith(VERSION):
        return False
    codegen.JITCPUCodegen._library_class = Library
    codegen.JITCPUCodegen.set_env = _set_when_linked
    spare()
    return True


# Code that is kept on disk


def keep(made: Any, function: Callable[..., Any]) -> None:
    """Keep a dispatcher's code on disk; where no folder can be written, every process compiles."""
    with suppress(RuntimeError):
        made._cache = _Cache(function)


class _Locator(_CacheLocator):
    """Files named by the digest of their source; code of older sources is deleted when newer is kept."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self._name = file, function.__qualname__
        self._lineno = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(kept_in(Path(self._py_file)))

    def get_source_stamp(self) -> str:
        return stamp(Path(self._py_file))

    def get_disambiguator(self) -> str:
        return stamp(Path(self._py_file))

    def ensure_cache_path(self) -> None:
        super().ensure_cache_path()
        folder, stem = Path(self.get_cache_path()), f"{Path(self._py_file).stem}.{self._name}-"
        for file in folder.glob(f"{stem}*.nb[ic]"):
            if not file.name.startswith(stem + self.get_disambiguator()):
                file.unlink(missing_ok=True)

    @classmethod
    def from_function(cls, function: Any, file: str) -> _Locator | None:
        """Return a locator; a read-only folder, as in a container, still provides the code that is in it."""
        self = cls(function, file)
        try:
            super().ensure_cache_path(self)
        except OSError:
            return self if Path(self.get_cache_path()).is_dir() else None
        return self


class _Files(CompileResultCacheImpl):
    _locator_classes: ClassVar[list[type]] = [_Locator]


class _Cache(FunctionCache):
    _impl_class = _Files

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep code; where the folder can only be read, or is full, it is compiled in every process."""
        with suppress(OSError):
            super().save_overload(sig, data)


# Versions of a loop


def retry_counting(made: Any) -> None:
    """Let a dispatcher that cannot compile without counting references try again with it."""
    compile_ = made.compile

    def compile_either(kinds: Any) -> Any:
        try:
            return compile_(kinds)
        except errors.NumbaError:
            if made.targetoptions["_nrt"]:
                raise
            made.targetoptions["_nrt"] = True
            made._compiler._failed_cache.clear()
            return compile_(kinds)

    made.compile = compile_either


def widen(made: Any) -> None:
    """Compile a loop that others call once for all constants and all narrower integers that they pass."""
    exact = made.get_call_template
    made.get_call_template = lambda given, named: exact(tuple(map(_widened, given)), named)


def _widened(kind: Any) -> Any:
    kind = unliteral(kind)
    narrow = getattr(kind, "signed", False) and kind.bitwidth < _WORD
    return types.int64 if narrow else kind


# Named tuples of arrays


class Reference(types.Type):
    """The type of a named tuple passed by reference."""

    def __init__(self, record: type, parts: tuple[types.Type, ...]) -> None:
        self.record, self.parts = record, parts
        self.names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]
        digest = hashlib.blake2b(repr((record.__module__, parts)).encode(), digest_size=6).hexdigest()
        super().__init__(f"{record.__qualname__}{digest}")  # short: every symbol bears it

    @property
    def key(self) -> tuple[type, tuple[types.Type, ...]]:
        """Return the key by which two types are the same."""
        return self.record, self.parts


def register() -> None:
    """Register with numba the named tuples that were declared since the last call."""
    while RECORDS:
        typeof_impl.register(RECORDS.pop())(_typeof)


def _typeof(value: Any, purpose: Any) -> Reference:
    return Reference(type(value), tuple(typeof_impl(part, purpose) for part in value))


@register_model(Reference)
class _Pointer(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Reference) -> None:
        parts = llvm.LiteralStructType([manager.lookup(part).get_value_type() for part in kind.parts])
        super().__init__(manager, kind, llvm.PointerType(parts))


@infer_getattr
class _Field(AttributeTemplate):
    key = Reference

    def generic_resolve(self, kind: Reference, name: str) -> types.Type | None:
        return kind.parts[kind.names.index(name)] if name in kind.names else None


@lower_getattr_generic(Reference)
def _read(context: Any, builder: Any, kind: Reference, value: Any, name: str) -> Any:
    place = kind.names.index(name)
    part = builder.load(cgutils.gep_inbounds(builder, value, 0, place))
    # Named tuples are never written to, so a loop need not read one again after it wrote into an array.
    part.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(context, builder, kind.parts[place], part)


@unbox(Reference)
def _enter(kind: Reference, value: Any, c: Any) -> NativeValue:
    """Lay the parts side by side on the caller's stack."""
    pointer = cgutils.alloca_once(c.builder, c.context.get_value_type(kind).pointee)
    undo: list[Any] = []
    failed = cgutils.false_bit
    for place, part in enumerate(kind.parts):
        native = c.unbox(part, c.pyapi.tuple_getitem(value, place))
        c.builder.store(native.value, cgutils.gep_inbounds(c.builder, pointer, 0, place))
        failed = c.builder.or_(failed, native.is_error)
        undo += [native.cleanup] if native.cleanup else []
        undo.append(lambda part=part, value=native.value: c.context.nrt.decref(c.builder, part, value))
    # An address that the compiler cannot trace back: otherwise it might read before what is stored above.
    same = llvm.FunctionType(pointer.type, [pointer.type])
    pointer = c.builder.asm(same, "", "=r,0,~{memory}", [pointer], True)
    return NativeValue(pointer, is_error=failed, cleanup=lambda: [each() for each in undo])


# Functions that only loops call

_set_environment: Any = codegen.JITCPUCodegen.set_env
_UNRESOLVED = codegen.RuntimeLinker.PREFIX
_waiting: dict[str, Any] = {}


class Library(JITCodeLibrary):
    """The code of one function: finished when Python calls it, else as it was lowered."""

    _deferred = False
    _linking_libraries: list[Any]

    def _optimize_functions(self, module: Any) -> None:
        """Do nothing yet: the finished library is optimized as a whole."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """All of it, once; numba does it twice."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def finalize(self) -> None:
        """Finish the code, or keep it as it is."""
        self._raise_if_finalized()
        module = self._final_module
        names = [function.name for function in module.functions if not function.is_declaration]
        entered = any(name.startswith("_ZN7cpython") or not name.startswith("_ZN") for name in names)
        # A recursive function calls itself by the address of its finished code.
        recursive = any(variable.name.startswith(_UNRESOLVED) for variable in module.global_variables)
        if names and not entered and not recursive:
            self._defer()
        else:
            self._finish()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, 0 if it is not one of this library."""
        self._ensure_finalized()
        if self._deferred:
            if not any(f.name == name and not f.is_declaration for f in self._final_module.functions):
                return 0
            self._deferred = self._finalized = False
            self._finish()
        return int(super().get_pointer_to_function(name))

    def _defer(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._deferred = self._finalized = True

    def _finish(self) -> None:
        self._linking_libraries = _with_deferred(self._linking_libraries)
        super().finalize()
        for name, environment in [*_waiting.items()]:
            _set_when_linked(self._codegen, name, environment)


def _with_deferred(libraries: list[Any]) -> list[Any]:
    """Return these libraries and those that the deferred ones among them need, each after all libraries that
    call it: LLVM links only functions that were requested before."""
    order: dict[Any, None] = {}
    entered, stack = set(), [(library, False) for library in libraries]
    while stack:
        library, done = stack.pop()
        if done:
            order[library] = None
        elif library not in entered:
            entered.add(library)
            needed = library._linking_libraries if getattr(library, "_deferred", False) else []
            stack += [(library, True), *((other, False) for other in needed)]
    return [*reversed(order)]


def _set_when_linked(self: Any, name: str, environment: Any) -> None:
    """Give a function its constants as soon as its code is loaded."""
    if self._engine.is_symbol_defined(name):
        _waiting.pop(name, None)
        _set_environment(self, name, environment)
    else:
        _waiting[name] = environment


# A compiler that does nothing besides

_OPERATORS = {function for function in vars(operator).values() if callable(function)}
_PLAIN = {types.Integer, types.IntegerLiteral, types.Float, types.Boolean, types.BooleanLiteral}
_PLAIN |= {types.Array, types.UniTuple, types.Tuple}


def spare() -> None:
    """Switch off the compiler's work besides compiling; the compiled code does not change."""
    calls: Any = BaseFunction
    calls.get_call_type = _remembering(calls.get_call_type)
    configuration: Any = TargetConfig
    configuration.values, configuration.__eq__, configuration.__hash__ = _values, _equal, _hash
    ir.Inst._rec_list_vars = _variables
    vars(dispatcher)["ev"] = SimpleNamespace(**{**vars(event), "install_timer": _no_timer})
    colors: Any = type(errors.termcolor())
    colors._markup = _uncolored


def alone(made: Any) -> None:
    """Make a dispatcher compile without garbage collection."""
    compile_ = made.compile

    def compile_alone(kinds: tuple[types.Type, ...]) -> Any:
        with _no_collections():
            return compile_(kinds)

    made.compile = compile_alone


@contextmanager
def _no_collections() -> Iterator[None]:
    """Suspend garbage collection inside: a compiler makes millions of objects, and most of them stay. One
    thread at a time enters, as numba compiles in one thread at a time."""
    with global_compiler_lock:
        before = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if before:
                if not gc.get_freeze_count():
                    # New objects join the oldest generation: they are searched not at once, but with all
                    # others.
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()


def _no_timer(*_: object) -> Any:
    """Do nothing in place of a timer."""
    return nullcontext()


def _remembering(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return the type of a call; for operators on numbers and arrays it is looked up once, not at every
    call."""

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
    """Return the variables in what an instruction holds."""
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
    """Return messages uncolored: numba makes and colors errors while it tries which type fits."""
    return message
