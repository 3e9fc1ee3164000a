"""Findings on a release over files, counted as on one machine (`kanon_core.findings`). Ends of intervals of
equal rows in several fragments are brought together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from kanon_core.base.errors import KanonError
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, tr
from kanon_core.findings.aggregates import Aggregates
from kanon_core.findings.anonymity_sets import AnonymitySets
from kanon_core.findings.attributes import SensitiveValues, most_first
from kanon_core.findings.base import SEVERITIES, Finding, Search, SummedSearch
from kanon_core.findings.disclosure import DisclosureCounts
from kanon_core.findings.ends import ExactEnds, sums_of_ends
from kanon_core.findings.freetext import FreeText, read_like_sentences
from kanon_core.findings.joins import DirectJoins, Joined
from kanon_core.findings.longitude import Longitude
from kanon_core.findings.seed import KnownSeed
from kanon_core.findings.suppressed import Suppressed
from kanon_core.findings.unchanged import (
    UNCHANGED,
    Singled,
    UnchangedColumns,
    alone_said,
    called_like_a_name,
)
from kanon_core.release.recipe import Recipe
from kanon_core.scale.anonymizing.interval_ends import CLASS, ENDS, read_ends
from kanon_core.scale.anonymizing.partials import PART, AddedUp
from kanon_core.scale.auditing.adding import different
from kanon_core.scale.auditing.occurring import Occurring, Once, Together
from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.fragments.first_stages import Begun, JobSpec
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.source.pieces import Part
from kanon_core.scale.source.sampling import SAMPLE, sample_of
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.schema import WORD_KINDS, Schema

LOOKED_FOR: tuple[type[Search], ...] = (
    *(SensitiveValues, UnchangedColumns, FreeText, Aggregates, DirectJoins, KnownSeed),
    *(ExactEnds, Suppressed, Longitude),
)
"""The searches that are made over files, in menu order; that of sensitive values leaves out t, and how near
numbers are."""
_VALUES_AT_ONCE = 1_000_000


class StoppedError(KanonError):
    """A finding stops the release, and no reason was given to release it all the same."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """``findings``: those that stop it."""
        says = tr(
            "Nothing was released. Remove the cause of each finding, or give a reason to release"
            " nevertheless."
        )
        super().__init__(" ".join((*(one.sentence for one in findings), says)))
        self.findings = tuple(findings)


def check_stopping(findings: Sequence[Finding], despite: str) -> list[Finding]:
    """Return the findings that stop the release. Raise StoppedError if there are any and no reason
    ``despite`` them is given."""
    stopping = [one for one in findings if one.severity == "stops"]
    if stopping and not despite:
        raise StoppedError(stopping)
    return stopping


def looking_like_names(parts: Sequence[Part], schema: Schema | None) -> list[Finding]:
    """Return a finding for each column that is published unchanged and, in a sample of these parts, looks
    like a name or number of people; and for each that is published and reads like sentences. There are none
    for a guessed schema, which does not publish such columns."""
    columns = schema.of_role(*UNCHANGED) if schema else ()
    texts = schema.of_role("quasi_identifier", *UNCHANGED) if schema else ()
    texts = tuple(a for a in texts if a.kind in WORD_KINDS and not (a.hierarchy or a.categories))
    if not columns and not texts:
        return []
    wanted = dict.fromkeys(a.name for a in (*columns, *texts))
    sample = sample_of(parts, SAMPLE, list(wanted))
    said = tr(
        "“{name}” is published unchanged and, by a sample of {rows}, looks like a name or number of people."
        " An attacker who knows it singles out the record by it alone."
    )
    action = tr("Give it the role identifier, so that it is left out.")
    names = [
        UnchangedColumns().finding(
            "stops", said.format(name=a.name, rows=counted(len(sample), "row")), action, None, [a.name]
        )
        for a in columns
        if a.name in sample and called_like_a_name(a, sample[a.name])
    ]
    read = (a for a in texts if a.name in sample and read_like_sentences(sample[a.name]))
    return [*names, *map(FreeText().of_column, read)]


@dataclass(frozen=True)
class Unchanged:
    """The columns that are published unchanged. ``named``: those that look like names of people, in a sample.
    ``alone``: how many of all records have a value that no other record has, for each column, and for all
    columns of role other together. ``texts``: the findings on those that read like sentences."""

    schema: Schema
    named: tuple[str, ...]
    alone: Mapping[Together, int]
    texts: tuple[Finding, ...] = ()

    @property
    def others(self) -> tuple[Together, ...]:
        """Return each column of role other, and all of them together, without those named like people."""
        return _others(self.schema, self.named)

    def counted(self, published: int, records: int) -> tuple[Together, ...]:
        """Return the columns to count in the published rows: those of role other, beside the published cells;
        and, where records were left out, all columns anew."""
        beside = tuple(one._replace(within=True) for one in self.others)
        return beside if published == records else (*beside, *self.alone)


def _others(schema: Schema, named: Sequence[str]) -> tuple[Together, ...]:
    others = tuple(a.name for a in schema.of_role("other") if a.name not in named)
    each = tuple(Together((name,)) for name in others)
    return (*each, Together(others)) if len(others) > 1 else each


def singled_out(job: Job, by: Begun, asked_for: JobSpec, named: Sequence[Finding]) -> Unchanged:
    """Return the unchanged columns, counted over all rows before any cut is made. Raises StoppedError if they
    stop the release already, and no reason is given. Cost O(n log n) per column."""
    texts = tuple(one for one in named if one.name == FreeText.name)
    whole, names = by.whole, tuple(name for one in named if one not in texts for name in one.columns)
    others = _others(whole.schema, names)
    each = (Together((a.name,)) for a in whole.schema.of_role(*UNCHANGED))
    sets = tuple(dict.fromkeys((*each, *others)))
    if not sets:
        return Unchanged(whole.schema, names, {}, texts)
    ranges, note = -(-whole.records // _VALUES_AT_ONCE), tr("unchanged columns")
    job.stage("occurring", Occurring(by.encoded, sets, asked_for.seed, ranges), range(by.parts), note)
    found = job.stage("once", Once(by.encoded, len(sets), ranges, by.parts), range(ranges), note)
    alone = np.sum([one["alone"] for one in found], axis=0).tolist()
    counts = dict(zip(sets, alone, strict=True))
    early = [_of_other(one.names, counts[one], whole.records) for one in others]
    early += [
        UnchangedColumns().of_sensitive(a.name, alone, whole.records)
        for a in whole.schema.of_role("sensitive")
        if a.name not in names and (alone := counts[Together((a.name,))])
    ]
    stopping = [one for one in early if one.severity == "stops"]
    single = [one for one in stopping if len(one.columns) == 1]  # then all together need not be known
    check_stopping(single or stopping, asked_for.despite)
    return Unchanged(whole.schema, names, counts)


def looked_for(recipe: Recipe) -> tuple[type[Search], ...]:
    """Return the searches that are made over the files of a release. If the guarantee does not hide records
    in classes of equal rows, as k-concealment, sensitive values are not searched, and each unchanged column
    is judged by itself."""
    return tuple(cls for cls in LOOKED_FOR if cls is not SensitiveValues or by_classes(recipe))


def by_classes(recipe: Recipe) -> bool:
    """Return whether records hide in classes of equal rows."""
    return recipe.algorithm.guarantee(recipe.k).tallied


def _of_other(names: tuple[str, ...], alone: int, records: int) -> Finding:
    """Return the finding on what columns of role other single out by themselves."""
    search = UnchangedColumns()
    stops, decide = (100 * alone >= least * records for least in (search.stops_at, search.decide_at))
    said = alone_said(names, alone, records)
    action = tr("Make it a quasi-identifier, group its values, or leave it out (role identifier).")
    severity = "stops" if stops else "decide" if decide else "know"
    return replace(search.finding(severity, said, action, None, names), count=alone)


@dataclass(frozen=True)
class AuditSummary:
    """The counts of the audit of the ``published`` rows of all ``records``.

    For each set of columns: how many rows have a value that no other has, and how many a value that fewer
    than k have (`rare`). For each sensitive column: what the classes disclose, and whether a value is
    missing.
    """

    records: int
    published: int
    rare: Mapping[Together, tuple[int, int]]
    disclosed: Mapping[str, tuple[DisclosureCounts, bool]]


def all_found(
    recipe: Recipe,
    columns: Unchanged,
    summary: AuditSummary,
    added: AddedUp,
    classes: tuple[np.ndarray, np.ndarray],
) -> list[Finding]:
    """Return all findings, the heaviest first, in the order of `kanon_core.findings.FINDINGS` and in the same
    sentences as on one machine. ``classes``: the different sizes of classes of equal rows, and how many have
    each."""
    found, guarantee = list[Finding](), recipe.algorithm.guarantee(recipe.k)
    if summary.published:
        found += most_first(_disclosed(summary)) if by_classes(recipe) else ()
        found += _unchanged(recipe, columns, summary)
        found += columns.texts
        found += _added_up(Aggregates(), added)
        if known := guarantee.known_items:
            found += DirectJoins().of_known_items(known, recipe.k, Joined.of(recipe.k, *classes))
        found += _added_up(DirectJoins(), added)
    found += KnownSeed().of_seed(recipe.seed, not guarantee.disjoint)
    found += _added_up(ExactEnds(), added)
    if gone := summary.records - summary.published:
        found.append(Suppressed().of_count(gone, summary.records))
    found += _added_up(Longitude(), added)
    return sorted(found, key=lambda finding: list(SEVERITIES).index(finding.severity))


def _added_up(search: SummedSearch, added: AddedUp) -> Iterator[Finding]:
    return search.conclude(added.table, added.of(search))


def _disclosed(summary: AuditSummary) -> Iterator[Finding]:
    search, nobody = SensitiveValues(), np.zeros(0, np.int64)
    sets = AnonymitySets(nobody, nobody, nobody, _attacker(), True)
    action = tr("Require ℓ-diversity (an option of Mondrian), choose a greater k, or suppress these records.")
    for name, (disclosed, missing) in summary.disclosed.items():
        figures = tr("Reached: {reached}; {recursive}.").format(
            reached=disclosed.reached, recursive=disclosed.recursive(search.l)
        )
        figures += search.said_of_missing() if missing else ""
        found = search.of_column(name, disclosed, (summary.published, summary.records), figures, sets)
        yield replace(found, action=action) if found.severity == "decide" else found


def _attacker() -> str:
    return tr("knows all quasi-identifiers of one person")


def _unchanged(recipe: Recipe, columns: Unchanged, summary: AuditSummary) -> Iterator[Finding]:
    """Yield the findings on unchanged columns; where records do not hide in classes of equal rows, each
    column of role other is judged by itself alone."""
    search, published, classes = UnchangedColumns(), summary.published, by_classes(recipe)
    alone = {
        each: summary.rare[each][0] if each in summary.rare else count
        for each, count in columns.alone.items()
    }

    def of_others(names: tuple[str, ...]) -> Iterator[Finding]:
        count = alone[Together(names)]
        if not classes:
            yield from [_of_other(names, count, published)] if count else ()
            return
        found, few = summary.rare[Together(names, within=True)]
        if few:
            yield search.of_other(names, Singled(count, found, few, published, recipe.k), _attacker())

    unchanged = columns.schema.of_role(*UNCHANGED)
    by_name = {a.name: (alone[Together((a.name,))], None) for a in unchanged}
    return search.of_columns(unchanged, columns.named, published, by_name, of_others)


@dataclass(frozen=True)
class ClassEnds:
    """Brings together the ends of one run of hashes from all ``fragments``."""

    encoded: Encoded
    fragments: int

    def __call__(self, place: int) -> Result:
        """Return what `ExactEnds` adds up."""
        folder = Path(self.encoded.folder) / ENDS
        read = [batch_in(folder / f"{i:06d}.arrow", place) for i in range(self.fragments)]
        found = pa.Table.from_batches(read)
        first, group = different(np.column_stack([found[name].to_numpy() for name in CLASS]))
        ends = [one.combined(group, len(first)) for one in read_ends(found)]
        return dict(sums_of_ends(ends).within(ExactEnds.__name__).arrays(PART))


def class_ends(job: Job, encoded: Encoded, made: Sequence[Result], runs: int) -> Sums:
    """Return what `ExactEnds` adds up of all fragments where classes may have rows of several; nothing
    elsewhere."""
    if not all(one[ENDS] for one in made):
        return Sums()
    found = job.stage("ends", ClassEnds(encoded, len(made)), range(runs), tr("auditing the release"))
    return Sums.combine(Sums.of_arrays(one, PART) for one in found)
