"""The steps of a made-up person: the grammar of sessions. Every step returns what was done, "" where it
cannot be done here."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from typing import Any

from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from pages.state import session_file
from tests.app.screens import PLACES
from tests.fuzz.mutations import damaged
from tests.fuzz.walk import MARK, Walk

SAMPLES = ("people-100", "four", "nine", "DS0", "DS5")
_NAMES = ("age", "town", "<b>bold</b>", "a, b", 'so "called"', "名前", "$HOME", "=1+1", "latitude", "day")
_OPENERS = ("algorithms", "options", "other guarantees", "details", "all findings", "all checks")
_SET_ON = ("tune", "clusters/groups", "curves/scorecard")
"""Pages on which algorithm and k are set."""
_UNTOUCHED = ("Forget my table",)
"""Ends the session, which is a test of its own."""


def people(rng: random.Random) -> bytes:
    """A table of a few records with odd names; no other table has the cells of its name and diagnosis."""
    height, number = rng.choice((2, 3, 7, 20, 40)), rng.getrandbits(30)
    makers: tuple[Callable[[], object], ...] = (
        lambda: rng.randint(0, 90),
        lambda: rng.choice(("Oslo", "Kyoto", "", "a b")),
        lambda: round(rng.gauss(0, 1), 3),
        lambda: f"20{rng.randint(10, 29)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
        lambda: ";".join(rng.sample(("tea", "milk", "rye", "jam"), rng.randint(0, 4))),
        lambda: rng.choice(("", "1e999", "nan", "-", "7", "<script>", "[1, 2]")),
        lambda: "same",
    )
    columns = {name: rng.choice(makers) for name in rng.sample(_NAMES, rng.randint(1, 5))}
    rows = [
        [f"zq{number + row}n", *(str(make()) for make in columns.values()), f"zq{number + row % 4}d"]
        for row in range(height)
    ]
    file = io.StringIO()
    csv.writer(file).writerows([["name", *columns, "diagnosis"], *rows])
    return file.getvalue().encode()


def upload(walk: Walk) -> str:
    """A table, every fourth of them damaged."""
    walk.visit("data")
    data, said = people(walk.rng), "a table"
    if walk.rng.random() < 0.25:
        data, said = damaged(walk.rng, data), "a damaged table"
    walk.uploaded = set(MARK.findall(data.decode("utf-8", "replace")))
    field = walk.test.file_uploader(key="upload")
    field.set_value((f"{walk.rng.choice(_NAMES)}.csv", data, "text/csv")).run()
    return f"upload {said}"


def sample(walk: Walk) -> str:
    """One of our small samples."""
    walk.visit("data")
    name = walk.rng.choice(SAMPLES)
    walk.test.selectbox(key="sample").set_value(name).run()
    return f"sample {name}" if walk.press("Load this sample") else ""


def columns(walk: Walk) -> str:
    """Another role, kind or recoding of some columns at once."""
    walk.visit("data")
    if walk.session is None:
        return ""
    names = list(walk.session.table.schema.names)
    chosen = walk.rng.sample(names, walk.rng.randint(1, min(3, len(names))))
    what, offered = walk.rng.choice(
        (("role", ROLES), ("role", ROLES), ("kind", KINDS), ("recoding", RECODINGS))
    )
    value = walk.rng.choice(list(offered))
    walk.test.multiselect(key="several").set_value(chosen).run()
    walk.test.selectbox(key=f"several {what}").set_value(value).run()
    return f"{what} of {chosen}: {value}" if walk.press("several apply") else ""


def whose(walk: Walk) -> str:
    """One of the answers to whose the records are."""
    asked = [one.key for one in walk.test.button if (one.key or "").startswith("whose ")]
    key = walk.rng.choice(asked) if asked else None
    return f"answer {key}" if key and walk.press(key) else ""


def move_k(walk: Walk) -> str:
    """Another k, by the slider or beyond it."""
    if not _sliders(walk):
        walk.visit(walk.rng.choice(_SET_ON))
    named = _sliders(walk)
    if not named:
        return ""
    one = walk.rng.choice(named)
    top = int(one.max) if one.type == "slider" else 60
    k = walk.rng.randint(2, top)
    walk.send(one, [k] if one.type == "slider" else k)
    return f"k {k} by the {one.type}"


def _sliders(walk: Walk) -> list[Any]:
    """The controls of k on this page."""
    return [one for one in (*walk.test.slider, *walk.test.number_input) if _is(one.key, "k", "any k")]


def _is(key: str | None, *names: str) -> bool:
    """Return whether a control has one of these names, or one of them followed by a number."""
    return key is not None and any(key == n or key.removeprefix(f"{n} ").isdecimal() for n in names)


def algorithm(walk: Walk) -> str:
    """Another algorithm from the menu."""
    if not _sliders(walk):
        walk.visit(walk.rng.choice(_SET_ON))
    walk.test.session_state["algorithms"] = True
    walk.test.run()
    found = [one for one in walk.test.button if (one.key or "").startswith("algorithm.")]
    offered = [one.key for one in found if not one.proto.disabled]
    key = walk.rng.choice(offered) if offered else None
    return key if key and walk.press(key) else ""


def visit(walk: Walk) -> str:
    """Another page."""
    place = walk.rng.choice(PLACES)
    walk.visit(place)
    return f"page {place}"


def open_something(walk: Walk) -> str:
    """Open a part of the page that is drawn only while it is open."""
    name = walk.rng.choice(_OPENERS)
    walk.test.session_state[name] = True
    walk.test.run()
    return f"open {name}"


def stop(walk: Walk) -> str:
    """Stop at the first tick of what is asked for next."""
    walk.stopper.at_once = True
    done = walk.rng.choice((move_k, algorithm))(walk)
    walk.stopper.at_once = False
    return f"stop {done}" if done else ""


def undo(walk: Walk) -> str:
    """Back to the setting before."""
    return "undo" if walk.press("undo") else ""


def save(walk: Walk) -> str:
    """Keep the session as a file with its data."""
    session = walk.session
    release = None if session is None else session.kept(session.setting)
    if session is None or release is None:
        return ""
    walk.saved = session_file.file_of(session, release, {}, True).to_bytes()
    walk.meant = type(session.setting.algorithm), session.setting.k, session.table.digest
    return "save"


def reload(walk: Walk) -> str:
    """The saved session in a new tab: table, algorithm and k are those that were saved."""
    if not walk.saved:
        return ""
    walk.begin()
    walk.visit("data")
    field = walk.test.file_uploader(key="session-upload")
    field.set_value(("a.kanon.json", walk.saved, "application/json")).run()
    assert walk.press("Open this session"), "a saved session cannot be opened"
    found = walk.session
    assert found is not None
    came = type(found.setting.algorithm), found.setting.k, found.table.digest
    assert came == walk.meant, f"{came} was opened, {walk.meant} was saved"
    return "reload"


def anything(walk: Walk) -> str:
    """Any control of the page, changed to anything that a browser lets one choose."""
    kinds = ("button", "toggle", "checkbox", "selectbox", "multiselect", "button_group", "slider")
    found = [one for kind in (*kinds, "number_input", "text_input") for one in walk.test.get(kind)]
    free = [one for one in found if not one.proto.disabled]
    if not free:
        return ""
    one = walk.rng.choice(free)
    if getattr(one, "label", "").startswith(_UNTOUCHED):
        return ""
    value = _VALUES[one.type](walk.rng, one)
    if value is None:
        return ""
    walk.send(one, value)
    return f"{one.type} {one.key or getattr(one, 'label', '')}: {value!r}"


def _some(rng: random.Random, one: Any) -> list[str] | None:
    return rng.sample(one.options, rng.randint(0, min(3, len(one.options))))


def _group(rng: random.Random, one: Any) -> list[str] | None:
    return [rng.choice(one.options)] if one.options else None


def _range(rng: random.Random, one: Any) -> list[float] | None:
    if not isinstance(one.min, int | float):
        return None
    steps = int((one.max - one.min) / (one.step or 1))
    ends = 2 if isinstance(one.value, tuple | list) else 1
    return sorted(one.min + (one.step or 1) * rng.randint(0, steps) for _ in range(ends))


def _number(rng: random.Random, one: Any) -> float:
    low = one.min if one.min is not None else -5
    high = one.max if one.max is not None else low + 50
    return rng.choice((low, min(high, low + 1), min(high, low + rng.randint(0, 40))))


_VALUES: dict[str, Callable[..., object]] = {
    "button": lambda rng, one: True,
    "toggle": lambda rng, one: not one.value,
    "checkbox": lambda rng, one: not one.value,
    "selectbox": lambda rng, one: rng.choice(one.options) if one.options else None,
    "multiselect": _some,
    "button_group": _group,
    "slider": _range,
    "number_input": _number,
    "text_input": lambda rng, one: rng.choice(("", "age", "<b>", "1", "名", "a" * 300, "0.5", "?")),
}

GRAMMAR: dict[Callable[[Walk], str], int] = {
    anything: 8,
    visit: 5,
    move_k: 4,
    algorithm: 3,
    columns: 2,
    whose: 2,
    open_something: 2,
    upload: 2,
    stop: 2,
    undo: 2,
    save: 2,
    reload: 2,
    sample: 1,
}
"""Each step and how often it is taken."""
