"""Address of Learn: followed once in a tab, then written from the current state."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.samples import SAMPLES
from pages.learn.lessons import follow
from pages.learn.study import OPEN, TABLE, TOLD, study, suiting
from pages.shell import page_address
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.presenting import PRESENTING
from pages.widgets.text import warning

VIEW = Key("learn-view", "")
STEP = Key("learn step", 0)
"""The current step, from 0."""
BESIDE = Key("learn beside", "")
"""The second algorithm and its k as in an address, ``MDAV@3``; "" for none."""
EXERCISE = Key("learn exercise", "")
"""The current exercise, ``kind-number``."""
_FOLLOWED = Key("learn followed", False)
_PROBLEMS = Key("learn problems", "")


def begin(session: Session, views: Container[str]) -> None:
    """Follow the address when Learn is first opened in a tab, and show its problems."""
    if not _FOLLOWED.get():
        _FOLLOWED.set(True)
        _PROBLEMS.set(" ".join(_followed(session, page_address.learn_in_address(), views)))
    if problems := _PROBLEMS.pop():
        warning(problems)


def _followed(session: Session, wanted: Mapping[str, str], views: Container[str]) -> list[str]:
    problems = []
    if wanted.get("view", "") in views:
        VIEW.set(wanted["view"])
    elif "step" in wanted:  # a step without a view means the view of steps
        VIEW.set("steps")
    elif "view" in wanted:
        problems.append(tr("Learn has no view with the name in the address. The first view is shown."))
    PRESENTING.set(wanted.get("present") == "1")
    problems += _table(session, wanted.get("table", page_address.OWN))
    one = study(session)
    problem = page_address.follow(one, {name: wanted[name] for name in ("algorithm", "k") if name in wanted})
    problems += [problem] if problem else []
    if type(one.setting.algorithm) not in TOLD:
        problems.append(
            tr("The algorithm in the address has no step-by-step view. Another algorithm is shown.")
        )
        one.setting = suiting(one.table, one.setting, one.setting.seed)
    BESIDE.set(wanted.get("beside", ""))
    if BESIDE.get() and not beside(one):
        BESIDE.set("")
        problems.append(tr("The address names no valid second algorithm. Only the first is shown."))
    problems += follow(wanted)
    EXERCISE.set(wanted.get("exercise", ""))
    step = wanted.get("step", "1")
    STEP.set(int(step) - 1 if step.isdecimal() and len(step) < 7 else -1)
    return problems


def _table(session: Session, name: str) -> list[str]:
    """Choose the table that the address names; return sentences on what is wrong with it."""
    if name in {one.name for one in SAMPLES}:
        TABLE.set(OPEN if session.source == f"{page_address.SAMPLE}{name}" else name)
    elif name != page_address.OWN:
        return [tr("No sample has the name in the address. The current table stays.")]
    return []


def beside(session: Session) -> list[Setting]:
    """Return the second setting, if there is one."""
    said, _, k = BESIDE.get().rpartition("@")
    try:
        algorithm, number = page_address.algorithm_of(said), int(k)
    except (kc.KanonError, ValueError, TypeError, KeyError):
        return []
    fits = type(algorithm) in TOLD and number >= 2
    return [dataclasses.replace(session.setting, algorithm=algorithm, k=number)] if fits else []


def say(view: str, more: Mapping[str, str]) -> None:
    """Write the address: the view, what the view adds to it, and whether it is presented."""
    said = {"view": view, **more, **({"present": "1"} if PRESENTING.get() else {})}
    page_address.set_address({name: said[name] for name in page_address.LEARN_PARAMETERS if said.get(name)})
