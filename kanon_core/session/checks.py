"""Reading JSON that anybody may have written: each check returns the value, or raises a sentence."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from kanon_core.algorithms.base import Algorithm
from kanon_core.base import options
from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.metrics.base import Metric

T = TypeVar("T")
MOST_BYTES = 512 * 2**20
_MOST_PARTS = 1_000_000
"""Of lists, objects and values: Python needs up to a hundred times the room of their text."""


class SessionError(KanonError):
    """A file is no session file, is damaged, or its passphrase is another one."""


def refuse() -> NoReturn:
    """Raises SessionError for what Kanon did not write."""
    raise SessionError(
        tr(
            "This is neither a session file nor a recipe of Kanon, or it was changed since; save it again on"
            " the Release page."
        )
    )


def parsed(text: bytes) -> dict[str, Any]:
    """The object in a JSON text; SessionError for anything else, or too much."""
    if len(text) > MOST_BYTES or sum(map(text.count, (b",", b"[", b"{"))) > _MOST_PARTS:
        raise SessionError(
            tr("The file is larger than any session file: {most:,} MB or {parts:,} entries at most.").format(
                most=MOST_BYTES // 2**20, parts=_MOST_PARTS
            )
        )
    try:
        return typed(json.loads(text), dict)
    except (ValueError, RecursionError):
        refuse()


def typed(value: Any, kind: type[T]) -> T:
    """A value of exactly this type."""
    if type(value) is not kind:
        refuse()
    return value


def keys_among(data: Mapping[str, Any], known: frozenset[str]) -> None:
    """Raises SessionError where an object says something that is not known."""
    unknown = sorted(set(data) - known)
    if unknown:
        raise SessionError(
            tr("The session file says “{name}”, which this version of Kanon does not know.").format(
                name=unknown[0][:60]
            )
        )


def listed(value: Any, most: int) -> list[Any]:
    """A list of at most so many."""
    found: list[Any] = typed(value, list)
    if len(found) > most:
        refuse()
    return found


def text(value: Any, most: int = 2_000) -> str:
    """A text of at most so many characters."""
    found = typed(value, str)
    if len(found) > most:
        refuse()
    return found


def whole(value: Any, least: int, most: int) -> int:
    """A whole number within bounds."""
    found = typed(value, int)
    if not least <= found <= most:
        refuse()
    return found


def number(value: Any) -> float:
    """A number, NaN and infinity among them."""
    if type(value) not in (int, float) or (isinstance(value, int) and abs(value) > 2**53):
        refuse()
    return float(value)


def packed(value: Any) -> bytes:
    """The bytes of a base64 text."""
    try:
        return base64.b64decode(typed(value, str), validate=True)
    except ValueError:
        refuse()


def algorithm(value: Any) -> Algorithm:
    """An algorithm with its options; raises SessionError, or OptionError for options it does not have."""
    made = _made(value)
    if not isinstance(made, Algorithm):
        raise SessionError(
            tr("The session file asks for {name}, which is not an algorithm.").format(
                name=type(made).__name__
            )
        )
    return made


def metric(value: Any) -> Metric:
    """A metric with its options; raises SessionError, or OptionError for options it does not have."""
    made = _made(value)
    if not isinstance(made, Metric):
        raise SessionError(
            tr("The session file measures with {name}, which is not a measure.").format(
                name=type(made).__name__
            )
        )
    return made


def _made(value: Any) -> Any:
    try:
        return options.from_json(value)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        refuse()
