"""Columns whose cells cannot be read or published part by part as they would be in one memory."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import Attribute
from kanon_core.table.domain import LabelDomain, NumberDomain
from kanon_core.table.steps import AUTO

_HALF = 180.0
_LEAST, _MOST = 1e-100, 1e149


def whole_column_needed(attribute: Attribute, own: NumberDomain | LabelDomain, protected: bool) -> str:
    """Return a sentence on why the cells of a column of this domain cannot be read or published in parts; ""
    where they can. ``protected``: a rule counts its values."""
    name = attribute.name
    said = ""
    if protected and (attribute.kind == "cyclic" or _goes_round(attribute, own)):
        said = tr(
            "Column “{name}” goes round, and its values cannot be counted over many files yet; give it"
            " another kind, or protect other columns."
        )
    elif attribute.role != "quasi_identifier":
        return ""
    elif attribute.round_to == AUTO and isinstance(own, NumberDomain) and not _has_steps(own):
        said = tr(
            "Column “{name}” has numbers that are too large or too small for a step to be chosen over many"
            " files; name a step instead of auto."
        )
    return said.format(name=name)


def _goes_round(attribute: Attribute, own: NumberDomain | LabelDomain) -> bool:
    far = isinstance(own, NumberDomain) and own.high - own.low > _HALF
    return far and attribute.kind == "longitude"


def _has_steps(own: NumberDomain) -> bool:
    """Return whether every step that may be chosen can be written as a step (`kanon_core.table.steps`)."""
    largest = max(-own.low, own.high)
    return largest == 0 or _LEAST <= largest <= _MOST


def misfits_in(attribute: Attribute, parts: Sequence[Result]) -> int:
    """Return how many cells of all parts do not fit the kind of a column."""
    own = sum(int(part.get(f"misfits:{attribute.name}", 0)) for part in parts)
    return own + _outside_order(attribute, parts)


def _outside_order(attribute: Attribute, parts: Sequence[Result]) -> int:
    """Return how many cells of an ordinal column are none of the values whose order is given."""
    name = attribute.name
    if attribute.kind != "ordinal" or not attribute.order:
        return 0
    each = (zip(one.get(f"labels:{name}", ()), one.get(f"counts:{name}", ()), strict=True) for one in parts)
    return sum(int(count) for own in each for label, count in own if label not in attribute.order)


def check_dates(names: Sequence[str]) -> None:
    """Raises UnsuitableError where these columns hold dates as texts whose form is guessed from all of
    them."""
    if names:
        raise UnsuitableError(
            tr(
                "Column “{name}” holds dates as texts in a form that is guessed from all of them at once;"
                " say in which order they are written, as in --date-order {pair}, or write them as 2024-05-31"
                " or as dates of parquet."
            ).format(name=names[0], pair=f"{names[0]}=dmy")
        )
