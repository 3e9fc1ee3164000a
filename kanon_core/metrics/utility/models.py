"""Loss of accuracy of a model that is trained on the release."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics.base import Measured, OneColumn, no_column, undefined
from kanon_core.metrics.comparisons import Comparison, Pair, share_pair, share_text
from kanon_core.metrics.utility.base import Utility, item_shares, read_numbers, read_shares, scaled
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.set_arrays import incidence
from kanon_core.table.table import Table

_LABELS_AT_MOST = 20
_VALUES_AT_MOST = 20
_RECORDS_AT_MOST = 20_000
_TREES, _LEAF = 30, 5
_BETWEEN_TICKS = 0.1


@dataclass(frozen=True)
class ModelLoss(Utility):
    """Score of a model trained on the originals minus that of one trained on the release, both tested on the
    same unseen originals.

    The model is a random forest on the quasi-identifiers (scikit-learn's, 30 trees of at least 5 records a
    leaf); the score is accuracy for a target of categories and R² for numbers. A third of the records, drawn
    by the seed, is for testing; the models learn from the other two thirds, the one from their originals, the
    other from what is published of them: middles of intervals, evenly shared sets, common items. Numbers are
    scaled to 0..1 by their column. The 20 most frequent values of a column are distinguished. The baseline
    always predicts the most frequent class, or the mean. Tables of more than 20,000 records are sampled.
    ``error`` is two standard errors of the difference on the test records: with other test records it would
    be within this error about 95 times in 100; the effect of other training records is not included. Negative
    if the model trained on the release is better; not defined without a ``target``, the first sensitive
    column when left out, or when it has more than 20 classes. Cost: seconds.

    Reference: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, Workload-aware anonymization, KDD 2006; L.
    Breiman, Random forests, Machine Learning 45, 2001.
    """

    title: ClassVar[str] = "Loss of a trained model"
    short: ClassVar[str] = "Model loss"
    symbol: ClassVar[str] = "Δacc"
    sentence: ClassVar[str] = (
        "Loss of accuracy on unseen people when a model is trained on the release instead of the originals."
    )
    formula: ClassVar[str] = r"\mathrm{score}(\text{originals})-\mathrm{score}(\text{release})"
    example: ClassVar[str] = (
        "85 of 100 predictions are right when trained on the originals, 81 when trained on the release: 4 %."
    )
    low: ClassVar[float] = -math.inf
    high: ClassVar[float] = math.inf
    percent: ClassVar[bool] = True

    target: Annotated[str, OneColumn(help="the column to predict; none = the first sensitive column")] = ""
    seed: Annotated[int, Integer(0, 2**32 - 1, help="another seed selects other test records")] = 0

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if the table has no column to predict, or none to predict from."""
        name = self._target(table)
        if not name:
            return [
                tr("{title} needs a column to predict; give one the role sensitive, or name one.").format(
                    title=self.title
                )
            ]
        if absent := no_column(table, name):
            return absent
        column = table[name]
        if column.attribute.role not in ("sensitive", "other") or isinstance(column, Items):
            return [
                tr(
                    "Column “{name}” cannot be predicted; name a column with the role sensitive or other"
                    " that holds no item sets."
                ).format(name=name)
            ]
        if not table.quasi:
            return [tr("{title} needs quasi-identifiers to predict from.").format(title=self.title)]
        if isinstance(column, Categories) and not 2 <= len(column.labels) <= _LABELS_AT_MOST:
            return [
                tr(
                    "Column “{name}” has {classes}; a model is trained for 2 to {limit}. Name another column."
                ).format(name=name, classes=counted(len(column.labels), "class"), limit=_LABELS_AT_MOST)
            ]
        if isinstance(column, Numbers) and not (column.comparable and column.range[0] < column.range[1]):
            return [
                tr(
                    "Column “{name}” does not vary, so there is nothing to predict; name another column."
                ).format(name=name)
            ]
        return []

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total. Details: the scores on the originals, on the release, of the baseline, and how many records
        taught and tested."""
        reasons = self.unsuitable(table)
        if reasons:
            return undefined(reasons)
        tick(0.0, "preparing")
        target = table[self._target(table)]
        assert isinstance(target, Categories | Numbers)
        wanted = target.codes if isinstance(target, Categories) else scaled(target.values, target)
        order = generator(self.seed, 7).permutation(np.flatnonzero(~target.missing))[:_RECORDS_AT_MOST]
        test, train = order[: len(order) // 3], order[len(order) // 3 :]
        taught = train[release.row[train] >= 0]
        if not len(test) or not len(taught):
            return undefined([tr("Too few records are published to train and test a model.")])
        classes, unseen = isinstance(target, Categories), features(table, release, test)[0]
        lessons = (features(table, release, train)[0], train), (features(table, release, taught)[1], taught)
        models = [
            _fit(x, wanted[rows], classes, stage(tick, i / 2, (i + 1) / 2))
            for i, (x, rows) in enumerate(lessons)
        ]
        marks = [_marks(_predictions(model, unseen), wanted[test], classes) for model in models]
        scores = [float(each.mean()) for each in marks]
        counts = np.bincount(wanted[train]) if classes else None
        usual = wanted[train].mean() if counts is None else counts.argmax()
        details = {
            later("trained on the originals"): scores[0],
            later("trained on the release"): scores[1],
            later("baseline"): float(_marks(np.full(len(test), usual), wanted[test], classes).mean()),
            later("records to learn from"): float(len(taught)),
            later("records to test on"): float(len(test)),
        }
        error = 2 * float((marks[0] - marks[1]).std()) / math.sqrt(len(test))
        notes = self._notes(len(taught), len(test), int((~target.missing).sum()))
        return Measured(scores[0] - scores[1], error=error, details=details, notes=notes)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The scores of both models, and of always predicting the same."""
        classes = isinstance(table[self._target(table)], Categories)
        before, after, usual = list(measured.details.values())[:3]
        says = tr(
            "Trained on the release, a model explains {now} of the variance of “{name}” in unseen originals,"
            " and {was} when trained on the originals."
        )
        if classes:
            says = tr(
                "Trained on the release, a model predicts “{name}” correctly for {now} of the unseen"
                " originals, and for {was} when trained on the originals; always the most frequent class, for"
                " {usual}."
            )
        says = says.format(
            name=self._target(table), was=share_text(before), now=share_text(after), usual=share_text(usual)
        )
        score = tr("correct predictions") if classes else tr("explained variance")
        low = min(0.0, before, after)
        pairs = (
            Pair(score, before, after, low, 1.0, share_text(before), share_text(after)),
            share_pair(tr("without a model"), usual, usual),
        )
        learned = before - usual
        return Comparison(says, pairs, measured.total / (learned if learned > measured.error else 1))

    def _notes(self, learned: int, tested: int, known: int) -> tuple[str, ...]:
        about = tr("Trained on {learned:,} and tested on {tested}, drawn with seed {seed}.")
        about = about.format(learned=learned, tested=counted(tested, "record"), seed=self.seed)
        if known <= _RECORDS_AT_MOST:
            return (about,)
        sample = tr("They are a sample of {sample:,} of {known}.")
        return about, sample.format(sample=_RECORDS_AT_MOST, known=counted(known, "record"))

    def _target(self, table: Table) -> str:
        if self.target:
            return self.target
        return next((a.name for a in table.schema if a.role == "sensitive" and a.kind != "items"), "")


