"""One declaration for all kernels: Python functions that numba compiles when they are called.

Importing numba takes a second and compiling takes seconds, so a kernel imports numba as late as possible: a
`Kernel` holds the function, and makes numba's dispatcher at the first call that is to run compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from kanon_core.base.compiled.cache import is_kept
from kanon_core.base.compiled.uncompiled import choose

Function = TypeVar("Function", bound=Callable[..., Any])
Record = TypeVar("Record", bound=type)

RECORDS: list[type] = []
"""The named tuples that travel by reference, in the order of their declaration."""


class Kernel:
    """A loop that runs compiled, or as plain Python while its compiled code does not exist yet.

    It is compiled in two ways, each when it is needed: as an entry that Python calls, kept on disk; and as a
    part of the kernels that call it. ``options``: further arguments of numba's ``njit``.
    """

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        self.function, self.options = function, options
        self.plain = function
        self.__name__, self.__doc__, self.__module__ = (
            function.__name__,
            function.__doc__,
            function.__module__,
        )
        self.__wrapped__ = function

    def __call__(self, *arguments: Any) -> Any:
        return choose(self)(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__  # pickled as the module's name for it

    @cached_property
    def entry(self) -> Any:
        """numba's dispatcher for Python, which compiles or loads code at its first call."""
        from kanon_core.base.compiled.dispatchers import entry

        return entry(self)

    @cached_property
    def part(self) -> Any:
        """numba's dispatcher for other kernels."""
        from kanon_core.base.compiled.dispatchers import part

        return part(self)

    @property
    def ready(self) -> bool:
        """Return whether code that Python can call is there: in this process, or on disk and of the present
        source."""
        return ("entry" in vars(self) and bool(self.entry.signatures)) or is_kept(self.function)


def kernel(function: Function) -> Function:
    """Decorator of a kernel."""
    return Kernel(function)  # type: ignore[return-value]


def uncompiled_twin(of: Callable[..., Any]) -> Callable[[Function], Function]:
    """Decorator of a function that replaces a kernel's own Python while its compiled code does not exist: it
    gives the same bytes faster."""

    def stands_in(function: Function) -> Function:
        assert isinstance(of, Kernel)
        of.plain = function
        return function

    return stands_in


def inlined(function: Function) -> Function:
    """Decorator of a kernel that is always inlined in those that call it."""
    return Kernel(function, forceinline=True)  # type: ignore[return-value]


def by_reference(record: Record) -> Record:
    """Decorator of a named tuple of arrays that kernels pass on: compiled code hands on one address instead
    of seven numbers for each array, which a compiler takes several times as long to read.

    Kernels read its fields; they cannot make one.
    """
    RECORDS.append(record)
    return record
