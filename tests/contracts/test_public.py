"""The public interface stays: names, parameters, commands, flags, addresses, recipes and session files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kanon_core as kc
from kanon_core.session import SessionFile
from tests.contracts.public import kept, public

KEPT = Path(__file__).with_name("kept")
RELEASES = {
    "mdav": "ce9ad2e27bf05c4044feadf47b110c555076a3aa6ced2e3ce32594fe8e87b274",
    "pairing": "3fca46ad000f47a687ffa6496a5a1866fd1f487fda9aae5b8f6cb06829b99d3b",
    "sorting": "0a18bc281a788b05879276327b6e910c2edebea05d4d30a472114201749dea23",
}
"""By a recipe that version 0.1.0 wrote: the digest of the csv that it makes."""


def gone(before: Any, now: Any, name: str = "") -> Iterator[str]:
    """Yield each entry of the list that is gone now, or is different."""
    if not isinstance(before, dict) or not isinstance(now, dict):
        if before != now:
            yield f"{name}: {before!r} became {now!r}"
        return
    for key, value in before.items():
        if key not in now:
            yield f"{name}/{key} is gone"
        else:
            yield from gone(value, now[key], f"{name}/{key}")


def needed(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """New parameters that nobody gave so far, and that have no default."""
    for name, parameters in before["names"].items():
        for one, kind in (now["names"].get(name) or {}).items():
            if one not in (parameters or {}) and " = " not in kind and not kind.startswith("var_"):
                yield f"{name}({one})"


def test_nothing_public_is_gone_and_nothing_new_must_be_given():
    before, now = kept(), public()
    assert not list(gone(before, now)), (
        "name it in CHANGELOG.md with what takes its place, and write the list"
    )
    assert not list(needed(before, now))


@pytest.mark.parametrize("name", RELEASES)
def test_recipes_of_before_make_the_same_bytes(name):
    recipe = kc.Recipe.from_json((KEPT / f"{name}.recipe.json").read_text("utf-8"))
    table = kc.read_table(f"sample:{recipe.reading['sample']}", recipe.schema)
    release = kc.anonymize(table, recipe.algorithm, recipe.k, recipe.seed)
    csv = release.publish().to_csv(index=False).encode()
    assert hashlib.sha256(csv).hexdigest() == RELEASES[name]
    before = json.loads((KEPT / f"{name}.recipe.json").read_text("utf-8"))
    assert json.loads(release.recipe.to_json()) == {**before, "kanon": kc.__version__}


def test_a_session_of_before_opens():
    session = SessionFile.from_bytes((KEPT / "people.kanon.json").read_bytes())
    assert session.source == "sample:people-100" and session.records == 100
    assert session.setting.algorithm == kc.MDAV() and session.setting.k == 7
