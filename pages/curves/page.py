"""Curves: the loss over k of several algorithms, pinned settings side by side, and all measures of this
release."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pages.curves.curves import curves
from pages.curves.desk import desk
from pages.curves.losses import columns_view, records_view
from pages.curves.scorecard import scorecard
from pages.curves.usage import usage_view
from pages.shell.frame import open_page, ready
from pages.shell.views import show_view
from pages.widgets.controls import with_release

if ready(open_page("curves")):
    views: dict[str, Callable[[], None]] = {
        "curves": curves,
        "compare": desk,
        "scorecard": partial(with_release, scorecard),
        "columns": partial(with_release, columns_view),
        "records": partial(with_release, records_view),
        "utility": partial(with_release, usage_view),
    }
    show_view("curves", views)
