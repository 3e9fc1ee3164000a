"""Identifying columns: distinction and separation of each, and unique combinations of few columns."""

from __future__ import annotations

import json
from collections.abc import Sequence

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import percent, tr
from kanon_core.table.changes import spoken
from kanon_core.table.writers import write_frame
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.state.jobs import working
from pages.state.keys import Key, latest
from pages.state.session import Session
from pages.widgets.files import download
from pages.widgets.layout import fold, views
from pages.widgets.pickers import button, menu
from pages.widgets.tables import cell, html_table, number
from pages.widgets.text import info, line, note

SHOWN = 40
_OPEN, _VIEW = Key("columns that identify", False), "identifying view"
_FOUND: Key[tuple[str, kc.Identifying] | None] = Key("identifying found", None)
_AFTER: Key[tuple[str, str] | None] = Key("uniques of the release", None)
_UNIQUES: Key[tuple[str, kc.SpecialUniques] | None] = Key("uniques found", None)


def ranking(session: Session) -> None:
    """Show the identifying columns; computed only while the part is open."""
    box = fold(tr("Identifying columns"), "fingerprint", _OPEN.name)
    if not box.open:
        return
    with box:
        try:
            views(
                _VIEW,
                {
                    tr("Distinction and separation"): lambda: _sets(session),
                    tr("Unique combinations"): lambda: _uniques(session),
                },
            )
        except kc.KanonError as reason:
            info(reason)


def _sets(session: Session) -> None:
    """Show all columns and pairs, ranked, and the role of the chosen one."""
    found = _found(session)
    line(
        tr(
            "All columns, and all pairs of columns that are not identifiers. Distinction: number"
            " of different values divided by the number of records. Separation: share of record"
            " pairs with different values. A missing value counts as a separate value."
        )
    )
    schema = session.table.schema
    counts = (tr("different values"), tr("distinction"), tr("separation"), _counted(found))
    lines = [
        [
            cell(" + ".join(one.columns)),
            number(f"{one.values:,}"),
            number(percent(one.distinction, 1)),
            number(percent(one.separation, 1)),
            number(f"{one.unique:,}"),
            cell(", ".join(tr(spoken(schema[name].role)) for name in one.columns)),
        ]
        for one in found.sets[:SHOWN]
    ]
    html_table([cell(tr("columns")), *map(number, counts), cell(tr("current role"))], lines)
    if len(found.sets) > SHOWN:
        note(tr("The first {shown} of {all:,} are shown.").format(shown=SHOWN, all=len(found.sets)))
    if found.sets:
        _chosen(session, found)
    for text in found.notes:
        note(text)


def _found(session: Session) -> kc.Identifying:
    """Return how identifying the columns are, computed again only if data, kinds, identifiers or the person
    change."""
    schema = session.table.schema
    rest = [a.name for a in schema if a.role not in ("identifier", "person")]
    same = schema.with_roles(dict.fromkeys(rest, "other")).with_weights(dict.fromkeys(schema.names, 1.0))
    key = session.table.data_digest + json.dumps(same.to_json(), sort_keys=True)
    with working(_close, "stop-identifying") as tick:
        return latest(_FOUND, key, lambda: kc.identifying(session.table, progress=tick))


def _chosen(session: Session, identifying: kc.Identifying) -> None:
    """Show a sentence on one set, and a button that makes its columns quasi-identifiers."""
    sets = {chosen.columns: chosen for chosen in identifying.sets}
    offered = {columns: " + ".join(columns) for columns in sets}
    first = next(
        (chosen.columns for chosen in identifying.sets if not chosen.all_different),
        identifying.sets[0].columns,
    )
    key = f"identifying-set-{session.table.data_digest}"
    chosen = sets[menu(tr("Column or pair"), offered, key, first)]
    line(identifying.sentence(chosen))
    schema = session.table.schema
    wanted = [name for name in chosen.columns if schema[name].role != "quasi_identifier"]
    says = tr("Make it a quasi-identifier") if len(chosen.columns) == 1 else tr("Make them quasi-identifiers")
    button(says, _give, session, wanted, icon="add", key="identifying-role", disabled=not wanted)
    if not wanted:
        note(tr("The role is already quasi-identifier."))
    elif chosen.all_different:
        note(
            tr(
                "All values are different. If the column names people, give it the role"
                " identifier instead: identifiers are never published."
            )
        )


def _give(session: Session, names: Sequence[str]) -> None:
    roles = dict.fromkeys(names, "quasi_identifier")
    changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_roles(roles))


def _uniques(session: Session) -> None:
    """Show the combinations of few values that single out people, and a download without cells."""
    offered = {size: tr("up to {size}").format(size=size) for size in (1, 2, 3, 4)}
    most = menu(tr("Number of columns that an attacker knows"), offered, "uniques-most", 3)
    key = f"{session.table.digest} {most}"
    with working(_close, "stop-uniques") as tick:
        found = latest(_UNIQUES, key, lambda: kc.special_uniques(session.table, most, progress=tick))
    line(tr("For the original quasi-identifiers, before anonymization: "), found.sentence)
    if found.combinations:
        _combinations(found)
    _after(session, most)


def _combinations(uniques: kc.SpecialUniques) -> None:
    lines = [
        [
            cell(" + ".join(combination.columns)),
            number(f"{combination.count:,}"),
            number(percent(combination.count, uniques.subjects)),
        ]
        for combination in uniques.combinations[:SHOWN]
    ]
    html_table([cell(tr("columns")), number(_counted(uniques)), number(tr("share"))], lines)
    said = tr(
        "{shown:,} of {all:,} sets of columns are shown, beginning with those that single out the"
        " most. Each set counts only those that no smaller set singles out."
    )
    note(said.format(shown=len(lines), all=len(uniques.combinations)))
    shares = [f"{name} {percent(share, 1)}" for name, share in uniques.contributions.items() if share]
    said = tr("Share of all SUDA scores by column: {shares}. Each set counts for each of its columns.")
    note(said.format(shares=", ".join(shares)), 2_000)
    download(
        tr("Download the singled-out records"),
        lambda: write_frame(uniques.to_frame()),
        "singled-out.csv",
        key="uniques-file",
    )
    note(tr("The file contains record numbers, scores and column names, but no cell of the table."))


def _after(session: Session, most: int) -> None:
    """Show the same for the release of the current setting, if it is computed."""
    release, key = session.kept(session.setting), f"{session.table.digest} {session.setting.key} {most}"
    if release is None:
        return
    with working(_close, "stop-after") as tick:
        said = latest(_AFTER, key, lambda: _said(release, most, tick))
    title = tr("For the release of {title} at k = {k}: ")
    line(title.format(title=session.setting.title, k=session.setting.k), said)


def _said(release: kc.Release, most: int, tick: Tick) -> str:
    try:
        return kc.special_uniques(release, most, progress=tick).sentence
    except kc.KanonError as reason:
        return str(reason)


def _counted(result: kc.Identifying | kc.SpecialUniques) -> str:
    return tr("{unit} singled out").format(unit=result.unit)


def _close() -> None:
    _OPEN.set(False)
