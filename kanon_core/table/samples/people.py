"""People in an invented city at midnight: where each of them is, with a few facts about them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

CENTER = (35.70, 139.70)
"""Latitude and longitude of the invented city's middle, somewhere in the plain around Tokyo."""
DEGREE_KM = 111.195
"""Length of one degree of latitude in kilometers."""
_KM = np.array([DEGREE_KM, DEGREE_KM * np.cos(np.radians(CENTER[0]))])
CONDITIONS = ("none", "allergy", "asthma", "depression", "diabetes", "hypertension", "heart disease")

_CORNERS = """
    138.60 36.90  138.60 35.30  139.10 35.31  139.23 35.31  139.45 35.34  139.55 35.33  139.62 35.24
    139.66 35.24  139.63 35.31  139.62 35.40  139.62 35.45  139.66 35.48  139.71 35.48  139.77 35.52
    139.74 35.63  139.75 35.67  139.89 35.67  139.98 35.69  140.05 35.65  140.10 35.61  140.12 35.56
    140.08 35.52  140.02 35.46  139.93 35.42  139.94 35.35  139.88 35.29  139.88 35.20  139.86 35.12
    139.90 35.04  139.95 35.04  140.02 35.08  140.10 35.15  140.30 35.17  140.36 35.25  140.36 35.38
    140.40 35.50  140.47 35.60  140.65 35.72  140.78 35.74  140.58 36.00  140.53 36.20  140.55 36.45
    140.58 36.90
"""
LAND = np.array(_CORNERS.split(), np.float64).reshape(-1, 2)
"""Longitude and latitude of the corners of where homes may be: drawn by hand, a little inside the coast."""


