"""Records as places of one Euclidean space, in which centroids are means and distances are the mixed one."""

from __future__ import annotations

import numpy as np

from kanon_core.charts.canvas.plane import Plane
from kanon_core.charts.steps.onplane import Place
from kanon_core.distances.mixed import points_of
from kanon_core.table.table import Table


def coordinates(table: Table) -> np.ndarray:
    """float64 (n, d): the points of the mixed distance, each category a column of √(w / 2) or 0, so that the
    Euclidean distance is the mixed distance.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"city": ["Rome", "Rome", "Paris"]}))
    >>> round(float(((coordinates(table)[0] - coordinates(table)[2]) ** 2).sum()), 9)
    2.0
    """
    points = points_of(table)
    shown = [
        np.sqrt(weight / 2) * (codes[:, None] == np.unique(codes))
        for codes, weight in zip(points.codes.T, points.weights, strict=True)
    ]
    return np.column_stack([points.numeric, *shown])


def distance(places: np.ndarray, record: int, other: int) -> float:
    """The distance between two records."""
    return float(np.sqrt(((places[record] - places[other]) ** 2).sum()))


def centroid(picture: Plane, records: np.ndarray, name: str) -> tuple[Place, ...]:
    """Where the mean of these records is in the plane; nothing in a plane of categories, which have none."""
    if picture.x.labels or picture.y.labels or picture.outside[records].any():
        return ()
    return (Place(name, float(picture.x.values[records].mean()), float(picture.y.values[records].mean())),)
