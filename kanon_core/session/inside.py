"""The two parts of a session file: what everybody may read, and what a passphrase opens."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kanon_core.base import options
from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.release.recipe import check_seed
from kanon_core.session import checks
from kanon_core.session.checks import SessionError
from kanon_core.session.points import point_json, point_of, seed_of
from kanon_core.session.sealed import Sealed
from kanon_core.session.step import Step
from kanon_core.sweeps import SweepPoint
from kanon_core.table.readers import check_reading
from kanon_core.table.reading import SAMPLE
from kanon_core.table.samples import SAMPLES
from kanon_core.table.schema import Schema

if TYPE_CHECKING:
    from kanon_core.session.file import SessionFile

VERSION_KEY, VERSION = "kanon_session", 1
MOST_K = 10**9
_MOST_COLUMNS, _MOST_STEPS, _MOST_COMPARED, _MOST_POINTS, _MOST_REASONS = 2_000, 100, 100, 20_000, 200
_MOST_WAYS, _MOST_NOTED = 100, 200
_PUBLIC = frozenset(
    (
        VERSION_KEY,
        "kanon",
        "source",
        "records",
        "order",
        "reading",
        "schema",
        "setting",
        "history",
        "compared",
        "ways",
        "data",
        "sealed",
    )
)
_PRIVATE = frozenset(
    (
        "secret",
        "seeds",
        "data_digest",
        "points",
        "balances",
        "plain_balances",
        "reasons",
        "said",
        "noted",
    )
)
_LATER = frozenset(("ways", "balances", "plain_balances", "said", "noted"))
"""What files of earlier versions do not have."""
_STEP = frozenset(("algorithm", "k"))
_SEALED = ("salt", "nonce", "box")


def public_json(file: SessionFile) -> dict[str, Any]:
    """What everybody may read, but for the data."""
    return {
        VERSION_KEY: VERSION,
        "kanon": file.version,
        "source": file.source,
        "records": file.records,
        "order": "given" if file.given_order else "keyed",
        "reading": json.loads(json.dumps(dict(file.reading))),
        "schema": file.schema.to_json(),
        "setting": _step_json(file.setting),
        "history": [_step_json(step) for step in file.history],
        "compared": [options.to_json(algorithm) for algorithm in file.compared],
        "ways": [options.to_json(metric) for metric in file.ways],
    }


def public_of(data: dict[str, Any]) -> dict[str, Any]:
    """By field of a session file, what `public_json` wrote, with the data and what is sealed beside it."""
    if data[VERSION_KEY] != VERSION or isinstance(data[VERSION_KEY], bool):
        raise SessionError(
            tr(
                "The session file has another format than this version of Kanon reads ({known}); open it with"
                " the version that saved it."
            ).format(known=VERSION)
        )
    checks.keys_among(data, _PUBLIC)
    if _PUBLIC - set(data) - {"data", "sealed"} - _LATER or {"data", "sealed"} <= set(data):
        checks.refuse()
    order = checks.text(data["order"])
    if order not in ("given", "keyed"):
        checks.refuse()
    return {
        "source": _source(data["source"]),
        "records": checks.whole(data["records"], 1, 10**12),
        "schema": _schema(data["schema"]),
        "setting": _step(data["setting"]),
        "reading": _reading(checks.typed(data["reading"], dict)),
        "given_order": order == "given",
        "history": tuple(_step(step) for step in checks.listed(data["history"], _MOST_STEPS)),
        "compared": tuple(checks.algorithm(one) for one in checks.listed(data["compared"], _MOST_COMPARED)),
        "ways": tuple(checks.metric(one) for one in checks.listed(data.get("ways", []), _MOST_WAYS)),
        "data": checks.packed(data.get("data", "")),
        "version": checks.text(data["kanon"], 40),
        "sealed": _sealed(data) if "sealed" in data else None,
    }


def private_bytes(file: SessionFile) -> bytes:
    """What a passphrase opens: a line of JSON, then the data."""
    said = {
        "secret": _seed_json(file.secret),
        "seeds": [_seed_json(step.seed) for step in (file.setting, *file.history)],
        "data_digest": file.data_digest,
        "points": [point_json(point) for point in file.points],
        "balances": [point_json(point) for point in file.balances],
        "plain_balances": [point_json(point) for point in file.plain_balances],
        "reasons": dict(file.reasons),
        "said": dict(file.said),
        "noted": [[point_json(point), comment] for point, comment in file.noted],
    }
    return json.dumps(said).encode() + b"\n" + file.data


def private_of(file: SessionFile, content: bytes) -> dict[str, Any]:
    """By field of the session file, what `private_bytes` wrote."""
    line, _, parquet = content.partition(b"\n")
    data = checks.parsed(line)
    if not _PRIVATE - _LATER <= set(data) <= _PRIVATE:
        checks.refuse()
    seeds = [_seed(one) for one in checks.listed(data["seeds"], _MOST_STEPS + 1)]
    if len(seeds) != 1 + len(file.history):
        checks.refuse()
    steps = zip((file.setting, *file.history), seeds, strict=True)
    setting, *history = (Step(step.algorithm, step.k, seed) for step, seed in steps)
    return {
        "setting": setting,
        "history": tuple(history),
        "secret": _seed(data["secret"]),
        "data_digest": checks.text(data["data_digest"], 64),
        **{name: _points(data.get(name, [])) for name in ("points", "balances", "plain_balances")},
        "reasons": _texts(data["reasons"]),
        "said": _texts(data.get("said", {})),
        "noted": tuple(_noted(one) for one in checks.listed(data.get("noted", []), _MOST_NOTED)),
        "data": parquet,
    }


def _texts(data: Any) -> dict[str, str]:
    found = checks.typed(data, dict)
    if len(found) > _MOST_REASONS:
        checks.refuse()
    return {checks.text(what, 4_000): checks.text(why, 4_000) for what, why in found.items()}


def _noted(data: Any) -> tuple[SweepPoint, str]:
    pair = checks.listed(data, 2)
    if len(pair) != 2:
        checks.refuse()
    return point_of(pair[0], MOST_K), checks.text(pair[1], 4_000)


def _points(data: Any) -> tuple[SweepPoint, ...]:
    return tuple(point_of(one, MOST_K) for one in checks.listed(data, _MOST_POINTS))


def _step_json(step: Step) -> dict[str, Any]:
    return {"algorithm": options.to_json(step.algorithm), "k": step.k}


def _step(data: Any) -> Step:
    found = checks.typed(data, dict)
    if set(found) != _STEP:
        checks.refuse()
    return Step(checks.algorithm(found["algorithm"]), checks.whole(found["k"], 2, MOST_K))


def _schema(data: Any) -> Schema:
    columns = checks.listed(data, _MOST_COLUMNS)
    try:
        schema = Schema.from_json(columns)
        names = [checks.text(name) for name in schema.names]
    except (KeyError, AttributeError, RecursionError):
        checks.refuse()
    if not names:
        checks.refuse()
    return schema


def _reading(data: dict[str, Any]) -> dict[str, Any]:
    sample = {"sample": checks.text(data["sample"])} if "sample" in data else {}
    rest = {name: value for name, value in data.items() if name != "sample"}
    try:
        return {**sample, **check_reading(rest)}
    except InputError as problem:
        raise SessionError(
            tr("The session file cannot say how its table was read: {problem}").format(problem=problem)
        ) from None


def _source(data: Any) -> str:
    source = checks.text(data, 500)
    if source.startswith(SAMPLE) and source.removeprefix(SAMPLE) not in {one.name for one in SAMPLES}:
        raise SessionError(tr("The session file names a sample that this version of Kanon does not have."))
    return source


def sealed_json(sealed: Sealed) -> dict[str, str]:
    """What is encrypted, as texts."""
    return {name: base64.b64encode(getattr(sealed, name)).decode() for name in _SEALED}


def bound(data: Mapping[str, Any]) -> bytes:
    """What everybody may read, in a form that does not depend on how its JSON is laid out."""
    said = {name: value for name, value in data.items() if name != "sealed"}
    return json.dumps(said, sort_keys=True).encode()


def _sealed(data: Mapping[str, Any]) -> Sealed:
    found = checks.typed(data["sealed"], dict)
    if set(found) != set(_SEALED):
        checks.refuse()
    salt, nonce, box = (checks.packed(found[name]) for name in _SEALED)
    return Sealed(salt, nonce, box, bound(data))


def _seed_json(seed: int | None) -> str | None:
    return None if seed is None else str(check_seed(seed))


def _seed(data: Any) -> int | None:
    return None if data is None else seed_of(data)
