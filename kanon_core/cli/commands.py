"""The commands of ``kanon``: what each does, which module has it, and the parser of their words.

A command is a line of `COMMANDS` and, in its module, two functions: ``add_NAME(parser, words)`` declares its
flags, ``NAME(given)`` runs it and returns the exit code. Only the module of the command in use is imported.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from kanon_core.base.errors import OptionError
from kanon_core.base.version import __version__
from kanon_core.base.words import later, tr

COMMANDS: dict[str, tuple[str, str]] = {
    "describe": (
        "describing",
        later("show the columns of a file: guessed roles and kinds, misfits, missing values"),
    ),
    "anonymize": ("anonymizing", later("anonymize a table and write the release")),
    "mask": (
        "anonymizing",
        later(
            "round, swap, sample or otherwise mask the values of a table and write the release; no k is"
            " guaranteed"
        ),
    ),
    "run": ("anonymizing", later("repeat a recipe on the data it was made from")),
    "sweep": ("sweeping", later("anonymize with several algorithms at many k, and print the scores")),
    "tune": (
        "tuning",
        later(
            "estimate the information loss of each k for a table in many files, from a sample of whole cells"
        ),
    ),
    "audit": (
        "auditing",
        later(
            "check any released file, alone or beside its original, against every model that"
            " applies, and repair it; exit code 1 if a requested guarantee does not hold"
        ),
    ),
    "judge": (
        "findings",
        later(
            "list the disclosure risks of a release beyond its guarantees (findings); exit code 1"
            " if a finding stops the release"
        ),
    ),
    "risk": (
        "risking",
        later("estimate how likely each attacker, with given knowledge, picks the right record"),
    ),
    "report": (
        "reporting",
        later("write the report to be signed, from a recipe and its data, as HTML or Markdown"),
    ),
    "attack": ("attacking", later("run attacks on published rows or histories, by k")),
    "reproduce": ("reproducing", later("reproduce tables of the papers, beside the published numbers")),
    "algorithms": ("describing", later("list the algorithms and their options")),
    "guarantees": ("describing", later("list the guarantees, their attackers and their parameters")),
    "findings": ("findings", later("list the searches for findings, and when each stops a release")),
    "metrics": ("measuring", later("list the metrics and their options, or describe one in full")),
    "prepare": (
        "preparing",
        later("compile all code ahead of use, for example for container images and classrooms"),
    ),
    "app": ("serving", later("start the dashboard for a browser on this machine (needs the extra “app”)")),
    "serve": (
        "serving",
        later(
            "start the dashboard as `app` does or, with --class, for a class on this network, with"
            " samples only (needs the extra “app”)"
        ),
    ),
}
"""Name → the module of `kanon_core.cli` that has it, and what it does."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are OptionErrors: one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Raises OptionError."""
        raise OptionError(
            tr("{problem}; “{program} --help” lists what is allowed.").format(
                problem=message[:1].upper() + message[1:], program=self.prog
            )
        )


def parser(words: Sequence[str]) -> Parser:
    """Return the parser for these words: the command, and the algorithms and metrics that they name, decide
    which flags there are."""
    top = Parser(
        prog="kanon", description=tr("Anonymize tables and see what privacy costs."), allow_abbrev=False
    )
    top.add_argument("--version", action="version", version="kanon " + __version__)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, help) in COMMANDS.items():
        command = commands.add_parser(name, help=tr(help), description=tr(help), allow_abbrev=False)
        if name == wanted:
            flags = getattr(import_module(f"kanon_core.cli.{module}"), f"add_{name}", None)
            if flags is not None:
                flags(command, words)
    return top


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the command and its flags. Raises OptionError, which names the help of the command."""
    top = parser(words)
    given, unknown = top.parse_known_args(words)
    if unknown:
        top.prog = f"{top.prog} {given.command}"
        top.error(tr("unrecognized arguments: {arguments}").format(arguments=" ".join(unknown)))
    return given


def action(name: str) -> Callable[[argparse.Namespace], int]:
    """Return the function that runs a command."""
    run: Callable[[argparse.Namespace], int] = getattr(
        import_module(f"kanon_core.cli.{COMMANDS[name][0]}"), name
    )
    return run


def check_number(text: str, flag: str, most: int) -> None:
    """Raise OptionError unless the number is whole, from 1 to this one."""
    if not text.isdecimal() or not 0 < int(text) <= most:
        said = tr("--{flag} must be a whole number from 1 to {most}.")
        raise OptionError(said.format(flag=flag, most=most))


def add_each(group: Any, *flags: tuple[str, str | None, str]) -> None:
    """Add flags with a value: for each its name, the placeholder of the value in the help, and the help
    itself."""
    for name, metavar, help in flags:
        group.add_argument(f"--{name}", metavar=metavar, help=help)
