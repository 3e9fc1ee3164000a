import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.distances.values.geo import EARTH_RADIUS_KM, rectangle_area_km2, rectangle_diagonal_km


@pytest.mark.parametrize(
    ("edges", "area"),
    [((35.68, 139.76, 35.69, 139.77), 1.004277), ((35, 139, 36, 140), 10065.878)],
)
def test_area_of_known_rectangles(edges: tuple[float, ...], area: float) -> None:
    assert rectangle_area_km2(*edges) == pytest.approx(area, rel=5e-7)


def test_whole_sphere() -> None:
    assert rectangle_area_km2(-90, -180, 90, 180) == pytest.approx(
        4 * math.pi * EARTH_RADIUS_KM**2, rel=1e-12
    )
    assert rectangle_diagonal_km(-90, 0, 90, 0) == pytest.approx(math.pi * EARTH_RADIUS_KM, rel=1e-12)


def test_degenerate_rectangles_have_no_area_but_a_length() -> None:
    assert rectangle_area_km2(35, 139, 35, 140) == 0
    assert rectangle_area_km2(35, 139, 36, 139) == 0
    assert rectangle_diagonal_km(35, 139, 36, 139) == pytest.approx(
        math.radians(1) * EARTH_RADIUS_KM, rel=1e-12
    )
    assert rectangle_diagonal_km(35, 139, 35, 139) == 0


def test_tiny_rectangle_keeps_its_digits() -> None:
    side = 1e-7
    expected = (math.radians(side) * EARTH_RADIUS_KM) ** 2 * math.cos(math.radians(60))
    assert rectangle_area_km2(60, 10, 60 + side, 10 + side) == pytest.approx(expected, rel=1e-6)


latitudes = st.floats(-90, 90)
longitudes = st.floats(-180, 180)


@given(
    st.tuples(latitudes, latitudes).map(sorted),
    st.tuples(longitudes, longitudes).map(sorted),
    st.floats(0, 1),
)
def test_parts_add_up_to_the_whole(lat: list[float], lon: list[float], share: float) -> None:
    cut = lat[0] + share * (lat[1] - lat[0])
    whole = rectangle_area_km2(lat[0], lon[0], lat[1], lon[1])
    parts = rectangle_area_km2([lat[0], cut], lon[0], [cut, lat[1]], lon[1])
    assert parts.shape == (2,)
    assert parts.sum() == pytest.approx(whole, rel=1e-9, abs=1e-6)


@given(latitudes, longitudes, latitudes, longitudes)
def test_diagonal_is_the_chord_seen_from_the_center(a: float, b: float, c: float, d: float) -> None:
    def unit(lat: float, lon: float) -> np.ndarray:
        phi, lam = math.radians(lat), math.radians(lon)
        return np.array([math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)])

    chord = float(np.linalg.norm(unit(a, b) - unit(c, d)))
    expected = 2 * EARTH_RADIUS_KM * math.asin(min(1.0, chord / 2))
    assert rectangle_diagonal_km(a, b, c, d) == pytest.approx(expected, rel=1e-6, abs=1e-3)
