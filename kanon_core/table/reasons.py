"""Why each column has its role, in a sentence of its own."""

from __future__ import annotations

import pandas as pd

from kanon_core.base.words import tr
from kanon_core.table.attribute import Attribute
from kanon_core.table.identifiers.weights import weigh_bodies
from kanon_core.table.inference import REASONS, Guess, guess_role
from kanon_core.table.table import Table


def role_reasons(table: Table) -> dict[str, str]:
    """Return by column why its role was guessed, or that it was given: by somebody, a recipe or a sample.
    Cost: that of guessing, once for a table.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"S.No": range(1, 5), "age": [30, 30, 41, 52]})
    >>> role_reasons(Table.from_frame(frame))["S.No"]
    'numbers the rows, and tells every record apart'
    """
    return table.once("reasons", lambda: _reasons(table))


def _reasons(table: Table) -> dict[str, str]:
    of_bodies = weigh_bodies(table.schema.names)
    return {a.name: _reason(a, table.frame[a.name], of_bodies) for a in table.schema}


def _reason(attribute: Attribute, cells: pd.Series, of_bodies: bool) -> str:
    guess: Guess = guess_role(attribute.name, cells, attribute.kind, of_bodies)
    if guess.role != attribute.role:
        return tr("was given this role")
    return tr(REASONS[guess.reason]).format(number=tr(guess.number) if guess.number else "")
