"""A released file judged by every model that suits it; the models, each with parameters to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import IO, cast

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.options import options_of
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.words import counted, quoted, tr
from kanon_core.checks.opening import OpenedFile, open_file
from kanon_core.checks.words import counted_how, notes_of
from kanon_core.covers.uploaded.uploaded import UploadedRelease, read_release
from kanon_core.guarantees import (
    GUARANTEES,
    BetaLikeness,
    Guarantee,
    Judged,
    KAnonymity,
    LDiversity,
    TCloseness,
    Verdict,
)
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee
from kanon_core.guarantees.files.cells import Counting
from kanon_core.guarantees.files.original import true_of_original
from kanon_core.guarantees.files.standing import COUNTING, unsuitable_file
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.table.people import undecided
from kanon_core.table.table import Table

_TWICE: dict[type[Guarantee], tuple[Guarantee, ...]] = {
    LDiversity: (LDiversity(), LDiversity(entropy=True)),
    TCloseness: (TCloseness(), TCloseness(ground="hierarchical")),
    BetaLikeness: (BetaLikeness(), BetaLikeness(enhanced=True)),
}
"""The guarantees that are known in two forms."""

MODELS: tuple[Guarantee, ...] = tuple(model for cls in GUARANTEES for model in _TWICE.get(cls, (cls(),)))
"""Every guarantee that can be requested, in menu order; guarantees with two forms are listed in both."""


@dataclass(frozen=True)
class Model:
    """One model: whether it was requested, and its verdict; or the reasons for a missing verdict, in
    sentences."""

    guarantee: Guarantee
    asked: bool
    verdict: Verdict | None
    reasons: tuple[str, ...] = ()

    @property
    def reached(self) -> str:
        """Return the strongest parameter that the file keeps, in symbols."""
        if self.verdict is None:
            return ""
        return tr("no row to judge") if self.verdict.empty else self.guarantee.reached(self.verdict)

    @property
    def called(self) -> str:
        """Its name, and that it is weaker than k-anonymity where it is."""
        name = self.guarantee.called
        return tr("{name} (weaker than k-anonymity)").format(name=name) if self.guarantee.weaker else name

    def protected(self, table: Table) -> str:
        """Return the names of the sensitive columns that the model protects in this table, quoted; "" where
        it protects none by name."""
        guarantee = self.guarantee
        return quoted(guarantee.names(table)) if isinstance(guarantee, SensitiveGuarantee) else ""

    @property
    def said(self) -> str:
        """Return the verdict and its result in words, or the reason why the model is not judged."""
        if self.verdict is None:
            return tr("not judged. {reasons}").format(reasons=" ".join(self.reasons))
        return f"{self.verdict.said}. {self.verdict.sentence}"


@dataclass(frozen=True, eq=False)
class Checked:
    """The results of checking a file: every model of `MODELS`, whether the file is true of its original (None
    where there is none), how cells were counted, and further remarks."""

    opened: OpenedFile
    file: WrittenFile
    beside: UploadedRelease | None
    models: tuple[Model, ...]
    truth: Verdict | None
    counted: str
    notes: tuple[str, ...]

    @property
    def asked(self) -> tuple[Model, ...]:
        """Return the required models."""
        return tuple(one for one in self.models if one.asked)

    @property
    def holds(self) -> bool:
        """Return whether all of them hold, and the file is true of its original."""
        verdicts = [one.verdict for one in self.asked] + [self.truth] * (self.beside is not None)
        return all(verdict is not None and verdict.holds for verdict in verdicts)


def check(
    source: str | PathLike[str] | bytes | IO[bytes] | OpenedFile,
    asked: Sequence[Guarantee] = (KAnonymity(),),
    original: Table | None = None,
    counting: Counting = COUNTING,
    progress: Tick | None = None,
) -> Checked:
    """Return the verdicts of every model that suits a released file, alone or beside its original.

    ``source``: the file, or the result of `open_file` with the roles of its columns. ``asked``: the required
    guarantees; for the others, the result has the strongest parameter that the file keeps. Beside an
    ``original``, columns have the roles of its columns of the same names, sensitive values are compared with
    those of the original, and the models that need an original are judged, or the result has the reason why
    not. ``counting``: how missing and suppressed cells count. Where a column has the role person, persons are
    counted.

    Raises UnsuitableError where no column is a quasi-identifier, where the persons of the rows are undecided,
    or where a required guarantee does not apply to the file (guarantees that count fitting records are not
    judged for means); InputError for a file that cannot be read, or that has more rows than the original.
    Cost: that of each model.

    >>> import kanon_core as kc
    >>> found = kc.check(b"age,diagnosis\\n[30-39],flu\\n[30-39],gout\\n[40-49],flu\\n", [kc.KAnonymity(2)])
    >>> found.holds, found.asked[0].verdict.witnesses, found.asked[0].reached
    (False, (3,), 'k = 1')
    """
    tick = progress or silent
    opened = source if isinstance(source, OpenedFile) else open_file(source)
    if original is not None:
        opened = opened.beside(original)
    table = opened.table
    beside = None if original is None else read_release(opened.frame, _without_persons(original))
    if not table.quasi:
        raise UnsuitableError(
            tr("No column is a quasi-identifier; give that role to the columns that an attacker may know.")
        )
    alone = [one for one in asked if original is None or not one.needs_original]
    if reasons := undecided(table) or [why for one in alone for why in unsuitable_file(one, table)]:
        raise UnsuitableError(" ".join(dict.fromkeys(reasons)))
    file = WrittenFile(table, opened.frame, counting, original)
    settled = None if beside is None else beside.settled(stage(tick, 0, 0.2))
    models = tuple(_judged(file, settled, asked, stage(tick, 0.2, 0.8)))
    truth = None if beside is None else true_of_original(beside, stage(tick, 0.8, 1))
    return Checked(opened, file, settled, models, truth, counted_how(file), notes_of(file, settled))


def _judged(
    file: WrittenFile, beside: UploadedRelease | None, asked: Sequence[Guarantee], tick: Tick
) -> Iterator[Model]:
    for part, (model, wanted) in stages(tick, with_asked(asked)):
        part(0.0, model.name)
        if model.needs_original and beside is not None and beside.aggregated:
            yield Model(model, wanted, None, (_not_counted(beside),))
            continue
        judged = beside if model.needs_original and beside is not None else file
        if judged is file and (reasons := unsuitable_file(model, file.table)):
            yield Model(model, wanted, None, tuple(reasons))
        else:
            verdict = model.check(judged.table, cast("Judged", judged), part)
            yield Model(model, wanted, _of_rows(model, verdict, file))


def _not_counted(beside: UploadedRelease) -> str:
    """Return why rows and records that fit are not counted in a file of means."""
    said = tr(
        "Column “{name}” publishes means, medians or modes, and the file does not show"
        " which records each of them represents."
    )
    return said.format(name=beside.aggregated[0].name)


def _of_rows(model: Guarantee, verdict: Verdict, file: WrittenFile) -> Verdict:
    """Return the verdict; if there is no row to judge, with the reason."""
    if not verdict.empty:
        return verdict
    stars = tr(
        "All quasi-identifiers are suppressed in every row ({rows}): they distinguish"
        " nobody and have no use left."
    )
    if file.starred.all() and not isinstance(model, SensitiveGuarantee):
        return replace(verdict, sentence=stars.format(rows=counted(len(file), "row")))
    said = tr(
        "No row can be judged, because quasi-identifiers are missing or suppressed in every"
        " row; let them count as values of their own."
    )
    return replace(verdict, holds=False, sentence=said)


def _without_persons(original: Table) -> Table:
    """Return the original without a column of persons: beside it, each record is compared for itself."""
    persons = [attribute.name for attribute in original.schema.of_role("person")]
    if not persons:
        return original
    return original.with_schema(original.schema.with_roles(dict.fromkeys(persons, "other")))


def with_asked(asked: Sequence[Guarantee]) -> list[tuple[Guarantee, bool]]:
    """Return all models in menu order and whether each is required; required models have their parameters."""
    left, found = list(asked), list[tuple[Guarantee, bool]]()
    for model in MODELS:
        mine = [one for one in left if form(one) == form(model)]
        found += [(one, True) for one in mine] or [(model, False)]
        left = [one for one in left if one not in mine]
    return [*found, *((one, True) for one in left)]


def form(model: Guarantee) -> tuple[object, ...]:
    """Return a key that is equal for models that differ only in their numbers and columns."""
    said = ("missing",)
    options = [one for one in options_of(type(model)) if isinstance(one.kind, Choice | Flag)]
    return type(model), *(getattr(model, one.name) for one in options if one.name not in said)
