"""The samples people can try Kanon with, all from our own generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pandas as pd

from kanon_core.base.assets import ASSETS
from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr
from kanon_core.table.distributions import DISTRIBUTIONS, distribution
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.samples.households import households
from kanon_core.table.samples.itemsets import baskets, receipt_groups, receipts
from kanon_core.table.samples.people import people
from kanon_core.table.samples.purchases import purchases

__all__ = ["SAMPLES", "Sample", "load_sample", "receipt_groups", "sample", "write_samples"]
__all__ += ["baskets", "households", "people", "purchases", "receipts"]

FOLDER = ASSETS / "samples"
"""The folder of the generated files in a checkout; without it the samples are generated."""


@dataclass(frozen=True)
class Sample:
    """One sample: its name, its columns, and how it is made.

    ``declared``: a line for each column, in order: name, kind and role (`kanon_core.table.attribute`), a
    quasi-identifier when no role is said. ``groups``: by column, makes a value hierarchy to try; nothing uses
    it unless asked. ``make()`` generates the frame; ``stored`` says whether a copy is kept in `FOLDER` (small
    ones are always generated). ``called`` and ``about`` are what `title` and `description` say, ``said`` what
    is filled into them; all are translated when they are read.
    """

    name: str
    called: str
    about: str
    rows: int
    declared: str
    make: Callable[[], pd.DataFrame] = field(repr=False, compare=False)
    stored: bool = False
    groups: Mapping[str, Callable[[], Hierarchy]] = field(default_factory=dict, repr=False, compare=False)
    said: Mapping[str, str | int | float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def title(self) -> str:
        """Its name for people, with its number of records."""
        return self._filled(self.called)

    @property
    def description(self) -> str:
        """The content of the sample, in a sentence."""
        return self._filled(self.about)

    def _filled(self, message: str) -> str:
        words = {name: tr(str(word)) if name == "title" else word for name, word in self.said.items()}
        return tr(message).format(**words)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.kinds)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column."""
        return {words[0]: words[1] for words in map(str.split, self.declared.strip().splitlines())}

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column."""
        lines = [(*line.split(), "quasi_identifier") for line in self.declared.strip().splitlines()]
        return {words[0]: words[2] for words in lines}

    @property
    def path(self) -> Path:
        """The path where the stored copy is, or would be."""
        return FOLDER / f"{self.name}.csv"


_PEOPLE = """
    person          text            identifier
    latitude        latitude
    longitude       longitude
    age             numeric
    sex             categorical
    activity        categorical     other
    condition       categorical     sensitive
"""
_HOUSEHOLDS = """
    age             numeric
    weight          numeric         other
    education_years numeric
    hours           numeric
    capital_income  numeric         sensitive
    commute_minutes numeric         other
    sex             categorical
    marital_status  categorical
    relationship    categorical
    education       categorical
    occupation      categorical
    sector          categorical
    housing         categorical     other
    region          categorical
    income          categorical     sensitive
"""
_PURCHASES = """
    customer        categorical     person
    date            datetime
    product         categorical
    description     text            identifier
    price           numeric
    quantity        numeric
"""
_RECEIPTS = "birth_year numeric\n sex categorical\n month numeric\n diseases items"


def _people(size: int) -> Sample:
    text = later(
        "Invented people at midnight, placed around Tokyo: dense town centers, suburbs and a few remote"
        " homes."
    )
    title = later("People in a city at midnight ({size:,})")
    make, said = partial(people, size), {"size": size}
    return Sample(f"people-{size}", title, text, size, _PEOPLE, make, stored=True, said=said)


def _receipts(size: int, items: int, mean: float) -> Sample:
    text = later(
        "Invented medical receipts of one year: {items:,} different diseases, {mean:.1f} per receipt on"
        " average."
    )
    title = later("Medical receipts ({size:,})")
    groups = {"diseases": partial(receipt_groups, items)}
    make, said = partial(receipts, size, items, mean), {"size": size, "items": items, "mean": mean}
    return Sample(f"receipts-{size}", title, text, size, _RECEIPTS, make, groups=groups, said=said)


def _four() -> pd.DataFrame:
    """Table 1 of the k-concealment paper."""
    names, sexes = ["Alice", "Bob", "Carol", "David"], ["F", "M", "M", "F"]
    return pd.DataFrame({"name": names, "age": [10, 20, 40, 50], "sex": sexes})


def _nine() -> pd.DataFrame:
    """Figure 6, first column, of the set-valued paper; its figure 1 prints other sets for records 4 and 7."""
    sets = ["a;b;d", "a;f;g", "a;d;f;y;z", "a;b;f;g", "b;c;f", "c;e;x", "e;x", "b;c", "c;e;x"]
    return pd.DataFrame({"drugs": sets})


SAMPLES: tuple[Sample, ...] = (
    _people(100),
    _people(5000),
    Sample(
        "households-5000",
        later("Census-like households (5,000)"),
        later(
            "Invented adults with work, education, household and income: six numeric and nine"
            " categorical columns."
        ),
        5_000,
        _HOUSEHOLDS,
        households,
        stored=True,
    ),
    _receipts(10_000, 169, 5.2021),
    _receipts(100_000, 4_156, 4.4194),
    Sample(
        "baskets-77512",
        later("Baskets of a shop (77,512)"),
        later(
            "Invented shopping baskets of 3,340 articles; the number and sizes of the baskets are those of"
            " BMS-WebView-2."
        ),
        77_512,
        "items items",
        baskets,
    ),
    Sample(
        "purchases-80000",
        later("Purchases of 1,000 people (80,000)"),
        later(
            "Invented purchases of one year in a mail-order shop: 3,000 products with descriptions; a few"
            " people buy a lot."
        ),
        80_000,
        _PURCHASES,
        purchases,
    ),
    Sample(
        "four",
        later("Four people (4)"),
        later(
            "The worked example of the k-concealment paper (Ito and Kikuchi), small enough to follow every"
            " step by hand."
        ),
        4,
        "name text identifier\n age numeric\n sex categorical",
        _four,
    ),
    Sample(
        "nine",
        later("Nine prescriptions (9)"),
        later(
            "The worked example of the set-valued paper (Takahashi and others): nine sets of drugs, small"
            " enough to follow every cut by hand."
        ),
        9,
        "drugs items",
        _nine,
    ),
    *(
        Sample(
            drawn.name,
            later("{name}: {title} ({size})"),
            later("One number per record, drawn from {formula}."),
            drawn.size,
            "x numeric",
            partial(distribution, drawn.name),
            said={"name": drawn.name, "title": drawn.called, "size": drawn.size, "formula": drawn.formula},
        )
        for drawn in DISTRIBUTIONS.values()
    ),
)
"""Every sample, in menu order; the first is loaded when nothing else is."""


def sample(name: str) -> Sample:
    """The sample of a name; raises `InputError` naming those there are."""
    for candidate in SAMPLES:
        if candidate.name == name:
            return candidate
    said = tr("There is no sample of that name; choose one of {names}.")
    raise InputError(said.format(names=", ".join(s.name for s in SAMPLES)))


def load_sample(name: str) -> pd.DataFrame:
    """The frame of a sample: read from its stored copy if there is one, else generated; both are equal.

    Raises `InputError` when there is no sample of that name.

    >>> load_sample("four")["name"].tolist()
    ['Alice', 'Bob', 'Carol', 'David']
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
