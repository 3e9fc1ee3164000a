"""The flags that say who does the work on many files."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.cli.arguments import whole
from kanon_core.scale.engines import ENGINES, Engine, Local

_FIELDS = {
    "address": "address",
    "workers": "processes",
    "tls_certificate": "certificate",
    "tls_key": "key",
    "tls_authority": "authority",
}
"""Flag → the engine's field."""


def add_engine(group: Any) -> None:
    """The engine, where its workers are, and how one talks to them."""
    names = ", ".join(f"{cls.name} ({cls.title})" for cls in ENGINES)
    for flag, metavar, help in (
        ("engine", "NAME", names),
        ("address", "ADDRESS", tr("of Dask's scheduler or Spark's master (default: this machine)")),
        ("workers", "N", tr("how many processes of this machine (default: one for each core)")),
        ("tls-certificate", "FILE", tr("this machine's certificate for Dask, as PEM")),
        ("tls-key", "FILE", tr("the key of that certificate, as PEM")),
        ("tls-authority", "FILE", tr("the certificate of who signed all of them, as PEM")),
    ):
        group.add_argument(f"--{flag}", metavar=metavar, help=help)


def engine_of(given: argparse.Namespace) -> Engine:
    """The engine that the flags name. Raises OptionError, InputError."""
    cls: Any = Local if given.engine is None else flags.one_of(given.engine, ENGINES, "engine")
    known = {field.name for field in dataclasses.fields(cls) if field.init}
    said = {name: getattr(given, name) for name in _FIELDS if getattr(given, name) is not None}
    for name in said:
        if _FIELDS[name] not in known:
            raise OptionError(
                tr("The engine {engine} takes no --{flag}.").format(
                    engine=cls.name, flag=name.replace("_", "-")
                )
            )
    if "address" in said and "workers" in said:
        raise OptionError(tr("--workers is for this machine; at an --address there are workers already."))
    files = [name for name in said if name.startswith("tls_")]
    if files and (len(files) < 3 or "address" not in said):
        raise OptionError(
            tr("--tls-certificate, --tls-key and --tls-authority go together, with an --address.")
        )
    for name in files:
        if not Path(said[name]).is_file():
            raise InputError(
                tr("There is no file “{name}”; check its name and place.").format(name=Path(said[name]).name)
            )
    if "workers" in said:
        said["workers"] = count_of(said["workers"], "workers")
    made: Engine = cls(**{_FIELDS[name]: value for name, value in said.items()})
    return made


def count_of(text: str, flag: str) -> int:
    """The whole number that a flag is given. Raises OptionError."""
    found = whole(text)
    if not isinstance(found, int) or found < 1:
        raise OptionError(tr("--{flag} must be a whole number of 1 or more.").format(flag=flag))
    return found
