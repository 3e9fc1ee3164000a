"""Small multiples of the map: what each panel says, one scale for all, extents, and words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.charts.maps.extent import HEIGHT, NARROWEST, WIDTH, fitted, whole_extent
from kanon_core.charts.maps.panels import Panel, painted, panels_sentence
from kanon_core.charts.maps.units import area_text


def city(n: int = 40) -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n)})
    return kc.Table.from_frame(frame)


def panels(table: kc.Table, k: int = 4) -> list[Panel]:
    methods = (kc.OptimalConcealment(), kc.Pairing(), kc.MDAV())
    return [Panel.of(m.title, kc.anonymize(table, m, k), "latitude", "longitude") for m in methods]


def test_areas_are_those_of_each_record_whatever_the_cover():
    table = city()
    for panel in panels(table):
        assert len(panel.areas_km2) == len(table)
        found = dict(panel.facts())
        assert found["mean area"] == area_text(float(panel.areas_km2.mean()))
        assert found["total area"] == area_text(float(panel.areas_km2.sum()))
    optimum = panels(table)[0]
    assert sorted(optimum.own.tolist()) == list(range(len(table)))


def test_the_sentence_names_the_smallest_mean_area_and_how_much_larger_the_others_are():
    shown = panels(city())
    means = {panel.title: float(panel.areas_km2.mean()) for panel in shown}
    best = min(means, key=means.__getitem__)
    says = panels_sentence(shown)
    assert says.startswith(f"{best} has the smallest mean area, {area_text(means[best])}; ")
    assert all(title in says for title in means)
    assert panels_sentence(shown[:1]) == ""
    assert "the same for all" in panels_sentence([shown[0], shown[0]])


def test_all_panels_share_one_scale_and_have_a_picture_each():
    table = city()
    shown = panels(table)
    latitude, longitude = table.numbers("latitude").values, table.numbers("longitude").values
    pictures = painted(shown, latitude, longitude, whole_extent(latitude, longitude))
    assert len(pictures.sources) == len(set(pictures.sources)) == 3
    assert all(source.startswith("data:image/png;base64,") for source in pictures.sources)
    areas = np.concatenate([panel.rectangles.areas_km2 for panel in shown])
    assert pictures.ticks[-1][1] == area_text(float(f"{areas.max():.2g}"))


edges = st.tuples(st.floats(-179, 178), st.floats(-80, 79), st.floats(0, 1), st.floats(0, 1))


@given(edges)
def test_an_extent_holds_what_it_was_made_for_in_true_proportions(edge):
    west, south, width, height = edge
    left, low, right, high = fitted((west, south, west + width, south + height))
    assert left <= west + 1e-9
    assert right >= west + width - 1e-9
    assert low <= south + 1e-9
    assert high >= south + height - 1e-9
    shrink = np.cos(np.radians((low + high) / 2))
    assert (right - left) * shrink >= NARROWEST * 0.999
    assert (right - left) * shrink / (high - low) == pytest.approx(WIDTH / HEIGHT)


def test_an_extent_out_of_order_is_refused():
    for extent in [(1, 0, 0, 1), (0, 1, 1, 0), (0, 0, np.nan, 1), (0, 0, np.inf, 1)]:
        with pytest.raises(OptionError, match="four numbers of degrees"):
            fitted(extent)


def test_without_places_the_world_is_shown_and_nothing_is_said():
    nothing = np.full(3, np.nan)
    west, _, east, _ = whole_extent(nothing, nothing)
    assert west <= -180
    assert east >= 180
