"""Parts of a session file as JSON: how each is written, and how it is read from text that anybody may have
written."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from kanon_core.algorithms.base import Algorithm
from kanon_core.base import options
from kanon_core.base.errors import KanonError
from kanon_core.base.words import later, tr
from kanon_core.metrics.base import Metric
from kanon_core.release.recipe import check_seed

T = TypeVar("T")
S = TypeVar("S")
Sizable = TypeVar("Sizable", str, list[Any], dict[str, Any])
_MOST_BYTES = 512 * 2**20
_MOST_ENTRIES = 1_000_000
"""The most lists, objects and values: Python needs up to a hundred times the room of their text."""


class SessionError(KanonError):
    """A file is no session file, is damaged, or its passphrase is another one."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """``write`` makes plain JSON of a value; ``read`` returns the value of what ``write`` made, and raises
    SessionError for anything else (OptionError for options that an algorithm or metric does not have)."""

    write: Callable[[T], Any]
    read: Callable[[Any], T]


Parts = Mapping[str, Part[Any]]


def written(parts: Parts, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of the values that have a part, in the order of the parts."""
    return {name: part.write(values[name]) for name, part in parts.items()}


def restored(parts: Parts, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return by name the values of those parts that are there."""
    return {name: part.read(data[name]) for name, part in parts.items() if name in data}


def refuse() -> NoReturn:
    """Raise SessionError, for text that Kanon did not write."""
    raise SessionError(
        tr(
            "This is neither a session file nor a recipe of Kanon, or it was changed after it"
            " was saved; save it again on the Release page."
        )
    )


def parsed(text: bytes) -> dict[str, Any]:
    """Return the object in a JSON text. Raises SessionError for anything else, or too much."""
    if len(text) > _MOST_BYTES or sum(map(text.count, (b",", b"[", b"{"))) > _MOST_ENTRIES:
        raise SessionError(
            tr(
                "The file is too large for a session file, which has at most {most:,} MB and"
                " {parts:,} entries."
            ).format(most=_MOST_BYTES // 2**20, parts=_MOST_ENTRIES)
        )
    try:
        return typed(json.loads(text), dict)
    except (ValueError, RecursionError):
        refuse()


def typed(value: Any, kind: type[T]) -> T:
    """Return a value of exactly this type. Raises SessionError for another."""
    if type(value) is not kind:
        refuse()
    return value


def sized(value: Any, kind: type[Sizable], most: int) -> Sizable:
    """Return a text, list or object of at most so many characters or entries. Raises SessionError."""
    checked = typed(value, kind)
    if len(checked) > most:
        refuse()
    return checked


def checked(kind: type[T], allowed: Callable[[T], bool]) -> Part[T]:
    """Return the part for values of exactly this type, those of them that are allowed."""

    def read(value: Any) -> T:
        if not allowed(typed(value, kind)):
            refuse()
        return typed(value, kind)

    return Part(lambda value: value, read)


def text(most: int = 2_000) -> Part[str]:
    """Return the part for texts of at most so many characters."""
    return checked(str, lambda value: len(value) <= most)


def whole(least: int, most: int) -> Part[int]:
    """Return the part for whole numbers within bounds."""
    return checked(int, lambda value: least <= value <= most)


def among(names: Collection[str]) -> Part[str]:
    """Return the part for texts that are one of these."""
    return checked(str, lambda value: value in names)


def several(part: Part[T], most: int) -> Part[tuple[T, ...]]:
    """Return the part for at most so many values of one kind."""
    return Part(
        lambda values: [part.write(value) for value in values],
        lambda data: tuple(part.read(entry) for entry in sized(data, list, most)),
    )


def pair(first: Part[S], second: Part[T]) -> Part[tuple[S, T]]:
    """Return the part for two values."""

    def read(data: Any) -> tuple[S, T]:
        if len(typed(data, list)) != 2:
            refuse()
        return first.read(data[0]), second.read(data[1])

    return Part(lambda values: [first.write(values[0]), second.write(values[1])], read)


def mapped(name: Part[str], part: Part[T], most: int = 200) -> Part[Mapping[str, T]]:
    """Return the part for at most so many values by name."""
    return Part(
        lambda values: {key: part.write(value) for key, value in values.items()},
        lambda data: {name.read(key): part.read(value) for key, value in sized(data, dict, most).items()},
    )


def record(make: Callable[..., T], parts: Parts) -> Part[T]:
    """Return the part for objects that ``make`` makes of these attributes, no more and no fewer."""

    def read(data: Any) -> T:
        if set(typed(data, dict)) != set(parts):
            refuse()
        return make(**restored(parts, data))

    return Part(lambda value: written(parts, vars(value)), read)


def optional(part: Part[T]) -> Part[T | None]:
    """Return the part for values that may be None."""
    return Part(
        lambda value: None if value is None else part.write(value),
        lambda data: None if data is None else part.read(data),
    )


def _number(value: Any) -> float:
    if type(value) not in (int, float) or (isinstance(value, int) and abs(value) > 2**53):
        refuse()
    return float(value)


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(typed(value, str), validate=True)
    except ValueError:
        refuse()


def _seed(value: Any) -> int:
    digits = sized(value, str, 40)
    if not (digits.isascii() and digits.isdecimal()):
        refuse()
    return check_seed(int(digits))


def _declared(kind: type[Any], refusal: str) -> Part[Any]:
    def read(value: Any) -> Any:
        try:
            made = options.from_json(value)
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            refuse()
        if not isinstance(made, kind):
            raise SessionError(tr(refusal).format(name=type(made).__name__))
        return made

    return Part(options.to_json, read)


FLAG = checked(bool, lambda value: True)
NUMBER = Part(float, _number)
"""Part for numbers, among them NaN and infinity."""
BYTES = Part(lambda content: base64.b64encode(content).decode(), _bytes)
"""Part for bytes, as a base64 text."""
SEED = Part(lambda seed: str(check_seed(seed)), _seed)
"""Part for seeds, as the text of their digits."""
ALGORITHM = _declared(Algorithm, later("The session file names {name}, which is not an algorithm."))
METRIC = _declared(Metric, later("The session file names {name}, which is not a measure."))
