"""`mask`: the release of a table by a masking."""

from __future__ import annotations

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.masking.base import Masking
from kanon_core.release.altered import NOTHING_ALTERED, nothing_altered
from kanon_core.release.release import Release
from kanon_core.run import anonymize
from kanon_core.table.table import Table


def mask(table: Table, masking: Masking, seed: int | None = None, progress: Tick | None = None) -> Release:
    """The release of a table by a masking: measured, attacked and judged as every other (`kc.score`,
    `kc.attack`, `kc.judge`), with k = 1, for it promises nothing.

    Same table, masking and seed give the same bytes; without a seed a secret one is drawn.
    Raises OptionError for what is no masking, UnsuitableError with the reasons why it cannot work here, and
    where it would publish the values as they are.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age\\n31\\n34\\n35\\n48\\n")
    >>> release = kc.mask(table, kc.Rounding(base=10), seed=1)
    >>> release.to_frame()["age"].tolist(), release.recipe.k
    ([30, 30, 40, 50], 1)
    """
    if not isinstance(masking, Masking):
        raise OptionError(tr("The masking must be an object such as Rounding(base=10) or Swapping()."))
    release = anonymize(table, masking, 1, seed, progress)
    if nothing_altered(release):
        raise UnsuitableError(tr(NOTHING_ALTERED).format(title=masking.title))
    return release
