"""Cut the bundled base map out of Natural Earth: land and country boundaries, small enough to ship.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python assets/make_basemap.py package/countries-10m.json

writes two files to `assets/vendor/basemap`: `overview.json` for the world and `detail.json` for closer views.
Lines are simplified arc by arc (Douglas–Peucker), so neighbors keep their common boundary.

Format: {"scale": s, "land": [ring …], "borders": [line …]}. A ring or line is a list of integers x0, y0, dx,
dy, dx, dy …, in units of 1/s degree (longitude, latitude), each pair after the first the step from the last
point. A ring ends where it begins and may go beyond 180°. A place on land is in an odd number of rings.
"""

import argparse
import json
from pathlib import Path

import numpy as np

SCALE = 500
TARGET = Path(__file__).resolve().parent / "vendor" / "basemap"
LEVELS = {"overview": (0.08, 0.03, 0.08), "detail": (0.006, 0.0, 0.02)}
"""Name of the file: tolerance of coasts in degrees, least area of an island in square degrees, tolerance of
borders in degrees."""

Line = np.ndarray


def decode_arcs(topology: dict) -> list[Line]:
    """The topology's arcs in degrees."""
    scale, shift = (np.array(topology["transform"][part]) for part in ("scale", "translate"))
    return [np.cumsum(arc, axis=0) * scale + shift for arc in topology["arcs"]]


def simplify(line: Line, tolerance: float) -> Line:
    """Douglas–Peucker with distances in degrees of latitude; a closed line is first cut at its farthest
    point."""
    flat = line * [np.cos(np.radians(line[:, 1].mean())), 1.0]
    keep = np.zeros(len(line), dtype=bool)
    keep[[0, -1]] = True
    todo = [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        if last - first < 2:
            continue
        inner, chord = flat[first + 1 : last] - flat[first], flat[last] - flat[first]
        length = np.hypot(*chord)
        if length > 0:
            away = np.abs(inner[:, 0] * chord[1] - inner[:, 1] * chord[0]) / length
        else:
            away = np.hypot(inner[:, 0], inner[:, 1])
        worst = int(away.argmax())
        if away[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            todo += [(first, middle), (middle, last)]
    return line[keep]


def ring_of(indices: list[int], arcs: list[Line]) -> Line:
    """The closed ring that a list of arc numbers (~i: reversed) describes."""
    parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
    return np.concatenate([part[:-1] for part in parts] + [parts[-1][-1:]])


def unwrapped(ring: Line) -> Line:
    """A ring without jumps at the 180° meridian; one that goes around a pole is closed over the pole."""
    turns = -np.rint(np.diff(ring[:, 0]) / 360)
    ring = ring + np.column_stack([np.r_[0, 360 * np.cumsum(turns)], np.zeros(len(ring))])
    if abs(ring[-1, 0] - ring[0, 0]) < 180:
        return ring
    pole = np.copysign(90.0, ring[:, 1].mean())
    return np.vstack([ring, [[ring[-1, 0], pole], [ring[0, 0], pole]], ring[:1]])


def encode(line: Line, shortest: int) -> list[int] | None:
    """Integer steps without repeated points, or None when fewer than `shortest` points are left."""
    grid = np.rint(line * SCALE).astype(np.int64)
    grid = grid[np.r_[True, (np.diff(grid, axis=0) != 0).any(axis=1)]]
    if len(grid) < shortest:
        return None
    return np.vstack([grid[:1], np.diff(grid, axis=0)]).ravel().tolist()


def area_of(ring: Line) -> float:
    """Area of a closed ring in square degrees of latitude (shoelace)."""
    x, y = ring[:, 0] * np.cos(np.radians(ring[:, 1].mean())), ring[:, 1]
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


def rings_in(geometry: dict) -> list[list[int]]:
    """All rings of a polygon, a multipolygon or a collection, as lists of arc numbers."""
    match geometry["type"]:
        case "Polygon":
            return geometry["arcs"]
        case "MultiPolygon":
            return [ring for polygon in geometry["arcs"] for ring in polygon]
        case "GeometryCollection":
            return [ring for part in geometry["geometries"] for ring in rings_in(part)]
    return []


def level(topology: dict, arcs: list[Line], name: str) -> dict:
    """The content of one file."""
    coast_tolerance, least_area, border_tolerance = LEVELS[name]
    coast = [simplify(arc, coast_tolerance) for arc in arcs]
    rings = [ring_of(indices, coast) for indices in rings_in(topology["objects"]["land"])]
    land = [encode(unwrapped(ring), 4) for ring in rings if len(ring) >= 4 and area_of(ring) >= least_area]
    uses = np.zeros(len(arcs), dtype=int)
    for indices in rings_in(topology["objects"]["countries"]):
        for i in indices:
            uses[i if i >= 0 else ~i] += 1
    borders = [encode(simplify(arcs[i], border_tolerance), 2) for i in np.flatnonzero(uses > 1)]
    return {
        "scale": SCALE,
        "land": [ring for ring in land if ring is not None],
        "borders": [line for line in borders if line is not None],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("topology", type=Path, help="countries-10m.json of the npm package world-atlas")
    topology = json.loads(parser.parse_args().topology.read_text(encoding="utf-8"))
    arcs = decode_arcs(topology)
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in LEVELS:
        content = json.dumps(level(topology, arcs, name), separators=(",", ":"))
        (TARGET / f"{name}.json").write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
