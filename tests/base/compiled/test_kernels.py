"""The same loop compiled and uncompiled: same bytes, at the right time."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from kanon_core.base.compiled import Kernel, compiling_elsewhere, needed, noticed, uncompiled
from kanon_core.base.compiled import uncompiled as module
from tests.base.compiled import some_kernels as loops


@pytest.fixture(autouse=True)
def _own_budget(monkeypatch):
    """Nothing is spent yet, nobody compiles for us, and no code is there."""
    state = sys.modules["kanon_core.base.compiled.uncompiled"]
    monkeypatch.setattr(state, "_spent", 0.0)
    monkeypatch.setattr(state, "_elsewhere", False)
    monkeypatch.setattr(Kernel, "ready", property(lambda self: False))


def bundle():
    return loops.Bundle(np.arange(5.0), loops.Inside(np.zeros(5, np.int64), 3), 0.5)


def in_python(kernel, *arguments):
    with uncompiled(True):
        return kernel(*arguments)


def test_named_tuples_travel_by_reference_and_keep_what_is_written():
    compiled, plain = bundle(), bundle()
    assert loops.total(compiled) == in_python(loops.total, plain) == 5.0
    assert (compiled.inside.counts == plain.inside.counts).all() and compiled.inside.counts.sum() == 15
    assert "Bundle" in str(loops.total.entry.signatures[0][0])
    assert loops.total(compiled) == 5.0 and compiled.inside.counts.sum() == 30


def test_arrays_that_were_given_are_freed():
    """Compiled code releases every reference that it takes; otherwise the arrays of every run would stay."""
    given = bundle()
    arrays = [given.values, given.inside.counts]
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(3):
        loops.total(given)
        assert loops.scaled(given).tolist() == [0, 0.5, 1, 1.5, 2]
    assert [sys.getrefcount(array) for array in arrays] == before


def test_overflowing_integers_wrap_around_either_way():
    values, seeds = np.arange(50), (np.array([7]), np.array([7]))
    with np.errstate(all="raise"):
        assert loops.hashed(values, seeds[0]) == in_python(loops.hashed, values, seeds[1])
    assert seeds[0][0] == seeds[1][0] != 7


def test_a_loop_that_calls_itself_and_one_whose_parts_make_arrays():
    assert loops.factorial(20) == in_python(loops.factorial, 20) == 2432902008176640000
    assert (loops.refused(np.zeros(4)) == 7).all()
    assert loops.made(3).tolist() == [7, 7, 7]  # the part of one loop is an entry of its own
    with pytest.raises((ValueError, MemoryError)):
        loops.made(-1)


def test_uncompiled_only_inside_and_only_if_allowed(monkeypatch):
    used = []
    monkeypatch.setattr(Kernel, "entry", property(lambda self: lambda *_: used.append("compiled")))
    kernel = Kernel(lambda: used.append("python"))
    kernel()
    with uncompiled(False):
        kernel()
    with uncompiled(True):
        kernel()
        with needed():
            kernel()
        kernel()
    kernel()
    assert used == ["compiled", "compiled", "python", "compiled", "python", "compiled"]


def test_code_that_is_there_is_used(monkeypatch):
    used = []
    monkeypatch.setattr(Kernel, "entry", property(lambda self: lambda *_: used.append("compiled")))
    monkeypatch.setattr(Kernel, "ready", property(lambda self: True))
    in_python(Kernel(lambda: used.append("python")))
    assert used == ["compiled"]


def test_a_process_compiles_when_python_has_taken_longer_than_that_unless_another_does(monkeypatch):
    import sys

    used = []
    monkeypatch.setattr(Kernel, "entry", property(lambda self: lambda *_: used.append("compiled")))
    monkeypatch.setattr(sys.modules["kanon_core.base.compiled.uncompiled"], "_spent", 1e9)
    kernel = Kernel(lambda: used.append("python"))
    in_python(kernel)
    compiling_elsewhere(True)
    in_python(kernel)
    with needed():
        in_python(kernel)
    compiling_elsewhere(False)
    assert used == ["compiled", "python", "python"] and callable(module)


def test_what_a_kernel_calls_runs_as_it_does(monkeypatch):
    """A compiled part with other types than usual would be compiled for nothing."""
    monkeypatch.setattr(Kernel, "entry", property(lambda self: pytest.fail("compiled")))
    monkeypatch.setattr(Kernel, "ready", property(lambda self: self is not loops.total))
    assert in_python(loops.total, bundle()) == 5.0


def test_calls_from_python_are_noticed_and_no_others():
    seen = []
    with noticed(lambda kernel, arguments: seen.append((kernel, len(arguments)))):
        loops.total(bundle())
        loops.factorial(5)
    assert seen == [(loops.total, 1), (loops.factorial, 1)]


LINKED = """
import numpy as np
from kanon_core.base.compiled.numba_internals import Library
from tests.base.compiled import some_kernels as loops

loops.total(loops.Bundle(np.arange(5.0), loops.Inside(np.zeros(5, np.int64), 3), 0.5))
(part,) = loops.add.part.overloads.values()
(whole,) = loops.total.entry.overloads.values()
assert isinstance(part.library, Library) and part.library._deferred
assert not whole.library._deferred and not loops.add.part._cache.__class__.__name__.startswith("Function")
"""


@pytest.mark.deep
def test_functions_of_loops_are_compiled_within_them(tmp_path):
    """Otherwise compiling takes half as long again, in silence: numba's own names may have changed.

    In a process with an empty cache: a function whose caller is cached is not compiled at all."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LINKED], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_the_compiler_is_spared_what_this_version_of_numba_does_besides():
    """Otherwise compiling takes a quarter longer, in silence; `numba_internals` says where to look."""
    import gc

    import numba
    from numba.core import errors

    from kanon_core.base.compiled import numba_internals

    loops.factorial(5)
    assert numba.__version__.startswith(numba_internals.VERSION)
    assert errors.termcolor().errmsg("plain") == "plain"
    assert numba_internals.TargetConfig.values is numba_internals._values and gc.isenabled()


WITHOUT = """
import sys
sys.modules["kanon_core.base.compiled.numba_internals"] = None
import numpy as np
import kanon_core as kc
from kanon_core.base.compiled import dispatchers
from tests.base.compiled import some_kernels as loops

assert dispatchers.internals is None
given = loops.Bundle(np.arange(5.0), loops.Inside(np.zeros(5, np.int64), 3), 0.5)
assert loops.total(given) == 5.0 and given.inside.counts.sum() == 15
assert loops.scaled(given).tolist() == [0, 0.5, 1, 1.5, 2] and loops.made(3).tolist() == [7, 7, 7]
table = kc.read_table("sample:people-100")
print(kc.anonymize(table, kc.MDAV(), k=5, seed=1).to_frame().to_csv())
"""


def test_without_names_that_numba_does_not_promise_everything_works(tmp_path):
    import kanon_core as kc

    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    release = kc.anonymize(kc.read_table("sample:people-100"), kc.MDAV(), k=5, seed=1)
    assert done.stdout.strip() == release.to_frame().to_csv().strip()
    assert not list(tmp_path.rglob("*.nbi"))
