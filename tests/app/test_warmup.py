"""Warming up: what is compiled first, who waits for it, and that a click ends the wait."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

import kanon_core as kc
from kanon_core import warmup as core
from kanon_core.table.samples import receipts
from pages.shell import warmup
from pages.state import jobs

ROOT = Path(__file__).resolve().parents[2]


def test_every_algorithm_runs_on_some_table_and_those_asked_for_come_first(monkeypatch):
    runs: list[type] = []
    monkeypatch.setattr(core, "anonymize", lambda table, algorithm, k, seed: runs.append(type(algorithm)))
    asked = ["Greedy", "Nonsense"]
    order = []
    for name in core.warm_up(lambda: asked):
        order.append(name)
        asked[:] = ["MIL"]
    assert order[:4] == ["Greedy", "MIL", "Sorting", kc.ALGORITHMS[0].__name__]
    assert sorted(order) == sorted(cls.__name__ for cls in kc.ALGORITHMS) and set(runs) == set(kc.ALGORITHMS)


def test_the_search_for_known_items_meets_clashes():
    """Else its kernels would be compiled when somebody waits for them."""
    from kanon_core.algorithms.partitioning.topdown.known import clash_kernels as known_kernels
    from kanon_core.algorithms.partitioning.topdown.known import return_kernels as known_return_kernels
    from kanon_core.algorithms.partitioning.topdown.known import shelf_kernels as known_shelf_kernels

    for algorithm in core._settings(kc.TopDown):
        for table in core._tables():
            if not algorithm.unsuitable(table, 2):
                kc.anonymize(table, algorithm, 2)
    kernels = (
        known_shelf_kernels.often,
        known_shelf_kernels.lay_out,
        known_kernels.collect,
        known_kernels.link,
        known_kernels.settle,
        known_return_kernels.give_back,
    )
    loaded = [len(one.signatures) for one in kernels]
    assert min(loaded) == 1
    frame = receipts(400)
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    )
    for m in (1, 2, 3):
        kc.anonymize(table, kc.TopDown(known_items=m), 5)
    assert [len(one.signatures) for one in kernels] == loaded


def test_the_process_ends_with_its_input():
    process = subprocess.Popen(
        [sys.executable, "-m", "kanon_core.warmup"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    told, _ = process.communicate("Sorting\n", timeout=60)
    assert process.returncode == 0 and set(told.split()) <= {cls.__name__ for cls in kc.ALGORITHMS}


def test_code_that_is_missing_or_old_needs_a_compiler(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert not warmup.needs_compiler(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}_kernels.py").touch()
    assert warmup.needs_compiler(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    for name in "ab":
        (tmp_path / "__pycache__" / f"{name}_kernels.f-1.py311.nbi").touch()
    assert not warmup.needs_compiler(tmp_path)
    for name in "ab":
        os.utime(tmp_path / "__pycache__" / f"{name}_kernels.f-1.py311.nbi", (1, 1))
    assert warmup.needs_compiler(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert not warmup.needs_compiler(tmp_path)


def test_an_algorithm_waits_for_itself_and_those_inside_it(monkeypatch):
    ready: set[str] = set()
    asked: set[str] = set()
    process = SimpleNamespace(fresh=True, ready=ready, compiled=threading.Event(), ask=asked.add)
    monkeypatch.setattr(warmup, "start", lambda: process)
    monkeypatch.setattr(warmup, "_POLL_SECONDS", 0)
    notes: list[str] = []

    def tick(share, note=""):
        notes.append(note)
        ready.add("Refine" if len(notes) < 3 else "VMDAV")

    warmup.prepare(kc.Refine(start=kc.VMDAV()), tick)
    assert asked == {"Refine", "VMDAV"} and len(notes) == 3
    assert set(notes) == {"preparing Refine on this computer, the first time only"}

    class Clicked(BaseException):
        pass

    def click(share, note=""):
        raise Clicked

    with pytest.raises(Clicked):
        warmup.prepare(kc.Mondrian(), click)
    process.compiled.set()
    warmup.prepare(kc.Mondrian(), click)
    process.compiled.clear()
    process.fresh = False
    warmup.prepare(kc.Mondrian(), click)


@pytest.mark.parametrize(("fragments", "scope"), [(["a"], "fragment"), (None, "app")])
def test_a_tick_gives_way_to_a_click_inside_a_fragment(monkeypatch, fragments, scope):
    requests = ScriptRequests()
    context = SimpleNamespace(script_requests=requests, fragment_ids_this_run=fragments)
    scopes: list[str] = []
    monkeypatch.setattr(jobs, "get_script_run_ctx", lambda: context)
    monkeypatch.setattr(jobs.st, "rerun", lambda scope: scopes.append(scope))
    jobs._yield_to_click()
    assert not scopes
    requests.request_rerun(RerunData(fragment_id="a"))
    jobs._yield_to_click()
    assert scopes == [scope]
