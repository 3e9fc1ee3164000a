"""Data, packages and programs that some tests need beyond requirements-dev.txt, the way to get each, and one
line about the tests that were skipped without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

NEEDS = {
    "real data": "set KANON_DATA to the folder that holds adult/, casc/, …",
    "pycanon": 'pip install --no-deps "pycanon>=1.3,<2"',
    "anonymeter": 'pip install --no-deps "anonymeter>=1.1,<2" "polars>=1.8,<1.31"',
    "anonypyx": 'pip install --no-deps "anonypyx>=0.2.11,<0.3"',
    "pyspark": 'pip install "pyspark>=4.3,<5", 500 MB',
    "Java 17": "Debian: default-jre-headless",
    "LibreOffice": "Debian: libreoffice-calc",
    "Chromium": "Debian: chromium",
    "strace": "Debian: strace",
    "systemd": "Debian: systemd",
}
"""By what is needed: how to bring it."""


def needs(name: str) -> str:
    """Return the reason of a skip.

    >>> needs("strace")
    'needs strace (Debian: strace)'
    """
    return f"needs {name} ({NEEDS[name]})"


def not_tested(reasons: Iterable[str]) -> str:
    """Return one sentence about skipped tests from the reason of each; "" where there are none.

    >>> not_tested(["Skipped: needs strace (Debian: strace)"] * 2 + ["only on Linux"])
    'Not tested: 2 × needs strace (Debian: strace); 1 × only on Linux.'
    """
    counted = Counter(reason.removeprefix("Skipped: ") for reason in reasons).most_common()
    told = "; ".join(f"{count} × {reason}" for reason, count in counted)
    return f"Not tested: {told}." if told else ""
