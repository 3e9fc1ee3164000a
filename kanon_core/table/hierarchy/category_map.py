"""Categories of products, which replace values or items before a table is anonymized."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import listed, tr
from kanon_core.table.writers.cells import quoted

UNKNOWN = "unknown"
"""The category of every value that a map does not name."""


@dataclass(frozen=True)
class CategoryMap:
    """The category of each value (product), as ``pairs`` of (value, category). All other values become
    `UNKNOWN`.

    Blanks around values and categories are ignored. Raises SchemaError for an empty map or label, and for a
    value that occurs twice, which the message names.

    >>> CategoryMap((("mug", "kitchen"), ("bowl", "kitchen"))).categories_of(["bowl", "lamp"])
    ['kitchen', 'unknown']
    """

    pairs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        stripped = tuple((value.strip(), category.strip()) for value, category in self.pairs)
        object.__setattr__(self, "pairs", stripped)
        if not stripped:
            raise SchemaError(
                tr("The map of categories is empty; write a line “product;category” for each product.")
            )
        if not all(value and category for value, category in stripped):
            raise SchemaError(
                tr(
                    "The map of categories has a line without a product or a category; complete it, or"
                    " delete it."
                )
            )
        repeated = [value for value, count in Counter(value for value, _ in stripped).items() if count > 1]
        if repeated:
            said = tr("The map of categories lists values more than once: {names}. Keep one line of each.")
            raise SchemaError(said.format(names=listed([f"“{value}”" for value in repeated], 1)))

    @cached_property
    def of(self) -> Mapping[str, str]:
        """The category of each value named."""
        return dict(self.pairs)

    @property
    def sizes(self) -> dict[str, int]:
        """Number of values by category, most first, ties in text order (purchase-history paper, table 10)."""
        counts = Counter(category for _, category in self.pairs)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def categories_of(self, values: Iterable[str]) -> list[str]:
        """The category of each value."""
        return [self.of.get(value.strip(), UNKNOWN) for value in values]

    def unknown(self, values: Iterable[str]) -> tuple[str, ...]:
        """The different values among these that the map does not name, in text order."""
        return tuple(sorted({value for value in values if value.strip() not in self.of}))

    def with_products(self, values: Iterable[str], category: str) -> CategoryMap:
        """A copy in which these values have this category; new ones are added."""
        moved = {value.strip(): category for value in values}
        return CategoryMap(tuple({**self.of, **moved}.items()))

    def renamed(self, category: str, name: str) -> CategoryMap:
        """A copy in which a category has another name; the name of another category joins the two."""
        if category not in self.sizes:
            raise SchemaError(tr("There is no category “{category}” to rename.").format(category=category))
        return CategoryMap(tuple((value, name if old == category else old) for value, old in self.pairs))

    def to_json(self) -> list[list[str]]:
        """Pairs (value, category)."""
        return [list(pair) for pair in self.pairs]

    @classmethod
    def from_json(cls, data: Iterable[Sequence[str]]) -> CategoryMap:
        """The map that `to_json` wrote; raises SchemaError for anything else."""
        try:
            return cls(tuple((str(value), str(category)) for value, category in data))
        except (TypeError, ValueError):
            raise SchemaError(
                tr("A map of categories must be a list of pairs: a product and its category.")
            ) from None

    def to_csv(self) -> str:
        """One line ``product;category`` for each value, as `kanon_core.read_categories` reads it."""
        return "".join(f"{quoted(value)};{quoted(category)}\n" for value, category in self.pairs)
