"""`app` and `serve`: the dashboard, served until the command is interrupted, to a browser on this machine or
to a class on this network, or to visitors of a demo."""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import pairwise

from kanon_core.base.assets import APP
from kanon_core.base.classroom import LEARNERS, VARIABLE, VISITORS, Classroom
from kanon_core.base.entrance import VARIABLE as SIGN_IN
from kanon_core.base.entrance import checked
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.headroom import MEMORY, SHARE
from kanon_core.base.streets import ADDRESS, CREDIT, EXAMPLE, TileServer
from kanon_core.base.words import tr
from kanon_core.cli.commands import Parser, add_each, check_number

NEEDED = ("streamlit", "plotly")
"""The packages of the extra “app” without which nothing is served."""
EVERYWHERE = "0.0.0.0"
"""The address of a server that answers on every network of this machine."""
OWN_NAMES = ("localhost", "127.0.0.1", "::1")
"""The names by which this machine calls itself."""
FEW_POOLS = {"MALLOC_ARENA_MAX": "4"}
"""The environment variable for how many pools of memory glibc has for threads. By default it has eight for
each core; every page is run by a thread of its own, and memory that is freed in so many pools is not given
back."""
_MOST_LEARNERS = 1000
_PORTS = 2**16 - 1
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")


def add_app(command: Parser, words: Sequence[str]) -> None:
    """Declare where the screens are served."""
    _add_port(command)
    tiles = tr("a tile server for street maps that people may switch on, such as {example} (default: none)")
    add_each(
        command,
        ("name", None, tr("the host name that a proxy uses for this server, which answers to no other")),
        ("listen", "ADDRESS", tr("the network address to listen on (default: this machine only)")),
        (
            "sign-in",
            "FILE",
            tr("file that names the sign-in service and the people who may enter (default: no sign-in)"),
        ),
        (
            "memory",
            "MB",
            tr("megabytes of memory above which the server accepts no files (default: no limit)"),
        ),
        ("share", "MB", tr("megabytes of memory for the table of one browser tab (default: no limit)")),
        ("tiles", "ADDRESS", tiles.format(example=EXAMPLE)),
        ("tiles-by", "TEXT", tr("attribution of the street maps")),
    )


def add_serve(command: Parser, words: Sequence[str]) -> None:
    """Declare the port, and the flags for a class or a demo."""
    _add_port(command)
    classroom = tr(
        "open the dashboard to everybody on this network, by an address and a QR code; samples only"
    )
    command.add_argument("--class", dest="classroom", action="store_true", help=classroom)
    demo = tr("open a demo to everybody who can reach this computer: samples only, for a small host")
    command.add_argument("--demo", action="store_true", help=demo)
    uploads = tr("with --class, also allow learners to upload files")
    command.add_argument("--uploads", action="store_true", help=uploads)
    learners = tr(
        "number of browser tabs that may be open at a time (default {count}, for a demo {visitors})"
    ).format(count=LEARNERS, visitors=VISITORS)
    command.add_argument("--learners", metavar="N", help=learners)
    host = tr("the name or address by which other computers reach this one (default: detected)")
    command.add_argument("--host", help=host)


def _add_port(command: Parser) -> None:
    command.add_argument("--port", default="8501", help=tr("port of the dashboard (default 8501)"))


def app(given: argparse.Namespace) -> int:
    """Serve the dashboard to this machine, or to a proxy. Raises OptionError for a port, a name or an
    address, InputError when its packages are not installed."""
    command, environment = started(given.port)
    for option, said, variable in (("--memory", given.memory, MEMORY), ("--share", given.share, SHARE)):
        if said is None:
            continue
        if not said.isdecimal() or not int(said):
            raise OptionError(
                tr("{option} must be a whole number of megabytes, 1 or more.").format(option=option)
            )
        environment = environment | {variable: said}
    if given.tiles is None and given.tiles_by is not None:
        raise OptionError(tr("--tiles-by is the attribution of a tile server; name the server with --tiles."))
    if given.tiles is not None:
        server = TileServer(given.tiles, given.tiles_by or "")
        environment = environment | {ADDRESS: server.address, CREDIT: server.credit}
    options = [*reached(given.name, given.listen)]
    if given.sign_in is not None:
        options += ["--secrets.files", signing_in(given.sign_in)]
        environment = environment | {SIGN_IN: "1"}
    return _run([*command, *options], environment)


def signing_in(file: str) -> str:
    """Return the path of the file that says where people sign in and who may enter. Raises InputError for a
    file that does not say so, or where the packages for it are not installed."""
    _installed(("authlib", "httpx"), "team")
    return str(checked(file))


