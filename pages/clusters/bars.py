"""The histogram of group sizes in plain HTML: it moves with the slider many times faster than a second
chart."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.charts.groups.sizes import Bins, size_bins, size_sentence

_LABELS = 8
_COUNTED = 14


def size_bars(release: kc.Release) -> None:
    """Number of groups of each size; sizes of 2k and more, which could be split, are paler."""
    bins = size_bins(release.hiding_sizes, release.recipe.k)
    if len(bins.low):
        alt = escape(size_sentence(release))
        st.html(f'<div class="bars" role="img" aria-label="{alt}">{"".join(_bars(bins, release))}</div>')


def _bars(bins: Bins, release: kc.Release) -> Iterator[str]:
    held = release.guarantee
    most, every = max(int(bins.groups.max()), 1), -(-len(bins.low) // _LABELS)
    facts = zip(bins.labels, bins.low.tolist(), bins.groups.tolist(), strict=True)
    for i, (label, low, count) in enumerate(facts):
        pale = " pale" if low >= 2 * release.recipe.k and not held.known_items else ""
        said = f"<b>{count:,}</b>" if count and len(bins.low) <= _COUNTED else ""
        name = label.replace(" and more", "+") if i % every == 0 else ""
        title = f"{label} {held.unit}: {count:,} {held.groups}"
        bar = f'<i class="bar{pale}" style="height:{100 * count / most:.2f}%"></i>'
        yield f'<div title="{title}"><div class="room">{said}{bar}</div><span>{name}</span></div>'
