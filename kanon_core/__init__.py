"""Kanon: see what privacy costs. Anonymize tables, audit and score the result, and sweep over k.

    import kanon_core as kc

    table = kc.read_table("people.csv")
    release = kc.anonymize(table, kc.MDAV(), k=5)
    kc.score(table, release, [kc.ILSSDM(), kc.NCP()])

The public names stand in ``__init__.pyi``, each with its module. A module is imported when one of its names
is first used, so that ``import kanon_core`` takes no time.
"""

import ast
from importlib import import_module
from importlib.resources import files

from kanon_core.base.version import __version__ as __version__


def _text(file: str) -> str:
    return files(__name__).joinpath(file).read_text("utf-8")


def _public_names(room: str) -> list[str]:
    """Return the `__all__` of a room, which is not imported for that."""
    text = _text(room.removeprefix(f"{__name__}.").replace(".", "/") + "/__init__.py")
    names: list[str] = ast.literal_eval(text.rpartition("__all__ = ")[2])
    return names


_HOMES = {
    name: node.module
    for node in ast.parse(_text("__init__.pyi")).body
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
    for name in (_public_names(node.module) if alias.name == "*" else [alias.name])
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Return a public name, or a room of the package."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    else:
        try:
            found = import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as missing:
            if missing.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