def reached(name: str | None, address: str | None) -> Iterator[str]:
    """Yield the options for the name and the address under which a server answers, besides this machine.
    Raises OptionError for what is neither a name nor an address."""
    for option, said in (("--name", name), ("--listen", address)):
        if said is not None and not _HOST.fullmatch(said):
            raise OptionError(
                tr("{option} must be a host name or an address, and nothing else.").format(option=option)
            )
    if name is not None:
        for one in (name, *OWN_NAMES):
            yield from ("--server.allowedHosts", one)
        yield from ("--browser.serverAddress", name)
    if address is not None:
        yield from ("--server.address", address)


def serve(given: argparse.Namespace) -> int:
    """Serve the dashboard, to a class or as a demo if requested. Raises what `app` raises."""
    if given.demo and (given.classroom or given.uploads):
        raise OptionError(tr("A demo accepts no files and is no class; leave out --class and --uploads."))
    if not (given.classroom or given.demo):
        if given.uploads or given.host or given.learners:
            raise OptionError(
                tr("--uploads, --learners and --host apply to a class or a demo; add --class or --demo.")
            )
        return _run(*started(given.port))
    tabs = given.learners or str(VISITORS if given.demo else LEARNERS)
    check_number(tabs, "learners", _MOST_LEARNERS)
    if given.host is not None and not _HOST.fullmatch(given.host):
        raise OptionError(tr("--host must be a name or address of this machine, without http:// and port."))
    room = Classroom(f"http://{given.host or _host()}:{given.port}", given.uploads, int(tabs), given.demo)
    command = started(given.port, room)
    sys.stdout.write(announced(room))
    sys.stdout.flush()
    return _run(*command)


def started(port: str, room: Classroom | None = None) -> tuple[list[str], dict[str, str]]:
    """Return the command that serves the dashboard, and its environment: for this machine, or for a class.
    Raises OptionError for a port, InputError when packages are not installed."""
    check_number(port, "port", _PORTS)
    needed = NEEDED if room is None else (*NEEDED, "segno")
    _installed(needed, "app")
    command = [sys.executable, "-m", "streamlit", "run", str(APP / "app.py"), "--server.port", port]
    environment = FEW_POOLS | {name: value for name, value in os.environ.items() if name != VARIABLE}
    if room is None:
        return command, environment
    everybody = ["--server.allowedHosts", "*", "--server.address", EVERYWHERE]
    return [*command, *everybody], {**environment, **room.environment()}


def _installed(needed: Sequence[str], extra: str) -> None:
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    if absent:
        raise InputError(
            tr("The dashboard needs {names}; install them with: pip install 'kanon[{extra}]'.").format(
                names=", ".join(absent), extra=extra
            )
        )


def announced(room: Classroom) -> str:
    """Return the text that is printed for a class or a demo: the QR code of the address, the address, and the
    rules for learners or visitors."""
    import segno

    squares = StringIO()
    segno.make(room.address).terminal(squares, border=2, compact=True)
    everyone = tr(
        "Everybody who can reach this computer can open this address and try the samples until this"
        " command ends (Ctrl+C). At most {count} browser tabs can be open at a time. The server refuses"
        " every file. Run kanon prepare first, so that visitors do not wait for compilation."
    )
    everybody = tr(
        "Everybody on this network can open this address and use the dashboard until this command"
        " ends (Ctrl+C). At most {count} browser tabs can be open at a time."
    )
    files = tr("Learners may upload files, which travel unencrypted to this computer.")
    none = tr("Learners work on the samples; the server refuses every file (--uploads allows files).")
    says = (
        [everyone.format(count=room.learners)]
        if room.demo
        else [everybody.format(count=room.learners), files if room.uploads else none]
    )
    lines = (room.address, "", *says, "")
    return squares.getvalue() + "\n".join(lines)


def _host() -> str:
    """Return the address of this machine on its network: the one from which it would send to another machine.
    Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address that no machine has
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _check_free(command: Sequence[str]) -> None:
    """Raise OptionError if another program listens on the port of this command. Other problems of an address
    are left to the server."""
    said = dict(pairwise(command))
    port, address = said["--server.port"], said.get("--server.address", OWN_NAMES[1]).strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, int(port)), family=family).close()
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            says = tr("Port {port} is in use by another program; choose another one, such as --port {other}.")
            raise OptionError(says.format(port=port, other=int(port) % _PORTS + 1)) from None


def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Serve, and return the exit status. This process becomes the server, so that a service or a container
    that ends the one ends the other, and the command's own modules take no memory. Windows cannot do that."""
    _check_free(command)
    if os.name == "posix":
        sys.stdout.flush()
        os.execve(command[0], list(command), environment)
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    except KeyboardInterrupt:
        return 0
