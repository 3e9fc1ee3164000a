"""Every page is usable for those who do not see it well: no serious or moderate finding of axe-core."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.shell.frame import PAGES
from tests.browser.steps import loaded, settled

axe = pytest.importorskip(
    "axe_playwright_python", reason="the check for accessibility needs axe-playwright-python"
)
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
def test_axe_finds_nothing_that_matters(page, app_address, size, scheme):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    found = {}
    for name in PAGES:
        page.goto(f"{app_address}/{'' if name == 'tune' else name}?table=people-100")
        settled(page)
        loaded(page)
        page.evaluate(AXE)
        violations = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        for one in violations:
            if one["impact"] in ("moderate", "serious", "critical"):
                found.setdefault(one["id"], []).append((name, one["nodes"][0]["html"][:120]))
    assert not found
