"""Properties that every registered algorithm keeps, on every small table it accepts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.options import expression, options_of
from kanon_core.covers.cover import Concealment, Partition
from kanon_core.distances.mixed import points_of
from kanon_core.report import release_bytes
from kanon_core.table.columns.columns import MISSING, Categories, Items
from tests.contracts.known import as_published, rare
from tests.contracts.replay import replay, replay_fragments, replay_matchings
from tests.contracts.tables import (
    FRAMES,
    INCOMPARABLE,
    SETTINGS,
    k_of,
    releases,
    settings_of,
    suitable,
    table_of,
)
from tests.helpers import looped
from tests.oracles.closures import closure
from tests.oracles.histories import shared_by

each_setting = pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
each_class = pytest.mark.parametrize("cls", ALGORITHMS, ids=lambda cls: cls.__name__)


class Cancelled(BaseException):
    """The signal that a page raises to stop a run; not an Exception, so that no handler can swallow it."""


def quasi_frame(release: kc.Release) -> pd.DataFrame:
    names = [attribute.name for attribute in release.recipe.schema.quasi_identifiers]
    return release.to_frame()[names].astype(str)


def people_per_history(release: kc.Release) -> list[int]:
    """By published pseudonym: how many people's histories read the same, row by row."""
    (person,) = release.table.schema.of_role("person")
    shown = np.flatnonzero(~release.suppressed)
    owners = release.table.frame[person.name].iloc[shown].tolist()
    rows = list(quasi_frame(release).iloc[shown].itertuples(index=False, name=None))
    return list(shared_by(owners, release.to_frame(shown)[person.name].tolist(), rows).values())


@each_setting
def test_every_algorithm_accepts_some_table(algorithm):
    assert suitable(algorithm)


@each_setting
def test_the_audit_holds_and_published_texts_repeat_k_times(algorithm):
    for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
        assert all(verdict.holds for verdict in kc.audit(table, release))
        assert len(release.cover) == len(table)
        if isinstance(algorithm.guarantees(2)[0], kc.KAnonymity):
            kept = quasi_frame(release)[~release.suppressed]
            assert kept.groupby(list(kept.columns)).size().min() >= k_of(algorithm)
        if isinstance(algorithm.guarantees(2)[0], kc.PersonKAnonymity):
            assert min(people_per_history(release)) >= k_of(algorithm)
        if isinstance(algorithm.guarantees(2)[0], kc.KKMAnonymity):
            known = algorithm.guarantees(2)[0].known_items
            assert not rare(as_published(release), k_of(algorithm), known)
        else:
            assert release.hidden_among[~release.suppressed].min() >= k_of(algorithm)
        assert "name" not in release.publish().columns


def ways(column: Categories, label: str) -> list[int]:
    """The numbers of the nodes from a value up to the top of the column's hierarchy; missing is the last
    node."""
    tree = column.attribute.hierarchy
    if label == MISSING:
        return [len(tree.nodes), 0]
    found = [tree.number[label]]
    while found[-1]:
        found.append(int(tree.parent[found[-1]]))
    return found


@each_setting
def test_cells_cover_their_originals(algorithm):
    for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
        for published in release.published:
            original = table[published.attribute.name]
            for record in np.flatnonzero(~release.suppressed):
                cell = published.cell[record]
                if original.attribute.is_numeric:
                    low, high = published.cells.low[cell], published.cells.high[cell]
                    value = original.values[record]
                    over = original.circle is not None and low > high and not low > value > high
                    assert (
                        over
                        or low <= value <= high
                        or (np.isnan(value) and (np.isnan(low) or published.cells.partly_missing[cell]))
                    )
                elif isinstance(original, Items):
                    start, end = published.cells.starts[cell : cell + 2]
                    own = original.items[original.starts[record] : original.starts[record + 1]]
                    tree, labels = original.attribute.hierarchy, original.closure.sets.labels
                    has = closure([original.labels[item] for item in own], tree.above if tree else {})
                    assert {labels[item] for item in published.cells.items[start:end]} <= has
                elif original.attribute.hierarchy is not None:
                    assert published.cells.nodes[cell] in ways(
                        original, original.labels[original.codes[record]]
                    )
                else:
                    start, end = published.cells.starts[cell : cell + 2]
                    assert original.codes[record] in published.cells.codes[start:end]


