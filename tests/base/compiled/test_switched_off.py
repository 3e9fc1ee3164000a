"""numba told to compile nothing, as debuggers and measures of coverage want it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import kanon_core as kc
table = kc.read_table("sample:people-100")
for algorithm in (kc.MDAV(), kc.OptimalConcealment()):
    print(kc.anonymize(table, algorithm, 3, seed=1).publish().to_csv())
"""


def printed(value: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": value},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.deep
@pytest.mark.parametrize("value", ["1"])
def test_loops_run_as_python_with_the_same_bytes(value):
    assert printed(value) == printed("0")
