"""The golden releases on an older processor: ``python -m tests.golden.reduced``.

NumPy then uses none of the instructions that this processor has beyond its baseline, numba compiles for a
generic processor, and OpenBLAS takes its oldest kernels. Exits with the code of the tests.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile

LEVELS = ("X86_V4", "AVX512_ICL", "AVX512_SPR", "X86_V3") if platform.machine() in ("x86_64", "AMD64") else ()
"""Groups of instructions that NumPy chooses at run time. Older names are ignored."""
TESTS = "tests/golden/test_same_bytes.py"
USED = """
from numpy._core._multiarray_umath import __cpu_dispatch__ as groups, __cpu_features__ as has
print(*(name for name in groups if has[name]))
"""


def main() -> int:
    """Run the tests in a process whose instructions are switched off, and say which these are."""
    there = [name for name in _used({}) if name in LEVELS]
    if LEVELS and not there:
        print(f"NumPy knows none of {', '.join(LEVELS)}: its names have changed.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        less = {
            "NPY_DISABLE_CPU_FEATURES": " ".join(there),
            "NUMBA_CPU_NAME": "generic",
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_CACHE_DIR": folder,
            "OPENBLAS_CORETYPE": "Prescott",
        }
        left = [name for name in _used(less) if name in there]
        if left:
            print(f"NumPy still uses {', '.join(left)}.", file=sys.stderr)
            return 1
        print(f"Without {', '.join(there) or 'any group of instructions that NumPy could leave out'}:")
        test = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", TESTS]
        return subprocess.run(test, env=os.environ | less, check=False).returncode


def _used(less: dict[str, str]) -> list[str]:
    """The groups of instructions that NumPy uses in a process with these variables."""
    asked = [sys.executable, "-W", "error", "-c", USED]
    return subprocess.run(
        asked, env=os.environ | less, capture_output=True, text=True, check=True
    ).stdout.split()


if __name__ == "__main__":
    raise SystemExit(main())
