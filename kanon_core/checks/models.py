"""The privacy models that a file is judged by, each with parameters to begin with."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.options import options_of
from kanon_core.guarantees import (
    GUARANTEES,
    BetaLikeness,
    Guarantee,
    LDiversity,
    TCloseness,
)

_TWICE: dict[type[Guarantee], tuple[Guarantee, ...]] = {
    LDiversity: (LDiversity(), LDiversity(entropy=True)),
    TCloseness: (TCloseness(), TCloseness(ground="hierarchical")),
    BetaLikeness: (BetaLikeness(), BetaLikeness(enhanced=True)),
}
"""Those that are known in two forms."""

MODELS: tuple[Guarantee, ...] = tuple(model for cls in GUARANTEES for model in _TWICE.get(cls, (cls(),)))
"""Every guarantee that can be asked for, in menu order, those of two forms in both."""


def with_asked(asked: Sequence[Guarantee]) -> list[tuple[Guarantee, bool]]:
    """All models, those that are asked for with their parameters and at their places, and whether each is
    asked for."""
    left, found = list(asked), list[tuple[Guarantee, bool]]()
    for model in MODELS:
        mine = [one for one in left if form(one) == form(model)]
        found += [(one, True) for one in mine] or [(model, False)]
        left = [one for one in left if one not in mine]
    return [*found, *((one, True) for one in left)]


def form(model: Guarantee) -> tuple[object, ...]:
    """Equal for models that differ in their numbers and columns alone."""
    said = ("missing",)
    options = [one for one in options_of(type(model)) if isinstance(one.kind, Choice | Flag)]
    return type(model), *(getattr(model, one.name) for one in options if one.name not in said)
