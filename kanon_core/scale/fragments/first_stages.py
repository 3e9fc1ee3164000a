"""The stages that every job begins with: the files are looked at, encoded, and cut from the top."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.fragments.cutting import people_at_most
from kanon_core.algorithms.partitioning import constraints
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.options import to_json
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.release.recipe import OTHER_DATA, RecipeError, check_seed
from kanon_core.scale.encoding.encode import Encode
from kanon_core.scale.encoding.item_codes import check_uncut, undelimited, with_found_delimiters
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.fragments.gathering import Gathered, gathered
from kanon_core.scale.passes.asking import ask_all_parts
from kanon_core.scale.passes.circles import circle_refused, opened
from kanon_core.scale.passes.cutting import CutLimit, Weights, fragments_of
from kanon_core.scale.passes.encoded import COUNTED, PARTS, WHOLE, Encoded
from kanon_core.scale.passes.questions import Shape
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.source.parts import looked_at, parts_of
from kanon_core.scale.source.pieces import Part
from kanon_core.scale.source.records import Span, chunks_of, spans_of, walked_over
from kanon_core.scale.source.sampling import SAMPLE, sample_of
from kanon_core.scale.source.texts import allowed_in, csv_pieces, with_types
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.storage import size_of
from kanon_core.table.attribute import Attribute
from kanon_core.table.rowdigest import covers_all, digested
from kanon_core.table.schema import Schema
from kanon_core.table.wholecells import places_of

ROWS_OF_A_PART = 500_000
CELLS_OF_A_FRAGMENT = 8_000_000
"""The number of cells of quasi-identifiers of a fragment, if no number of rows is given: a worker then needs
less than 1 GB."""


@dataclass(frozen=True)
class JobSpec:
    """The specification of a job: these files, cut into fragments of at most ``rows`` rows, 0 = as many as
    fit.

    ``cells``: release only the cells around so many drawn rows (`kanon_core.table.wholecells`), 0 = all.
    ``despite``: the reason to release although a finding stops it. ``digest``: the digest of the expected
    rows, "" = any rows. ``sample``: a file for the drawn cells, "" = none; ``source``: its note on their
    origin. ``recipe_to``: a file for the recipe, "" = none. ``roots``: the folders below which names of
    folders may define columns."""

    files: list[str]
    schema: Schema | None
    algorithm: Algorithm
    k: int
    seed: int
    rows: int
    cells: int = 0
    despite: str = ""
    digest: str = ""
    sample: str = ""
    source: str = ""
    recipe_to: str = ""
    roots: tuple[str, ...] = ()

    def identity(self, seed: int | None, **more: object) -> dict[str, object]:
        """Return what identifies the job, so that the same call finds its work folder again. Raises
        OptionError for a seed that is none."""
        return more | {
            "algorithm": to_json(self.algorithm),
            "schema": self.schema and self.schema.to_json(),
            "seed": seed if seed is None else str(check_seed(seed)),
            "version": __version__,
            "files": [(file, size_of(file)) for file in self.files],
            "sample": bool(self.sample),
            **{name: getattr(self, name) for name in ("k", "rows", "cells", "roots")},
        }

    @property
    def named(self) -> bool:
        """Return whether the digest covers identifiers and sampling weights, too."""
        covers = covers_all(self.digest)
        return self.algorithm.by_order if covers is None else covers


@dataclass(frozen=True)
class Begun:
    """The results of the first stages: the files, encoded in ``parts`` parts. ``gathered``: where people are
    cut, the parts that hold all records of each person together."""

    schema: Schema
    whole: Whole
    encoded: Encoded
    parts: int
    gathered: Gathered | None = None


def begun(job: Job, asked_for: JobSpec, parts: Sequence[Part] = ()) -> Begun:
    """Return the results of the first stages; ``parts``: those of `parts_in`, if they are known. Raises
    UnsuitableError with every reason why the algorithm cannot work on these files."""
    parts = parts or parts_in(job, asked_for.files, asked_for.roots)
    schema = asked_for.schema or Schema.infer(sample_of(parts, SAMPLE))
    if undelimited(schema):
        schema = with_found_delimiters(schema, sample_of(parts, SAMPLE))
    whole, encoded = _encoded(job, parts, schema, asked_for), Encoded(str(job.folder))
    if not by_people(asked_for):
        return Begun(schema, whole, encoded, len(parts))
    found = gathered(job, encoded, len(parts), asked_for.seed)
    check_suitable(whole.unsuitable(asked_for.algorithm, asked_for.k, found.people))
    return Begun(schema, whole, found.encoded, len(parts), found)


def by_people(asked_for: JobSpec) -> bool:
    """Return whether the cuts divide people, each with all their records."""
    return asked_for.algorithm.guarantee(max(asked_for.k, 2)).pseudonyms


def check_suitable(reasons: Sequence[str]) -> None:
    """Raises UnsuitableError with all of these reasons, if there are any."""
    if reasons:
        raise UnsuitableError(" ".join(reasons))


def parts_in(job: Job, files: Sequence[str], roots: Sequence[str] = ()) -> list[Part]:
    """Return the parts of the files, which are looked at once. Large csv files are scanned for ends of
    records, and all csv files are read for the types of their columns."""
    found = list(job.stage("look", looked_at, files, tr("looking at the files")))
    large = {file: one["large"] for file, one in zip(files, found, strict=True) if one.get("large")}
    chunks = [chunk for file, looked in large.items() for chunk in chunks_of(file, looked)]
    walked = job.stage("records", walked_over, chunks, tr("finding the records")) if chunks else ()
    spans, done = dict[str, Sequence[Span | None]](), 0
    for file, looked in large.items():
        begin, done = done, done + len(chunks_of(file, looked))
        own = (walked[number] for number in range(begin, done))
        spans[file] = spans_of(file, looked, own, ROWS_OF_A_PART)
    parts = parts_of(files, found, ROWS_OF_A_PART, spans, roots)
    texts = csv_pieces(parts)
    if not texts:
        return parts
    return with_types(parts, job.stage("types", allowed_in, texts, tr("finding the types of columns")))


def _encoded(job: Job, parts: Sequence[Part], schema: Schema, asked_for: JobSpec) -> Whole:
    """Return the parts, written as numbers and codes, and what they have in common. Raises UnsuitableError
    with every reason why the algorithm cannot work on them."""
    refused = ("undecided",) if by_people(asked_for) else ("undecided", "person")
    fragments = asked_for.algorithm.fragment_rows is not None
    quasi = [a.name for a in schema.quasi_identifiers]
    protected = _protected(asked_for.algorithm, schema)
    coded = schema.names if asked_for.algorithm.by_order else (*quasi, *protected)
    around = () if fragments else (a for a in schema if a.kind == "cyclic" and a.name in coded)
    roles = (_not_over_files(a) for a in schema if a.role in refused)
    check_suitable([*roles, *map(circle_refused, around)])
    sums = fragments or bool(asked_for.sample)
    covered = digested(schema, asked_for.named)
    work = Encode(schema, coded, protected, covered, str(job.folder / PARTS), sums)
    found = list(job.stage("encode", work, list(enumerate(parts)), tr("reading the files")))
    whole = Whole.of(schema, coded, protected, found)
    whole = opened(job, Encoded(str(job.folder)), whole, len(parts), fragments)
    if asked_for.digest and whole.digest(asked_for.named) != asked_for.digest:
        raise RecipeError(tr(OTHER_DATA))
    whole.check(asked_for.algorithm)
    check_uncut(schema, found)
    check_suitable(whole.unsuitable(asked_for.algorithm, asked_for.k, whole.records))
    whole.keep(job.folder / WHOLE)
    return whole


def _protected(algorithm: Algorithm, schema: Schema) -> tuple[str, ...]:
    if not isinstance(algorithm, constraints.Constrained) or not constraints.sensitive_guarantees(algorithm):
        return ()
    return algorithm.protect or tuple(a.name for a in schema.of_role("sensitive"))


def _not_over_files(attribute: Attribute) -> str:
    if attribute.role == "undecided":
        said = tr(
            "It is undecided whether column “{name}” identifies the person of each record. Give it"
            " a role, such as identifier, quasi_identifier or other."
        )
    else:
        said = tr(
            "Column “{name}” identifies the person of each record, so all k records of a class"
            " could belong to the same person. Choose Fragments of Purchase histories, which"
            " protects people, or give the column the role identifier if every record belongs to a"
            " different person."
        )
    return said.format(name=attribute.name)


def cut(job: Job, by: Begun, asked_for: JobSpec) -> Tree:
    """Return the tree of exact cuts whose leaves are the fragments."""
    from kanon_core.algorithms.partitioning.mondrian_kernels import Limits

    whole, nothing = by.whole, by.whole.nothing()
    if all(a.kind == "items" for a in whole.schema.quasi_identifiers):  # no cut is made at item sets
        return Tree([whole.records])
    unit, algorithm = whole.unit(nothing), asked_for.algorithm
    records, _ = new_records(unit, np.zeros((0, 0), np.int64))
    starts = tuple(np.concatenate(([0], np.cumsum(unit.domains))).astype(int).tolist())
    cuts = algorithm if isinstance(algorithm, constraints.Constrained) else Mondrian()
    limits = Limits(asked_for.k, True, False, constraints.rule_of(whole.protected(nothing), cuts))
    rounds, rows, stand = count(), rows_of_a_fragment(whole, asked_for), whole.records
    if by.gathered:
        stand, rows = by.gathered.people, people_at_most(rows, by.gathered.people, stand)
    tree = fragments_of(
        lambda tree, questions: ask_all_parts(job, by.encoded, by.parts, tree, questions, next(rounds)),
        stand,
        Shape(len(records.width), starts),
        Weights(records.width, records.step),
        limits,
        CutLimit(rows, places_of(stand, asked_for.cells, rows, asked_for.seed)),
    )
    shutil.rmtree(job.folder / COUNTED, ignore_errors=True)
    return tree


def rows_of_a_fragment(whole: Whole, asked_for: JobSpec) -> int:
    """Return how many rows one worker anonymizes at once: the number of the algorithm or of the caller, or as
    many as fit."""
    rows = asked_for.algorithm.fragment_rows or asked_for.rows
    return rows or CELLS_OF_A_FRAGMENT // len(whole.schema.quasi_identifiers)
