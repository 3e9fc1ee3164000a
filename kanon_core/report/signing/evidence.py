"""Evidence of a report: the release, people's texts on it, findings and measures."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import SEED_BITS, subkey
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding
from kanon_core.findings.judge import judge
from kanon_core.findings.seed import KnownSeed
from kanon_core.guarantees import Verdict
from kanon_core.guarantees.files.cells import OWN
from kanon_core.metrics import ILSSDM, NCP, Measured, Metric, SuppressedItems, SuppressedRecords
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.report.released_file import format_of, release_bytes, released_name
from kanon_core.risk import Population, Risks, risks
from kanon_core.runs.expecting import DRAWS, Expected, expected
from kanon_core.runs.run import audit, measured_by
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.table.table import Table


def _said(label: str, help: str) -> str:
    """Return a field that is empty by default."""
    return field(default="", metadata={"label": label, "help": help})


@dataclass(frozen=True)
class Decision:
    """The texts of people; one that is "" is shown as left empty. The metadata of each field hold its label
    and help, for screens and the command line.

    >>> Decision(by="the privacy officer").by
    'the privacy officer'
    """

    asked: str = _said("Request", "who requested which data, and for which purpose")
    decided: str = _said("Decision", "released, released under conditions, or not released")
    by: str = _said("Decided by", "name and position of the person who decides")
    date: str = _said("Date", "the day of the decision, set by the person who decides")
    why: str = _said("Reasons", "reasons for this algorithm and this k, and for accepting the findings")
    purpose: str = _said("Purpose", "intended use of the data")
    recipients: str = _said("Recipients", "who receives the data, and under which conditions")
    means: str = _said(
        "Means reasonably likely to be used",
        "means by which recipients and others could identify people: registers, other"
        " releases, background knowledge",
    )
    safeguards: str = _said(
        "Safeguards", "contracts, access control, deletion and other protection of the data"
    )


@dataclass(frozen=True)
class DecisionField:
    """A field of a `Decision`: its name, label and help."""

    name: str
    label: str
    help: str


def decision_fields() -> tuple[DecisionField, ...]:
    """Return the fields in order, in the reader's language."""
    words = ((field.name, field.metadata["label"], field.metadata["help"]) for field in fields(Decision))
    return tuple(DecisionField(name, tr(label), tr(about)) for name, label, about in words)


def decision_facts(decision: Decision, *names: str) -> tuple[tuple[str, str], ...]:
    """Label and text of these fields."""
    labels = {one.name: one.label for one in decision_fields()}
    return tuple((labels[name], getattr(decision, name)) for name in names)


def sha256(content: bytes) -> str:
    """Return the SHA-256 of released bytes, 64 hex digits, with which a holder of the file compares it."""
    return hashlib.sha256(content).hexdigest()


