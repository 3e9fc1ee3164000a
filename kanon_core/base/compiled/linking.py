"""Compile functions that only other compiled functions call once, within those.

numba optimizes every function and writes machine code for it, and does both again in each function that
calls it. Here a function without an entry from Python is kept as it was lowered; what Python calls takes in
all that it needs, is optimized and written once. A third of a compiler's time is saved; the code is the same
but for what is inlined where.

This reaches into numba's own classes (0.68). Where they have other names, numba's way is left alone.
"""

from __future__ import annotations

from typing import Any

from numba.core import codegen
from numba.core.codegen import JITCodeLibrary

_set_environment: Any = getattr(codegen.JITCPUCodegen, "set_env", None)
_UNRESOLVED = codegen.RuntimeLinker.PREFIX
_waiting: dict[str, Any] = {}
_NEEDED = (
    "finalize",
    "_optimize_functions",
    "_optimize_final_module",
    "get_pointer_to_function",
    "_finalize_dynamic_globals",
)


def defer() -> bool:
    """From now on compile in this way; returns whether numba has what that needs."""
    if _set_environment is None or not all(hasattr(JITCodeLibrary, name) for name in _NEEDED):
        return False
    codegen.JITCPUCodegen._library_class = Library
    codegen.JITCPUCodegen.set_env = _set_when_linked
    return True


class Library(JITCodeLibrary):
    """The code of one function: finished when Python calls it, else as it was lowered."""

    _deferred = False
    _linking_libraries: list[Any]

    def _optimize_functions(self, module: Any) -> None:
        """Nothing yet: all of it is done to the whole."""
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
        # What calls itself does so by the address of its finished code.
        recursive = any(variable.name.startswith(_UNRESOLVED) for variable in module.global_variables)
        if names and not entered and not recursive:
            self._defer()
        else:
            self._finish()

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function, 0 if it is not one of this library."""
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
    """These libraries and those that the deferred ones among them need, each after all that call it: LLVM
    links only what has been asked for by then."""
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
