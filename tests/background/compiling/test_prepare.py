"""Compiling ahead: which loops, in which order, by whom, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kanon_core as kc
from kanon_core.background.compiling import Preparation, parent, tiny, worker
from tests.cli.test_cli import run

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def loops():
    found = worker.Loops()
    for name in tiny.NAMES:
        found.find(name)
    return found


def test_every_algorithm_runs_on_some_table(monkeypatch):
    ran = set()
    monkeypatch.setattr(tiny, "_run", lambda table, algorithm, measured: ran.add(type(algorithm)))
    for name in tiny.NAMES:
        tiny.run(name)
    assert ran == set(kc.ALGORITHMS) - {kc.LocalPartition, kc.Apriori}, "which have no loops"


@pytest.mark.deep
def test_each_loop_is_called_with_one_kind_of_arguments(loops):
    """Another kind would be compiled while somebody waits."""
    kernels = [kernel for kernel, _ in loops.calls]
    assert len(kernels) == len(set(kernels)) >= 40
    assert set(loops.uses) == {cls.__name__ for cls in kc.ALGORITHMS} and not loops.uses["Sorting"]
    assert {i for used in loops.uses.values() for i in used} == set(range(len(kernels)))


@pytest.mark.deep
def test_tables_of_every_kind_call_no_other_loops(loops):
    """Real tables, larger ones, call what was found on tiny ones, with arguments of the same types."""
    from kanon_core.base.compiled import noticed
    from kanon_core.base.compiled.dispatchers import types_of

    strange = []

    def note(kernel, arguments):
        if (kernel, types_of(arguments)) not in loops.calls:
            strange.append(kernel)

    tables = [kc.read_table(f"sample:{name}") for name in ("people-100", "nine", "DS1")]
    with noticed(note):
        for table in tables:
            for cls in kc.ALGORITHMS:
                algorithm = tiny._little(cls)
                if not algorithm.unsuitable(table, 3):
                    release = kc.anonymize(table, algorithm, 3, seed=1)
                    kc.audit(table, release)
    assert not strange


def test_what_is_asked_for_comes_first(loops):
    wanted = loops.wanted(["Greedy", "Nonsense"])
    assert wanted[: len(loops.uses["Greedy"])] == loops.uses["Greedy"]
    assert set(wanted) == {i for name in ("Greedy", *worker.FIRST) for i in loops.uses[name]}


def test_two_workers_share_the_loops(tmp_path):
    assert worker._claim(tmp_path, "3") and not worker._claim(tmp_path, "3") and worker._claim(tmp_path, "4")


@pytest.mark.deep
def test_one_worker_finds_loops_and_the_others_read_of_them(tmp_path):
    """With the same numbers, whatever is asked for meanwhile."""
    finder, reader = worker.Loops(), worker.Loops()
    while not finder.all_found:
        worker._find_next(tmp_path, finder, ["Mondrian", "Nonsense"])
    assert [*finder.uses][:3] == ["Mondrian", *worker.FIRST]
    assert not reader.all_found
    worker._read(tmp_path, reader)
    assert reader.calls == finder.calls and reader.uses == finder.uses and reader.all_found


def test_related_loops_fall_to_one_worker(loops, tmp_path):
    """One begins at the other's end, so that each takes loops that stand side by side."""
    taken: dict[bool, list[int]] = {False: [], True: []}
    for turn in range(len(loops.calls)):
        from_the_end = turn % 2 == 1
        taken[from_the_end].append(worker._taken(tmp_path, loops.others(from_the_end)))
    assert worker._taken(tmp_path, loops.others()) is None
    first, last = taken[False], taken[True][::-1]
    assert first + last == [*range(len(loops.calls))]


@pytest.mark.skipif(os.name != "posix", reason="no process becomes another there")
def test_a_worker_that_holds_much_begins_anew_in_its_part(tmp_path, monkeypatch):
    """With what was asked for, as the one that finds loops if it was, and with the priority it has."""

    class Begun(Exception):
        pass

    def begin(program, words):
        raise Begun(words)

    lowered, compiled = [], []
    monkeypatch.setattr(worker.os, "nice", lambda by: lowered.append(by) or worker.NICENESS)
    monkeypatch.setattr(worker.os, "execv", begin)
    monkeypatch.setattr(worker, "_receive", lambda asked: None)
    monkeypatch.setattr(worker, "_compile", lambda loops, mine: compiled.append(mine))
    monkeypatch.setattr(worker, "held", lambda: worker.MOST_HELD + 1)
    monkeypatch.setattr(worker.Loops, "find", lambda loops, name: loops.note(name, [(len, ())]))
    with pytest.raises(Begun) as begun:
        worker.main(tmp_path, ["Greedy", "Mondrian", "Greedy"])
    (words,) = begun.value.args
    assert words[1:] == ["-m", worker.__name__, str(tmp_path), "Greedy", "Mondrian"]
    assert compiled == [0] and not any(lowered) and worker._finds(tmp_path)
    monkeypatch.setattr(worker.os, "getpid", lambda: -1)
    assert not worker._finds(tmp_path)


@pytest.mark.deep
def test_the_worker_ends_with_its_input(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "kanon_core.background.compiling.worker", str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0


@pytest.mark.deep
def test_it_can_be_stopped_and_is_not_taken_for_done(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    work = Preparation(workers=1)
    assert work.running and work.says == "finding the loops to compile"
    work.ask("Greedy")
    deadline = time.monotonic() + 120
    while not (work.done and work.loops) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert work.done and work.loops >= 40 and 0 < work.fraction < 1
    assert f"of {work.loops} loops compiled" in work.says
    work.stop()
    assert work.finished.wait(30) and not parent.prepared().exists()


def test_what_is_prepared_is_not_prepared_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    parent.prepared().parent.mkdir(parents=True)
    parent.prepared().touch()
    work = Preparation()
    assert not work.running and not work._processes
    work.done = {1, 2}  # as while loops are still being found
    assert work.says == "finding the loops to compile, 2 compiled so far"
    assert run("prepare") == 0
    assert capsys.readouterr().out.startswith("All code is compiled and kept in")


@pytest.mark.parametrize("words", ["0", "-1", "many", "65"])
def test_a_number_of_processes_is_refused_in_a_sentence(words, capsys):
    assert run(f"prepare --processes={words}") == 2
    assert "--processes must be a whole number from 1 to 64." in capsys.readouterr().err