@each_setting
def test_same_recipe_same_bytes(algorithm):
    for table in suitable(algorithm):
        first = kc.anonymize(table, algorithm, k=k_of(algorithm), seed=7)
        again = kc.anonymize(table, first.recipe.algorithm, k=k_of(algorithm), seed=7)
        recipe = kc.Recipe.from_json(first.recipe.to_json())
        repeated = kc.repeat(kc.Table.from_frame(table.frame, recipe.schema), recipe)
        assert recipe == first.recipe
        assert release_bytes(first) == release_bytes(again) == release_bytes(repeated)
        assert repeated.cover == first.cover


@pytest.mark.deep
@each_setting
def test_the_input_is_not_modified(algorithm):
    for table in suitable(algorithm):
        before, digest = table.frame.copy(deep=True), table.data_digest
        points = points_of(table).numeric.copy()
        kc.anonymize(table, algorithm, k=k_of(algorithm))
        pd.testing.assert_frame_equal(table.frame, before)
        assert np.array_equal(points_of(table).numeric, points)
        assert kc.Table.from_frame(table.frame, table.schema).data_digest == digest


@each_setting
def test_what_does_not_suit_is_refused_in_sentences(algorithm):
    refused = [name for name in FRAMES if algorithm.unsuitable(table_of(name), 3)]
    for name in refused:
        with pytest.raises(kc.UnsuitableError, match=r"^[A-Z].*\.$"):
            kc.anonymize(table_of(name), algorithm, k=3)
    table = suitable(algorithm)[0]
    for k in (len(table) + 1, 1000):
        with pytest.raises(kc.UnsuitableError, match=rf"{len(table)} .*k = {k}.*\.$"):
            kc.anonymize(table, algorithm, k=k)
    with pytest.raises(kc.UnsuitableError, match=r"\.$"):
        kc.anonymize(table.with_schema(table.schema.with_quasi([])), algorithm, k=3)


@each_setting
def test_numbers_of_any_magnitude_are_scored_or_refused_by_name(algorithm):
    """No loss may be infinite or undefined: what floating-point numbers cannot compare is refused."""
    for name in ("magnitudes", "one magnitude"):
        table = table_of(name)
        if not algorithm.unsuitable(table, 3):
            scores = kc.score(table, kc.anonymize(table, algorithm, k=3), [kc.NCP(), kc.ILSSDM()])
            assert np.isfinite(scores["value"]).all() and scores["value"].between(0, 1 + 1e-9).all()
    for values in INCOMPARABLE.values():
        frame = pd.DataFrame({"odd one": values(23)})
        schema = (
            kc.Schema.infer(frame)
            .with_roles({"odd one": "quasi_identifier"})
            .with_kinds({"odd one": "numeric"})
        )
        table = kc.Table.from_frame(frame, schema)
        with pytest.raises(kc.UnsuitableError, match=r"“odd one”.*too large or too close.*\.$"):
            kc.anonymize(table, algorithm, k=3)


@each_setting
@looped("n", [4, 5, 7, 8, 9])
def test_small_tables(algorithm, n):
    """n = k, k + 1, 2k − 1, 2k, 2k + 1 at k = 4."""
    for table in suitable(algorithm, n, k=4):
        release = kc.anonymize(table, algorithm, k=4)
        assert release.cover.sizes.min(initial=4) >= 4
        if n < 8 and isinstance(algorithm.guarantees(2)[0], kc.KAnonymity):
            assert len(release.class_sizes) <= 1


@each_class
@looped("k", [0, 1, -3, 2.5, 3.0, True, "5", None, [3]])
def test_an_illegal_k_is_refused(cls, k):
    algorithm = next(settings_of(cls))
    with pytest.raises(kc.OptionError, match="k must be"):
        kc.anonymize(suitable(algorithm)[0], algorithm, k)


@each_class
@looped("seed", [-1, 1.5, True, "0", [3], 2**128])
def test_an_illegal_seed_is_refused(cls, seed):
    algorithm = next(settings_of(cls))
    with pytest.raises(kc.OptionError, match="seed must be"):
        kc.anonymize(suitable(algorithm)[0], algorithm, 3, seed)


@looped(
    "cls, name, value",
    [(cls, o.name, value) for cls in ALGORITHMS for o in options_of(cls) for value in o.kind.illegal()],
)
def test_illegal_options_are_refused(cls, name, value):
    with pytest.raises(kc.OptionError, match=name.replace("_", " ")):
        cls(**{name: value})


