"""Random matchings without used edges, the cheapest kept."""

import numpy as np

from kanon_core.base.compiled import kernel, uncompiled_twin


@kernel
def shuffled(used: np.ndarray, targets: np.ndarray, rng: np.random.Generator) -> bool:
    """Shuffle ``targets`` (a permutation), but stop at the first overlap; returns whether there is none.

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
    """Shuffle ``targets`` to the end, then switch overlaps away; returns whether none is left.

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


@uncompiled_twin(play)
def play_lists(
    distances: np.ndarray,
    used: np.ndarray,
    rng: np.random.Generator,
    draws: int,
    shuffles: int,
    targets: np.ndarray,
    best: np.ndarray,
    least: np.ndarray,
) -> int:
    """`play` on Python's own lists and with random numbers drawn many at a time: four times as fast as the
    same loops on arrays."""
    chance, given = _Chance(rng), targets.tolist()
    closed, prices = used.tolist(), distances.tolist()
    accepted, lowest = 0, float(least[0])
    for _ in range(draws):
        fits = any(_shuffled_list(closed, given, chance) for _ in range(shuffles))
        if not fits and not _switched_list(closed, given, chance):
            continue
        accepted += 1
        cost = 0.0
        for row, target in zip(prices, given, strict=True):
            cost += row[target]
            if cost >= lowest:
                break
        if cost < lowest:
            lowest = least[0] = cost
            best[:] = given
    targets[:] = given
    chance.end()
    return accepted


class _Chance:
    """Numbers of a generator, drawn ahead; at the `end` it is left as if each had been drawn alone."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.ahead = rng, 4096
        self.values: list[float] = []
        self.at = 0

    def reserve(self, count: int) -> None:
        """Have so many numbers at ``values[at:]``."""
        if self.at + count > len(self.values):
            self.end()
            self.before = self.rng.bit_generator.state
            self.values = self.rng.random(self.ahead + count).tolist()

    def end(self) -> None:
        """Take back what was drawn and not used."""
        if self.values:
            self.rng.bit_generator.state = self.before
            self.rng.random(self.at)
        self.values, self.at = [], 0


def _shuffled_list(used: list[list[bool]], targets: list[int], chance: _Chance, whole: bool = False) -> bool:
    n = len(targets)
    chance.reserve(n)
    values, at = chance.values, chance.at
    for j in range(n):
        other = j + int(values[at + j] * (n - j))
        target = targets[other]
        targets[other], targets[j] = targets[j], target
        if used[j][target] and not whole:
            chance.at = at + j + 1
            return False
    chance.at = at + n
    return True


def _switched_list(used: list[list[bool]], targets: list[int], chance: _Chance) -> bool:
    n = len(targets)
    _shuffled_list(used, targets, chance, True)
    for j in range(n):
        row = used[j]
        if not row[targets[j]]:
            continue
        chance.reserve(n)
        for value in chance.values[chance.at : chance.at + n]:
            chance.at += 1
            other = int(value * n)
            if not row[targets[other]] and not used[other][targets[j]]:
                targets[j], targets[other] = targets[other], targets[j]
                break
        if row[targets[j]]:
            return False
    return True
