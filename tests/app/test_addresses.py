"""Addresses of downloads: two files never share one, and nobody guesses one."""

from __future__ import annotations

import importlib.util

import pytest
from streamlit.runtime import memory_media_file_storage as storage
from streamlit.runtime.media_file_storage import MediaFileKind

from pages.shell import access
from pages.shell.access import key_file_addresses, made_for
from pages.shell.sign_in import Person

ROWS = b"54,F,ward\n" * 200_000
"""2 MB; Streamlit looks at the first, middle and last 64 KB."""
OTHER = ROWS[:500_000] + b"6" + ROWS[500_001:]


@pytest.fixture
def kept(monkeypatch):
    """A function that returns the contents served for each of some files, and their addresses. At first these
    are Streamlit's own, for another test of this process may have started a server."""
    untouched = importlib.util.module_from_spec(storage.__spec__)
    storage.__spec__.loader.exec_module(untouched)
    monkeypatch.setattr(storage, "_calculate_file_id", untouched._calculate_file_id)

    def handed(*files, kind="text/csv", name="release.csv"):
        store = storage.MemoryMediaFileStorage("/media")
        found = [store.load_and_get_id(file, kind, MediaFileKind.DOWNLOADABLE, name) for file in files]
        return [store.get_file(one).content for one in found], found

    return handed


def test_without_it_another_release_is_handed_over(kept):
    """The reason for `key_file_addresses`: if this fails, it may go."""
    assert kept(ROWS, OTHER)[0] == [ROWS, ROWS]


def test_each_release_is_handed_over_as_it_is(kept):
    key_file_addresses()
    assert kept(ROWS, OTHER)[0] == [ROWS, OTHER] and len(ROWS) == len(OTHER)
    files, (first, again) = kept(ROWS, ROWS)
    assert files == [ROWS, ROWS] and first == again and len(first) == 32


def test_an_address_depends_on_name_and_kind_and_on_what_nobody_knows(kept):
    unkeyed = kept(b"a,b\n")[1]
    key_file_addresses()
    found = [
        kept(b"a,b\n", **how)[1][0] for how in ({}, {"name": "other.csv"}, {"name": None}, {"kind": "a/b"})
    ]
    assert len({*found, *unkeyed}) == 5


def test_of_two_who_are_signed_in_each_has_an_address_that_is_of_no_use_to_the_other(kept, monkeypatch):
    ann, bob = Person("https://id", "1"), Person("https://id", "2")
    key_file_addresses()
    found = {}
    for person in (None, ann, bob):
        monkeypatch.setattr(access, "reader", lambda person=person: person)
        found[person] = kept(b"a,b\n")[1][0]
    hers, his = found[ann], found[bob]
    assert made_for(f"{hers}.csv", ann) and made_for(his, bob)
    assert not made_for(hers, bob) and not made_for(his, ann)
    for name in (found[None], hers[:32], "", "none", hers[:-1], his[:32] + hers[32:-1]):
        assert not made_for(name, ann) and not made_for(name, bob)
