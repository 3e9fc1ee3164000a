"""Which pictures a table can have."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.charts.maps.boxes import places_of
from kanon_core.charts.sets.itemsets import item_columns
from kanon_core.table.people import no_persons

_LEAST = 2
"""The smallest k: what cannot be done there cannot be done at all."""


def unfit(table: kc.Table) -> frozenset[str]:
    """The addresses of pages that show nothing of this table, whatever algorithm is chosen; each says why."""
    concealing = (one for one in (cls() for cls in kc.ALGORITHMS) if not one.guarantee(_LEAST).disjoint)
    shows = {
        "map": places_of(table) is not None,
        "sets": bool(item_columns(table)),
        "histories": not no_persons(table),
        "concealment": any(not algorithm.unsuitable(table, _LEAST) for algorithm in concealing),
    }
    return frozenset(name for name, fits in shows.items() if not fits)