def keyed_digest(recipe: Recipe) -> str:
    """BLAKE2b (64 hex digits) of the input's digest, keyed by a subkey of the recipe's seed; "" where the
    seed is so short that it can be guessed.

    A person with the recipe and the data can compute it again. For anybody else it confirms no guess about a
    cell, unlike a plain digest of a small table. With a short seed, seed and cells could be guessed together.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> len(keyed_digest(kc.anonymize(table, kc.Sorting(), k=5, seed=2**127 + 1).recipe))
    64
    >>> keyed_digest(kc.anonymize(table, kc.Sorting(), k=5, seed=7).recipe)
    ''
    """
    if recipe.seed.bit_length() <= KnownSeed().bits:
        return ""
    key = subkey(recipe.seed, "report").to_bytes(SEED_BITS // 8, "little")
    return hashlib.blake2b(recipe.data_digest.encode(), key=key, digest_size=32).hexdigest()


MEASURES: tuple[type[Metric], ...] = (ILSSDM, NCP, SuppressedItems, SuppressedRecords)
"""The metrics of loss in a report; those that do not fit the table are left out."""


@dataclass(frozen=True)
class Candidate:
    """A setting that was compared before the decision, and the comment on it."""

    point: SweepPoint
    comment: str = ""


@dataclass(frozen=True)
class Handed:
    """The file that is handed over: its name, the SHA-256 of its bytes, and how it was written."""

    name: str
    digest: str
    shuffled: bool = True
    plain: bool = False


@dataclass(frozen=True)
class ReportInputs:
    """The inputs of people to a report, besides the release.

    Their ``decision``; the ``points`` of curves; the ``candidates`` that were compared; by sentence, the
    ``reasons`` to accept what stops the release (else those of the recipe); the released file's ``name`` (""
    = `released_name`), and whether its rows are ``shuffled``; what is known of the ``population``, and how
    ``missing`` cells count (`kanon_core.risk.risks`); over how many ``draws`` attacks are tried
    (`kanon_core.runs.expecting.expected`), 0 = none is tried; whether its cells are ``plain``
    (`kanon_core.table.writers`).
    """

    decision: Decision = field(default_factory=Decision)
    points: tuple[SweepPoint, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    reasons: Mapping[str, str] | None = None
    name: str = ""
    shuffled: bool = True
    population: Population | Table | None = None
    missing: str = OWN
    draws: int = DRAWS
    plain: bool = False


@dataclass(frozen=True)
class Evidence:
    """The evidence that the sections of a report read. ``measured``: by metric, those of `MEASURES` that fit
    the table. ``risks``: by attacker; None where nothing is published. ``expected``: the success that attacks
    may expect."""

    release: Release
    given: ReportInputs
    handed: Handed
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    measured: tuple[tuple[Metric, Measured], ...]
    risks: Risks | None
    expected: Expected

    @property
    def decision(self) -> Decision:
        """Return the decision of the person who signs."""
        return self.given.decision

    def reason(self, finding: Finding) -> str:
        """Return the reason why the release is handed over in spite of a finding; "" where none is given."""
        reasons = self.given.reasons
        return (self.release.recipe.reasons if reasons is None else reasons).get(finding.sentence, "")

    @property
    def unanswered(self) -> tuple[Finding, ...]:
        """Return the findings that stop the release and for which nobody gives a reason."""
        return tuple(one for one in self.findings if one.severity == "stops" and not self.reason(one))


def gathered(
    release: Release,
    given: ReportInputs | None = None,
    findings: Sequence[Finding] | None = None,
    verdicts: Sequence[Verdict] | None = None,
    progress: Tick | None = None,
) -> Evidence:
    """Return the evidence of a release; findings and verdicts that are already there are not looked for
    again.

    Raises OptionError for a name of the released file that says no format, and what `release_bytes` and
    `risks` raise. Cost: that of `judge`, of the metrics, of `risks`, of `expected` and of writing the
    file."""
    tick, table = progress or silent, release.table
    given = given or ReportInputs()
    found = judge(table, release, progress=stage(tick, 0, 0.4)) if findings is None else tuple(findings)
    judged = tuple(release.verdicts if verdicts is None else verdicts)
    judged = judged or audit(table, release, progress=stage(tick, 0.4, 0.45))
    metrics = [cls() for cls in MEASURES if not cls().unsuitable(table)]
    measured = tuple(zip(metrics, measured_by(table, release, metrics, stage(tick, 0.45, 0.5)), strict=True))
    known, part = (given.population, given.missing), stage(tick, 0.5, 0.6)
    reached = None if release.suppressed.all() else risks(table, release, None, *known, part)
    attacked = expected(release, given.draws, stage(tick, 0.6, 0.95))
    tick(0.95, tr("computing the digest"))
    return Evidence(release, given, _handed(release, given), found, judged, measured, reached, attacked)


def _handed(release: Release, given: ReportInputs) -> Handed:
    name = given.name or released_name(release, "released.csv")
    content = release_bytes(release, format_of(name, released=True), given.shuffled, given.plain)
    return Handed(Path(name).name, sha256(content), given.shuffled, given.plain)
