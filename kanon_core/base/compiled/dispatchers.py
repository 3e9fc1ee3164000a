"""numba's side of kernels: dispatchers, their cache, and functions that are compiled within their callers.

Everything that needs numba is in this module and in those that it imports.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from numba import njit, typeof
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.types.misc import unliteral
from numba.extending import typeof_impl

from kanon_core.base.compiled import counting, elements, entering, frugal, linking, references
from kanon_core.base.compiled.cache import kept_in, stamp
from kanon_core.base.compiled.kernels import Kernel

linking.defer()
frugal.spare()
elements.register()
entering.register()
_WORD = 64


def entry(kernel: Kernel) -> Any:
    """The dispatcher of a kernel as Python calls it; its code is kept on disk."""
    made = _declared(kernel)
    # Where no folder can be written, code is compiled in every process.
    with suppress(RuntimeError):
        made._cache = _Cache(kernel.function)
    compile_ = made.compile

    def compile_alone(kinds: tuple[types.Type, ...]) -> Any:
        with frugal.no_collections():
            return compile_(kinds)

    made.compile = compile_alone
    return made


def part(kernel: Kernel) -> Any:
    """The dispatcher of a kernel as other kernels call it: compiled with each of those, and not once more for
    the constants and the narrower integers that some of them pass."""
    made = _declared(kernel, no_cpython_wrapper=True)
    exact = made.get_call_template
    made.get_call_template = lambda given, named: exact(tuple(map(_widened, given)), named)
    return made


def _declared(kernel: Kernel, **options: bool) -> Any:
    references.register()
    options |= {"nogil": True, "no_cfunc_wrapper": True, "_nrt": counting.counts(kernel)}
    made = njit(**options, **kernel.options)(kernel.function)
    counting.relent(made)
    return made


def _widened(kind: Any) -> Any:
    kind = unliteral(kind)
    narrow = getattr(kind, "signed", False) and kind.bitwidth < _WORD
    return types.int64 if narrow else kind


def types_of(arguments: tuple[Any, ...]) -> tuple[types.Type, ...]:
    """numba's types of these arguments."""
    references.register()
    return tuple(typeof(argument) for argument in arguments)


@typeof_impl.register(Kernel)
def _typeof(kernel: Kernel, _: Any) -> types.Dispatcher:
    """Return what a kernel is to the kernels that call it; to itself, what is being compiled."""
    entry = vars(kernel).get("entry")
    return types.Dispatcher(entry if entry is not None and entry.is_compiling else kernel.part)


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
        """A folder that can only be read, as that of a container, still gives what was put there before."""
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
