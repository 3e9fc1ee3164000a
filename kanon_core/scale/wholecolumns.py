"""Columns whose cells cannot be read or published part by part as they would be in one memory."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.table.attribute import Attribute
from kanon_core.table.domain import LabelDomain, NumberDomain
from kanon_core.table.steps import AUTO

_HALF = 180.0


def whole_column_needed(attribute: Attribute, own: NumberDomain | LabelDomain) -> str:
    """Why the cells of a column of this domain cannot be read or published in parts, in a sentence; ""
    where they can."""
    name, numbers = attribute.name, isinstance(own, NumberDomain)
    said = ""
    if attribute.kind == "cyclic":
        said = tr(
            "Column “{name}” is {kind}, which cannot be cut over many files yet; give it another kind or"
            " role."
        )
    elif isinstance(own, NumberDomain) and attribute.kind == "longitude" and own.high - own.low > _HALF:
        said = tr(
            "Column “{name}” has longitudes on more than half of the globe, which cannot be cut over many"
            " files yet; divide the table by continents."
        )
    elif attribute.role != "quasi_identifier":
        return ""
    elif attribute.recoding == "mean":
        said = tr(
            "Column “{name}” is published as its mean, whose last digits depend on all rows at once; choose"
            " median, mode or generalize."
        )
    elif attribute.round_to == AUTO:
        said = tr(
            "The step to which the ends of column “{name}” are rounded is chosen by all intervals at once;"
            " name a step instead of auto."
        )
    elif attribute.recoding != "generalize" and numbers and own.missing and attribute.kind != "datetime":
        said = tr(
            "Column “{name}” is published as its {recoding}, and some of its numbers are missing: whether it"
            " is published as numbers or texts depends on all rows at once; choose generalize."
        )
    return said.format(name=name, kind=attribute.kind, recoding=attribute.recoding)


def check_dates(names: Sequence[str]) -> None:
    """Raises UnsuitableError where these columns hold dates as texts whose form is guessed from all of
    them."""
    if names:
        raise UnsuitableError(
            tr(
                "Column “{name}” holds dates as texts in a form that is guessed from all of them at once;"
                " write them as 2024-05-31, or as dates of parquet."
            ).format(name=names[0])
        )
