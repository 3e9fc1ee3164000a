"""Several releases: what files that were published of the same people before tell beside this one."""

from __future__ import annotations

from streamlit.runtime.uploaded_file_manager import UploadedFile

import kanon_core as kc
from kanon_core.base.words import tr
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import KEPT, uploader
from pages.widgets.pickers import button
from pages.widgets.tables import cell, html_table, named, number
from pages.widgets.text import error, line, note, plain

_FOUND: Key[tuple[str, kc.Intersection] | None] = Key("releases intersected", None)
_STOPPED: Key[str] = Key("intersection stopped", "")


def previous_view(session: Session, release: kc.Release) -> None:
    """The files, and what they leave together with the release that is on screen."""
    note(
        tr(
            "Each of two releases may hide everybody among k, and both together not: an attacker who finds a"
            " person among a few rows of each keeps what is in both. Give what was published of these people"
            " before."
        )
    )
    about = tr("Files that were published of this table: another k, another seed, an earlier state.")
    files: list[UploadedFile] = uploader(
        tr("Earlier releases"),
        accept_multiple_files=True,
        key="previous-releases",
        help=plain(f"{about} {tr(KEPT)}", 600),
    )
    if not files:
        note(tr(KEPT))
        return
    found = _intersected(session, release, files)
    if found is not None:
        line("", found.sentence)
        _shown(found, [file.name for file in files])


def _intersected(session: Session, release: kc.Release, files: list[UploadedFile]) -> kc.Intersection | None:
    """Found once for the same files and setting; None where it was stopped or cannot be found, which is
    said."""
    key = f"{session.table.digest} {session.setting.key} {[file.file_id for file in files]}"
    known = _FOUND.get()
    if known is not None and known[0] == key:
        return known[1]
    if _STOPPED.get() == key:
        button(tr("Intersect again"), _STOPPED.pop, icon="play_arrow", key="intersect-again")
        return None
    try:
        with working(lambda: _STOPPED.set(key), "stop-intersection") as tick:
            given: list[kc.Release | bytes] = [release, *(file.getvalue() for file in files)]
            found = kc.intersect(session.table, given, progress=tick)
    except kc.KanonError as reason:
        error(reason)
        return None
    _FOUND.set((key, found))
    return found


def _shown(found: kc.Intersection, names: list[str]) -> None:
    """Rows that fit, release by release and together: the mean, the fewest, and how many records are left
    with less than k."""
    heads = [tr("release"), tr("rows that fit, on average"), tr("fewest"), tr("records with less than k")]
    sides = [(tr("this one"), found.alone), *zip(names, found.each[1:], strict=True)]
    rows = []
    for name, counts in [*sides, (tr("all together"), found.left)]:
        few = int((counts < found.k).sum())
        figures = (f"{counts.mean():,.1f}", f"{int(counts.min()):,}", f"{few:,}")
        rows.append([cell(name), *map(number, figures)])
    html_table(named(heads), rows)
