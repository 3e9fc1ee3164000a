"""A release of a table in many files: from files to files, on many processes or machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike, fspath

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.errors import BrokenPromise, OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import later, tr
from kanon_core.findings.base import Finding
from kanon_core.guarantees import Verdict
from kanon_core.metrics import NCP, Measured, Metric
from kanon_core.metrics.privacy.among import Among
from kanon_core.release.recipe import KEYED, Recipe, RecipeError, check_k
from kanon_core.risk.measured import AttackerRisk
from kanon_core.runs.run import frame_of_scores
from kanon_core.scale.anonymizing.fragment import Anonymize
from kanon_core.scale.anonymizing.histories import named_in
from kanon_core.scale.anonymizing.ordering import RELEASE, Order
from kanon_core.scale.anonymizing.partials import AddedUp, added_up, without_sums
from kanon_core.scale.anonymizing.settling import settled_in
from kanon_core.scale.auditing.audit import audited, measures, risks
from kanon_core.scale.auditing.findings import (
    all_found,
    check_stopping,
    class_ends,
    looking_like_names,
    singled_out,
)
from kanon_core.scale.engines import Engine, Local
from kanon_core.scale.engines.base import started
from kanon_core.scale.fragments.dividing import divided
from kanon_core.scale.fragments.first_stages import ROWS_OF_A_PART, JobSpec, begun, parts_in
from kanon_core.scale.source.parts import looked_at, parts_of
from kanon_core.scale.source.sampling import SAMPLE, loose_spans, sampled
from kanon_core.scale.source.sources import Source, apart, roots_of, source_files
from kanon_core.scale.source.texts import reading_notes
from kanon_core.scale.work.folder import kept_seed, work_folder
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.publishing import free_place, keep_recipe, publish
from kanon_core.table.rowdigest import covers_all, is_keyed
from kanon_core.table.schema import Schema

ROWS_OF_A_FILE = 1_000_000
_AS_A_WHOLE = later(
    "The digest in the recipe covers a table as a whole, as in early builds of version 0.1.0, and"
    " cannot be computed from parts. Repeat the recipe on one machine; its new recipe can be"
    " repeated over many files."
)
_IN_ORDER = later(
    "The recipe depends on the order of records in one file, which rows of many files do not have."
    " Repeat it on one machine."
)
_BEFORE = later(
    "Version 0.1.0 ran more recipes over many files. On one machine, the recipe gives the same rows."
)
_SKIPPED = ("skip", "skip_rows", "skip_end")
_NOT_FOUND = ("missing", "keep", "decimal", "typed", "long", "without", "names", "sheet", *_SKIPPED)
"""The settings of reading that a user gave for a file; the others are found out, also for the files of a
folder."""


@dataclass(frozen=True)
class FilesRelease:
    """A release that was written as files, after its audit.

    ``out``: its folder. ``verdicts``: those of the audit of all files. ``loss``: NCP by column (0..1, the
    mean over rows) and in all. ``sizes`` and ``classes``: how many equivalence classes there are of each
    size. ``measured``: the result of each metric that is added up over fragments or follows from counts, NaN
    with a note where a column forbids it; ``risks``: the risk of attackers
    (`kanon_core.scale.auditing.audit`). ``misfits``: by column, how many cells do not fit its kind and count
    as missing. ``findings``: those of the searches that are counted or added up
    (`kanon_core.scale.auditing.findings.LOOKED_FOR`); the other searches of `kanon_core.judge`, which need
    the whole table in one memory, are not made. ``seconds`` by stage.
    """

    out: str
    recipe: Recipe
    verdicts: tuple[Verdict, ...]
    loss: Mapping[str, float]
    sizes: np.ndarray
    classes: np.ndarray
    fragments: int
    misfits: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    measured: Mapping[type[Metric], Measured] = field(default_factory=dict)
    risks: tuple[AttackerRisk, ...] = ()

    @property
    def scores(self) -> pd.DataFrame:
        """Return ``measured`` as a frame, like that of `kanon_core.score`."""
        return frame_of_scores([cls() for cls in self.measured], self.measured.values())

    @property
    def records(self) -> int:
        """Return how many rows were published."""
        return int((self.sizes * self.classes).sum())


def sample(source: Source, rows: int = SAMPLE) -> pd.DataFrame:
    """Return some rows of the files as a frame, from which a schema is guessed (`Schema.infer`): the first
    rows of evenly spread parts. Raises InputError."""
    return noted_sample(source, rows)[0]


def noted_sample(source: Source, rows: int = SAMPLE) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return `sample`, and sentences on how these rows decide the reading of csv files. Raises InputError."""
    files = source_files(source)
    found = [looked_at(file) for file in files]
    spans = loose_spans(files, found)
    frame, types = sampled(parts_of(files, found, ROWS_OF_A_PART, spans, roots_of(source)), rows)
    return frame, reading_notes(types)


