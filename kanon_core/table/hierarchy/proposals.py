"""Categories proposed from descriptions: products whose descriptions share telling words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.table.columns.itemcells import as_texts
from kanon_core.table.hierarchy.category_map import UNKNOWN, CategoryMap

CATEGORIES = 19
"""The number of categories in the purchase-history paper."""
_WORD = r"[^\W\d_]{3,}"
_STARTS = 4


def propose_categories(
    products: Sequence[object] | pd.Series,
    descriptions: Sequence[object] | pd.Series,
    count: int = CATEGORIES,
    seed: int = 0,
    tick: Tick = silent,
) -> CategoryMap:
    """A map of at most ``count`` categories (2 to 200) for the products of these records, to be edited.

    A product's description is the most frequent one of its records. Descriptions are weighed by TF-IDF over
    words of three letters or more, and put together by k-means (the best of 4 starts drawn from the seed); a
    category is named by the two words of the greatest mean weight in it. Products without a word become
    `UNKNOWN`, one of the ``count``; missing products are left out. Another machine may round otherwise and so
    propose another map: the map itself stands in the schema and recipe. Cost O(words · count) a round.

    Raises OptionError for another ``count`` and InputError where no product has a description.

    Reference: G. Salton and C. Buckley 1988 (TF-IDF); S. Lloyd 1982 (k-means); the purchase-history paper
    (§4) did it by hand.
    """
    try:
        count = Integer(2, 200).check(count)
    except ValueError as allowed:
        raise OptionError(tr("The number of categories must be {allowed}.").format(allowed=allowed)) from None
    texts = described(products, descriptions)
    with_words = texts[texts.str.contains(_WORD)]
    if not len(with_words):
        raise InputError(
            tr("No product has a description with words; choose the column of the descriptions.")
        )
    tick(0.1, tr("weighing words"))
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfVectorizer

    weigher = TfidfVectorizer(token_pattern=_WORD, stop_words="english", sublinear_tf=True, max_df=0.5)
    try:
        weights = weigher.fit_transform(with_words)
    except ValueError:
        raise InputError(
            tr(
                "The descriptions have no words that distinguish products; choose another column of"
                " descriptions."
            )
        ) from None
    several = count - (len(with_words) < len(texts))
    clusters = max(1, min(several, len(set(with_words))))
    tick(0.3, tr("grouping products"))
    found = KMeans(clusters, n_init=_STARTS, random_state=seed).fit(weights)
    names = _names(found.cluster_centers_, weigher.get_feature_names_out(), np.bincount(found.labels_))
    tick(1.0, "done")
    category = dict(zip(with_words.index, (names[label] for label in found.labels_), strict=True))
    return CategoryMap(tuple((product, category.get(product, UNKNOWN)) for product in texts.index))


def described(
    products: Sequence[object] | pd.Series, descriptions: Sequence[object] | pd.Series
) -> pd.Series:
    """Return, by product in text order, its most frequent description, ties in text order; "" without any."""
    frame = pd.DataFrame({"product": _stripped(products), "text": _stripped(descriptions)})
    frame = frame.dropna(subset=["product"])
    known = frame.dropna()
    counts = known.groupby(["product", "text"]).size().reset_index(name="count")
    order = {"product": True, "count": False, "text": True}
    best = counts.sort_values([*order], ascending=[*order.values()]).drop_duplicates("product")
    texts = pd.Series(best["text"].to_numpy(), index=best["product"], dtype="str")
    return texts.reindex(np.unique(frame["product"].to_numpy(str)), fill_value="")


def _stripped(values: Sequence[object] | pd.Series) -> pd.Series:
    """The texts that `CategoryMap` knows these values by; missing where nothing is left."""
    texts: pd.Series = as_texts(pd.Series(values)).to_pandas().astype("str").str.strip()
    return texts.where(texts != "")


def _names(centers: np.ndarray, words: np.ndarray, sizes: np.ndarray) -> list[str]:
    """A name of two words for each category, the largest first; of one word more where it is taken."""
    names = [""] * len(centers)
    for cluster in np.argsort(-sizes, kind="stable"):
        top = [re.sub(r"\s", "", str(words[i])) for i in np.argsort(-centers[cluster], kind="stable")[:8]]
        options = [" ".join(top[:length]) for length in range(2, len(top) + 1)] or top
        names[cluster] = next((name for name in options if name not in names), f"{options[-1]} {cluster}")
    return names
