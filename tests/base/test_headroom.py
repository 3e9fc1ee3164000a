"""The memory that a process may still take, as the files of the system tell it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kanon_core.base.headroom import left

LIMITS = "Limit                     Soft Limit           Hard Limit           Units\n"


@pytest.fixture
def system(tmp_path):
    """A system that tells nothing, and a way to let it tell something."""

    def tells(file, text):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
        return left(tmp_path)

    return tells


def test_where_nothing_is_told_nothing_is_known(tmp_path):
    assert left(tmp_path) is None


def test_the_least_counts(system):
    assert system("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n") == 8_192_000
    assert (
        system("proc/self/limits", f"{LIMITS}Max data size             unlimited  unlimited  bytes\n")
        == 8_192_000
    )
    assert (
        system("proc/self/limits", f"{LIMITS}Max data size             7000000    unlimited  bytes\n")
        == 8_192_000
    )
    assert system("proc/self/status", "VmSize:  9999 kB\nVmData:     1000 kB\n") == 5_976_000
    assert system("proc/self/status", "VmData:     8000 kB\n") == 0


def test_the_limit_of_a_service_and_of_those_above_it(system):
    system("proc/self/cgroup", "1:name=systemd:/\n0::/team/kanon.service\n")
    assert system("sys/fs/cgroup/team/kanon.service/memory.max", "max\n") is None
    system("sys/fs/cgroup/team/kanon.service/memory.current", "3000\n")
    system("sys/fs/cgroup/team/memory.current", "5000\n")
    assert system("sys/fs/cgroup/team/memory.max", "9000\n") == 4000
    assert system("sys/fs/cgroup/team/memory.stat", "anon 100\ninactive_file 500\n") == 4500
    assert system("sys/fs/cgroup/team/kanon.service/memory.max", "4000\n") == 1000
    assert system("sys/fs/cgroup/memory.max", "1\n") == 1000  # of the whole machine nothing is taken here


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_a_limit_of_its_own_is_seen():
    program = (
        "import resource; from kanon_core.base.headroom import left;"
        "resource.setrlimit(resource.RLIMIT_DATA, (300_000_000,) * 2); print(0 < left() <= 300_000_000)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
