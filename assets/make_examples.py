"""Draw the small pictures of the examples on the Data page, each from the records of its sample.

    python assets/make_examples.py

writes `assets/examples/<name>.svg`. They are in the color of letters (`currentColor`, which the page fills
in) and one more that is seen on light and on dark pages.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kanon_core.table.samples import load_sample  # noqa: E402
from kanon_core.table.samples.people import CONDITIONS  # noqa: E402

TARGET = ROOT / "assets" / "examples"
WIDTH, HEIGHT, EDGE = 200, 72, 5
ACCENT = "#e08a00"
PLAIN = 'stroke="currentColor" stroke-opacity=".55"'
MARKED = f'stroke="{ACCENT}"'
_BOX = f'viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" stroke-linecap="round"'


def svg(*parts: str) -> str:
    """Return a picture of these parts."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {_BOX}>' + "".join(parts) + "</svg>\n"


def dots(x: Iterable[float], y: Iterable[float], look: str, width: float) -> str:
    """Return one path of dots, which is many times shorter than a circle for each."""
    places = "".join(f"M{a:.1f} {b:.1f}h0" for a, b in zip(x, y, strict=True))
    return f'<path {look} stroke-width="{width}" d="{places}"/>'


def lines(x: Iterable[float], low: Iterable[float], high: Iterable[float], look: str, width: float) -> str:
    """Return one path of upright lines."""
    places = "".join(f"M{a:.1f} {b:.1f}V{c:.1f}" for a, b, c in zip(x, low, high, strict=True))
    return f'<path {look} stroke-width="{width}" stroke-linecap="butt" d="{places}"/>'


def across(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return places from the left edge to the right one."""
    return EDGE + (WIDTH - 2 * EDGE) * (np.asarray(values, float) - low) / (high - low)


def patients() -> str:
    """Return 100 people by age, a row for each condition; those who have one are marked."""
    frame = load_sample("people-100")
    row = frame["condition"].map({name: number for number, name in enumerate(CONDITIONS)}).to_numpy()
    x, y = across(frame["age"], 0, 99), EDGE + (HEIGHT - 2 * EDGE) * row / (len(CONDITIONS) - 1)
    ill = row > 0
    return svg(dots(x[~ill], y[~ill], PLAIN, 4), dots(x[ill], y[ill], MARKED, 4))


def census() -> str:
    """Return the adults by age, in steps of two years: women above the middle, men below."""
    frame = load_sample("households-5000")
    middle, parts = HEIGHT / 2, []
    bins = np.arange(frame["age"].min(), frame["age"].max() + 3, 2)
    most = max(np.histogram(group["age"], bins)[0].max() for _, group in frame.groupby("sex"))
    for sex, way, look in (("female", -1, MARKED), ("male", 1, PLAIN)):
        counts = np.histogram(frame.loc[frame["sex"] == sex, "age"], bins)[0]
        x = across(bins[:-1] + 1, bins[0], bins[-1])
        start = np.full(len(x), middle + way)
        parts.append(lines(x, start, start + way * (middle - EDGE) * counts / most, look, 3.6))
    return svg(*parts)


def city() -> str:
    """Return 600 people where they are; those more than 20 km from the middle are marked."""
    frame = load_sample("people-5000").iloc[:600]
    east = (frame["longitude"] - 139.70).to_numpy() * 90.3
    north = (frame["latitude"] - 35.70).to_numpy() * 111.2
    scale = (HEIGHT - 2 * EDGE) / 50  # kilometers
    x, y = WIDTH / 2 + scale * east, HEIGHT / 2 - scale * north
    seen = (x > 0) & (x < WIDTH) & (y > 0) & (y < HEIGHT)
    far = seen & (np.hypot(east, north) > 20)
    near = seen & ~far
    return svg(dots(x[near], y[near], PLAIN, 1.6), dots(x[far], y[far], MARKED, 3))


def receipts() -> str:
    """Return how many receipts have each disease, the most frequent first; the rare ones are marked."""
    frame = load_sample("receipts-10000")
    counts = frame["diseases"].str.split(";").explode().value_counts().to_numpy()
    x = across(np.arange(len(counts)), -1, len(counts))
    top = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * np.sqrt(counts / counts[0])
    base, rare = np.full(len(x), float(HEIGHT - EDGE)), counts < counts[0] / 100
    parts = ((~rare, PLAIN), (rare, MARKED))
    return svg(*(lines(x[some], base[some], top[some], look, 0.9) for some, look in parts))


def purchases() -> str:
    """Return the days on which twelve people bought something: the person who buys most, marked, and eleven
    others."""
    frame = load_sample("purchases-80000")
    often = frame["customer"].value_counts()
    chosen = [often.index[0], *often.index[20 :: len(often) // 11][:11]]
    day = pd.to_datetime(frame["date"])
    x = across((day - day.min()).dt.days.to_numpy(), 0, 366)
    parts = []
    for number, customer in enumerate(chosen):
        mine = np.unique(x[(frame["customer"] == customer).to_numpy()].round(1))
        y = np.full(len(mine), EDGE + (HEIGHT - 2 * EDGE) * number / 11)
        parts.append(dots(mine, y, PLAIN if number else MARKED, 2.4))
    return svg(*parts)


def own() -> str:
    """Return an empty table and an arrow into it."""
    rows = "".join(f"M60 {y}H140" for y in (30, 43, 56))
    table = f'<path {PLAIN} stroke-width="2" d="M60 17H140V67H60ZM87 17V67M114 17V67{rows}"/>'
    arrow = f'<path {MARKED} stroke-width="3.5" stroke-linejoin="round" d="M100 4V42M89 32L100 43L111 32"/>'
    return svg(table, arrow)


PICTURES: dict[str, Callable[[], str]] = {
    make.__name__: make for make in (patients, census, city, receipts, purchases, own)
}
"""The picture of each example, by its name."""

if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, make in PICTURES.items():
        (TARGET / f"{name}.svg").write_text(make(), "utf-8")
