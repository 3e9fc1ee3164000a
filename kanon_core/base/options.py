"""Options, declared once.

An algorithm, metric or distance is a frozen dataclass whose fields are its options::

    gamma: Annotated[float, Real(0, 2, help="how eagerly a group grows")] = 0.2

The annotation is the only place for range, unit and help. Controls on a page, flags of the command line,
tables in the docs, the recipe's JSON and the tests' illegal values are all derived from it.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from kanon_core.base.errors import OptionError
from kanon_core.base.kinds import Kind
from kanon_core.base.words import Said, tr


@dataclass(frozen=True)
class Nested(Kind):
    """Another declared object (an algorithm that starts from an algorithm); ``among`` names the allowed
    classes."""

    among: tuple[str, ...]

    def check(self, value: Any) -> Any:
        """Return the object itself."""
        if type(value).__name__ not in self.among:
            raise ValueError(tr("one of {words}").format(words=", ".join(self.among)))
        return value

    def parse(self, text: str) -> Any:
        """Return the object of that name with its default options; letters' case does not matter."""
        found = {name.lower(): name for name in self.among}.get(text.strip().lower())
        if found is None:
            raise ValueError(tr("one of {words}").format(words=", ".join(self.among)))
        return declared(found)()

    def illegal(self) -> tuple[Any, ...]:
        """Not an object of the list."""
        return ("MDAV", None, 3)

    def to_json(self, value: Any) -> dict[str, Any]:
        """Name and options."""
        return to_json(value)

    def from_json(self, value: Any) -> Any:
        """From name and options."""
        return self.check(from_json(value))


@dataclass(frozen=True)
class Option:
    """One declared option of a class: its name, its kind of values, and its default."""

    name: str
    kind: Kind
    default: Any

    @property
    def label(self) -> str:
        """Return the name as people read it."""
        return tr(self.name.replace("_", " "))

    @property
    def help(self) -> str:
        """Return the description of the option in one sentence; "" when there is none."""
        return tr(self.kind.help) if self.kind.help else ""


SAID = {
    "title",
    "short",
    "scale",
    "summary",
    "sentence",
    "example",
    "meaning",
    "attacker",
    "alike",
    "one",
    "group",
    "groups",
    "groups_title",
    "risk",
    "beyond",
    "asks",
    "stops",
    "decide",
    "know",
}
"""Class attributes of declared objects that people read: they are translated whenever they are read."""


class Declared:
    """Base of all declared objects: a frozen dataclass that checks its options when made."""

    _registry: ClassVar[dict[str, type[Declared]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Declared._registry[cls.__name__] = cls
        options = {name for name, kind in inspect.get_annotations(cls).items() if "ClassVar" not in str(kind)}
        for name, text in list(vars(cls).items()):
            if name in SAID - options and isinstance(text, str) and text:
                setattr(cls, name, Said(text))

    def __post_init__(self) -> None:
        for option in options_of(type(self)):
            given = getattr(self, option.name)
            try:
                object.__setattr__(self, option.name, option.kind.check(given))
            except ValueError as allowed:
                raise _refused(option.label, type(self), allowed) from None


def _refused(option: str, cls: type, allowed: ValueError) -> OptionError:
    says = tr("The option “{option}” of {name} must be {allowed}.")
    return OptionError(says.format(option=option, name=cls.__name__, allowed=allowed))


def declared(name: str) -> type[Any]:
    """Return the declared class of that name; raises OptionError when there is none."""
    package = importlib.import_module("kanon_core")
    if name in package.__all__:
        getattr(package, name)  # public names are imported, and so registered, when they are first used
    if name not in Declared._registry:
        raise OptionError(
            tr("This version of Kanon has nothing named “{name}”; check the spelling.").format(name=name)
        )
    return Declared._registry[name]


def options_of(cls: type) -> tuple[Option, ...]:
    """Return the options of a declared class, in order; read from its annotations once.

    >>> import kanon_core as kc
    >>> [(option.name, option.default) for option in options_of(kc.VMDAV)]
    [('gamma', 0.2)]
    """
    known: Any = cls
    return _options(known)


@functools.cache
def _options(cls: type) -> tuple[Option, ...]:
    found: list[Option] = []
    hints = get_type_hints(cls, include_extras=True) if dataclasses.is_dataclass(cls) else {}
    for field in dataclasses.fields(cls) if hints else ():
        if get_origin(hint := hints[field.name]) is Annotated:
            made = field.default_factory
            default = field.default if made is dataclasses.MISSING else made()
            found.append(Option(field.name, next(a for a in get_args(hint) if isinstance(a, Kind)), default))
    return tuple(found)


def to_json(thing: Any) -> dict[str, Any]:
    """Return a declared object as plain JSON: ``{"name": class name, "options": {…}}``."""
    chosen = {o.name: o.kind.to_json(getattr(thing, o.name)) for o in options_of(type(thing))}
    return {"name": type(thing).__name__, "options": chosen}


def from_json(data: dict[str, Any]) -> Any:
    """Return the declared object that `to_json` wrote; unknown names and options raise OptionError."""
    if not isinstance(data, dict) or not isinstance(data.get("options", {}), dict):
        raise OptionError(tr("An algorithm in a recipe must have a name and options."))
    cls = declared(str(data.get("name")))
    known = {o.name: o for o in options_of(cls)}
    unknown = set(data.get("options", {})) - set(known)
    if unknown:
        raise OptionError(
            tr("{kind} has no option “{option}”; it has: {known}.").format(
                kind=cls.__name__, option=sorted(unknown)[0], known=", ".join(known) or tr("none")
            )
        )
    values = {}
    for name, value in data.get("options", {}).items():
        try:
            values[name] = known[name].kind.from_json(value)
        except ValueError as allowed:
            raise _refused(name, cls, allowed) from None
    return cls(**values)


def expression(thing: Any) -> str:
    """Return the Python expression that makes this object, with the options that differ from their defaults.

    >>> import kanon_core as kc
    >>> expression(kc.MIL(start=kc.VMDAV(gamma=1.0)))
    'MIL(start=kc.VMDAV(gamma=1.0))'
    """
    parts = []
    for option in options_of(type(thing)):
        value = getattr(thing, option.name)
        if value != option.default:
            text = f"kc.{expression(value)}" if isinstance(option.kind, Nested) else repr(value)
            parts.append(f"{option.name}={text}")
    return f"{type(thing).__name__}({', '.join(parts)})"
