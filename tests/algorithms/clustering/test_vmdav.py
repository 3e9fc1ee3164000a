"""V-MDAV against its plain twin, the recomputed losses, and its own log."""

import numpy as np
import pandas as pd
import pytest

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.clustering.vmdav import VMDAV, vmdav_groups
from kanon_core.base.errors import OptionError
from kanon_core.base.options import options_of
from tests.algorithms.clustering.test_mdav import NINE, loss, points_of, replayed, standardized, tables
from tests.helpers import looped, table_of
from tests.oracles.vmdav import vmdav as plain

GAMMAS = (0.0, 0.2, 1.0, 1.1, 2.0)


@pytest.mark.deep
@looped("name", tables(1, 0))
@looped("n, k", [(3, 3), (5, 2), (41, 7), (350, 4)])
def test_equals_the_plain_twin(name, n, k):
    points = tables(n, seed=n)[name]
    for gamma in GAMMAS:
        expected = plain(points.numeric, points.codes, points.weights, k, gamma)
        assert np.array_equal(vmdav_groups(points, k, gamma, Run()), expected), gamma


@pytest.mark.deep
@pytest.mark.parametrize("name", ["normal", "mixed"])
def test_equals_the_plain_twin_over_several_rebuilds_of_the_index(name):
    points = tables(2000, seed=5)[name]
    expected = plain(points.numeric, points.codes, points.weights, 12, 1.1)
    assert np.array_equal(vmdav_groups(points, 12, 1.1, Run()), expected)


@pytest.mark.parametrize(
    ("file", "gamma", "losses"),
    [
        ("CASCrefmicrodata", 0.2, {3: 5.6619, 4: 7.5140, 5: 9.0070, 10: 14.0730}),
        ("CASCrefmicrodata", 1.0, {3: 6.7801, 4: 8.6235, 5: 10.1127, 10: 14.9718}),
        ("Tarragona", 0.2, {3: 16.9649, 4: 19.6974, 5: 22.8787, 10: 33.2582}),
        ("Tarragona", 1.0, {3: 16.5201, 4: 20.1244, 5: 23.5493, 10: 33.5419}),
    ],
)
def test_recomputed_losses(kanon_data, file, gamma, losses):
    numeric = standardized(pd.read_csv(kanon_data / "casc" / f"{file}.csv").to_numpy(float))
    for k, expected in losses.items():
        labels = vmdav_groups(points_of(numeric), k, gamma, Run())
        assert loss(numeric, labels) == pytest.approx(expected, abs=5e-5)


@pytest.mark.deep
@pytest.mark.parametrize(("gamma", "sizes"), [(0, [3, 3, 3]), (0.2, [4, 5]), (1.0, [4, 5]), (2.0, [4, 5])])
def test_nine_points(gamma, sizes):
    labels = vmdav_groups(points_of(NINE), 3, gamma, Run())
    assert sorted(np.bincount(labels).tolist()) == sizes
    if gamma:
        assert loss(NINE, labels) == pytest.approx(3.1337, abs=5e-5)


def test_one_to_ten():
    values = np.arange(1.0, 11.0)
    groups = VMDAV(gamma=1.0).cover(table_of(x=values), 4, Run()).groups
    assert loss(values[:, None], groups) == pytest.approx(100 * 0.242424, abs=1e-4)


@looped("gamma", GAMMAS)
@looped("name", ["normal", "integers", "mixed"])
def test_the_log_replays_to_the_same_groups(gamma, name):
    run = Run(log=Log())
    labels = vmdav_groups(tables(503, seed=1)[name], 5, gamma, run)
    assert np.array_equal(replayed(run.log.events, 503), labels)
    for event, what in run.log.events:
        if event == "extend":
            assert what["d_in"] < gamma * what["d_out"]
        if event == "closed":
            assert not what["d_in"] < gamma * what["d_out"]


def test_groups_grow_only_as_far_as_they_may():
    run = Run(log=Log())
    vmdav_groups(tables(4000, seed=4)["normal"], 6, 2.0, run)
    sizes = {}
    for event, what in run.log.events:
        if event == "group":
            sizes[what["pivot"]] = 6
        elif event == "extend":
            sizes[what["joins"]] += 1
    assert max(sizes.values()) == 11


def test_the_last_record_left_joins_unless_gamma_is_zero():
    points = points_of([[0.0], [1.0], [100.0]])
    for gamma, events in ((0.0, ["group", "closed", "leftover"]), (0.1, ["group", "extend"])):
        run = Run(log=Log())
        assert vmdav_groups(points, 2, gamma, run).tolist() == [0, 0, 0]
        assert [event for event, _ in run.log.events] == events


def test_whatever_the_tick_raises_passes_through():
    class Stopped(BaseException):
        pass

    def stop(fraction, note=""):
        if fraction > 0.2:
            raise Stopped

    with pytest.raises(Stopped):
        vmdav_groups(tables(20_000, seed=3)["many attributes"], 10, 0.2, Run(tick=stop))


@looped("gamma", options_of(VMDAV)[0].kind.illegal())
def test_gamma_is_from_0_to_2(gamma):
    with pytest.raises(OptionError):
        VMDAV(gamma=gamma)
