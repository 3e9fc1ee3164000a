"""The folder of compiled code, and the names that tie each file in it to its source.

The name of every file of compiled code contains a digest of the kernel's own source file, of every kernel
file that it imports (numba inlines those), of how kernels are compiled, of numba and Python, and of the
processor. So an edited kernel is compiled anew, together with all kernels that call it, and code of another
machine is never loaded. Nothing here needs numba.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r"^\s*from (kanon_core[\w.]+) import", re.MULTILINE)
_TELLING = ("model name", "flags", "Features", "CPU part")
_ROOT = Path(__file__).parents[3]


def kept_in(source: Path) -> Path:
    """Return the folder of compiled code of a source file: below NUMBA_CACHE_DIR if that is set, else beside
    the file, or below the user's cache folder where the file's folder cannot be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if not given and os.access(source.parent, os.W_OK):
        return source.parent / "__pycache__"
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kanon"
    return Path(given or users) / hashlib.sha256(str(source.parent).encode()).hexdigest()[:16]


def is_kept(function: Callable[..., Any]) -> bool:
    """Return whether compiled code of the present source of a function is on disk."""
    code = function.__code__
    source = Path(code.co_filename)
    stem = f"{source.stem}.{function.__qualname__}-{stamp(source)}"
    tag = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    return (kept_in(source) / f"{stem}.{tag}.nbi").exists()


@cache
def stamp(source: Path) -> str:
    """Return 16 hex digits, a digest of everything that determines the compiled code of a source file."""
    digest = hashlib.blake2b(digest_size=8)
    for part in (machine(), *(file.read_bytes() for file in sorted({*_sources(source), *_ways()}))):
        digest.update(hashlib.blake2b(part).digest())
    return digest.hexdigest()


@cache
def machine_digest() -> str:
    """Return 16 hex digits, a digest of all kernels and of everything else that determines their compiled
    code."""
    digest = hashlib.blake2b(machine(), digest_size=8)
    for source in sorted((_ROOT / "kanon_core").rglob("*_kernels.py")):
        digest.update(stamp(source).encode())
    return digest.hexdigest()


@cache
def machine() -> bytes:
    """Return everything besides its source that compiled code depends on: numba, numpy, Python, system and
    processor."""
    parts = [version("numba"), version("llvmlite"), version("numpy"), sys.version, sys.platform]
    return "\n".join([*parts, processor()]).encode()


@cache
def processor() -> str:
    """Return model and features of the processor, as far as the system reports them."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").split("\n\n")[0].splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return "\n".join(line for line in lines if line.startswith(_TELLING)) or platform.machine()


def _ways() -> Iterator[Path]:
    return Path(__file__).parent.glob("*.py")


@cache
def _sources(source: Path) -> frozenset[Path]:
    """Return a source file, and those of our modules that it imports; of kernel modules, all that they
    import."""
    found = {source}
    if source.stem.endswith("_kernels"):
        for name in _IMPORT.findall(source.read_text("utf-8")):
            file = _ROOT.joinpath(*name.split(".")).with_suffix(".py")
            if file.exists():
                found |= _sources(file)
    return frozenset(found)
