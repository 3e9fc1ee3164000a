"""A release of a table in many files: from files to files, on many processes or machines."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.partitioning import constraints
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records
from kanon_core.base.errors import BrokenPromise, UnsuitableError
from kanon_core.base.options import to_json
from kanon_core.base.progress import Tick, silent
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.guarantees import Verdict
from kanon_core.release.recipe import Recipe, check_k, check_seed
from kanon_core.scale.auditing import Count, Judge, complete, sizes_of, unchecked, verdicts
from kanon_core.scale.cutting import Most, Weights, fragments_of
from kanon_core.scale.drawing import places_of
from kanon_core.scale.encoding import LEFT_OUT, Encode
from kanon_core.scale.engines import Engine, Local
from kanon_core.scale.fragment import Anonymize
from kanon_core.scale.job import Job
from kanon_core.scale.keeping import Result
from kanon_core.scale.ordering import RELEASE, Order
from kanon_core.scale.parts import Part, looked_at, parts_of, sample_of
from kanon_core.scale.places import size_of
from kanon_core.scale.publishing import free_place, kept_seed, publish, source_files, work_folder
from kanon_core.scale.questions import Shape
from kanon_core.scale.routing import PARTS, WHOLE, Encoded, Route, asked
from kanon_core.scale.tree import Tree
from kanon_core.scale.whole import Whole
from kanon_core.table.attribute import Attribute
from kanon_core.table.schema import Schema

if TYPE_CHECKING:
    import pandas as pd

ROWS_OF_A_PART = 500_000
ROWS_OF_A_FRAGMENT = 1_000_000
ROWS_OF_A_FILE = 1_000_000
_SAMPLE = 100_000


@dataclass(frozen=True)
class FilesRelease:
    """A release that was written as files, after its audit.

    ``out``: its folder. ``verdicts``: those of the audit of all files. ``loss``: NCP by column (0..1, the
    mean over rows) and in all. ``sizes`` and ``classes``: how many equivalence classes there are of each
    size. ``misfits``: by column, how many cells do not fit its kind and count as missing. ``seconds`` by
    stage.
    """

    out: str
    recipe: Recipe
    verdicts: tuple[Verdict, ...]
    loss: Mapping[str, float]
    sizes: np.ndarray
    classes: np.ndarray
    fragments: int
    misfits: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """How many rows were published."""
        return self.recipe.records


def sample(source: str | Sequence[str], rows: int = _SAMPLE) -> pd.DataFrame:
    """Some rows of the files: the first of evenly spread parts, from which a schema is guessed
    (`Schema.infer`), as a frame. Raises InputError."""
    files = source_files(source)
    return sample_of(parts_of(files, [looked_at(file) for file in files], ROWS_OF_A_PART), rows)


def anonymize_files(
    source: str | Sequence[str],
    schema: Schema | None,
    algorithm: Algorithm,
    k: int,
    out: str,
    engine: Engine | None = None,
    seed: int | None = None,
    work: str | None = None,
    rows: int = ROWS_OF_A_FRAGMENT,
    progress: Tick | None = None,
) -> FilesRelease:
    """Anonymize a table that lies in many files; the release's folder appears when its audit has passed.

    ``source``: a folder of parquet or csv files, a pattern such as ``data/*.parquet``, a list of files, or an
    address such as ``s3://…``. ``schema``: guessed from a sample when None; every file is then checked
    against it. ``out``: a folder that does not exist yet. ``work``: a folder that all workers see, beside
    ``out`` where none is named; the encoded rows lie in it meanwhile, and it is deleted at the end. When the
    work was stopped, the same call goes on after the last finished task. ``rows``: how many rows one worker
    anonymizes at once; the release is the same whatever they are.

    The rows of the release, and their order, are those of `kanon_core.anonymize` with the same recipe, on
    one machine; so far for `Mondrian` with strict cuts at the median, with ℓ and t, and for `Fragments` of
    algorithms that make groups. Cost O(n log n); about
    two passes over the encoded rows for each doubling of n / rows.

    Raises InputError (files), SchemaError, UnsuitableError, OptionError, EngineError, BrokenPromise.
    """
    check_algorithm(algorithm, check_k(k))
    k, files, out = check_k(k), source_files(source), free_place(out)
    said = {"out": out, "k": k, "algorithm": to_json(algorithm), "version": __version__}
    said |= {"schema": schema and schema.to_json(), "seed": seed if seed is None else str(check_seed(seed))}
    folder = work_folder(work, out, {**said, "files": [(file, size_of(file)) for file in files]})
    with engine or Local() as running:
        job = Job(folder, running, progress or silent)
        made = _made(job, Asked(files, schema, algorithm, k, kept_seed(folder, seed), rows))
        publish(folder / RELEASE, out)
    shutil.rmtree(folder)
    return replace(made, out=out)


def check_algorithm(algorithm: Algorithm, k: int) -> None:
    """Raises UnsuitableError where an algorithm cannot be run on many files."""
    if not algorithm.from_the_top or unchecked(algorithm.guarantees(k)):
        raise UnsuitableError(
            tr(
                "{title} with these options cannot be run on many files yet; choose Mondrian with strict cuts"
                " at the median, or Fragments of an algorithm that makes groups."
            ).format(title=algorithm.title)
        )


@dataclass(frozen=True)
class Asked:
    """What is asked for: these files cut into fragments of at most so many ``rows``; ``cells``: only around
    so many drawn rows (`kanon_core.scale.drawing`), 0 = everywhere."""

    files: list[str]
    schema: Schema | None
    algorithm: Algorithm
    k: int
    seed: int
    rows: int
    cells: int = 0


@dataclass(frozen=True)
class Begun:
    """The files, encoded in ``parts`` parts and cut."""

    schema: Schema
    whole: Whole
    encoded: Encoded
    parts: int
    tree: Tree


def begun(job: Job, asked_for: Asked) -> Begun:
    """The stages up to the tree. Raises UnsuitableError with every reason why the algorithm cannot work on
    these files."""
    parts = _parts(job, asked_for.files)
    schema = asked_for.schema or Schema.infer(sample_of(parts, _SAMPLE))
    whole, encoded = _encoded(job, parts, schema, asked_for), Encoded(str(job.folder))
    return Begun(schema, whole, encoded, len(parts), _tree(job, encoded, whole, len(parts), asked_for))


def _made(job: Job, asked_for: Asked) -> FilesRelease:
    """The release in the job's folder, audited; raises BrokenPromise when the audit fails."""
    by = begun(job, asked_for)
    whole, encoded, tree = by.whole, by.encoded, by.tree
    recipe = Recipe(by.schema, asked_for.algorithm, asked_for.k, asked_for.seed, whole.digest, whole.records)
    routed = job.stage("route", Route(encoded, tree), range(by.parts), tr("bringing rows together"))
    leaves = tuple(tuple(one["leaves"].tolist()) for one in routed)
    runs = -(-whole.records // ROWS_OF_A_FILE)
    work = Anonymize(encoded, recipe, leaves, runs, asked_for.algorithm.fragment_rows is not None)
    paths = tree.paths()
    fragments = [(place, leaf, paths[leaf]) for place, leaf in enumerate(tree.leaves)]
    made = job.stage("anonymize", work, fragments, asked_for.algorithm.title)
    job.stage("order", Order(str(job.folder), len(made)), range(runs), tr("writing the release"))
    checked, sizes, classes = _audited(job, encoded, recipe, made, runs)
    if broken := [one for one in checked if not one.holds]:
        raise BrokenPromise(f"{broken[0].guarantee}: {broken[0].sentence}")
    return FilesRelease(
        "", recipe, tuple(checked), _loss(whole, made), sizes, classes, len(made), whole.misfits, job.seconds
    )


def _parts(job: Job, files: Sequence[str]) -> list[Part]:
    found = job.stage("look", looked_at, files, tr("looking at the files"))
    return parts_of(files, found, ROWS_OF_A_PART)


def _encoded(job: Job, parts: Sequence[Part], schema: Schema, asked_for: Asked) -> Whole:
    """The parts, written as numbers and codes, and what they have in common. Raises UnsuitableError with
    every reason why the algorithm cannot work on them."""
    reasons = [_not_over_files(a) for a in schema if a.role in ("undecided", "person")]
    if reasons:
        raise UnsuitableError(" ".join(reasons))
    quasi = [a.name for a in schema.quasi_identifiers]
    protected = _protected(asked_for.algorithm, schema)
    ordered = asked_for.algorithm.fragment_rows is not None
    coded = schema.names if ordered else (*quasi, *protected)
    work = Encode(schema, coded, protected, asked_for.seed, str(job.folder / PARTS), ordered)
    found = job.stage("encode", work, list(enumerate(parts)), tr("reading the files"))
    whole = Whole.of(schema, coded, protected, found)
    whole.check(asked_for.algorithm.fragment_rows)
    if reasons := whole.unsuitable(asked_for.algorithm, asked_for.k):
        raise UnsuitableError(" ".join(reasons))
    whole.keep(job.folder / WHOLE)
    return whole


def _protected(algorithm: Algorithm, schema: Schema) -> tuple[str, ...]:
    if not isinstance(algorithm, constraints.Constrained) or not constraints.sensitive_guarantees(algorithm):
        return ()
    return algorithm.protect or tuple(a.name for a in schema.of_role("sensitive"))


def _not_over_files(attribute: Attribute) -> str:
    if attribute.role == "undecided":
        said = tr(
            "It is undecided whether column “{name}” says whose the records are; give it a role, such as"
            " identifier, quasi_identifier or other."
        )
    else:
        said = tr(
            "Column “{name}” says whose record it is, and people with several records are not protected over"
            " many files yet; give it the role identifier if every record is another person's."
        )
    return said.format(name=attribute.name)


def _tree(job: Job, encoded: Encoded, whole: Whole, parts: int, asked_for: Asked) -> Tree:
    from kanon_core.algorithms.partitioning.mondrian_kernels import Limits

    nothing = whole.nothing()
    unit, algorithm = whole.unit(nothing), asked_for.algorithm
    records, _ = new_records(unit, np.zeros((0, 0), np.int64))
    starts = tuple(np.concatenate(([0], np.cumsum(unit.domains))).astype(int).tolist())
    cuts = algorithm if isinstance(algorithm, constraints.Constrained) else Mondrian()
    limits = Limits(asked_for.k, True, False, constraints.rule_of(whole.protected(nothing), cuts))
    rounds, rows = count(), algorithm.fragment_rows or asked_for.rows
    return fragments_of(
        lambda tree, questions: asked(job, encoded, parts, tree, questions, next(rounds)),
        whole.records,
        Shape(len(records.width), starts),
        Weights(records.width, records.step),
        limits,
        Most(rows, places_of(whole.records, asked_for.cells, rows, asked_for.seed)),
    )


def _audited(
    job: Job, encoded: Encoded, recipe: Recipe, made: Sequence[Result], runs: int
) -> tuple[list[Verdict], np.ndarray, np.ndarray]:
    guarantees, note = recipe.algorithm.guarantees(recipe.k), tr("auditing the release")
    read = job.stage("tally", Count(encoded, recipe.seed, runs), range(runs), note)
    found = job.stage("audit", Judge(encoded, guarantees, runs), range(runs), note)
    sums = np.asarray(np.sum([one["sums"] for one in made], axis=0, dtype=np.uint64))
    names = [a.name for a in recipe.schema if a.role not in LEFT_OUT]
    whole = complete(sum(int(one["rows"]) for one in made), sums, read, names)
    return [*verdicts(guarantees, found), whole], *sizes_of(found)


def _loss(whole: Whole, made: Sequence[Result]) -> dict[str, float]:
    """NCP by column, and under "" in all: the mean over the rows, columns by their weights."""
    quasi = whole.schema.quasi_identifiers
    total = sum(a.weight for a in quasi) or 1.0
    each = {a.name: math.fsum(one[f"loss {a.name}"] for one in made) / whole.records for a in quasi}
    return {"": math.fsum(a.weight / total * each[a.name] for a in quasi), **each}
