"""Flags of the command line from the declarations of options, and declared objects from flags."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kanon_core.base.errors import OptionError
from kanon_core.base.kinds import Choice, Columns, Flag, Kind, Real
from kanon_core.base.lists import split_list
from kanon_core.base.options import Nested, Option, declared, options_of
from kanon_core.base.words import tr
from kanon_core.cli.output import names_of, text_table
from kanon_core.guarantees import GUARANTEES, Guarantee
from kanon_core.guarantees.base import asked_with
from kanon_core.metrics import METRICS, UTILITIES, Metric
from kanon_core.metrics.base import OneColumn
from kanon_core.report.command import word

MEASURES: tuple[type[Metric], ...] = (*METRICS, *UTILITIES)
"""Every metric that the command line can measure."""
_DEST = "option {}"
"""The place in which the parser puts the value of an option's flag."""


def add_options(group: Any, cls: type, words: Sequence[str], prefix: str, known: set[str]) -> None:
    """Add one flag per option; the flags of a nested object begin with the option's name."""
    for option in options_of(cls):
        flag = prefix + option.name.replace("_", "-")
        if flag not in known:
            known.add(flag)
            group.add_argument(
                f"--{flag}", dest=_DEST.format(flag), metavar=_metavar(option.kind), help=_help(option)
            )
        if isinstance(option.kind, Nested):
            add_options(group, inner(option, given_to(words, flag)), words, f"{flag}-", known)


def add_groups(
    command: Any,
    classes: Iterable[Any],
    words: Sequence[str],
    title: Callable[[Any], str] = lambda cls: tr("options of {title}").format(title=cls.title),
    prefix: Callable[[Any], str] = lambda cls: prefix_of(cls),
) -> None:
    """Add the flags of these classes, in a group for each class that has options; a flag of several classes
    is added once."""
    known: set[str] = set()
    for cls in classes:
        if options_of(cls):
            add_options(command.add_argument_group(title(cls)), cls, words, prefix(cls), known)


def inner(option: Option, text: str | None) -> type:
    """Return the class of a nested option; that of its default if the words name no allowed one."""
    assert isinstance(option.kind, Nested)
    names = {name.lower(): name for name in option.kind.among}
    named = names.get((text or "").strip().lower())
    return declared(named) if named else type(option.default)


def given_to(words: Sequence[str], flag: str) -> str | None:
    """Return the value that the words give a flag, before there is a parser that knows it."""
    found = None
    for place, given in enumerate(words):
        if given.startswith(f"--{flag}="):
            found = given.partition("=")[2]
        elif given == f"--{flag}" and place + 1 < len(words):
            found = words[place + 1]
    return found


def among(text: str | None, classes: Iterable[type]) -> list[Any]:
    """Return the classes that a list names; other names are ignored."""
    known = {cls.__name__.lower(): cls for cls in classes}
    names = dict.fromkeys((text or "").lower().replace(" ", "").split(","))
    return [known[name] for name in names if name in known]


def _metavar(kind: Kind) -> str:
    if isinstance(kind, Choice):
        return "|".join(kind.words)
    if isinstance(kind, Nested):
        return "NAME"
    return "A,B" if isinstance(kind, Columns) else "yes|no" if isinstance(kind, Flag) else "X"


def _help(option: Option) -> str:
    parts = [option.help] if option.help else []
    parts.append(
        tr("({allowed}; default {default})").format(
            allowed=allowed(option.kind), default=default_text(option)
        )
    )
    return " ".join(parts).replace("%", "%%")


def allowed(kind: Kind) -> str:
    """Return the allowed values of an option, in a few words."""
    if isinstance(kind, Real):
        return tr("{low:g} to {high:g}{unit}").format(
            low=kind.low, high=kind.high, unit=" " + kind.unit if kind.unit else ""
        )
    if isinstance(kind, Choice):
        return "; ".join(f"{word}: {meaning}" for word, meaning in kind.words.items())
    if isinstance(kind, Nested):
        return ", ".join(name.lower() for name in kind.among)
    if isinstance(kind, OneColumn):
        return tr("the name of a column")
    return tr("column names") if isinstance(kind, Columns) else tr("yes or no")


