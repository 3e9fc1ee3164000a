"""Compiled loops of greedy and of random matchings without used edges."""

import numpy as np

from kanon_core.base.compiled import kernel, uncompiled_twin


@kernel
def extend(
    distances: np.ndarray,
    used: np.ndarray,
    order: np.ndarray,
    free: np.ndarray,
    targets: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Match the records order[start:stop], in order, with their nearest free targets; return the end.

    A target y is free for x if ``free[y]`` and not ``used[x, y]``; ties go to the lowest number. The end is
    before ``stop`` only at a record without a free target.
    """
    n = distances.shape[0]
    for place in range(start, stop):
        x = order[place]
        best = -1
        for y in range(n):
            if free[y] and not used[x, y] and (best < 0 or distances[x, y] < distances[x, best]):
                best = y
        if best < 0:
            return place
        targets[x] = best
        free[best] = False
    return stop


@kernel
def shuffled(used: np.ndarray, targets: np.ndarray, rng: np.random.Generator) -> bool:
    """Shuffle ``targets`` (a permutation), but stop at the first overlap; return whether there is none.

    Fisher–Yates from the front: position j gets one of the remaining targets. An accepted shuffle is uniform
    among all matchings without used edges; after a stop, ``targets`` is a permutation for the next shuffle.
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
    """Shuffle ``targets`` completely, then remove overlaps by exchanges; return whether none is left.

    A record with a used edge exchanges targets with a random record if neither new edge is used; up to n
    records are tried.
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
    """Draw ``draws`` matchings; keep the cheapest in ``best`` and its cost in ``least`` (1,); return how many
    had no overlap.

    A draw is the first of ``shuffles`` shuffles without overlap; if all overlap, exchanges remove the
    overlaps. ``targets`` int64 (n): any permutation; afterwards the last one drawn, with or without overlaps.
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
    """Do the work of `play` with Python lists and random numbers drawn in blocks: four times as fast as the
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
    """Numbers of a generator, drawn ahead; after `end` its state is as if each had been drawn alone."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.ahead = rng, 4096
        self.values: list[float] = []
        self.at = 0

    def reserve(self, count: int) -> None:
        """Ensure that ``values[at:]`` has this many numbers."""
        if self.at + count > len(self.values):
            self.end()
            self.before = self.rng.bit_generator.state
            self.values = self.rng.random(self.ahead + count).tolist()

    def end(self) -> None:
        """Return unused numbers to the generator."""
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