def anonymize_files(
    source: Source,
    schema: Schema | None,
    algorithm: Algorithm,
    k: int,
    out: str | PathLike[str],
    engine: Engine | None = None,
    seed: int | None = None,
    work: str | PathLike[str] | None = None,
    rows: int = 0,
    progress: Tick | None = None,
    despite: str = "",
    recipe_to: str | PathLike[str] = "",
) -> FilesRelease:
    """Anonymize a table in many files; the release's folder appears when its audit has passed.

    ``source``: a folder of parquet or csv files, a pattern such as ``data/*.parquet``, a list of files, or an
    address such as ``s3://…``. ``schema``: guessed from a sample when None; every file is then checked
    against it. ``out``: a folder that does not exist yet. ``work``: a folder to which all workers have
    access, beside ``out`` by default; it holds the encoded rows during the run, and is deleted at the end.
    When the work was stopped, the same call resumes after the last finished task. ``rows``: the number of
    rows that one worker anonymizes at once, 0 = as many as fit in 1 GB; it does not change the release.
    ``despite``: the reason to release although a finding stops it; the recipe keeps it. ``recipe_to``: a file
    for the recipe, written just before the release appears, so that no release is without its recipe.

    The rows of the release, and their order, are those of `kanon_core.anonymize` with the same recipe, on
    one machine. The algorithm is `Mondrian` with strict cuts at the median, with ℓ and t; `Sorting`; or
    `Fragments` of any algorithm, including k-concealment and, for people with several records, purchase
    histories. Item sets as quasi-identifiers and circles (hours, directions, longitudes on more than half of
    the globe) need `Fragments`. Cost O(n log n); about two passes over the encoded rows for each doubling of
    n / rows, two in all for `Sorting`.

    Raises InputError (files), SchemaError, UnsuitableError, OptionError, StoppedError, EngineError,
    BrokenPromise; EngineError and StorageError, after which the same call resumes.
    """
    k = check_k(k)
    check_algorithm(algorithm, k)
    facts, more = (source_files(source), schema, algorithm, k, 0, check_rows(rows)), fspath(recipe_to)
    asked_for = JobSpec(*facts, despite=despite, recipe_to=more, roots=roots_of(source))
    return _released(asked_for, seed, apart(out, source), engine, work, progress)


def repeat_files(
    source: Source,
    recipe: Recipe,
    out: str | PathLike[str],
    engine: Engine | None = None,
    work: str | PathLike[str] | None = None,
    rows: int = 0,
    progress: Tick | None = None,
    despite: str = "",
) -> FilesRelease:
    """Return the release of a recipe, from the same rows in any files; other arguments as for
    `anonymize_files`.

    The recipe is one of `anonymize_files`, or of `kanon_core.anonymize` without the order of the file: its
    digest covers all rows in any order. Settings for reading do not apply to parquet and csv files of a
    folder; the digest shows whether their cells are the same. Raises RecipeError for other data or another
    recipe, and what `anonymize_files` raises."""
    check_repeatable(recipe)
    despite = despite or " ".join(dict.fromkeys(recipe.reasons.values()))
    facts = (recipe.schema, recipe.algorithm, recipe.k, recipe.seed, check_rows(rows))
    roots, digest = roots_of(source), recipe.data_digest
    asked_for = JobSpec(source_files(source), *facts, despite=despite, digest=digest, roots=roots)
    try:
        check_algorithm(recipe.algorithm, recipe.k)
        return _released(asked_for, recipe.seed, apart(out, source), engine, work, progress)
    except RecipeError as problem:
        raise RecipeError(" ".join([str(problem), *how_it_was_read(recipe)])) from None
    except UnsuitableError as problem:
        raise UnsuitableError(f"{problem} {tr(_BEFORE)}") from None


def check_rows(rows: int) -> int:
    """Return how many rows a worker holds at once. Raises OptionError."""
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
        raise OptionError(tr("rows must be a whole number of 0 or more; 0 means as many as fit in a worker."))
    return rows


