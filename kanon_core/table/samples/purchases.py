"""Purchases of a mail-order shop: many records per person, products with descriptions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FAMILIES: dict[str, tuple[float, float, tuple[str, ...]]] = {
    "kitchen": (0.17, 3.2, ("mug", "bowl", "teapot", "cake stand", "spoon", "oven glove")),
    "ornament": (0.16, 2.6, ("figurine", "wreath", "glass bird", "picture frame", "vase", "hanging star")),
    "candle": (0.11, 1.7, ("tea light holder", "scented candle", "lantern", "candle plate")),
    "bag": (0.10, 2.0, ("lunch bag", "shopping bag", "travel pouch", "rucksack")),
    "paper": (0.10, 0.9, ("notebook", "gift wrap", "greeting card", "pencil set", "sticker sheet")),
    "garden": (0.06, 4.0, ("plant pot", "watering can", "bird table", "seed box", "garden hook")),
    "toy": (0.07, 2.4, ("wooden train", "doll", "jigsaw puzzle", "spinning top", "skipping rope")),
    "party": (0.06, 1.2, ("bunting", "paper plate", "balloon pack", "party hat")),
    "furniture": (0.03, 14.0, ("stool", "wall shelf", "coat rack", "side table")),
    "textile": (0.06, 5.0, ("cushion cover", "doormat", "hot water bottle", "blanket", "tea towel")),
    "jewelry": (0.04, 3.0, ("bracelet", "necklace", "hair clip", "brooch")),
    "bathroom": (0.02, 2.2, ("soap dish", "bath sponge", "towel ring")),
    "sewing": (0.02, 1.6, ("button tin", "knitting kit", "sewing box")),
}
"""By family of products: share, usual price, nouns."""
_STYLES = (
    "red, blue, pink, ivory, green, black, retro, vintage, striped, dotted, floral, heart, star, antique, "
    "large, small, set of 3, pack of 12, ceramic, zinc, wicker, felt, hand painted, folding"
)
STYLES = tuple(_STYLES.split(", "))
_FIRST_DAY, _DAYS = np.datetime64("2022-12-01"), 365
_MOST, _SECOND = 0.0524, 0.0196
_PACKS = np.array([1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 36, 48])


def purchases(people: int = 1_000, rows: int = 80_000, products: int = 3_000, seed: int = 0) -> pd.DataFrame:
    """``rows`` purchases of ``people`` people in a year: customer, date, product, description, price,
    quantity.

    All of it is invented, from ``numpy.random.Generator(PCG64(seed))``:

    - counts are log-normal (σ = 1.2), at least 1; the two people with most have 5 % and 2 % of all rows, as
      in the purchase-history paper (table 4);
    - a product has a family (`FAMILIES`), a description of one or two styles and a noun, a price around its
      family's, and a popularity of 1/(rank + 20);
    - a person comes every dozen purchases or so, on days drawn toward the autumn, buys by popularity and by
      three favorite families, and, the more purchases, the larger packs; of large packs the price is a tenth
      to a fifth lower.

    Rows are in the order of dates. Every product that is bought has one description.

    >>> len(purchases(people=20, rows=300, products=50))
    300
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    goods = _products(rng, products)
    counts = _counts(rng, people, rows)
    owner = np.repeat(np.arange(people), counts)
    bought = _bought(rng, goods["family"].to_numpy(), owner, people)
    large = np.clip(np.log(counts / np.median(counts)) / 4 + rng.normal(0, 0.35, people), -0.5, 1.2)
    place = np.clip(np.rint(rng.gamma(2.0, 1.6, len(owner)) * (1 + 1.2 * large[owner])), 0, len(_PACKS) - 1)
    quantity = _PACKS[place.astype(np.int64)]
    share = np.where(quantity >= 24, 0.8, np.where(quantity >= 12, 0.9, 1.0))
    price = goods["price"].to_numpy()[bought] * share
    frame = pd.DataFrame(
        {
            "customer": pd.Series((10_000 + rng.permutation(people))[owner].astype(str), dtype="str"),
            "date": (_FIRST_DAY + _days(rng, owner, counts)).astype("datetime64[s]"),
            "product": goods["product"].array[bought],
            "description": goods["description"].array[bought],
            "price": np.maximum(np.rint(100 * price), 4) / 100,
            "quantity": quantity,
        }
    )
    return frame.sort_values("date", kind="stable", ignore_index=True)


def _counts(rng: np.random.Generator, people: int, rows: int) -> Integers:
    """Return how many purchases each person has; ``rows`` together, unless there are more people."""
    shares = rng.lognormal(0, 1.2, people)
    shares /= shares.sum()
    if people > 50:
        first, second = np.argsort(-shares)[:2]
        shares[first], shares[second] = _MOST, _SECOND
    counts = np.maximum(np.rint(rows * shares / shares.sum()), 1).astype(np.int64)
    most = np.argmax(counts)
    counts[most] = max(1, counts[most] + rows - counts.sum())
    return np.asarray(counts)


def _products(rng: np.random.Generator, products: int) -> pd.DataFrame:
    """Product, family number, description and price, most popular first."""
    names, shares = list(FAMILIES), np.array([facts[0] for facts in FAMILIES.values()])
    family = rng.choice(len(names), products, p=shares / shares.sum())
    usual = np.array([facts[1] for facts in FAMILIES.values()])
    price = usual[family] * rng.lognormal(0, 0.55, products)
    texts = []
    for number in family.tolist():
        nouns = FAMILIES[names[number]][2]
        styles = rng.choice(len(STYLES), rng.integers(1, 3), replace=False)
        texts.append(" ".join([*(STYLES[i] for i in styles), nouns[rng.integers(len(nouns))]]).upper())
    codes = rng.choice(90_000, products, replace=False) + 10_000
    return pd.DataFrame(
        {
            "product": pd.Series(codes.astype(str), dtype="str"),
            "family": family,
            "description": pd.Series(texts, dtype="str"),
            "price": np.maximum(np.rint(20 * price), 1) / 20,
        }
    )


def _bought(rng: np.random.Generator, family: Integers, owner: Integers, people: int) -> Integers:
    """The product of each purchase: half by popularity alone, half by popularity within a favorite family."""
    popularity = 1 / (np.arange(len(family)) + 20.0)
    bought = rng.choice(len(family), len(owner), p=popularity / popularity.sum())
    favorites = rng.integers(0, len(FAMILIES), (people, 3))
    wanted = favorites[owner, rng.integers(0, 3, len(owner))]
    by_choice = rng.random(len(owner)) < 0.5
    for number in range(len(FAMILIES)):
        those, rows = np.flatnonzero(family == number), np.flatnonzero(by_choice & (wanted == number))
        if len(those) and len(rows):
            bought[rows] = rng.choice(those, len(rows), p=popularity[those] / popularity[those].sum())
    return bought


def _days(rng: np.random.Generator, owner: Integers, counts: Integers) -> npt.NDArray[np.timedelta64]:
    """The day of each purchase: one of its person's visits, one for every dozen purchases or so."""
    visits = 1 + rng.poisson(counts / 12)
    first = np.cumsum(visits) - visits
    season = 1 + 0.8 * np.exp(-(((np.arange(_DAYS) - 330) / 35) ** 2))
    days = rng.choice(_DAYS, int(visits.sum()), p=season / season.sum())
    chosen = first[owner] + np.floor(rng.random(len(owner)) * visits[owner]).astype(np.int64)
    return np.asarray(days[chosen]).astype("timedelta64[D]")
