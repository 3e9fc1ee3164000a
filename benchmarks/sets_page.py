"""Processor time of a move of k in the view Item sets, 77,512 baskets: the page's script with a new k, in
each of its tabs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "pages" / "clusters" / "page.py"
VIEWS = ("Items", "Before and after", "Groups", "Pairs", "Step by step", "Lattice")
KS = (2, 5, 10, 20, 50)


def rows() -> Iterator[dict[str, Any]]:
    """One row a view: the time of a move to k = 10, and in the note that of the others."""
    from streamlit.testing.v1 import AppTest

    import kanon_core as kc
    from pages.state import warmup
    from pages.state.session import Session
    from pages.state.setting import Setting

    table = kc.read_table("sample:baskets-77512")
    for view in VIEWS:
        test = AppTest.from_file(PAGE, default_timeout=120)
        test.session_state["kanon"] = Session(table, "Baskets", "sample", Setting(kc.TopDown(), 8))
        test.session_state["view clusters"], test.session_state["sets view"] = "sets", view
        test.run()
        while warmup.running():
            time.sleep(0.1)
        seconds = {}
        for k in KS:
            begun = time.process_time()
            test.slider(key="k").set_value(k).run()
            seconds[k] = time.process_time() - begun
        note = ", ".join(f"k = {k}: {spent:.2f}" for k, spent in seconds.items())
        yield {
            "work": f"{view}, baskets, new k",
            "ours_s": seconds[10],
            "target_s": 0.25,
            "note": f"processor time; {note}; load {os.getloadavg()[0]:.1f}",
        }
