"""The public interface: names of the package with their parameters, commands with their flags, addresses of
pages. ``python -m tests.contracts.public`` writes the list anew; what goes from it is named in the changelog,
with what takes its place."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import kanon_core as kc
from kanon_core.cli.commands import COMMANDS, parser

LIST = Path(__file__).with_name("public.json")


def parameters(thing: object) -> dict[str, str] | None:
    """Return the parameters of a function or class: by name the kind and, where it is a plain value, the
    default; None where there are none to tell."""
    if not callable(thing) or (isinstance(thing, type) and issubclass(thing, BaseException)):
        return None  # versions of Python tell other parameters of exceptions
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return None
    return {one.name: f"{one.kind.name.lower()}{_default(one)}" for one in signature.parameters.values()}


def _default(one: inspect.Parameter) -> str:
    if one.default is inspect.Parameter.empty:
        return ""
    plain = isinstance(one.default, bool | int | float | str | tuple | None)
    return f" = {one.default!r}" if plain else " = …"


def flags(command: str) -> dict[str, str]:
    """Return the flags and arguments of a command, by name what they take."""
    top = parser([command])
    (commands,) = (one for one in top._actions if hasattr(one, "choices") and one.dest == "command")
    found = {}
    for one in commands.choices[command]._actions:
        for name in one.option_strings or [one.dest]:
            found[name] = "a value" if one.nargs != 0 else "a switch"
    return found


def public() -> dict[str, Any]:
    """Return all of it, as the list keeps it."""
    from pages.shell.menu import PAGES, other_addresses

    return {
        "names": {name: parameters(getattr(kc, name)) for name in sorted(kc.__all__)},
        "commands": {name: flags(name) for name in sorted(COMMANDS)},
        "addresses": {**{name: name for name in PAGES}, **other_addresses()},
    }


def kept() -> dict[str, Any]:
    """Return the list."""
    return dict(json.loads(LIST.read_text("utf-8")))


if __name__ == "__main__":
    LIST.write_text(json.dumps(public(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
