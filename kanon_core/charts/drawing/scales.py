"""Axes of a drawing: where a value stands, and which values are named."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Settings = Mapping[str, Any]

_ROOM = 0.05
_STEPS = (1.0, 2.0, 5.0, 10.0)
_DATES = (("Y", "%Y", 365.2425), ("M", "%b %Y", 30.44), ("D", "%d %b %Y", 1.0), ("h", "%d %b %H:%M", 1 / 24))
_DAY = 86_400_000.0


@dataclass(frozen=True)
class Scale:
    """From ``low`` at the left or the bottom to ``high``; of a logarithmic axis both are powers of ten."""

    low: float
    high: float
    settings: Settings

    @classmethod
    def of(cls, settings: Settings, values: Sequence[np.ndarray]) -> Scale:
        """The scale of an axis: its own range, or one that holds all these values."""
        if settings.get("range") is not None:
            low, high = settings["range"]
            return cls(float(low), float(high), settings)
        every = np.concatenate([np.zeros(0), *(_floats(one) for one in values)])
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        if settings.get("rangemode") == "tozero":
            low, high = min(low, 0.0), max(high, 0.0)
        room = _ROOM * ((high - low) or abs(high) or 1.0)
        return cls(low if low == 0 else low - room, high if high == 0 else high + room, settings)

    @property
    def logarithmic(self) -> bool:
        """Whether a step of the axis is a factor."""
        return bool(self.settings.get("type") == "log")

    def share(self, values: Any) -> np.ndarray:
        """How far along the axis each value lies, 0 to 1; NaN where there is none."""
        found = _floats(values)
        if self.logarithmic:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.log10(found)
        return (found - self.low) / ((self.high - self.low) or 1.0)

    def ticks(self, room: int) -> list[tuple[float, str]]:
        """Share of the axis and text of each tick; at most about ``room`` of them."""
        names = self.settings.get("ticktext")
        if self.settings.get("tickvals") is not None:
            places = list(self.settings["tickvals"])
            texts = list(names) if names is not None else [f"{place:g}" for place in places]
        elif self.logarithmic:
            steps = (1, 2, 5) if 3 * len(self._powers()) <= room else (1,)
            places = [step * 10.0**power for power in self._powers() for step in steps]
            texts = [number(place, place, str(self.settings.get("tickformat", ""))) for place in places]
        elif self.settings.get("type") == "date":
            places, texts = _date_ticks(self.low, self.high, room)
        else:
            step = float(self.settings.get("dtick") or nice(abs(self.high - self.low), self._most(room)))
            places = _multiples(self.low, self.high, step)
            texts = [number(place, step, str(self.settings.get("tickformat", ""))) for place in places]
        found = zip(self.share(places).tolist(), texts, strict=True)
        return [(place, text) for place, text in found if -1e-9 <= place <= 1 + 1e-9]

    def _most(self, room: int) -> int:
        return min(room, int(self.settings.get("nticks") or room))

    def _powers(self) -> range:
        return range(math.floor(min(self.low, self.high)), math.ceil(max(self.low, self.high)) + 1)


def _floats(values: Any) -> np.ndarray:
    return np.atleast_1d(np.asarray(values, np.float64))


def nice(span: float, most: int) -> float:
    """The least step of 1, 2 or 5 times a power of ten that divides a span into at most so many parts.

    >>> nice(48, 6), nice(0.12, 6)
    (10.0, 0.02)
    """
    rough = (span or 1.0) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = sorted((low / step, high / step))
    return [n * step for n in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]


def number(value: float, step: float, style: str = "") -> str:
    """A number beside a tick, as exact as the step between ticks; ``style`` as the axis has it.

    >>> number(0.125, 0.025, ".1~%"), number(12000, 2000, ",d"), number(12000, 2000), number(1.5, 0.5)
    ('12.5%', '12,000', '12,000', '1.5')
    """
    if "%" in style:
        value, step = 100 * value, 100 * step
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 or step % 1 else 0
    if decimals > 6:
        return f"{value:.3g}"
    text = f"{value:,.{decimals if decimals or step >= 1 else 0}f}"
    if step % 1 and decimals == 0:
        text = f"{value:,.1f}"
    return text + ("%" if "%" in style else "")


def _date_ticks(low: float, high: float, room: int) -> tuple[list[float], list[str]]:
    """Round dates between two times in milliseconds, in the largest unit that gives at least three."""
    days = (high - low) / _DAY
    unit, form, length = next((one for one in _DATES if days / one[2] >= 3), _DATES[-1])
    step = max(1, math.ceil(days / length / room))
    ends = np.array([low, high]).astype(np.int64).astype("datetime64[ms]").astype(f"datetime64[{unit}]")
    first, last = ends.astype(np.int64).tolist()
    found = np.arange(first, last + 1, step).astype(f"datetime64[{unit}]")
    return found.astype("datetime64[ms]").astype(np.float64).tolist(), [
        one.item().strftime(form) for one in found.astype("datetime64[s]")
    ]
