"""Files are written whole or not at all, and those that hold a seed for their owner's eyes alone."""

from __future__ import annotations

import pytest

from kanon_core.base.errors import InputError
from kanon_core.base.infile import write_files


def mode(path):
    return path.stat().st_mode & 0o777


def test_files_are_written_whole_or_not_at_all(tmp_path):
    old, absent = tmp_path / "old.csv", tmp_path / "absent" / "new.csv"
    old.write_text("old")
    with pytest.raises(InputError, match=r"“new\.csv” cannot be written"):
        write_files({old: b"new", absent: b"new"})
    assert old.read_text() == "old" and list(tmp_path.iterdir()) == [old]
    write_files({old: b"new"})
    assert old.read_text() == "new" and list(tmp_path.iterdir()) == [old]


def test_what_is_secret_is_for_its_owner_alone_whatever_was_there(tmp_path):
    out, recipe = tmp_path / "out.csv", tmp_path / "recipe.json"
    recipe.write_text("old")
    recipe.chmod(0o644)
    write_files({out: b"new", recipe: b"seed"}, str(recipe))
    assert recipe.read_bytes() == b"seed" and mode(recipe) == 0o600
    assert mode(out) & 0o600 == 0o600 and sorted(tmp_path.iterdir()) == [out, recipe]
