"""The house style: escaping, numbers in words, clicks, nothing sent anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from kanon_core.base.errors import OptionError
from kanon_core.base.words import number_text
from kanon_core.charts.canvas.theme import CONFIG, THEMES, base_layout, percent_text, picked, plain, theme_of


def test_plain_text_keeps_its_letters_and_loses_its_powers():
    for given, shown in [
        ("<b>a</b>", "&lt;b&gt;a&lt;/b&gt;"),
        ("a & b", "a &amp; b"),
        ("$x$", "&#36;x&#36;"),
        ("%{x}", "%&#123;x&#125;"),
        ('"q"', "&quot;q&quot;"),
        ("two\nlines\t!", "two lines !"),
        ("x" * 50, "x" * 31 + "…"),
        ("<" * 50, "&lt;" * 31 + "…"),
        ("名前 😀", "名前 😀"),
    ]:
        assert plain(given) == shown


def test_words_for_numbers():
    assert [number_text(v) for v in (3.0, 0.16666, 12345.6, float("nan"))] == [
        "3",
        "0.1667",
        "12,346",
        "not defined",
    ]
    assert [number_text(v) for v in (1.024e-05, -2e-9, 0.0, 1e-4)] == ["0.00001", "almost 0", "0", "0.0001"]
    assert [percent_text(v) for v in (1.0, 0.48, 0.0312, 0.00016, 0.0, 1e-9)] == [
        "100",
        "48",
        "3.1",
        "0.016",
        "0",
        "less than 0.001",
    ]


def test_nothing_is_sent_anywhere():
    assert CONFIG["showSendToCloud"] is False
    assert CONFIG["plotlyServerURL"] == ""


def test_clicks_are_read_from_lists_and_from_objects():
    event = lambda data: {"selection": {"points": [{"customdata": data}]}}  # noqa: E731
    assert picked(event([3, 7])) == (3, 7)
    assert picked(event({"1": 7, "0": 3})) == (3, 7)
    assert picked(event(None)) == picked(None) == picked({}) == picked({"selection": {"points": []}}) == ()


def test_unknown_themes_are_refused():
    with pytest.raises(OptionError, match="light"):
        theme_of("sepia")


def test_text_and_marks_stand_out_from_the_surface():
    """Contrast of at least 4.5 for text and, for lines and points, 1.9 at worst (they also differ in form or
    outline)."""
    for name in THEMES:
        theme = theme_of(name)
        for color in (theme.text, theme.muted, theme.accent):
            assert contrast(color, theme.surface) >= 4.5
        for color in (*theme.lines, theme.loss):
            assert contrast(color, theme.surface) >= 3
        assert theme.loss not in theme.lines  # which are of algorithms
        for color in theme.groups:
            assert contrast(color, theme.surface) >= 1.9
        assert len(set(theme.groups)) == len(theme.groups) == 7
        assert base_layout(name)["uirevision"]


def test_group_colors_stay_apart_for_color_blind_readers():
    """Every two differ by at least 9 in CIE76, after Viénot, Brettel & Mollon's simulation (1999)."""
    for name in THEMES:
        for seen in ["normal", "protanopia", "deuteranopia"]:
            labs = [lab(simulated(linear(color), seen)) for color in theme_of(name).groups]
            least = min(np.linalg.norm(a - b) for i, a in enumerate(labs) for b in labs[:i])
            assert least >= 9


def linear(color: str) -> np.ndarray:
    parts = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def simulated(rgb: np.ndarray, seen: str) -> np.ndarray:
    to_lms = np.array(
        [[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]]
    )
    lost = {
        "normal": np.eye(3),
        "protanopia": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
        "deuteranopia": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
    }[seen]
    return np.clip(np.linalg.inv(to_lms) @ lost @ to_lms @ rgb, 0, 1)


def lab(rgb: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
