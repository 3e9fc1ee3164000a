"""What the Risk page takes to be known of the population, for figures that stand elsewhere too."""

from __future__ import annotations

from typing import NamedTuple

import kanon_core as kc
from kanon_core.guarantees.files.cells import OWN
from pages.state.keys import Key
from pages.state.session import Session

NOTHING = "nothing"


class Known(NamedTuple):
    """The population and how ``missing`` cells count, as `kanon_core.risks` takes them, and a ``key`` for the
    population."""

    population: kc.Population | kc.Table | None = None
    key: str = NOTHING
    missing: str = OWN


_ASSUMED: Key[Known] = Key("population assumed", Known())


def assumed(session: Session) -> Key[Known]:
    """Return where it is kept, for the table of the session."""
    return _ASSUMED.of(session.table.digest)