@each_setting
def test_progress_stays_in_range_and_whatever_it_raises_passes_unchanged(algorithm):
    table = suitable(algorithm)[0]
    shares: list[float | None] = []
    settled = kc.anonymize(table, algorithm, k=k_of(algorithm)).recipe.algorithm
    release = kc.anonymize(
        table, settled, k=k_of(algorithm), progress=lambda share, note="": shares.append(share)
    )
    known = [share for share in shares if share is not None]
    assert known[0] == 0 and known[-1] == 1 and known == sorted(known)
    for stop_at in (0.0, 0.5, 1.0):
        reason, later = Cancelled(), []

        def tick(share, note="", reason=reason, later=later, stop_at=stop_at):
            if later or (share is not None and share >= stop_at):
                later.append(share)
                raise reason

        with pytest.raises(Cancelled) as caught:
            kc.anonymize(table, settled, k=k_of(algorithm), progress=tick)
        assert caught.value is reason and len(later) == 1
    assert release_bytes(kc.anonymize(table, settled, k=k_of(algorithm))) == release_bytes(release)


@pytest.mark.deep
@each_setting
def test_the_log_replays_to_the_same_cover(algorithm):
    for table in suitable(algorithm):
        settled = kc.anonymize(table, algorithm, k=k_of(algorithm)).recipe.algorithm
        log = kc.Log()
        release = kc.anonymize(table, settled, k=k_of(algorithm), log=log)
        if isinstance(release.cover, Concealment):
            again = Concealment(replay_matchings(log.events, len(table)))
            again = again.in_fragments(*replay_fragments(log.events, len(table))).renumbered(log.records)
            assert again == release.cover
        else:
            again = Partition(replay(log.events, len(table))).renumbered(log.records)
            assert np.array_equal(again.groups, release.cover.groups)
        seed = release.recipe.seed
        assert release.cover == kc.anonymize(table, settled, k=k_of(algorithm), seed=seed).cover
        cuts = [(event, what) for event, what in log.events if event == "cut"]
        if cuts and settled.family == "partitioning":
            again = Partition(replay(cuts, len(table))).renumbered(log.records)
            assert np.array_equal(again.groups, release.cover.groups)


@st.composite
def small_tables(draw):
    """Up to 24 records of numbers, words and missing cells, with many ties; and a k that the table can
    have."""
    n = draw(st.integers(2, 24))
    number = st.one_of(st.none(), st.integers(-3, 3), st.floats(-1e6, 1e6))
    columns = {}
    for i in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["number", "word"]))
        if kind == "number":
            columns[f"c{i}"] = pd.Series(draw(st.lists(number, min_size=n, max_size=n)), dtype="float64")
        else:
            words = st.sampled_from(["a", "b", "(missing)", "", None])
            columns[f"c{i}"] = pd.Series(draw(st.lists(words, min_size=n, max_size=n)), dtype="str")
    frame = pd.DataFrame(columns)
    kinds = {name: "numeric" if frame[name].dtype == float else "categorical" for name in frame}
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier")).with_kinds(kinds)
    return kc.Table.from_frame(frame, schema), draw(st.integers(2, n))


@pytest.mark.deep
@each_class
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(drawn=small_tables())
def test_any_small_table(cls, drawn):
    table, k = drawn
    algorithm = next(settings_of(cls))
    if algorithm.unsuitable(table, k):
        with pytest.raises(kc.UnsuitableError):
            kc.anonymize(table, algorithm, k)
        return
    release = kc.anonymize(table, algorithm, k)
    if isinstance(algorithm.guarantees(2)[0], kc.KAnonymity):
        kept = quasi_frame(release)[~release.suppressed]
        assert kept.groupby(list(kept.columns)).size().min() >= k
    assert release.hidden_among[~release.suppressed].min() >= k
    assert release_bytes(release) == release_bytes(kc.repeat(table, release.recipe))


@each_class
def test_fractions_of_a_second_that_a_float_cannot_keep_are_refused(cls):
    """They would be published beside the truth, and audited as true."""
    for year, refused in ((1600, True), (2020, False), (1697, True), (1699, False), (2243, True)):
        written = [f"{year}-01-0{day}T10:00:00.12345{day}" for day in (1, 2, 3, 4)]
        frame = pd.DataFrame({"d": pd.to_datetime(np.array(written, "datetime64[us]"))})
        table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["d"]))
        told = any("fractions of a second" in reason for reason in cls().unsuitable(table, 2))
        assert told == refused
        if not refused and not cls().unsuitable(table, 2):
            shown = kc.anonymize(table, cls(), 2).to_frame()["d"].tolist()
            assert all(text.endswith((".123451]", ".123452]", ".123453]", ".123454]")) for text in shown)