def _released(
    asked_for: JobSpec,
    seed: int | None,
    out: str,
    engine: Engine | None,
    work: str | PathLike[str] | None,
    progress: Tick | None,
) -> FilesRelease:
    """Return the requested release, with this seed or a secret one, at its place."""
    out = free_place(out)
    identity = asked_for.identity(seed, out=out)
    with (
        started(engine or Local()) as running,
        work_folder(work, out, identity) as folder,
        running,  # its workers end before the folder is deleted
    ):
        job = Job(folder, running, progress or silent)
        made = _made(job, replace(asked_for, seed=kept_seed(folder, seed)))
        if asked_for.recipe_to:
            keep_recipe(made.recipe.to_json(), asked_for.recipe_to)
        publish(folder / RELEASE, out)
    return replace(made, out=out)


def files_of(records: int) -> int:
    """Return the number of files into which so many rows are written."""
    return -(-records // ROWS_OF_A_FILE)


def check_algorithm(algorithm: Algorithm, k: int) -> None:
    """Raises UnsuitableError where an algorithm does not run over many files, or its guarantees cannot be
    judged there: neither from counts of classes or items, nor fragment by fragment."""
    judged = all(one.tallied or one.by_items or one.by_fragment for one in algorithm.guarantees(k))
    if not algorithm.over_files or not judged:
        raise UnsuitableError(
            tr(
                "{title} with these options does not run over many files. Choose Mondrian with"
                " strict cuts at the median, Sorting, or Fragments of an algorithm; or run it on"
                " one machine."
            ).format(title=algorithm.title)
        )


def _made(job: Job, asked_for: JobSpec) -> FilesRelease:
    """Return the release in the job's folder, audited. Raises BrokenPromise when the audit fails."""
    parts = parts_in(job, asked_for.files, asked_for.roots)
    named = looking_like_names(parts, asked_for.schema)
    check_stopping(named, asked_for.despite)
    by = begun(job, asked_for, parts)
    whole, encoded = by.whole, by.encoded
    columns = singled_out(job, by, asked_for, named)
    rows = divided(job, by, asked_for)
    digest = whole.digest(asked_for.named)
    recipe = Recipe(by.schema, asked_for.algorithm, asked_for.k, asked_for.seed, digest, whole.records)
    runs = files_of(whole.records)
    settled, groups = settled_in(job, by, recipe, rows)
    if by.gathered:
        settled, groups = named_in(job, by.gathered, recipe, rows, settled)
    work = Anonymize(encoded, recipe, rows.rows, runs, groups, settled)
    found = job.stage("anonymize", work, rows.fragments, asked_for.algorithm.title)
    made, sums = [without_sums(one) for one in found], added_up(found)
    job.stage("order", Order(str(job.folder), len(made)), range(runs), tr("writing the release"))
    checked, (sizes, classes), summary = audited(job, by, recipe, (rows, made, runs), columns)
    if broken := [one for one in checked if not one.holds]:
        raise BrokenPromise(f"{broken[0].guarantee}: {broken[0].sentence}")
    added = AddedUp(whole.empty(), Sums.combine([sums, class_ends(job, encoded, made, runs)]))
    findings = all_found(recipe, columns, summary, added, (sizes, classes))
    stopping = check_stopping(findings, asked_for.despite)
    recipe = replace(recipe, reasons={one.sentence: asked_for.despite for one in stopping})
    among = Among.of_classes(sizes, classes, summary.records - summary.published)
    measured = measures(recipe, added, among, summary)
    loss = {"": measured[NCP].total, **measured[NCP].attributes}
    facts = (tuple(checked), loss, sizes, classes, len(made), whole.misfits)
    scores = (measured, risks(recipe, among))
    return FilesRelease("", recipe, *facts, tuple(findings), job.seconds, *scores)


def check_repeatable(recipe: Recipe) -> None:
    """Raises RecipeError where the digest of a recipe cannot be found in many files."""
    if recipe.given_order:
        raise RecipeError(tr(_IN_ORDER))
    if is_keyed(recipe.data_digest):
        raise RecipeError(tr(KEYED))
    if covers_all(recipe.data_digest) is None:
        raise RecipeError(tr(_AS_A_WHOLE))


def how_it_was_read(recipe: Recipe) -> list[str]:
    """Return a sentence if the file of a recipe was read with settings of its own: the files of a folder may
    then have other cells.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table(b"a;b\\n1;?\\n2;3\\n", missing=("?",)), kc.Sorting(), 2, seed=1)
    >>> print(*how_it_was_read(release.recipe))
    Its file was read with the settings missing, which do not apply to the files of a folder: write ...
    """
    own = [name for name in recipe.reading if name in _NOT_FOUND]
    if not own:
        return []
    said = tr(
        "Its file was read with the settings {names}, which do not apply to the files of a folder:"
        " write the files with the cells of the table."
    )
    return [said.format(names=", ".join(own))]
