"""Several releases: intersection of this release with earlier ones of the same people."""

from __future__ import annotations

from streamlit.typing import UploadedFile

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.risk.several import ByAttacker, by_attacker
from kanon_core.risk.several.intersection import ADDED, EVERYBODY, ONE, TARGETS
from pages.state.jobs import once
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import KEPT, uploader
from pages.widgets.tables import cell, html_table, named, number
from pages.widgets.text import line, note, plain

_FOUND: Key[tuple[str, ByAttacker] | None] = Key("releases intersected", None)


def previous_view(session: Session, release: kc.Release) -> None:
    """Show an uploader for earlier releases and the result of intersecting them with the current release."""
    note(
        tr(
            "Each of two releases may be k-anonymous on its own, but not both together: an"
            " attacker can intersect the rows that match a person in each release. An attacker"
            " who knows everybody's quasi-identifiers can also exclude rows that must belong to"
            " others. Upload the files previously published about these people. If a file has"
            " fewer rows, the last records of the table count as added later."
        )
    )
    about = tr(
        "Files published from this table: with another k, another seed, or an earlier state of the table."
    )
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
        for one in found.found:
            line("", one.sentence)
        for reason in found.reasons:
            note(reason)
        _shown(found, [file.name for file in files])


def _intersected(session: Session, release: kc.Release, files: list[UploadedFile]) -> ByAttacker | None:
    """Return the result, computed once for the same files and setting; None, with the reason on screen, if
    there is none."""
    key = f"{session.table.digest} {session.setting.key} {[file.file_id for file in files]}"
    given: list[kc.Release | bytes] = [release, *(file.getvalue() for file in files)]
    again = tr("Intersect again")
    return once(
        _FOUND, key, "intersection", again, lambda tick: by_attacker(session.table, given, TARGETS, (), tick)
    )


def _shown(by_attacker: ByAttacker, names: list[str]) -> None:
    """Show the matching rows by release and by attacker: mean, minimum, and records with fewer than k."""
    heads = [tr("release"), tr("matching rows, on average"), tr("fewest"), tr("records with fewer than k")]
    one = by_attacker.found[0]
    sides = [(tr("this release"), one.alone), *zip(names, one.each[1:], strict=True)]
    together = {
        ONE: tr("all together"),
        EVERYBODY: tr("all together, everybody's quasi-identifiers known"),
        ADDED: tr("all together, records added later"),
    }
    rows = []
    for name, counts in [*sides, *((together[found.knows], found.left) for found in by_attacker.found)]:
        few = int((counts < one.k).sum())
        figures = (f"{counts.mean():,.1f}", f"{int(counts.min()):,}", f"{few:,}")
        rows.append([cell(name), *map(number, figures)])
    html_table(named(heads), rows)
