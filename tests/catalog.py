"""The catalog of messages ``assets/locale/kanon.pot``, which Babel makes (docs/how-to/translating.md)::

    python -m tests.catalog

Babel finds what is given to `tr` and `later` in the sources. What declared things say of themselves – titles,
summaries, the help of options – stands in class attributes, annotations and tables of words: `extract` hands
that to Babel, which knows it as an extractor by ``assets/locale/babel.cfg``.
"""

from __future__ import annotations

import dataclasses
import importlib
import io
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import kanon_core
from kanon_core.base.kinds import Choice
from kanon_core.base.options import Declared, options_of
from kanon_core.base.words import NOUNS, Said, noun_of
from kanon_core.charts.concealment import heatmap
from kanon_core.charts.groups import clusters
from kanon_core.charts.maps.layers import WORDS as MAP_WORDS
from kanon_core.charts.table import valuebars
from kanon_core.distances.base import AXIOMS
from kanon_core.findings.base import SEVERITIES, Search
from kanon_core.guarantees.base import Guarantee
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.report.signing import Decision
from kanon_core.table.attribute import KINDS, RECODINGS, ROLES
from kanon_core.table.changes import spoken
from kanon_core.table.readers.retail import WITHOUT
from kanon_core.table.rolesets import ROLE_SETS
from kanon_core.teaching.glossary.attackers import ATTACKERS
from kanon_core.teaching.glossary.publishing import PUBLISHING
from kanon_core.teaching.lessons import LESSONS, Lesson

ROOT = Path(__file__).parents[1]
POT = ROOT / "assets" / "locale" / "kanon.pot"
KEYS = "-k tr -k later -k tr_n:1,2"
COMMAND = f"extract -F assets/locale/babel.cfg {KEYS} --add-location=file --sort-by-file --output-file"
"""Arguments of pybabel. Files are named without lines, so that the catalog stays the same when code moves."""
HEADER = """\
# Messages of Kanon. Made by: python -m tests.catalog
msgid ""
msgstr ""
"Project-Id-Version: Kanon\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
TABLES: dict[str, dict[str, str]] = {
    "kind of distance": AXIOMS,
    "severity": SEVERITIES,
    "kind of column": KINDS,
    "recoding": RECODINGS,
    "role": ROLES,
}
"""Words for people with what they mean: both are said."""
MENUS = (clusters.OUTLINES, heatmap.ORDERS, valuebars.ORDERS, MAP_WORDS, WITHOUT)
"""Words of the program, each with what people read."""


def extract(*_: Any, options: Any = None) -> Iterator[tuple[int, str, str | tuple[str, str], list[str]]]:
    """Yield line, function, message and comments of each message, as Babel asks of an extractor; the file is
    not read."""
    for about, message in declared():
        yield 1, "", message, [about]
    for noun, many in NOUNS.items():
        yield 1, "tr_n", (noun_of(noun), noun_of(many)), ["number with a noun"]


def found() -> Catalog:
    """All messages, as Babel finds them now."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "found.pot"
        command = [sys.executable, "-m", "babel.messages.frontend", *COMMAND.split(), str(made), "."]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
        catalog = read(made)
    for message in catalog:
        message.flags.discard("python-format")  # a percent sign is a percent sign here
    return catalog


def read(path: Path) -> Catalog:
    """A catalog, or a template of one."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(catalog: Catalog) -> dict[str, str]:
    """By message, what stands for it; one and many are messages of their own, with the last plural form."""
    found = {}
    for message in filter(lambda one: one.id, catalog):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        found |= {str(each): str(forms[-1 if i else 0]) for i, each in enumerate(ids)}
    return found


def write() -> None:
    """The template, with all messages that there are now."""
    content = io.BytesIO()
    write_po(content, found(), width=100, omit_header=True)
    POT.write_bytes(HEADER.encode() + content.getvalue())


def declared() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every message that is translated only where it is read."""
    for cls in _classes(Declared):
        yield from _said(cls)
    for cls in _classes(Hiding):
        yield f"{cls.__name__}.unit", cls.unit
    for about, words in TABLES.items():
        for word, means in words.items():
            yield about, spoken(word)
            yield f"{about}: {spoken(word)}", means
    for menu in MENUS:
        for word, says in menu.items():
            yield word, says
    for entry in (*ATTACKERS, *PUBLISHING):
        told = filter(None, (entry.name, entry.says, entry.example, *entry.also))
        yield from ((f"glossary: {entry.name}", text) for text in told)
    for one in ROLE_SETS:
        yield from ((f"roles {one.name}", text) for text in (one.title, one.about))
    for one in LESSONS:
        yield from ((f"lesson {one.name}", text) for text in dict.fromkeys(templates(one)))
    for field in dataclasses.fields(Decision):
        yield from ((f"report: {field.name}", field.metadata[what]) for what in ("label", "help"))


def templates(lesson: Lesson) -> Iterator[str]:
    """Yield the sentences of a lesson before their numbers are filled in."""
    yield from (lesson.title, lesson.learns, lesson.tries.says)
    for screen in lesson.screens:
        yield from (screen.heading, screen.idea, screen.picture)
        if (asked := screen.question) is not None:
            yield from (asked.asks, asked.why, *getattr(asked, "choices", ()))


def _said(cls: type[Any]) -> Iterator[tuple[str, str]]:
    for name, text in vars(cls).items():
        if isinstance(text, Said):
            yield f"{cls.__name__}.{name}", text.message
    if issubclass(cls, Guarantee | Search) and "name" in vars(cls):
        yield f"{cls.__name__}.name", cls.name
    for option in options_of(cls):
        told = [option.name.replace("_", " "), option.kind.help, option.kind.unit]
        if isinstance(option.kind, Choice):
            told += [text for both in option.kind.words.items() for text in both]
        yield from ((f"{cls.__name__}, option {option.name}", text) for text in told if text)


def _classes(base: type[Any]) -> list[type[Any]]:
    """The class and all below it, in the order of their names, once every module is imported."""
    for module in pkgutil.walk_packages(kanon_core.__path__, "kanon_core."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, todo = {base}, [base]
    while todo:
        todo += (more := {cls for cls in todo.pop().__subclasses__() if _ours(cls)} - found)
        found |= more
    return sorted(found, key=lambda cls: (cls.__module__, cls.__name__))


def _ours(cls: type[Any]) -> bool:
    return cls.__module__.startswith("kanon_core.")


if __name__ == "__main__":
    write()
