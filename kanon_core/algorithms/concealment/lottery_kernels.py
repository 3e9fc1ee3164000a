"""Random matchings without used edges, the cheapest kept."""

import numpy as np

from kanon_core.base.compiled import kernel


@kernel
def shuffled(used: np.ndarray, targets: np.ndarray, rng: np.random.Generator) -> bool:
    """Shuffle ``targets`` (a permutation), broken off at the first overlap; whether there is none.

    Fisher and Yates from the front: place j gets any of the targets not yet given. An accepted shuffle is
    uniform among all matchings without used edges; what is left after a break is a permutation that the next
    shuffle may start from.
    """
    n = targets.shape[0]
    for j in range(n):
        other = j + int(rng.random() * (n - j))
        targets[j], targets[other] = targets[other], targets[j]
        if used[j, targets[j]]:
            return False
    return True


@kernel
def switched(used: np.ndarray, targets: np.ndarray, rng: np.random.Generator) -> bool:
    """Shuffle ``targets`` to the end, then switch overlaps away; whether none is left.

    A record with a used edge exchanges targets with a random record if neither new edge is used; n records
    are tried.
    """
    n = targets.shape[0]
    for j in range(n):
        other = j + int(rng.random() * (n - j))
        targets[j], targets[other] = targets[other], targets[j]
    for j in range(n):
        tries = n if used[j, targets[j]] else 0
        while tries:
            other = int(rng.random() * n)
            tries -= 1
            if not used[j, targets[other]] and not used[other, targets[j]]:
                targets[j], targets[other] = targets[other], targets[j]
                break
        if used[j, targets[j]]:
            return False
    return True


@kernel
def play(
    distances: np.ndarray,
    used: np.ndarray,
    rng: np.random.Generator,
    draws: int,
    shuffles: int,
    targets: np.ndarray,
    best: np.ndarray,
    least: np.ndarray,
) -> int:
    """Draw this many matchings; keep the cheapest in ``best`` and its cost in ``least`` (1,); return how many
    had no overlap.

    A draw is the first of this many shuffles without overlap; if there is none, overlaps are switched away.
    ``targets`` int64 (n): any permutation; afterwards the last one drawn, with or without overlaps. ``rng`` a
    numpy Generator.
    """
    n = targets.shape[0]
    accepted = 0
    for _ in range(draws):
        fits = False
        for _ in range(shuffles):
            fits = shuffled(used, targets, rng)
            if fits:
                break
        if not fits and not switched(used, targets, rng):
            continue
        accepted += 1
        cost = 0.0
        for j in range(n):
            cost += distances[j, targets[j]]
            if cost >= least[0]:
                break
        if cost < least[0]:
            least[0] = cost
            for j in range(n):
                best[j] = targets[j]
    return accepted
