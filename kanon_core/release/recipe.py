"""The recipe of a release: everything needed to make the same bytes again from the same data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kanon_core.algorithms.base import Algorithm
from kanon_core.base import options
from kanon_core.base.errors import InputError, KanonError, OptionError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.randomness import SEED_BITS
from kanon_core.base.version import __version__
from kanon_core.base.words import later, tr
from kanon_core.table.rowdigest import digest_like, is_keyed, row_digest
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

_JSON_EXACT = 2**53
"""Many readers of JSON round larger whole numbers; seeds from here on are written as texts."""
_NO_RECIPE = later("This is not a recipe; give the JSON text that Kanon exported.")

OTHER_DATA = later(
    "The recipe was made for other data: the digests differ. Load the table it was made from, with the same"
    " kinds of columns."
)


KEYED = later(
    "An earlier build of Kanon made this recipe from many files, with a kind of digest that is no longer"
    " computed, so these data cannot be compared with it. Anonymize the data again."
)


class RecipeError(KanonError):
    """A text is no recipe, or a recipe does not belong to this table."""


@dataclass(frozen=True)
class Recipe:
    """Schema, algorithm with its options, k, seed, version, how the file was read, the digest of the input's
    rows, whatever their order (`row_digest`), whether the algorithm saw the records in the order of the file
    (``given_order``; the digest is then `Table.data_digest`), and the reasons for accepting findings that
    stop the release, by the sentence of each finding (``reasons``).

    A recipe belongs to the owner of the data: it contains names of columns, and values where a hierarchy, a
    distance or a map of categories names them. With a small table its digest lets an attacker confirm a guess
    about the cells, so it is kept with the data and not handed over.
    """

    schema: Schema
    algorithm: Algorithm
    k: int
    seed: int = field(repr=False)
    data_digest: str
    records: int
    reading: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__
    given_order: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the recipe as indented JSON text."""
        return json.dumps(
            {
                "kanon": self.version,
                "algorithm": options.to_json(self.algorithm),
                "k": self.k,
                "order": "given" if self.given_order else "keyed",
                "seed": self.seed if self.seed < _JSON_EXACT else str(self.seed),
                "data_digest": self.data_digest,
                "records": self.records,
                "reading": dict(self.reading),
                "schema": self.schema.to_json(),
                **({"reasons": dict(self.reasons)} if self.reasons else {}),
            },
            indent=2,
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """Return the recipe that `to_json` wrote; raises RecipeError, OptionError or SchemaError with what is
        wrong.

        >>> import kanon_core as kc
        >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5)
        >>> Recipe.from_json(release.recipe.to_json()) == release.recipe
        True
        """
        try:
            data = json.loads(text)
            _refuse_session(data)
            algorithm = options.from_json(data["algorithm"])
            schema, k, seed = Schema.from_json(data["schema"]), data["k"], _read_seed(data["seed"])
            digest, records, version = data["data_digest"], data["records"], data["kanon"]
            reading, given_order = dict(data.get("reading", {})), _read_order(data)
            reasons = {str(what): str(why) for what, why in dict(data.get("reasons", {})).items()}
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise RecipeError(tr(_NO_RECIPE)) from None
        if not isinstance(algorithm, Algorithm):
            raise RecipeError(
                tr("The recipe names {name}, which is not an algorithm.").format(
                    name=type(algorithm).__name__
                )
            )
        named = isinstance(digest, str) and isinstance(version, str)
        if not named or isinstance(records, bool) or not isinstance(records, int) or records < 1:
            raise RecipeError(tr(_NO_RECIPE))
        k = check_k(k, algorithm.promises)
        return cls(
            schema, algorithm, k, seed, digest, records, _checked(reading), version, given_order, reasons
        )

    def check_table(self, table: Table) -> None:
        """Raise RecipeError when a release of this recipe was made of other data, or with another schema."""
        self.belongs_to(self.digest_of(table))
        if self.schema != table.schema:
            raise RecipeError(
                tr(
                    "The release was made with other roles, kinds or recodings than this table has;"
                    " give the table the schema of the release's recipe."
                )
            )

    def digest_of(self, table: Table, tick: Tick = silent) -> str:
        """Return the digest of the table's data, found as that of this recipe was: of its rows whatever their
        order, or, where algorithms see them in the order of the file, of the whole frame. Raises RecipeError
        where the recipe has a kind of digest that is no longer computed."""
        if is_keyed(self.data_digest):
            raise RecipeError(tr(KEYED))
        return digest_like(self.data_digest, table, self.schema, tick)

    def belongs_to(self, data_digest: str) -> None:
        """Raise RecipeError when the data are not those the recipe was made for."""
        if data_digest != self.data_digest:
            raise RecipeError(tr(OTHER_DATA))


def digest_for(table: Table, algorithm: Algorithm, tick: Tick = silent) -> str:
    """Return the digest of the table that a recipe of a release by this algorithm keeps; of the frame as a
    whole where the order of its records is the given one."""
    if table.given_order:
        return table.find_digest(tick)
    return row_digest(table, table.schema, algorithm.by_order, tick)


def _refuse_session(data: Any) -> None:
    if "kanon_session" in data:
        raise RecipeError(
            tr(
                "This is a session file, not a recipe: open it on the Data page, or in Python with"
                " kc.SessionFile.from_bytes; the recipe of its release is on the Release page."
            )
        )


def _checked(reading: dict[str, Any]) -> dict[str, Any]:
    """Return how the file was read, each key and type one that `read_table` takes; raises RecipeError."""
    from kanon_core.table.readers import check_reading

    sample = {"sample": reading.pop("sample")} if isinstance(reading.get("sample"), str) else {}
    try:
        return {**sample, **check_reading(reading)}
    except InputError as problem:
        raise RecipeError(
            tr("The recipe's settings for reading its file are not valid: {problem}").format(problem=problem)
        ) from None


def _read_order(data: Mapping[str, Any]) -> bool:
    """Return whether the algorithm saw the records in the order of the file, as it always did up to version
    0.1.0, whose recipes do not mention the order."""
    return {"given": True, "keyed": False}[data.get("order", "given")]


def _read_seed(seed: Any) -> int:
    written = isinstance(seed, str) and seed.isascii() and seed.isdecimal()
    return check_seed(int(seed) if written else seed)


def check_k(k: Any, promised: bool = True) -> int:
    """k as int; OptionError unless it is a whole number of at least 2, or 1 where nothing is promised."""
    least = 2 if promised else 1
    if isinstance(k, bool) or (not isinstance(k, int) and not hasattr(k, "__index__")) or int(k) < least:
        raise OptionError(
            tr("k must be a whole number of at least 2: k = 1 gives no protection.")
            if promised
            else tr("k must be 1 for a method without a guarantee.")
        )
    return int(k)


def check_seed(seed: Any) -> int:
    """Return the seed as int; OptionError unless it is a whole number of at most 128 bits."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= int(seed) < 2**SEED_BITS:
        raise OptionError(
            tr("The seed must be a whole number from 0 to {SEED_BITS}.").format(SEED_BITS=2**SEED_BITS - 1)
        )
    return int(seed)