def people(size: int, seed: int = 0) -> pd.DataFrame:
    """People of an invented city at midnight, that is: at home; deterministic. Only the coast is where it is.

    - *Homes*: 30 town centers at log-normal distances (median 7 km, σ 0.8) and uniform bearings around
    `CENTER`; the town of rank r draws homes in proportion to r^−0.9, scattered by a Student t with 2.5
    degrees of freedom (scale 0.35–1.4 km). 74 % of homes are in towns, 24 % in suburbs (log-normal distance,
    median 10 km, σ 0.7), 2 % far out (Pareto distance from 25 km on, index 1.6), all on `LAND`. The distances
    are heavy-tailed on purpose: a few persons are far from everybody.

    - *Households* of 1 to 5 (42, 27, 16, 11, 4 %) share their home's coordinates. The second member is of the
    first's age ± 4 years (SD), further members are 24 to 38 years younger than the first.

    - *Facts*: age grows a little with the distance from the center; activity follows age; the chance of a
    condition grows with age, and the older lean to hypertension, diabetes and heart disease.

    Columns: person ("P0001" …), latitude and longitude in degrees (5 decimals, about 1 m), age in years, sex,
    activity, condition. Rows are in random order.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    household_size = rng.choice(np.arange(1, 6), size=size, p=[0.42, 0.27, 0.16, 0.11, 0.04])
    homes = _homes(rng, size)
    household = np.repeat(np.arange(size), household_size)[:size]
    place = np.arange(size) - np.searchsorted(household, household)
    distance = np.hypot(*_offset_km(homes).T)
    age = _ages(rng, household, place, household_size, distance)
    frame = pd.DataFrame(
        {
            "latitude": homes[household, 0].round(5),
            "longitude": homes[household, 1].round(5),
            "age": age,
            "sex": _sexes(rng, household, place),
            "activity": _activities(rng, age),
            "condition": _conditions(rng, age),
        }
    )
    frame = frame.iloc[rng.permutation(size)].reset_index(drop=True)
    frame.insert(0, "person", [f"P{i:0{max(4, len(str(size)))}d}" for i in range(1, size + 1)])
    return frame


def _homes(rng: np.random.Generator, size: int) -> Floats:
    """Latitude and longitude (size, 2) of homes on land."""
    towns = _on_land(lambda: _around(rng, 7 * rng.lognormal(0, 0.8, 60)), 30)
    scale = rng.uniform(0.35, 1.4, 30)
    share = np.arange(1, 31) ** -0.9
    share /= share.sum()

    def draw() -> Floats:
        town = rng.choice(30, size=size, p=share)
        scatter = rng.standard_t(2.5, (size, 2)) * scale[town, None]
        in_town = _shifted(towns[town], scatter)
        in_suburb = _around(rng, 10 * rng.lognormal(0, 0.7, size))
        far_out = _around(rng, 25 * (1 + rng.pareto(1.6, size)))
        part = rng.choice(3, size=size, p=[0.74, 0.24, 0.02])
        return np.choose(part[:, None], [in_town, in_suburb, far_out])

    return _on_land(draw, size)


def _on_land(draw: Callable[[], Floats], size: int) -> Floats:
    """The first ``size`` places on land of repeated draws."""
    found = np.empty((0, 2))
    while len(found) < size:
        places = draw()
        found = np.concatenate([found, places[in_polygon(places[:, 1], places[:, 0], LAND)]])
    return found[:size]


def _around(rng: np.random.Generator, distance: Floats) -> Floats:
    """Places at given distances (km) and uniform bearings from the center."""
    bearing = rng.uniform(0, 2 * np.pi, len(distance))
    return _shifted(np.array(CENTER), distance[:, None] * np.column_stack([np.cos(bearing), np.sin(bearing)]))


def _shifted(places: Floats, offset_km: Floats) -> Floats:
    """Places moved by (north, east) kilometers."""
    return np.asarray(places + offset_km / _KM)


def _offset_km(places: Floats) -> Floats:
    """(north, east) kilometers of places from the center."""
    return np.asarray((places - CENTER) * _KM)


def in_polygon(x: Floats, y: Floats, ring: Floats) -> npt.NDArray[np.bool_]:
    """Return whether points are in a polygon given by its corners (even-odd rule); cost O(points ·
    corners)."""
    result = np.zeros(len(x), dtype=bool)
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if y0 != y1:
            result ^= ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return result


def _ages(
    rng: np.random.Generator, household: Integers, place: Integers, household_size: Integers, distance: Floats
) -> Integers:
    """Ages in years, 0 to 99, by place in the household (0 the first, 1 the second, then the young)."""
    size = len(household)
    first = 19 + 72 * rng.beta(1.7, 2.1, size) + 4 * np.log1p(distance / 10)
    with_children = household_size > 2
    first[with_children] = rng.normal(44, 8, int(with_children.sum()))
    of_first = np.clip(first, 19, 97)[household]
    second = np.clip(of_first + rng.normal(0, 4, size), 18, 99)
    young = np.clip(of_first - rng.uniform(24, 38, size), 0, 40)
    ages = np.where(place == 0, of_first, np.where(place == 1, second, young))
    return np.asarray(np.floor(ages).astype(np.int64))


def _sexes(rng: np.random.Generator, household: Integers, place: Integers) -> list[str]:
    """Either "female" or "male"; the second member of a household is of the other sex in 97 of 100."""
    drawn = rng.random(len(household)) < 0.51
    first = drawn[np.searchsorted(household, household)]
    same = rng.random(len(household)) < 0.03
    female = np.where(place == 1, first == same, drawn)
    return list(np.where(female, "female", "male").tolist())


def _activities(rng: np.random.Generator, age: Integers) -> list[str]:
    """Return the daytime activity of each person, by age."""
    chance = rng.random(len(age))
    grown = np.where(chance < 0.84, "work", "home")
    old = np.where(chance < 0.22, "work", "retired")
    young = np.where((age < 18) | (chance < 0.55), "school", "work")
    home = np.full(len(age), "home")
    return list(np.select([age < 3, age < 23, age < 65], [home, young, grown], old).tolist())


def _conditions(rng: np.random.Generator, age: Integers) -> list[str]:
    """One of `CONDITIONS`, by age."""
    years = age[:, None] / 100
    odds = np.array([2.2, 0.35, 0.22, 0.18, 0.02, 0.02, 0.01])
    odds = odds * np.exp(years * [-0.6, -0.5, -0.4, 0.6, 4.0, 4.8, 4.8])
    reached = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    kind = (rng.random((len(age), 1)) >= reached[:, :-1]).sum(axis=1)
    return [CONDITIONS[i] for i in kind]
