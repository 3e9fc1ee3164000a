"""Published categories and item sets, from text back to sets of the original's values."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick, each, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import CommonItems, ValueSets
from kanon_core.table.columns.columns import MISSING, Categories, Items
from kanon_core.table.columns.itemcells import BRACES, parts_of
from kanon_core.table.columns.texts import ANY, SUPPRESSED, group_text, label_texts, member_texts
from kanon_core.table.hierarchy.placed import Placed, placed
from kanon_core.table.notation.cell_parts import NOTHING, UNSAID
from kanon_core.table.readers.base import MISSING_NUMBERS
from kanon_core.table.writers.cells import without_apostrophe

_MEMBER, _OTHER_MEMBER = (
    re.compile(rf'(\s*+"(?:[^"\\]|\\.)*+"\s*+|[^"{between}{{}}]*+)(?:[{between}]|\Z)', re.S)
    for between in (",", ",;")
)
_BETWEEN = ("|", ";", ",", "~", "/", " or ")
"""Separators of values in lists without braces."""


def read_sets(texts: Sequence[str], column: Categories, tick: Tick = silent) -> tuple[ValueSets, np.ndarray]:
    """One cell for each text, and booleans (m): the text names no value of the original; such a cell fits no
    record.

    The notations are: values, ``{a, b}`` (also with ``;``), values in quotes as in JSON or Python, groups of
    the column's hierarchy, masked ends ``130**`` (a star for each character), lists such as ``a|b`` and ``[a,
    b]``, `MISSING` or an empty cell, and ``*``, `ANY` or words such as NA for every value; in a
    quasi-identifier without missing values, an empty cell is every value, too. A text of several notations is
    read in the first of them. Cost O(texts · their length + values of all sets).
    """
    words = _Words(column)
    found = [words.codes(text) for text in each(texts, tick, tr("reading the cells"))]
    sizes = np.array([0 if codes is None else len(codes) for codes in found], np.int64)
    members = [code for codes in found if codes for code in sorted(codes)]
    bad = np.array([codes is None for codes in found], bool)
    return ValueSets(np.append(0, np.cumsum(sizes)).astype(np.int64), np.array(members, np.int32)), bad


def plain_form(text: str) -> str:
    """The text without blanks around it and without the apostrophe that keeps a spreadsheet from running
    it."""
    return without_apostrophe(text.strip())


class _Words:
    """The meaning of texts in one column."""

    def __init__(self, column: Categories) -> None:
        self.labels = column.labels[: column.distinct]
        self.every = frozenset(range(len(column.labels)))
        self.missing = frozenset([column.distinct]) if column.has_missing else None
        self.complete = not column.has_missing and column.attribute.role == "quasi_identifier"
        self.values = {text: code for code, text in enumerate(label_texts(column)[: column.distinct])}
        self.members = {text: code for code, text in enumerate(member_texts(column)[: column.distinct])}
        self.plain = {label: code for code, label in enumerate(self.labels)}
        self.groups = _groups(placed(column)) if column.attribute.hierarchy is not None else {}

    def codes(self, text: str) -> frozenset[int] | None:
        """The codes of the values in the text, None when it has none; blanks around it count where a value
        has them."""
        forms = (text, without_apostrophe(text), text.strip(), plain_form(text))
        return next(
            (known for form in dict.fromkeys(forms) if (known := self._known(form)) is not None), None
        )

    def _known(self, text: str) -> frozenset[int] | None:
        if text in NOTHING:
            return self.every if self.complete else self.missing
        if text in (SUPPRESSED, ANY):
            return self.every
        if text in self.values:
            return frozenset([self.values[text]])
        if text[0] == "{" and text[-1] == "}":
            lists = (self._members(text[1:-1], member) for member in (_MEMBER, _OTHER_MEMBER))
            if members := next((codes for codes in lists if codes), None):
                return members
        if text in self.groups:
            return self.groups[text]
        label = _unquoted(text)
        if label in self.plain:
            return frozenset([self.plain[label]])
        if text in UNSAID:
            return self.every
        if self.missing and text.strip().lower() in MISSING_NUMBERS:  # read as missing in the original
            return self.missing
        return self._masked(text) if text[-1] == "*" else self._listed(text)

    def _listed(self, text: str) -> frozenset[int] | None:
        """The codes of the values in a list without braces, as other programs write it."""
        inside = text[1:-1] if text[0] + text[-1] in ("[]", "()") else text
        for sign in _BETWEEN:
            parts = inside.split(sign)
            if len(parts) > 1:
                codes = [self.plain.get(_unquoted(part.strip())) for part in parts]
                if None not in codes:
                    return frozenset(code for code in codes if code is not None)
        return None

    def _members(self, inside: str, member: re.Pattern[str]) -> frozenset[int] | None:
        """The codes of the values in a list; None when one of them is not a value."""
        codes: set[int] = set()
        position = 0
        while position < len(inside):
            part = member.match(inside, position)
            if part is None or part.end() == position:
                return None
            own = self._member(part[1].removeprefix(" ") if position else part[1], part[1].strip())
            if own is None:
                return None
            codes |= own
            position = part.end()
        return frozenset(codes) or None

    def _member(self, exact: str, word: str) -> frozenset[int] | None:
        """The code of one value in a list, of which blanks count where a value has them."""
        if word == MISSING and self.missing is not None:
            return self.missing
        if (own := self.members.get(exact, self.members.get(word))) is not None:
            return frozenset([own])
        label = next((text for text in (exact, _unquoted(word)) if text in self.plain), None)
        return None if label is None else frozenset([self.plain[label]])

    def _masked(self, text: str) -> frozenset[int] | None:
        """The values of this length that begin as the text does before its stars."""
        head, fits = text.rstrip("*"), set()
        for code in range(bisect_left(self.labels, head), len(self.labels)):
            if not self.labels[code].startswith(head):
                break
            if len(self.labels[code]) == len(text):
                fits.add(code)
        return frozenset(fits) or None


def _groups(place: Placed) -> dict[str, frozenset[int]]:
    """Return the codes below each group, by the group's text."""
    codes = np.argsort(place.leaf)
    leaves = place.leaf[codes]
    inner = set(range(1, len(place.tree.nodes))) - set(place.leaf.tolist())
    first, last = (np.searchsorted(leaves, edge) for edge in (np.arange(len(place.end)), place.end))
    return {
        group_text(place.tree.nodes[node]): frozenset(codes[first[node] : last[node]].tolist())
        for node in inner
    }


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    if text[:1] != '"':
        return text
    try:
        label = json.loads(text)
    except ValueError:
        return text
    return label if isinstance(label, str) else text


