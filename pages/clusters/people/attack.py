"""Attacks on histories: how many people an attacker who knows the original identifies, by k."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import later, tr
from kanon_core.charts.curves.histories import attack_figure, attack_sentence, exactly_unsafe
from kanon_core.risk.attacks import ATTACKS, Attack
from kanon_core.risk.reidentification import Reidentification, reidentify
from pages.shell.frame import theme
from pages.state.jobs import batch_controls, run_batch
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.layout import chart
from pages.widgets.pickers import menu
from pages.widgets.tables import Cell, html_table, number
from pages.widgets.text import heading, line, note

KS = (2, 3, 4, 5, 6, 8, 10, 15, 20)
_NAMED = {cls.__name__: cls for cls in ATTACKS}
_HEADS = (
    later("k"),
    later("identified"),
    later("guesses"),
    later("share"),
    later("95 % interval"),
    later("contest's limit"),
    later("verdict"),
    later("exact limit"),
    later("verdict"),
    later("random guess"),
)


def attack_view(session: Session) -> None:
    """Show one attack at several k: chart, sentence, and a table of all numbers."""
    titles = {name: cls.title for name, cls in _NAMED.items()}
    attack = _NAMED[menu(tr("Attack"), titles, "attack", ATTACKS[-1].__name__, width=320)]()
    note(
        tr(
            "{sentence} The attacker knows all original quasi-identifiers and the person of each record."
        ).format(sentence=attack.sentence)
    )
    settings = _settings(session)
    todo = [setting for setting in settings if _key(session, setting, attack) not in session.attacks]
    running = batch_controls("attack", len(todo), len(settings), tr("attacks"))
    place = st.empty()
    made = {setting.k: session.attacks.get(_key(session, setting, attack)) for setting in settings}
    found = {k: one for k, one in made.items() if one is not None}
    if found:
        _shown(session, found)
    else:
        heading(tr("Re-identification by k"))
        line(
            tr(
                "The attack counts the published histories for which the attacker names the right person. A"
                " random guess among the k people who share a history is right with probability 1/k."
            )
        )
    if running:
        run_batch("attack", todo, lambda setting, tick: _made(session, setting, attack, tick), place)


def _settings(session: Session) -> list[Setting]:
    """Return the current algorithm at several k, the current k first."""
    ks = sorted({*KS, session.setting.k})
    ks = [k for k in ks if 2 <= k <= session.largest_k]
    ks.sort(key=lambda k: k != session.setting.k)
    return [Setting(session.setting.algorithm, k, session.setting.seed) for k in ks]


def _key(session: Session, setting: Setting, attack: Attack) -> tuple[str, str, str]:
    return session.table.digest, setting.key, type(attack).__name__


def _made(session: Session, setting: Setting, attack: Attack, tick: Tick) -> None:
    release = session.kept(setting)
    if release is None:
        release = kc.anonymize(session.table, setting.algorithm, setting.k, setting.seed, stage(tick, 0, 0.5))
        session.keep(setting, release)
    session.attacks[_key(session, setting, attack)] = reidentify(
        session.table, release, attack, stage(tick, 0.5, 1)
    )


def _shown(session: Session, by_k: dict[int, Reidentification]) -> None:
    figure = attack_figure(by_k, session.setting.k, theme())
    chart(figure, "attacks")
    line(attack_sentence(by_k))
    if session.setting.k in by_k:
        line(tr("At k = {k}: ").format(k=session.setting.k), by_k[session.setting.k].sentence)
    html_table(map(number, map(tr, _HEADS)), _rows(by_k), lead=False)
    note(
        tr(
            "The rule assumes that each name is right with probability at most 1/3. A release is unsafe if"
            " this many right names then have a probability below 1 in 2,000 (1 % over 20). The rule of the"
            " contest uses an upper bound of this probability. The exact rule uses the binomial distribution"
            " and finds a release unsafe at fewer right names. “Not shown unsafe” is no proof of safety."
        )
    )


def _rows(by_k: dict[int, Reidentification]) -> Iterator[list[Cell]]:
    for k in sorted(by_k):
        one = by_k[k]
        texts = (
            f"{k}",
            f"{one.identified:,}",
            f"{one.tried:,}",
            f"{100 * one.share:.1f} %",
            f"{100 * one.low:.1f}–{100 * one.high:.1f} %",
            _limit(one.contest_limit, one),
            _verdict(one.unsafe, one.contest_limit, one),
            _limit(one.exact_limit, one),
            _verdict(exactly_unsafe(one), one.exact_limit, one),
            f"{one.by_chance:.1f}",
        )
        yield list(map(number, texts))


def _limit(limit: int, attack: Reidentification) -> str:
    return f"{limit:,}" if limit <= attack.tried else tr("none")


def _verdict(unsafe: bool, limit: int, attack: Reidentification) -> str:
    if limit > attack.tried:
        return tr("too few")
    return tr("✗ unsafe") if unsafe else tr("✓ not shown unsafe")
