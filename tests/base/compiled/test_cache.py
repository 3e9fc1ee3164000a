"""Compiled code belongs to its source: an edited kernel is noticed, in all that call it."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import numpy as np
import pytest

from kanon_core.base.compiled import cache
from tests.base.compiled import some_kernels as loops


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Three files: `a` imports `b`, `c` neither."""
    folder = tmp_path / "kanon_core"
    folder.mkdir()
    texts = {"a": "from kanon_core.b_kernels import f\n", "b": "X = 1\n", "c": "Y = 1\n"}
    for name, text in texts.items():
        (folder / f"{name}_kernels.py").write_text(text)
    monkeypatch.setattr(cache, "_ROOT", tmp_path)

    def stamps():
        cache.stamp.cache_clear()
        cache._sources.cache_clear()
        return [cache.stamp(folder / f"{name}_kernels.py") for name in "abc"]

    yield folder, stamps
    cache.stamp.cache_clear()
    cache._sources.cache_clear()


def test_an_edited_kernel_changes_what_calls_it_and_nothing_else(sources):
    folder, stamps = sources
    before = stamps()
    (folder / "b_kernels.py").write_text("X = 2\n")
    after = stamps()
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, False, True]
    (folder / "b_kernels.py").write_text("X = 1\n")
    assert stamps() == before and len(set(before)) == 3


def test_code_of_another_machine_is_another_code(sources, monkeypatch):
    _, stamps = sources
    before = stamps()
    monkeypatch.setattr(cache, "machine", lambda: b"another processor")
    assert not set(before) & set(stamps())


def test_kernels_depend_on_the_files_that_they_import():
    root = Path(cache.__file__).parents[3] / "kanon_core"
    found = cache._sources(root / "algorithms" / "clustering" / "mdav_kernels.py")
    assert root / "algorithms" / "clustering" / "nearest" / "index_kernels.py" in found


def test_kept_code_is_found_without_numba_and_old_code_is_deleted(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    function = loops.hashed.function
    assert not cache.is_kept(function)
    kernel = loops.Bundle and type(loops.hashed)(function)
    old = cache.kept_in(Path(function.__code__.co_filename))
    old.mkdir(parents=True)
    (old / "some_kernels.hashed-0123456789abcdef.py311.nbi").touch()
    (old / "some_kernels.other-0123456789abcdef.py311.nbi").touch()
    kernel(np.arange(3), np.array([1]))
    assert cache.is_kept(function) and kernel.ready
    left = sorted(file.name.split("-")[0] for file in old.iterdir())
    assert left == ["some_kernels.hashed", "some_kernels.hashed", "some_kernels.other"]


def test_code_goes_elsewhere_where_nobody_may_write_beside_the_source(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))
    source = tmp_path / "some_kernels.py"
    assert cache.kept_in(source) == tmp_path / "__pycache__"
    monkeypatch.setattr(cache.os, "access", lambda folder, how: False)
    assert cache.kept_in(source).parent == tmp_path / "users" / "kanon"


def test_where_nothing_can_be_written_a_loop_is_compiled_all_the_same(tmp_path, monkeypatch):
    (tmp_path / "a file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file"))
    kernel = type(loops.hashed)(loops.hashed.function)
    seeds = np.array([1]), np.array([1])
    with np.errstate(over="ignore"):
        assert kernel(np.arange(3), seeds[0]) == loops.hashed.function(np.arange(3), seeds[1])
    assert not cache.is_kept(loops.hashed.function)


def test_code_in_a_folder_that_can_only_be_read_is_used(tmp_path, monkeypatch):
    """As in a container whose loops were compiled when it was built."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    function, given = loops.hashed.function, (np.arange(3), np.array([1]))
    made = type(loops.hashed)(function)
    made(*given)

    def refused(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refused)
    later = type(loops.hashed)(function)
    later(*given)
    assert sum(later.entry.stats.cache_hits.values()) == 1
    later(given[0].astype(np.int32), given[1])
    assert sum(later.entry.stats.cache_misses.values()) == 1