def read_items(texts: Sequence[str], column: Items) -> CommonItems:
    """One cell for each text: ``{a, b}`` or written as the column's own cells are; ``*`` and an empty text
    are the empty set. A set may hold items and groups of the column's hierarchy.

    Raises InputError for a cell that is not readable or names an item that no record has. Cost O(characters).
    """
    plain = ["" if text in (SUPPRESSED, ANY, MISSING) else text for text in texts]
    braced = all(text.startswith("{") and text.endswith("}") for text in plain if text)
    cells = pa.array([text or None for text in plain], pa.large_string())
    parts = parts_of(cells, BRACES if braced else column.delimiter)
    labels, width = column.closure.sets.labels, max(1, len(column.closure.sets.labels))
    number = {label: code for code, label in enumerate(labels)}
    items = [item.strip() for item in parts.items.to_pylist()]
    rows = np.repeat(np.arange(len(texts)), parts.counts)[[bool(item) for item in items]]
    codes = np.array([number.get(item, -1) for item in items if item], np.int64)
    if parts.bad.any() or (codes < 0).any():
        raise InputError(
            tr(
                "The column “{name}” of the released file has cells that are not item sets of the original;"
                " write them as {{a, b}}, or in the original's notation, with items, or groups of items, of"
                " the original."
            ).format(name=column.attribute.name)
        )
    keys = np.unique(rows * width + codes)
    starts = np.searchsorted(keys, np.arange(len(texts) + 1) * width)
    return CommonItems(*column.closure.closed(starts.astype(np.int64), keys % width))
