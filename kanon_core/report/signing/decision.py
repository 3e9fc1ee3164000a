"""What whoever signs says of a release: what was asked and decided, by whom, when and why."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from kanon_core.base.words import tr


def _said(label: str, help: str) -> str:
    """A field that is empty unless somebody fills it in."""
    return field(default="", metadata={"label": label, "help": help})


@dataclass(frozen=True)
class Decision:
    """Texts that people give; what is "" is shown as left empty. The metadata of each field say its label and
    what belongs there, for screens and the command line.

    >>> Decision(by="the privacy officer").by
    'the privacy officer'
    """

    asked: str = _said("What was asked", "who wanted which data, and what for")
    decided: str = _said("What was decided", "released, released under conditions, or not released")
    by: str = _said("Decided by", "name and office of whoever decides")
    date: str = _said("Date", "the day of the decision")
    why: str = _said("Why", "the reason for this algorithm, this k and what was accepted")
    purpose: str = _said("Purpose", "what the data are to be used for")
    recipients: str = _said("Recipients", "who will have them, and under which conditions")
    means: str = _said(
        "Means reasonably likely to be used",
        "what these and others could use to find people: registers, other releases, what they know",
    )
    safeguards: str = _said("Safeguards", "contracts, access, deletion, and what else protects the data")


@dataclass(frozen=True)
class Asked:
    """A field of a `Decision`: its name, its label, what belongs there."""

    name: str
    label: str
    help: str


def asked() -> tuple[Asked, ...]:
    """The fields in order, in the reader's language."""
    words = ((field.name, field.metadata["label"], field.metadata["help"]) for field in fields(Decision))
    return tuple(Asked(name, tr(label), tr(about)) for name, label, about in words)


def given(decision: Decision, *names: str) -> tuple[tuple[str, str], ...]:
    """Label and text of these fields."""
    labels = {one.name: one.label for one in asked()}
    return tuple((labels[name], getattr(decision, name)) for name in names)
