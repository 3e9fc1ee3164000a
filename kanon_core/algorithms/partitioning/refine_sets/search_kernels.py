"""The steps of `refine_sets`: open a group for one item set, or take a few groups apart and form them
anew."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.assign_kernels import assign
from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import best_group
from kanon_core.algorithms.partitioning.refine_sets.open_kernels import forecast, opened
from kanon_core.algorithms.partitioning.refine_sets.price_kernels import CLOSED, STAGE, Market, trade
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    EFFORT,
    LONGEST,
    SHORT,
    SHOWN,
    TOP,
    WRITTEN,
    State,
    commit,
    compact,
    leave,
    move,
    undo,
)
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import (
    SETS,
    WORK,
    Store,
    explore,
    remember_group,
    supporters,
    wanting,
)
from kanon_core.base.compiled import by_reference, inner, kernel
from kanon_core.base.random_kernels import below, draw

RUINED = 12  # groups taken apart at once, at most
POOL = 6000  # their members, at most, about
CHAIN = 100  # item sets looked at for one record: those found last
CHOSEN = 40
MISSES = 60  # item sets chosen at once, and after how many without a gain the choice ends
VAIN = 6  # openings in vain, one after another, that end a round; a round chooses anew
ROUNDS = 3
EXPLORED = 2  # paths explored before groups are formed anew
NOISE = 0.3
LEVELS = 1024
# Expected order statistics of exponential variates (Rényi): Metropolis' −ln(u), without a logarithm.
QUANTILES = np.cumsum(1.0 / np.arange(LEVELS, 0, -1))
# First temperature, in items per record of a group of k: while groups are poor, and once prices chose them.
WARM, LUKEWARM = 0.5, 0.02
PRICED = 10  # from this k on groups are chosen by prices; below, finding more item sets gains more
COOLING = 0.9
# Records are assigned anew this many times k, while as many groups are formed anew as there are records.
ASSIGNED = 8
# From this k on `forecast` is fully hopeful at last; the lower k, the less. At poor groups it is not hopeful.
CERTAIN = 40
POLISHED, FORMED, COOLED = range(3)


@by_reference
class Hunt(NamedTuple):
    """What a search carries on from call to call, and its work space."""

    state: State
    store: Store
    market: Market
    random: np.ndarray  # uint64 (1,)
    heat: np.ndarray  # float64 (1,)
    done: np.ndarray  # int64 (3,): groups opened or tried alone, groups formed anew, coolings
    worth: np.ndarray  # int64 (sets,), scores of the sets seen
    pool: np.ndarray  # int64 (n,)
    chosen: np.ndarray  # int64 (CHOSEN,)
    gain: np.ndarray  # float64 (2, CHOSEN): forecast, and taste


@inner
def room(state: State) -> bool:
    """Whether journal and letters have room for one more opening, whatever it changes."""
    sets, groups = state.sets, state.groups
    n = len(groups.of)
    lines = groups.made[WRITTEN] + 3 * n + 2 * len(groups.head) + 2
    letters = groups.made[TOP] + len(sets.items) // sets.k + 2 * groups.made[LONGEST]
    return bool(lines <= len(state.journal) and letters <= len(groups.letters))


@inner
def polish(hunt: Hunt) -> None:
    """Open a group for the most promising of a random path of item sets, if no fewer items are shown then."""
    state, groups = hunt.state, hunt.state.groups
    r = wanting(state, hunt.random)
    items, records, expected = explore(state, hunt.store, r, hunt.random)
    if expected <= 0:
        return
    before = groups.made[SHOWN]
    fine = opened(state, hunt.store.path[:items], hunt.store.best[:records])
    hunt.store.made[WORK] += groups.made[EFFORT]
    if fine and groups.made[SHORT] == 0 and groups.made[SHOWN] >= before:
        commit(state)
    else:
        undo(state, 0)


@inner
def aim(hunt: Hunt, r: int) -> int:
    """A random stored set that would show more of record r than now; −1 = none."""
    groups, store = hunt.state.groups, hunt.store
    found, seen, entry = -1, 0, store.head[r]
    for _ in range(2 * CHAIN):
        if entry < 0:
            break
        x = store.owner[entry]
        if store.count[x] > groups.count[groups.of[r]]:
            seen += 1
            if below(draw(hunt.random), seen) == 0:
                found = x
        entry = store.next[entry]
    return found


@inner
def ruin(hunt: Hunt, r: int, goal: int) -> int:
    """Take apart r's group and those of random records that the goal would show more of; returns the pool's
    size."""
    state, groups, store, pool = hunt.state, hunt.state.groups, hunt.store, hunt.pool
    sets = state.sets
    wanted, count = 1 + below(draw(hunt.random), RUINED), 0
    for turn in range(4 * wanted):
        s = r if turn == 0 else store.records[store.start[goal] + below(draw(hunt.random), store.held[goal])]
        g = int(np.int64(groups.of[s]))
        large = g < sets.blocks or groups.size[g] > 4 * sets.k + 4
        if large or groups.key[g] < 0 or groups.count[g] >= store.count[goal]:
            continue
        remember_group(state, store, g)
        leave(state, g)
        s = groups.head[g]
        while s >= 0:
            pool[count] = s
            count += 1
            s = groups.after[s]
        wanted -= 1
        if wanted == 0 or count > POOL:
            break
    for a in range(count):
        move(state, pool[a], best_group(state, pool[a]))
    return count


@inner
def rate(hunt: Hunt, count: int) -> int:
    """Score every stored set by what it would show more of the pool; returns how many there are, in
    `seen`."""
    groups, store = hunt.state.groups, hunt.store
    sets = 0
    for a in range(count):
        r = hunt.pool[a]
        shown, entry = groups.count[groups.of[r]], store.head[r]
        for _ in range(CHAIN):
            if entry < 0:
                break
            x = store.owner[entry]
            if store.count[x] > shown:
                if store.score[x] == 0:
                    store.seen[sets] = x
                    sets += 1
                store.score[x] += store.count[x] - shown
            entry = store.next[entry]
        store.made[WORK] += CHAIN // 4
    return sets


@inner
def choose(hunt: Hunt, rated: int) -> int:
    """Fill `chosen` with the rated sets of the highest scores that may gain; returns how many."""
    state, store = hunt.state, hunt.store
    count, misses = 0, 0
    worth = hunt.worth
    for a in range(rated):
        worth[a] = store.score[store.seen[a]]
        store.score[store.seen[a]] = 0
    while count < CHOSEN and misses < MISSES:
        most, at = 0, -1
        for a in range(rated):
            if worth[a] > most:
                most, at = worth[a], a
        if at < 0:
            break
        worth[at] = 0
        x = store.seen[at]
        expected = forecast(state, supporters(store, x), store.count[x])
        store.made[WORK] += store.held[x] + rated // 4
        if expected > 0:
            taste = 1.0 + NOISE * QUANTILES[below(draw(hunt.random), LEVELS)]
            hunt.chosen[count], hunt.gain[0, count], hunt.gain[1, count] = x, expected, taste
            count += 1
        else:
            misses += 1
    return count


@inner
def form(hunt: Hunt, count: int) -> int:
    """Open the chosen sets, the best `forecast` first, while more items are shown; returns how many."""
    state, groups, store, gain = hunt.state, hunt.state.groups, hunt.store, hunt.gain
    made = vain = 0
    while room(state) and vain < VAIN:
        most, c = 0.0, -1
        for a in range(count):
            if gain[0, a] * gain[1, a] > most:
                most, c = gain[0, a] * gain[1, a], a
        if c < 0:
            break
        x = hunt.chosen[c]
        expected = forecast(state, supporters(store, x), store.count[x])
        store.made[WORK] += store.held[x]
        if expected < gain[0, c]:
            gain[0, c] = expected
            continue
        gain[0, c] = -1.0
        line, before = groups.made[WRITTEN], groups.made[SHOWN]
        word = store.letters[store.begin[x] : store.begin[x] + store.count[x]]
        store.made[WORK] += 4 * store.held[x]
        fine = opened(state, word, supporters(store, x))
        store.made[WORK] += groups.made[EFFORT]
        if fine and groups.made[SHOWN] > before:
            made += 1
            vain = 0
        else:
            undo(state, line)
            vain += 1
    return made


@inner
def reform(hunt: Hunt) -> None:
    """Take a few groups apart, form them anew, and keep that by Metropolis' rule."""
    state, groups, store = hunt.state, hunt.state.groups, hunt.store
    r = wanting(state, hunt.random)
    goal = aim(hunt, r)
    if goal < 0:
        polish(hunt)
        return
    before = groups.made[SHOWN]
    count = ruin(hunt, r, goal)
    if count == 0:
        return
    for _ in range(EXPLORED):
        explore(state, store, hunt.pool[below(draw(hunt.random), count)], hunt.random)
    for _ in range(ROUNDS):
        if form(hunt, choose(hunt, rate(hunt, count))) == 0:
            break
    limit = hunt.heat[0] * QUANTILES[np.int64(draw(hunt.random) & np.uint64(LEVELS - 1))]
    if groups.made[SHORT] == 0 and before - groups.made[SHOWN] <= limit:
        commit(state)
    else:
        undo(state, 0)


@kernel
def improve(hunt: Hunt, work: int) -> int:
    """Go on with the search until about ``work`` records were looked at; at least one change is tried."""
    store, done = hunt.store, hunt.done
    n = len(hunt.state.groups.of)
    priced = hunt.state.sets.k >= PRICED
    store.made[WORK] = 0
    while store.made[WORK] < work:
        compact(hunt.state)
        store.made[WORK] += 100
        if done[POLISHED] < n // 4 + 1:
            polish(hunt)
            done[POLISHED] += 1
        elif priced and hunt.market.made[STAGE] != CLOSED:
            trade(hunt.state, store, hunt.market)
        else:
            if priced and done[FORMED] % (n // (ASSIGNED * hunt.state.sets.k) + 1) == 0:
                assign(hunt.state, store)
            reform(hunt)
            done[FORMED] += 1
            eased = 1.0 if priced else min(done[FORMED] / (n // 48 + 1), 1.0)
            hunt.state.hope[0] = min(hunt.state.sets.k / CERTAIN, 1.0) * eased
            if done[FORMED] >= (done[COOLED] + 1) * (n // 160 + 1):
                hunt.heat[0] *= COOLING
                done[COOLED] += 1
    return int(store.made[SETS])
