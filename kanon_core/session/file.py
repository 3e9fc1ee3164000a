"""Session file: one JSON text with all settings of a person and, on request, the data and the seed. The
settings of its columns can be applied to its own table or to another one."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.errors import InputError, SchemaError
from kanon_core.base.version import __version__
from kanon_core.base.words import tr, tr_n
from kanon_core.metrics.base import Metric
from kanon_core.release.recipe import Recipe
from kanon_core.runs.sweeps import QUANTITIES, SweepPoint
from kanon_core.session import json_parts
from kanon_core.session.json_parts import Part, Parts, SessionError, record, refuse, several
from kanon_core.session.seal import Sealed, seal, sealed_in, unseal
from kanon_core.table.presets import with_preset
from kanon_core.table.readers import check_reading
from kanon_core.table.reading import SAMPLE
from kanon_core.table.rowdigest import digest_like
from kanon_core.table.samples import SAMPLES
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

_SHOWN = 8
"""The most names of columns in a sentence."""


@dataclass(frozen=True)
class Step:
    """A requested setting: algorithm, k, and the seed if it is known."""

    algorithm: Algorithm
    k: int
    seed: int | None = field(default=None, repr=False)


def _schema(data: Any) -> Schema:
    columns = json_parts.sized(data, list, 2_000)
    try:
        schema = Schema.from_json(columns)
        names = [json_parts.text().read(name) for name in schema.names]
    except (KeyError, AttributeError, RecursionError):
        refuse()
    if not names:
        refuse()
    return schema


def _reading(data: Any) -> dict[str, Any]:
    given = json_parts.typed(data, dict)
    sample = {name: json_parts.text().read(value) for name, value in given.items() if name == "sample"}
    rest = {name: value for name, value in given.items() if name != "sample"}
    try:
        return {**sample, **check_reading(rest)}
    except InputError as problem:
        raise SessionError(
            tr("The session file's settings for reading its table are not valid: {problem}").format(
                problem=problem
            )
        ) from None


def _source(data: Any) -> str:
    source = json_parts.sized(data, str, 500)
    names = {sample.name for sample in SAMPLES}
    if source.startswith(SAMPLE) and source.removeprefix(SAMPLE) not in names:
        raise SessionError(tr("The session file names a sample that this version of Kanon does not have."))
    return source


_VERSION_KEY, _VERSION, _MOST_K = "kanon_session", 1, 10**9
_K, _NOTE = json_parts.whole(2, _MOST_K), json_parts.text(4_000)
_QUANTITY = json_parts.among(QUANTITIES)
_SCORES = json_parts.mapped(_QUANTITY, json_parts.NUMBER)
_STEP = record(Step, {"algorithm": json_parts.ALGORITHM, "k": _K})
_POINT = record(
    SweepPoint,
    {
        "algorithm": json_parts.ALGORITHM,
        "k": _K,
        "seed": json_parts.SEED,
        "scores": _SCORES,
        "seconds": json_parts.NUMBER,
        "problem": _NOTE,
        "settled": json_parts.optional(json_parts.ALGORITHM),
        "certified": json_parts.FLAG,
        "errors": _SCORES,
        "notes": json_parts.mapped(_QUANTITY, several(_NOTE, 50)),
    },
)
_POINTS = several(_POINT, 20_000)
_PUBLIC: Parts = {
    "kanon": json_parts.text(40),
    "source": Part(str, _source),
    "records": json_parts.whole(1, 10**12),
    "order": json_parts.among(("given", "keyed")),
    "reading": Part(dict, _reading),
    "schema": Part(Schema.to_json, _schema),
    "setting": _STEP,
    "history": several(_STEP, 100),
    "compared": several(json_parts.ALGORITHM, 100),
    "ways": several(json_parts.METRIC, 100),
    "pins": json_parts.mapped(json_parts.among("ABCD"), _STEP),
}
"""The parts that everybody may read; beside them are the version of the format, and ``data`` or the
``sealed`` part."""
_PRIVATE: Parts = {
    "secret": json_parts.optional(json_parts.SEED),
    "seeds": several(json_parts.optional(json_parts.SEED), 105),
    "data_digest": json_parts.text(64),
    "points": _POINTS,
    "balances": _POINTS,
    "plain_balances": _POINTS,
    "reasons": json_parts.mapped(_NOTE, _NOTE),
    "said": json_parts.mapped(_NOTE, _NOTE),
    "noted": several(json_parts.pair(_POINT, _NOTE), 200),
}
"""The parts that are written only under a passphrase; ``seeds``: of the setting, of those before it, and of
those that are pinned."""
_LATER = {"ways", "pins", "balances", "plain_balances", "said", "noted"}
"""The parts that files of earlier versions do not have."""


@dataclass(frozen=True)
class SessionFile:
    """The contents of a session that are kept.

    ``source``: ``sample:NAME``, the name of a file, or "" where it is not known. ``setting``, and
    ``history``, the settings before it, latest last. ``compared``: the algorithms whose curves stand beside
    the curve of the setting. ``ways``: the metrics whose options were changed. ``pins``: the pinned
    settings by their letters. ``given_order``: see `Table`. ``data``: the table as a parquet file, b"" = not
    kept.

    Some parts are written only under a passphrase: the seeds; ``secret`` (the table's own); ``data_digest``,
    with which a guess about the cells of a small table can be confirmed; ``points``, which are right only for
    the same data and seed; ``balances``, such points with the three measures of histories alone, and
    ``plain_balances``, the same with products in place of their categories; ``reasons`` (`Recipe`); ``said``,
    the texts of the report of the release, and ``noted``, the settings noted for it; and then also the data.
    ``sealed``: that part of a file while nobody has given the passphrase.

    A session file belongs to the owner of the data: it holds names of columns, and also values where a
    hierarchy, a distance or a map of categories names them.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> file = SessionFile("sample:people-100", len(table), table.schema, Step(kc.MDAV(), 5, seed=77))
    >>> SessionFile.from_bytes(file.to_bytes()).setting
    Step(algorithm=MDAV(), k=5)
    >>> SessionFile.from_bytes(file.to_bytes("a long passphrase")).unlocked("a long passphrase") == file
    True
    """

    source: str
    records: int
    schema: Schema
    setting: Step
    reading: Mapping[str, Any] = field(default_factory=dict)
    given_order: bool = False
    history: tuple[Step, ...] = ()
    compared: tuple[Algorithm, ...] = ()
    secret: int | None = field(default=None, repr=False)
    data_digest: str = ""
    points: tuple[SweepPoint, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    data: bytes = field(default=b"", repr=False)
    version: str = __version__
    sealed: Sealed | None = field(default=None, repr=False)
    ways: tuple[Metric, ...] = ()
    balances: tuple[SweepPoint, ...] = ()
    plain_balances: tuple[SweepPoint, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    noted: tuple[tuple[SweepPoint, str], ...] = ()
    pins: Mapping[str, Step] = field(default_factory=dict)

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self.setting, *self.history, *self.pins.values()

    def to_bytes(self, passphrase: str = "") -> bytes:
        """Return the file. Without a passphrase, seeds, digest, points and reasons are left out; a new secret
        seed is drawn when the file is opened, so releases differ. Raises SessionError for too short a
        passphrase, and where the package cryptography is not installed. Cost: about a second with a
        passphrase."""
        order = "given" if self.given_order else "keyed"
        named = {**vars(self), "kanon": self.version, "order": order}
        data: dict[str, Any] = {_VERSION_KEY: _VERSION, **json_parts.written(_PUBLIC, named)}
        if passphrase:
            seeds = [step.seed for step in self._steps]
            private = json_parts.written(_PRIVATE, {**vars(self), "seeds": seeds})
            data["sealed"] = seal(json.dumps(private).encode() + b"\n" + self.data, passphrase, data)
        elif self.data:
            data["data"] = json_parts.BYTES.write(self.data)
        return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, content: bytes | str) -> SessionFile:
        """Return the session that `to_bytes` wrote, with its sealed part still sealed; or the session of a
        recipe. Raises SessionError, RecipeError, OptionError or SchemaError with what is wrong."""
        content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        data = json_parts.parsed(content)
        if _VERSION_KEY not in data:
            return cls.of_recipe(Recipe.from_json(content))
        _check_format(data)
        found = json_parts.restored({**_PUBLIC, "data": json_parts.BYTES}, data)
        version, given_order = found.pop("kanon"), found.pop("order") == "given"
        sealed = sealed_in(data) if "sealed" in data else None
        return cls(**found, version=version, given_order=given_order, sealed=sealed)

    @classmethod
    def of_recipe(cls, recipe: Recipe) -> SessionFile:
        """Return the session in which a recipe is the setting; recipes of version 0.1.0 and later."""
        if recipe.k > _MOST_K:
            refuse()
        sample = recipe.reading.get("sample")
        return cls(
            source=f"{SAMPLE}{sample}" if sample else "",
            records=recipe.records,
            schema=recipe.schema,
            setting=Step(recipe.algorithm, recipe.k, recipe.seed),
            reading=recipe.reading,
            given_order=recipe.given_order,
            secret=recipe.seed,
            data_digest=recipe.data_digest,
            reasons=recipe.reasons,
            version=recipe.version,
        )

    def unlocked(self, passphrase: str) -> SessionFile:
        """Return the session with the sealed part opened. Raises SessionError for another passphrase or a
        changed file."""
        if self.sealed is None:
            raise SessionError(tr("Nothing in this session file is encrypted: it needs no passphrase."))
        line, _, parquet = unseal(self.sealed, passphrase).partition(b"\n")
        data = json_parts.parsed(line)
        if not set(_PRIVATE) - _LATER <= set(data) <= set(_PRIVATE):
            refuse()
        found = json_parts.restored(_PRIVATE, data)
        seeds = found.pop("seeds")
        if len(seeds) != len(self._steps):
            refuse()
        setting, *rest = (replace(step, seed=seed) for step, seed in zip(self._steps, seeds, strict=True))
        history, pins = (
            tuple(rest[: len(self.history)]),
            dict(zip(self.pins, rest[len(self.history) :], strict=True)),
        )
        return replace(self, **found, setting=setting, history=history, pins=pins, data=parquet, sealed=None)

    def with_data(self, table: Table) -> SessionFile:
        """Return the session with the records of the table in it. Raises InputError for cells that a parquet
        file cannot hold."""
        import pyarrow as pa

        buffer = io.BytesIO()
        try:
            table.frame.to_parquet(buffer, index=False)
        except (pa.ArrowException, TypeError, ValueError):
            raise InputError(
                tr("The table has cells that a session file cannot hold; save it without the data.")
            ) from None
        return replace(self, data=buffer.getvalue())

    def table(self) -> Table | None:
        """Return the table, where the file holds its data or names a sample; else None. Raises InputError or
        SchemaError where the data do not fit."""
        from kanon_core.table.readers import read_frame
        from kanon_core.table.reading import read_table

        if self.data:
            frame = read_frame(self.data, format="parquet").frame
            table = Table.from_frame(frame, self.schema, self.reading)
        elif self.source.startswith(SAMPLE):
            table = read_table(self.source, self.schema)
        else:
            return None
        return table.in_given_order() if self.given_order else table

    @property
    def has_seed(self) -> bool:
        """Return whether releases can be made again, byte for byte."""
        return self.setting.seed is not None


def _check_format(data: Mapping[str, Any]) -> None:
    """Raise SessionError where entries are missing, unknown or of another version of the format."""
    if data[_VERSION_KEY] != _VERSION or isinstance(data[_VERSION_KEY], bool):
        raise SessionError(
            tr(
                "The session file has another format than this version of Kanon reads ({known}); open it with"
                " the version that saved it."
            ).format(known=_VERSION)
        )
    if unknown := sorted(set(data) - {_VERSION_KEY, *_PUBLIC, "data", "sealed"}):
        raise SessionError(
            tr(
                "The session file has the entry “{name}”, which this version of Kanon does not"
                " know; open it with the version that saved it."
            ).format(name=unknown[0][:60])
        )
    if set(_PUBLIC) - set(data) - _LATER or {"data", "sealed"} <= set(data):
        refuse()


@dataclass(frozen=True)
class Fitted:
    """A table with what fits it of a session's columns. ``same``: it holds the data of the session, so the
    session's points apply; ``sentences`` name the columns that were not taken."""

    table: Table
    same: bool
    sentences: tuple[str, ...]


def fitted(file: SessionFile, table: Table) -> Fitted:
    """Return the table with the roles, kinds, weights, recodings, distances and hierarchies that the session
    gives to columns of its names; a column that cannot have them stays as it is.

    >>> import kanon_core as kc
    >>> table = kc.Table.from_frame(kc.load_sample("people-100")[["age", "sex"]])
    >>> said = kc.Schema((kc.Attribute("age", kind="numeric", weight=2), kc.Attribute("height")))
    >>> found = fitted(SessionFile("", 100, said, kc.session.Step(kc.MDAV(), 5)), table)
    >>> found.table.schema["age"].weight, *found.sentences
    (2.0, 'The table has no column “height”.', 'The session has no settings for the column “sex”.')
    """
    given = table if table.given_order == file.given_order else replace(table, given_order=file.given_order)
    same = bool(file.data_digest) and digest_like(file.data_digest, table, file.schema) == file.data_digest
    try:
        return Fitted(given.with_schema(file.schema), same, ())
    except SchemaError:
        pass
    known = {attribute.name: attribute for attribute in file.schema}
    refused = []
    for name in table.schema.names:
        if name in known:
            try:
                given = given.with_schema(with_preset(given.schema, Schema((known[name],))))
            except SchemaError:
                refused.append(name)
    gone = [name for name in known if name not in table.schema.names]
    new = [name for name in table.schema.names if name not in known]
    untaken = (
        (gone, tr_n("The table has no column {names}.", "The table has no columns {names}.", len(gone))),
        (
            new,
            tr_n(
                "The session has no settings for the column {names}.",
                "The session has no settings for the columns {names}.",
                len(new),
            ),
        ),
        (
            refused,
            tr_n(
                "The session's settings do not fit the column {names}, which stays as it is.",
                "The session's settings do not fit the columns {names}, which stay as they are.",
                len(refused),
            ),
        ),
    )
    sentences = (sentence.format(names=_listed(names)) for names, sentence in untaken if names)
    return Fitted(given, same, tuple(sentences))


def _listed(names: Iterable[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    if len(quoted) > _SHOWN:
        return ", ".join(quoted[:_SHOWN]) + tr(" and {more} more").format(more=len(quoted) - _SHOWN)
    return ", ".join(quoted)
