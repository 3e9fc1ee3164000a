"""Every page is usable for those who do not see it well: no serious or moderate finding of axe-core."""

from __future__ import annotations

import pytest

from pages.shell.menu import PAGES
from tests.browser.steps import settled, violations


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
def test_axe_finds_nothing_that_matters(page, app_address, size, scheme):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    found = {}
    for name in PAGES:
        page.goto(f"{app_address}/{'' if name == 'tune' else name}?table=people-100")
        settled(page)
        found[name] = violations(page)
    assert not any(found.values()), found
