"""Among how many each record hides from the strongest attacker who knows quasi-identifiers alone."""

from __future__ import annotations

import numpy as np

from kanon_core.findings.behind import behind
from kanon_core.release.release import Release


def strongest(release: Release) -> tuple[str, np.ndarray]:
    """What this attacker knows, and int64 (published records): among how many records, or people, each hides.

    Where sets overlap, these are the k rows of the cover, which whoever runs the program finds; otherwise the
    equivalence class or the people with equal histories, from which running the program takes nothing.
    """
    sets, shown = behind(release), ~release.suppressed
    return sets.attacker, (release.hidden_among[shown] if sets.disjoint else sets.sizes[sets.set_of[shown]])
