"""Tuning k on a table in many files: whole cells are drawn, and every k is tried in each of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.metrics.summed import Covered
from kanon_core.release.recipe import check_k
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.scale.anonymizing.fragment import covered
from kanon_core.scale.anonymizing.settling import check_named_steps
from kanon_core.scale.engines import Engine, Local
from kanon_core.scale.engines.base import started
from kanon_core.scale.files import check_algorithm
from kanon_core.scale.fragments.dividing import routed
from kanon_core.scale.fragments.first_stages import JobSpec, begun, cut
from kanon_core.scale.fragments.routing import Leaves, table_of
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.source.sources import roots_of, source_files
from kanon_core.scale.tuning.wholecells import check_sample, sample_of_cells, write_sample
from kanon_core.scale.work.folder import kept_seed, work_folder
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from kanon_core.table.wholecells import estimated, places_of

CELLS, ROWS_OF_A_CELL = 60, 8_000
FEWEST_CELLS = 10
GROUPS_OF_A_CELL = 20
"""The least number of records of a cell, as a multiple of k: cuts further up then hardly depend on k."""


@dataclass(frozen=True)
class Tuned:
    """The loss of each k, estimated from whole cells of a table in many files.

    ``points``: by ascending k, with NCP (0..1, the mean over rows, columns by their weights) among
    ``scores``, and under ``errors`` by how much the NCP may be off, 95 times in 100 (none where all cells
    were looked at). ``cells``: how many different cells were looked at; they hold ``rows`` of all
    ``records``.
    """

    schema: Schema
    algorithm: Algorithm
    points: tuple[SweepPoint, ...]
    cells: int
    rows: int
    records: int

    @property
    def sentence(self) -> str:
        """Return a sentence on the basis of the estimates."""
        said = tr(
            "Based on {cells:,} whole cells with {rows:,} of {records}; random rows would overstate"
            " the loss. The interval ± holds for 95 of 100 draws of cells."
        )
        if self.rows == self.records:
            said = tr("Based on all {records}.")
        return said.format(cells=self.cells, rows=self.rows, records=counted(self.records, "row"))


def tune_files(
    source: str | Sequence[str],
    schema: Schema | None,
    algorithm: Algorithm,
    ks: Iterable[int],
    engine: Engine | None = None,
    cells: int = CELLS,
    rows: int = ROWS_OF_A_CELL,
    seed: int | None = None,
    work: str | None = None,
    progress: Tick | None = None,
    sample: str = "",
) -> Tuned:
    """Return how much each k would lose on a table in many files, estimated from ``cells`` draws of whole
    cells.

    The table is cut from the top, as `anonymize_files` cuts it, to cells of at most ``rows`` rows, but only
    around drawn rows (`kanon_core.table.wholecells`); in each cell the algorithm runs with every k and the
    whole table's ranges and labels. The estimate is the mean NCP of the drawn cells. A table of at most cells
    · rows rows is looked at whole. ``source``, ``schema``, ``engine``: see `anonymize_files`; ``work``: a
    folder that all workers see, that of temporary files where none is named. When the work was stopped, the
    same call resumes after the last finished task. ``sample``: a file for the drawn cells, which the
    dashboard and `kanon_core.read_table` open (`kanon_core.table.wholecells`); it holds original rows.

    The cuts above the cells are those of the largest k. A smaller k may allow a cut that the largest k does
    not; that is why a cell must hold 20 times k records.

    Cost: about two passes over all rows for each doubling of n / rows, whatever ``cells`` are; then that of
    the algorithm on the drawn cells for each k.

    Raises InputError (files), SchemaError, UnsuitableError, OptionError, EngineError.
    """
    tried = _checked(ks, cells, rows)
    check_algorithm(algorithm, tried[-1])
    if not algorithm.by_exact_cuts or algorithm.fragment_rows is not None:
        raise UnsuitableError(
            tr(
                "{title} cannot be tuned on a sample of cells, because its groups in a cell depend"
                " on the rest of the table. Tune Mondrian, or run {title} with several k."
            ).format(title=algorithm.title)
        )
    if work is None and engine is not None and engine.elsewhere:
        raise OptionError(tr("Name a work folder to which all workers have access."))
    named = source if isinstance(source, str) else " ".join(source)
    facts = (source_files(source), schema, algorithm, tried[-1], 0, rows, cells)
    asked_for = JobSpec(*facts, sample=sample, source=named, roots=roots_of(source))
    place, identity = work or tempfile.gettempdir(), asked_for.identity(seed, tune=tried)
    with started(engine or Local()) as running, work_folder(place, "", identity) as folder, running:
        job = Job(folder, running, progress or silent)
        return _tuned(job, replace(asked_for, seed=kept_seed(folder, seed)), tried)


def _checked(ks: Iterable[int], cells: int, rows: int) -> list[int]:
    """Return the values of k, ascending. Raises OptionError."""
    tried = sorted({check_k(k) for k in ks})
    if not tried:
        raise OptionError(tr("Name the values of k to try, such as 5, 10 and 20."))
    if cells < FEWEST_CELLS or cells % 2:
        raise OptionError(
            tr("The number of cells to draw must be even and at least {least}.").format(least=FEWEST_CELLS)
        )
    if rows < GROUPS_OF_A_CELL * tried[-1]:
        raise OptionError(
            tr(
                "k = {k} is too large for cells of {rows}, which must hold {times} times k; try k of at"
                " most {most:,}, or cells of {enough} or more."
            ).format(
                k=tried[-1],
                rows=counted(rows, "row"),
                times=GROUPS_OF_A_CELL,
                most=rows // GROUPS_OF_A_CELL,
                enough=counted(GROUPS_OF_A_CELL * tried[-1], "row"),
            )
        )
    return tried


def _tuned(job: Job, asked_for: JobSpec, ks: Sequence[int]) -> Tuned:
    if asked_for.sample:
        check_sample(asked_for)
    by = begun(job, asked_for)
    check_named_steps(by.schema)
    records, tree = by.whole.records, cut(job, by, asked_for)
    places = places_of(records, asked_for.cells, asked_for.rows, asked_for.seed)
    chosen = cells_of(tree, places)
    rows = routed(job, by, tree, chosen)
    if asked_for.sample:
        write_sample(asked_for, sample_of_cells(by, asked_for, tree, rows, places, job.engine))
    work = Try(rows, asked_for.algorithm, tuple(ks), asked_for.seed)
    found = job.stage("tune", work, chosen, asked_for.algorithm.title)
    loss = np.stack([one["loss"] for one in found])
    sizes = np.array([tree.sizes[leaf] for leaf in chosen])
    mean, error = curve_of(tree, chosen, loss, places)
    points = tuple(
        SweepPoint(
            asked_for.algorithm,
            k,
            {NCP.__name__: float(mean[i])},
            0.0,
            seed=asked_for.seed,
            errors={NCP.__name__: float(error[i])} if error[i] else {},
        )
        for i, k in enumerate(ks)
    )
    return Tuned(by.schema, asked_for.algorithm, points, len(chosen), int(sizes.sum()), records)


def cells_of(tree: Tree, places: np.ndarray | None) -> tuple[int, ...]:
    """Return the different leaves that hold the drawn rows; all leaves if no rows are drawn."""
    return tuple(tree.leaves if places is None else np.unique(tree.leaves_at(places)).tolist())


def curve_of(
    tree: Tree, cells: Sequence[int], loss: np.ndarray, places: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimated loss of each k and its error, float64 (ks), from the mean ``loss`` of these cells,
    float64 (cells, ks); all cells give the loss of all rows, and no error."""
    if places is None:
        sizes = np.array([tree.sizes[leaf] for leaf in cells])
        return np.average(loss, axis=0, weights=sizes), np.zeros(loss.shape[1])
    number = {leaf: row for row, leaf in enumerate(cells)}
    return estimated(loss[[number[leaf] for leaf in tree.leaves_at(places).tolist()]])


@dataclass(frozen=True)
class Try:
    """Anonymizes a cell with each k."""

    rows: Leaves
    algorithm: Algorithm
    ks: tuple[int, ...]
    seed: int

    def __call__(self, leaf: int) -> Result:
        """``loss`` float64 (ks): the mean NCP of the cell's rows."""
        table = table_of(self.rows.encoded.whole, self.rows.batch(leaf))
        return {"loss": np.array([_loss(table, self.algorithm, k, self.seed) for k in self.ks])}


def _loss(table: Table, algorithm: Algorithm, k: int, seed: int) -> float:
    """Return the mean NCP of the rows, columns by their weights."""
    metric = NCP()
    return metric.total(table, metric.part(table, Covered(*covered(table, algorithm, k, seed)))).total