def default_text(option: Option) -> str:
    """Return an option's default as it is written on the command line."""
    return word(option.kind, option.default) or "none"


def option_rows(what: str, classes: Iterable[type], prefix: Callable[[Any], str]) -> str:
    """Return a text table of every option of these classes, whose flags begin with their prefix; "" without
    options."""
    rows = [
        (
            cls.__name__.lower(),
            f"--{prefix(cls)}{option.name.replace('_', '-')}",
            default_text(option),
            allowed(option.kind),
            option.help,
        )
        for cls in classes
        for option in options_of(cls)
    ]
    return text_table((what, "flag", "default", "allowed", "meaning"), rows) if rows else ""


def prefix_of(cls: type) -> str:
    """Return the prefix of the flags of its options, as algorithms and columns have flags of the same
    names."""
    return f"{cls.__name__.lower()}-"


def guarantees(given: argparse.Namespace, k: int) -> list[Guarantee]:
    """Return the guarantees of --guarantees with their options; their k is that of the release unless
    given."""
    named_ones = [] if given.guarantees is None else named(given.guarantees, GUARANTEES, "guarantee")
    return [made(asked_with(cls, k=k), given, prefix_of(cls)) for cls in named_ones]


def said(options: Mapping[str, str]) -> argparse.Namespace:
    """Return the arguments that a parser would give for these values by flag."""
    return argparse.Namespace(**{_DEST.format(flag): value for flag, value in options.items()})


def made(base: Any, arguments: argparse.Namespace, prefix: str = "") -> Any:
    """Return the declared object with the options that the arguments give. Raises OptionError for a value it
    refuses."""
    values: dict[str, Any] = {}
    for option in options_of(type(base)):
        flag = prefix + option.name.replace("_", "-")
        text = getattr(arguments, _DEST.format(flag), None)
        if text is not None:
            values[option.name] = _parsed(option.kind, text, flag)
        if isinstance(option.kind, Nested):
            start = values.get(option.name, getattr(base, option.name))
            same = type(start) is type(option.default)
            values[option.name] = made(option.default if same else start, arguments, f"{flag}-")
    return dataclasses.replace(base, **values)


def _parsed(kind: Kind, text: str, flag: str) -> Any:
    try:
        return kind.check(tuple(split_list(text))) if isinstance(kind, Columns) else kind.parse(text)
    except ValueError as must:
        raise OptionError(tr("--{flag} must be {must}.").format(flag=flag, must=must)) from None


def named(text: str, classes: Sequence[type], what: str) -> list[type]:
    """Return the classes that a list names, in its order. Raises OptionError for an unknown name."""
    known = {cls.__name__.lower(): cls for cls in classes}
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names or [""]:
        if name not in known:
            raise OptionError(
                tr("There is no {what} “{name}”; choose from {names}.").format(
                    what=what, name=name, names=names_of(classes)
                )
            )
    return [known[name] for name in dict.fromkeys(names)]


def one_of(text: str, classes: Sequence[type], what: str) -> type:
    """Return the class that a name names. Raises OptionError for an unknown name and for several."""
    found = named(text, classes, what)
    if len(found) > 1:
        raise OptionError(tr("Name one {what}; “{text}” names several.").format(what=what, text=text))
    return found[0]


def made_one(given: argparse.Namespace, what: str, classes: Sequence[type]) -> Any:
    """Return the object that a flag named ``what`` names, with its options. Raises OptionError."""
    return made(one_of(getattr(given, what), classes, what)(), given)


def made_each(
    given: argparse.Namespace, text: str | None, classes: Sequence[type], what: str, otherwise: Sequence[type]
) -> list[Any]:
    """Return the objects that a list names, with their options; those of ``otherwise`` without a list. Raises
    OptionError."""
    chosen = otherwise if text is None else named(text, classes, what)
    return [made(cls(), given, prefix_of(cls)) for cls in chosen]
