"""`app`: the screens, served to a browser on this machine until the command is interrupted."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Sequence

from kanon_core.base.assets import APP
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.words import tr
from kanon_core.cli.arguments import Parser

NEEDED = ("streamlit", "plotly")
"""The packages of the extra “app”."""


def add_app(command: Parser, words: Sequence[str]) -> None:
    """Where the screens are served."""
    command.add_argument("--port", default="8501", help=tr("where they are served (default 8501)"))


def app(given: argparse.Namespace) -> int:
    """Serve the screens; raises OptionError for a port, InputError when their packages are not installed."""
    if not given.port.isdecimal() or not 0 < int(given.port) < 2**16:
        raise OptionError(tr("--port must be a whole number from 1 to 65535."))
    absent = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if absent:
        raise InputError(
            tr("The screens need {names}; install them with: pip install “kanon[app]”.").format(
                names=", ".join(absent)
            )
        )
    command = [sys.executable, "-m", "streamlit", "run", str(APP / "app.py"), "--server.port", given.port]
    try:
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 0
