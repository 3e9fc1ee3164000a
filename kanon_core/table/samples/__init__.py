"""The samples people can try Kanon with, all from our own generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from kanon_core.base.assets import ASSETS
from kanon_core.base.errors import InputError
from kanon_core.table.distributions import DISTRIBUTIONS, Distribution, distribution
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.samples.households import households
from kanon_core.table.samples.itemsets import baskets, receipt_groups, receipts
from kanon_core.table.samples.people import people
from kanon_core.table.samples.purchases import purchases

__all__ = [
    "SAMPLES",
    "Sample",
    "baskets",
    "households",
    "load_sample",
    "people",
    "purchases",
    "receipt_groups",
    "receipts",
    "sample",
    "write_samples",
]

FOLDER = ASSETS / "samples"
"""Where the generated files are kept in a checkout; without it the samples are generated."""


@dataclass(frozen=True)
class Sample:
    """One sample: what it is, what its columns mean, and how it is made.

    ``roles`` and ``kinds`` map every column, in order, to its role and kind (`kanon_core.table.schema`).
    ``groups``: by column, makes a value hierarchy to try; nothing uses it unless asked. ``make()`` generates
    the frame; ``stored`` says whether a copy is kept in `FOLDER` (small ones are always generated).
    """

    name: str
    title: str
    description: str
    rows: int
    roles: Mapping[str, str]
    kinds: Mapping[str, str]
    make: Callable[[], pd.DataFrame] = field(repr=False, compare=False)
    stored: bool = True
    groups: Mapping[str, Callable[[], Hierarchy]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.kinds)

    @property
    def path(self) -> Path:
        """Where the stored copy is, or would be."""
        return FOLDER / f"{self.name}.csv"


_PEOPLE_ROLES = {
    "person": "identifier",
    "latitude": "quasi_identifier",
    "longitude": "quasi_identifier",
    "age": "quasi_identifier",
    "sex": "quasi_identifier",
    "activity": "other",
    "condition": "sensitive",
}
_PEOPLE_KINDS = {
    "person": "text",
    "latitude": "latitude",
    "longitude": "longitude",
    "age": "numeric",
    "sex": "categorical",
    "activity": "categorical",
    "condition": "categorical",
}
_HOUSEHOLD_ROLES = {
    "age": "quasi_identifier",
    "weight": "other",
    "education_years": "quasi_identifier",
    "hours": "quasi_identifier",
    "capital_income": "sensitive",
    "commute_minutes": "other",
    "sex": "quasi_identifier",
    "marital_status": "quasi_identifier",
    "relationship": "quasi_identifier",
    "education": "quasi_identifier",
    "occupation": "quasi_identifier",
    "sector": "quasi_identifier",
    "housing": "other",
    "region": "quasi_identifier",
    "income": "sensitive",
}
_HOUSEHOLD_KINDS = {name: "numeric" if i < 6 else "categorical" for i, name in enumerate(_HOUSEHOLD_ROLES)}
_PURCHASE_ROLES = {
    "customer": "person",
    "date": "quasi_identifier",
    "product": "quasi_identifier",
    "description": "identifier",
    "price": "quasi_identifier",
    "quantity": "quasi_identifier",
}
_PURCHASE_KINDS = {
    "customer": "categorical",
    "date": "datetime",
    "product": "categorical",
    "description": "text",
    "price": "numeric",
    "quantity": "numeric",
}


def _people(size: int) -> Sample:
    return Sample(
        name=f"people-{size}",
        title=f"People in a city at midnight ({size:,})",
        description=(
            "Invented persons at home in an invented city: dense town centers, suburbs, a few far away."
        ),
        rows=size,
        roles=_PEOPLE_ROLES,
        kinds=_PEOPLE_KINDS,
        make=lambda: people(size),
    )


def _receipts(size: int, items: int, mean: float) -> Sample:
    kinds = {"birth_year": "numeric", "sex": "categorical", "month": "numeric", "diseases": "items"}
    return Sample(
        name=f"receipts-{size}",
        title=f"Medical receipts ({size:,})",
        description=(
            f"Invented receipts of a year with the diseases on them: {items:,} kinds, {mean:.1f} a receipt."
        ),
        rows=size,
        roles=dict.fromkeys(kinds, "quasi_identifier"),
        kinds=kinds,
        make=lambda: receipts(size, items, mean),
        stored=False,
        groups={"diseases": lambda: receipt_groups(items)},
    )


def _four() -> pd.DataFrame:
    """Table 1 of [000]."""
    names, sexes = ["Alice", "Bob", "Carol", "David"], ["F", "M", "M", "F"]
    return pd.DataFrame({"name": names, "age": [10, 20, 40, 50], "sex": sexes})


def _nine() -> pd.DataFrame:
    """The first column of figure 6 of [001]; its figure 1 prints other sets for records 4 and 7."""
    sets = ["a;b;d", "a;f;g", "a;d;f;y;z", "a;b;f;g", "b;c;f", "c;e;x", "e;x", "b;c", "c;e;x"]
    return pd.DataFrame({"drugs": sets})


def _distribution(declared: Distribution) -> Sample:
    return Sample(
        name=declared.name,
        title=f"{declared.name}: {declared.title} ({declared.size})",
        description=f"One number per record, drawn from {declared.formula}.",
        rows=declared.size,
        roles={"x": "quasi_identifier"},
        kinds={"x": "numeric"},
        make=lambda: distribution(declared.name),
        stored=False,
    )


SAMPLES: tuple[Sample, ...] = (
    _people(5000),
    _people(100),
    Sample(
        name="households-5000",
        title="Census-like households (5,000)",
        description=(
            "Invented adults with work, schooling, household and income; six numbers, nine categories."
        ),
        rows=5000,
        roles=_HOUSEHOLD_ROLES,
        kinds=_HOUSEHOLD_KINDS,
        make=households,
    ),
    _receipts(10_000, 169, 5.2021),
    _receipts(100_000, 4_156, 4.4194),
    Sample(
        name="baskets-77512",
        title="Baskets of a shop (77,512)",
        description=(
            "Invented baskets: one set of articles each, of 3,340; as many and as large as those of"
            " BMS-WebView-2."
        ),
        rows=77_512,
        roles={"items": "quasi_identifier"},
        kinds={"items": "items"},
        make=baskets,
        stored=False,
    ),
    Sample(
        name="purchases-80000",
        title="Purchases of 1,000 people (80,000)",
        description=(
            "Invented purchases of a year in a mail-order shop: 3,000 described products, a few people who"
            " buy a lot."
        ),
        rows=80_000,
        roles=_PURCHASE_ROLES,
        kinds=_PURCHASE_KINDS,
        make=purchases,
        stored=False,
    ),
    Sample(
        name="four",
        title="Four people (4)",
        description=(
            "The worked example of the paper on k-concealment: small enough to follow every step by hand."
        ),
        rows=4,
        roles={"name": "identifier", "age": "quasi_identifier", "sex": "quasi_identifier"},
        kinds={"name": "text", "age": "numeric", "sex": "categorical"},
        make=_four,
        stored=False,
    ),
    Sample(
        name="nine",
        title="Nine prescriptions (9)",
        description=(
            "The worked example of the paper on item sets: nine sets of drugs, to follow every cut by hand."
        ),
        rows=9,
        roles={"drugs": "quasi_identifier"},
        kinds={"drugs": "items"},
        make=_nine,
        stored=False,
    ),
    *(_distribution(declared) for declared in DISTRIBUTIONS.values()),
)
"""Every sample, in menu order; the first is loaded when nothing else is."""


def sample(name: str) -> Sample:
    """The sample of a name; raises `InputError` naming those there are.

    >>> sample("people-100").rows
    100
    """
    for candidate in SAMPLES:
        if candidate.name == name:
            return candidate
    raise InputError(f"There is no sample of that name; choose one of {', '.join(s.name for s in SAMPLES)}.")


def load_sample(name: str) -> pd.DataFrame:
    """The frame of a sample: read from its stored copy if there is one, else generated; both are equal.

    Raises `InputError` when there is no sample of that name.

    >>> load_sample("people-100").shape
    (100, 7)
    """
    wanted = sample(name)
    if wanted.stored and wanted.path.is_file():
        texts = {column: "str" for column, kind in wanted.kinds.items() if kind in ("categorical", "text")}
        return pd.read_csv(wanted.path, dtype=texts, keep_default_na=False, na_values=[""])
    return wanted.make()


def write_samples() -> list[Path]:
    """Write the stored copies anew (csv, UTF-8) and return their paths; equal input gives equal bytes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    written = [each for each in SAMPLES if each.stored]
    for each in written:
        each.make().to_csv(each.path, index=False, lineterminator="\n")
    return [each.path for each in written]
