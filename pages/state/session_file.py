"""A session as a file, and a file as the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.session import Fitted, SessionFile, Step
from pages.state.comparisons import COMPARED_METHODS, methods, without_categories
from pages.state.pins import pinned
from pages.state.session import Session, Signing
from pages.state.setting import Setting, describe

_MOST_POINTS = 20_000
_Points = dict[tuple[str, str], SweepPoint]


def file_of(session: Session, release: kc.Release, reasons: dict[str, str], data: bool) -> SessionFile:
    """Return the file of this session; its algorithm has the number of steps of the search, so that it makes
    the same release."""
    table, setting = session.table, session.setting
    offered, plain = methods(session), without_categories(session)
    file = SessionFile(
        source=session.source if session.source.startswith("sample:") else session.name,
        records=len(table),
        schema=table.schema,
        setting=Step(release.recipe.algorithm, setting.k, setting.seed),
        reading=table.reading,
        given_order=table.given_order,
        history=tuple(Step(past.algorithm, past.k, past.seed) for past in session.history),
        compared=tuple(offered[name] for name in COMPARED_METHODS.of(table.digest).get() if name in offered),
        secret=session.secret,
        data_digest=table.data_digest,
        points=_points_of(session.points, table),
        reasons=reasons,
        said=dict(session.signing.said),
        noted=tuple(session.signing.noted),
        ways=tuple(metric for metric in session.ways.values() if metric != type(metric)()),
        balances=_points_of(session.balances, table),
        plain_balances=() if plain is None else _points_of(session.balances, plain),
        pins={letter: Step(one.algorithm, one.k, one.seed) for letter, one in pinned(session).items()},
    )
    return file.with_data(table) if data else file


def apply_file(session: Session, file: SessionFile, fitted: Fitted, name: str, source: str) -> list[str]:
    """Continue with the contents of a file, on this table; return sentences on what was not taken."""
    wanted = file.setting
    session.setting = Setting(wanted.algorithm, wanted.k, session.secret)
    session.load(fitted.table, name, source)
    session.ways.update((type(metric).__name__, metric) for metric in file.ways)
    notes = list(fitted.sentences)
    if file.given_order:
        notes.append(
            tr("As set in the file, algorithms process the records in the order of the table's file.")
        )
    seed = wanted.seed if fitted.same else None
    if seed is None:
        notes.append(_why_another_seed(file))
    else:
        session.secret = seed if file.secret is None else file.secret
        session.setting = replace(session.setting, seed=seed)
        _restore(session, file)

    def restored(step: Step) -> Setting:
        return Setting(
            step.algorithm, step.k, session.secret if seed is None or step.seed is None else step.seed
        )

    session.history = [restored(step) for step in file.history if step.k <= session.largest_k]
    if file.pins:  # a recipe has none, and leaves those of the table
        session.pins[session.table.digest] = {
            letter: restored(step) for letter, step in file.pins.items() if step.k <= session.largest_k
        }
    offered = methods(session)
    COMPARED_METHODS.of(fitted.table.digest).set(
        [name for name in map(describe, file.compared) if name in offered]
    )
    taken = session.setting
    if (taken.algorithm, taken.k) != (wanted.algorithm, wanted.k):
        notes.append(
            tr("{wanted} at k = {k} does not suit this table. {taken} at k = {now} is used instead.").format(
                wanted=wanted.algorithm.title, k=wanted.k, taken=taken.algorithm.title, now=taken.k
            )
        )
    return notes


def _points_of(points: _Points, table: kc.Table) -> tuple[SweepPoint, ...]:
    found = [point for (digest, _), point in list(points.items()) if digest == table.digest]
    return tuple(found[-_MOST_POINTS:])


def _restore(session: Session, file: SessionFile) -> None:
    """Give the points of the file to the session that has its table."""
    plain = without_categories(session) if file.plain_balances else None
    session.signing = Signing(dict(file.said), list(file.noted))
    _put(session.points, file.points, session.table)
    _put(session.balances, file.balances, session.table)
    if plain is not None:
        _put(session.balances, file.plain_balances, plain)


def _put(points: _Points, added: Sequence[SweepPoint], table: kc.Table) -> None:
    for point in added:
        points[(table.digest, Setting(point.algorithm, point.k, point.seed).key)] = point


def _why_another_seed(file: SessionFile) -> str:
    if file.has_seed:
        return tr(
            "The table differs from the saved table. Kanon has drawn a new secret seed and"
            " computes the curves again."
        )
    return tr(
        "The file contains no seed, or the seed was not decrypted. Kanon has drawn a new secret"
        " seed. New releases differ from earlier ones, and the curves are computed again."
    )