def features(table: Table, release: Release, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """float64 (len(rows), features): of the original and of the published quasi-identifiers; NaN = missing or
    suppressed."""
    pairs = [_features(table[p.attribute.name], p, release, rows) for p in release.published]
    return np.column_stack([pair[0] for pair in pairs]), np.column_stack([pair[1] for pair in pairs])


def _features(
    column: Column, published: PublishedColumn, release: Release, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(column, Numbers):
        own, shown = column.values[rows], read_numbers(column, release)[rows]
        return scaled(own, column)[:, None], scaled(shown, column)[:, None]
    if isinstance(column, Items):
        width = max(len(column.labels), 1)
        frequent = np.argsort(-np.bincount(column.items, minlength=width), kind="stable")[:_VALUES_AT_MOST]
        own = incidence(column.starts, column.items, width)[rows][:, frequent].toarray()
        shares = item_shares(column, published.cells)
        shown = shares[:, frequent].toarray() if len(column.labels) else np.zeros((shares.shape[0], 1))
    else:
        counts = np.bincount(column.codes, minlength=len(column.labels))
        frequent = np.argsort(-counts, kind="stable")[:_VALUES_AT_MOST]
        own = column.codes[rows][:, None] == frequent
        shown = read_shares(column, published.cells)[:, frequent].toarray()
    gone = np.full((1, shown.shape[1]), np.nan)
    return own.astype(np.float64), np.concatenate([shown, gone])[published.cell[rows]]


def _fit(x: np.ndarray, y: np.ndarray, classes: bool, tick: Tick) -> Any:
    """Return the model, grown a tree at a time; the label itself where all records to learn from agree."""
    if len(np.unique(y)) < 2:
        return float(y[0])
    forests = _forests(tick)
    kind = forests.RandomForestClassifier if classes else forests.RandomForestRegressor
    model = kind(1, min_samples_leaf=_LEAF, max_features="sqrt", warm_start=True, random_state=0)
    for trees in range(1, _TREES + 1):
        tick(trees / _TREES, tr("training a model"))
        model.set_params(n_estimators=trees)
        model.fit(x, y)
    return model


def _forests(tick: Tick) -> Any:
    """Return scikit-learn's forests. They are first imported in a thread, as this takes seconds and the tick
    must be able to stop the work meanwhile."""
    loading = threading.Thread(target=import_module, args=("sklearn.ensemble",), daemon=True)
    loading.start()
    while loading.is_alive():
        tick(0.0, tr("loading scikit-learn"))
        loading.join(_BETWEEN_TICKS)
    return import_module("sklearn.ensemble")


def _predictions(model: Any, x: np.ndarray) -> np.ndarray:
    return np.full(len(x), model) if isinstance(model, float) else model.predict(x)


def _marks(predicted: np.ndarray, y: np.ndarray, classes: bool) -> np.ndarray:
    """float64: what each record adds to the score, which is their mean: accuracy, or R²."""
    if classes:
        return np.asarray((predicted == y).astype(np.float64))
    spread = float(((y - y.mean()) ** 2).mean())
    return 1 - (y - predicted) ** 2 / spread if spread > 0 else np.zeros(len(y))
