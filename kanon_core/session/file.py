"""The session file: one JSON text with all that somebody set, and, if asked, the data and the seed."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.errors import InputError
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.metrics.base import Metric
from kanon_core.release.recipe import Recipe
from kanon_core.session import checks, inside
from kanon_core.session.checks import SessionError
from kanon_core.session.sealed import Sealed, seal, unseal
from kanon_core.session.step import Step
from kanon_core.sweeps import SweepPoint
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

__all__ = ["SessionError", "SessionFile", "Step"]


@dataclass(frozen=True)
class SessionFile:
    """What is kept of a session.

    ``source``: ``sample:NAME``, the name of a file, or "" where it is not known. ``setting``, and the
    ``history`` of those before it, latest last; ``compared``: the algorithms whose curves stand beside that
    of the setting; ``ways``: the metrics whose options were changed. ``given_order`` as in `Table`.
    ``data``: the table as a parquet file, b"" = not kept.
    Under a passphrase alone are written: the seeds, ``secret`` (the table's own), ``data_digest``, with which
    a guess about the cells of a small table can be confirmed, ``points``, which are right for the same data
    and seed only, ``balances``, such points with the three measures of histories alone, and
    ``plain_balances``, the same with products in place of their categories, ``reasons`` (`Recipe`), what is
    ``said`` in the report of the release and the settings ``noted`` for it, and then also the data.
    ``sealed``: that part of a file while nobody gave the passphrase.

    A session file belongs to the data's owner: names of columns stand in it, and values where a hierarchy, a
    distance or a map of categories names them.

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

    def to_bytes(self, passphrase: str = "") -> bytes:
        """The file. Without a passphrase seeds, digest, points and reasons are left out, and whoever opens it
        draws a new secret seed, so that releases differ. Raises SessionError for too short a passphrase, and
        where the package cryptography is not installed. Cost: about a second with a passphrase."""
        data = inside.public_json(self)
        if passphrase:
            sealed = seal(inside.private_bytes(self), passphrase, inside.bound(data))
            data["sealed"] = inside.sealed_json(sealed)
        elif self.data:
            data["data"] = base64.b64encode(self.data).decode()
        return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, content: bytes | str) -> SessionFile:
        """The session that `to_bytes` wrote, what is sealed still unread; or that of a recipe. Raises
        SessionError, RecipeError, OptionError or SchemaError with what is wrong."""
        text = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        data = checks.parsed(text)
        if inside.VERSION_KEY in data:
            return cls(**inside.public_of(data))
        return cls.of_recipe(Recipe.from_json(text))

    @classmethod
    def of_recipe(cls, recipe: Recipe) -> SessionFile:
        """The session in which a recipe is the setting; recipes of version 0.1.0 and later."""
        if recipe.k > inside.MOST_K:
            checks.refuse()
        sample = recipe.reading.get("sample")
        return cls(
            source=f"sample:{sample}" if sample else "",
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
        """With what is sealed; raises SessionError for another passphrase or a file that was changed."""
        if self.sealed is None:
            raise SessionError(tr("Nothing in this session file is encrypted: it needs no passphrase."))
        found = inside.private_of(self, unseal(self.sealed, passphrase))
        return replace(self, **found, sealed=None)

    def with_data(self, table: Table) -> SessionFile:
        """With the records of the table in it. Raises InputError for cells that a parquet file cannot
        hold."""
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
        """The table, where the file holds its data or names a sample; else None. Raises InputError or
        SchemaError where the data do not fit."""
        from kanon_core.table.readers import read_frame
        from kanon_core.table.reading import read_table

        if self.data:
            frame = read_frame(self.data, format="parquet").frame
            table = Table.from_frame(frame, self.schema, self.reading)
        elif self.source.startswith("sample:"):
            table = read_table(self.source, self.schema)
        else:
            return None
        return table.in_given_order() if self.given_order else table

    @property
    def has_seed(self) -> bool:
        """Whether releases can be made again, byte for byte."""
        return self.setting.seed is not None
