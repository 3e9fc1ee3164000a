"""The picture of the groups: what is drawn, how much is sent, what it says, what must never run."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

from kanon_core.base.errors import OptionError, SchemaError
from kanon_core.charts.canvas.density import CELLS
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST
from kanon_core.charts.canvas.plane import plane, project
from kanon_core.charts.canvas.theme import THEMES, picked_number, plain
from kanon_core.charts.groups.alike import Groups
from kanon_core.charts.groups.clusters import Scene, cluster_figure, cluster_sentence
from kanon_core.distances.mixed import points_of
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from tests.helpers import release_of, table_of

EVIL = "<img src=x onerror=alert(1)> $a$ %{x}"


def numbers(**columns) -> Table:
    """A table whose columns are all numeric quasi-identifiers."""
    schema = Schema.infer(pd.DataFrame(columns))
    schema = schema.with_quasi(columns).with_kinds(dict.fromkeys(columns, "numeric"))
    return table_of(schema, **columns)


def cloud(n: int, size: int) -> tuple[Table, np.ndarray]:
    """n records in groups of ``size`` (the last one larger) that are neighbors in x within strips of y."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, n))
    labels = np.empty(n, np.int64)
    labels[np.lexsort((x, np.round(4 * y)))] = np.minimum(np.arange(n) // size, n // size - 1)
    return numbers(x=x, y=y), labels


def values(data) -> list:
    return np.asarray(data, dtype=float).tolist()


def test_small_tables_are_vectors_with_group_size_and_record():
    table = numbers(a=[0.0, 1, 2, 10, 11, 12, 5], b=[0.0, 2, 1, 5, 6, 7, 9])
    figure = cluster_figure(table, release_of(table, [0, 0, 0, 1, 1, 1, -1], k=3))
    points = figure.data[7]
    assert values(points.x) == [0, 1, 2, 10, 11, 12, 5]
    assert np.asarray(points.customdata).tolist() == [
        [1, 3, 1],
        [1, 3, 2],
        [1, 3, 3],
        [2, 3, 4],
        [2, 3, 5],
        [2, 3, 6],
        [0, 0, 7],
    ]
    assert len({*points.marker.color[:3]}) == 1
    assert len({*points.marker.color}) == 3
    assert points.marker.symbol[6] == "x"
    assert not figure.layout.images
    drawn = [trace for trace in figure.data[:7] if len(trace.x)]
    assert sorted(values(trace.x)[:5] for trace in drawn) == [[0, 2, 2, 0, 0], [10, 12, 12, 10, 10]]


def test_hulls_rectangles_and_none_have_the_same_structure():
    table, labels = cloud(300, 5)
    release = release_of(table, labels, k=5)
    figures = [cluster_figure(table, release, outlines=o) for o in ("rectangles", "hulls", "none")]
    assert len({len(figure.data) for figure in figures}) == 1
    assert len({figure.layout.uirevision for figure in figures}) == 1
    assert sum(len(trace.x) for trace in figures[2].data[:7]) == 0
    assert sum(len(trace.x) for trace in figures[0].data[:7]) == 6 * len(release.cover.sizes)


def test_groups_never_share_a_color_with_their_nearest():
    table, labels = cloud(900, 3)
    scene = Scene(plane(table), Groups.shown(release_of(table, labels)), "none")
    x, y = (
        (c - s[0]) / (s[1] - s[0])
        for c, s in zip(scene.centers, (scene.picture.x.span, scene.picture.y.span), strict=True)
    )
    squares = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    np.fill_diagonal(squares, np.inf)
    nearest = np.argpartition(squares, 3, axis=1)[:, :3]
    assert (scene.colors[nearest] != scene.colors[:, None]).all()


def test_thirty_thousand_records_are_gray_below_a_dozen_groups():
    for outlines in ["rectangles", "hulls", "none"]:
        table, labels = cloud(30_000, 3)
        release = release_of(table, labels, k=3)
        figure = cluster_figure(table, release, outlines=outlines, selected=17)
        assert len(release.cover.sizes) == 10_000
        assert len(figure.to_json()) < 150_000
        (image,) = figure.layout.images
        assert image.source.startswith("data:image/png;base64,")
        assert (image.x, image.y) == (figure.layout.xaxis.range[0], figure.layout.yaxis.range[1])
        assert image.x + image.sizex == pytest.approx(figure.layout.xaxis.range[1])
        picks, *lines, sizes, dots, _, chosen = figure.data
        assert VECTORS_AT_MOST <= len(picks.x) <= VECTORS_AT_MOST + 1
        groups = Groups.shown(release)
        assert 18 in np.asarray(picks.customdata)[:, 0]
        assert len(lines) == 6 and len(dots.x) == 36 and sizes.text == ("3",) * 12
        assert all(len(line.x) == 0 for line in lines) == (outlines == "none")
        members = groups.members(17)
        assert values(chosen.x) == table["x"].values[members].tolist()
        assert np.asarray(chosen.customdata)[:, 2].tolist() == (members + 1).tolist()


def test_the_dozen_are_the_groups_of_the_same_records_at_every_k():
    table, found = cloud(4_000, 4)[0], []
    for size in (4, 40, 400):
        release = release_of(table, cloud(4_000, size)[1], k=size)
        groups, figure = Groups.shown(release), cluster_figure(table, release)
        dozen, sizes, dots = groups.dozen, figure.data[7], figure.data[8]
        assert len({*dozen.tolist()}) == len(dozen) == min(12, len(groups))
        found.append([set(groups.members(number)) for number in dozen.tolist()])
        assert list(sizes.text) == [f"{size}"] * len(dozen)
        of = np.asarray(dots.customdata)[:, 0] - 1
        looks = {*zip(of.tolist(), dots.marker.color, dots.marker.symbol, strict=True)}
        assert len(looks) == len({look[1:] for look in looks}) == len(dozen)
        assert len(dots.x) == min(size, 12) * len(dozen)
    first = [min(mine & other) for mine, other in zip(found[0], found[1], strict=True) if mine & other]
    assert first  # groups grow around the same records


def test_a_record_of_the_dozen_says_what_is_published_of_its_group():
    table, labels = cloud(4_000, 4)
    release = release_of(table, labels, k=4)
    groups, figure = Groups.shown(release), cluster_figure(table, release)
    dots = figure.data[8]
    for (number, size, record), told in zip(np.asarray(dots.customdata).tolist(), dots.text, strict=True):
        shown = release.texts(np.array([record - 1]))
        x, y = (plain(shown[name][0], 28) for name in "xy")
        assert size == 4 and groups.of[record - 1] == number - 1
        assert told == f"group {number}: 4 records<br>x: {x}<br>y: {y}"


def test_groups_with_equal_published_rows_are_drawn_as_the_one_class_that_figures_count():
    table = numbers(a=[0.0, 2, 0, 2, 7, 9], b=[1.0, 3, 1, 3, 5, 6])
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    groups = Groups.shown(release)
    assert len(release.cover.sizes) == 3
    assert sorted(groups.sizes.tolist()) == sorted(release.hiding_sizes.tolist()) == [2, 4]
    assert groups.members(int(groups.of[0])).tolist() == [0, 1, 2, 3]
    assert cluster_sentence(table, release).startswith("6 records in 2 groups of 2 to 4;")


def test_a_selected_group_is_drawn_and_one_that_is_gone_is_ignored():
    table, labels = cloud(60, 5)
    release = release_of(table, labels, k=5)
    assert len(cluster_figure(table, release, selected=3).data[-1].x) == 5
    assert len(cluster_figure(table, release, outlines="none", selected=3).data[-2].x) == 6
    for gone in (None, -1, 12, 10_000):
        assert len(cluster_figure(table, release, selected=gone).data[-1].x) == 0


def test_a_click_gives_the_label_of_the_group():
    table, labels = cloud(4_000, 4)
    release = release_of(table, labels, k=4)
    facts = np.asarray(cluster_figure(table, release).data[0].customdata)
    event = {"selection": {"points": [{"customdata": facts[5].tolist()}]}}
    group = picked_number(event)
    assert group is not None and len(Groups.shown(release).members(group)) == facts[5][1]
    assert picked_number({"selection": {"points": [{"customdata": [0, 0, 9]}]}}) is None
    assert picked_number(None) is None


def test_sentence_reads_the_picture():
    table = numbers(a=[0.0, 1, 2, 10, 11, 12, 5], b=[0.0, 2, 1, 5, 6, 10, 9])
    release = release_of(table, [0, 0, 0, 1, 1, 1, -1], k=3)
    assert (
        cluster_sentence(table, release)
        == "6 records in 2 groups of 3; the median group spans 17 % of the range of “a” and 35 % of the range"
        " of “b”. Drawn in gray: 1 suppressed record. Colors only distinguish neighboring groups."
    )
    assert cluster_figure(table, release).layout.meta["alt"] == cluster_sentence(table, release)


def test_projection_says_how_much_it_shows():
    table = numbers(a=[0.0, 1, 2, 3], b=[0.0, 2, 4, 6], c=[0.0, 3, 6, 9])
    release = release_of(table, [0, 0, 1, 1])
    assert "shows 100 % of the variation between records. Colors" in cluster_sentence(table, release)
    figure = cluster_figure(table, release)
    assert figure.layout.xaxis.title.text == "Principal direction 1 (100 % of the variation)"


def test_projection_is_that_of_the_indicator_columns():
    rng = np.random.default_rng(3)
    table = table_of(
        x=rng.normal(size=80),
        y=rng.normal(size=80).round(1),
        sex=rng.choice(["f", "m"], 80),
        zone=rng.choice(list("abc"), 80),
    )
    table = table.with_schema(table.schema.with_quasi(table.schema.names))
    points = points_of(table)
    parts = [points.numeric]
    for codes, weight in zip(points.codes.T, points.weights, strict=True):
        parts.append(np.eye(codes.max() + 1)[codes] * np.sqrt(weight / 2))
    full = np.hstack(parts) - np.hstack(parts).mean(axis=0)
    _, singular, turned = np.linalg.svd(full, full_matrices=False)
    places, shares = project(points)
    assert shares == pytest.approx((singular**2 / (singular**2).sum())[:2])
    for axis in range(2):
        direction = turned[axis] * np.sign(turned[axis][np.argmax(np.abs(turned[axis]))])
        assert places[:, axis] == pytest.approx(full @ direction)


def test_missing_values_stand_in_a_gutter_outside_all_outlines():
    for n in [40, 4_000]:
        a = np.arange(float(n))
        a[::10] = np.nan
        table = numbers(a=a, b=np.arange(float(n)) % 7)
        release = release_of(table, np.arange(n) // 4, k=4)
        picture = plane(table)
        low = picture.x.extent[0]
        assert picture.x.gutter is not None and picture.x.span[0] < picture.x.gutter < low
        assert np.all(picture.x.values[::10] == picture.x.gutter)
        figure = cluster_figure(table, release)
        assert figure.layout.annotations[0].text == "(missing)"
        assert low > figure.layout.shapes[0].x0 > picture.x.gutter
        assert f"Beyond the dotted line, with a missing value: {n // 10} records" in cluster_sentence(
            table, release
        )
        scene = Scene(picture, Groups.shown(release), "rectangles")
        assert scene.shapes is not None and scene.shapes.x.min() >= low


@pytest.mark.deep
def test_degenerate_tables_have_a_picture():
    cases = ("constant", "one group", "all suppressed", "all missing", "categories", "huge")
    for n, outlines, case in itertools.product((12, 3_600), ("rectangles", "hulls", "none"), cases):
        columns = {"a": np.arange(float(n)), "b": np.arange(float(n)) % 5}
        labels = np.arange(n) // 3
        if case == "constant":
            columns["b"] = np.full(n, 3.0)
        if case == "all missing":
            columns["b"] = np.full(n, np.nan)
        if case == "huge":
            columns["b"] = np.where(np.arange(n) % 2, 1e300, -1e300)
        table = numbers(**columns)
        if case == "categories":
            table = table.with_schema(table.schema.with_kinds({"a": "categorical", "b": "categorical"}))
        labels = {"one group": np.zeros(n, int), "all suppressed": np.full(n, -1)}.get(case, labels)
        figure = cluster_figure(table, release_of(table, labels), outlines=outlines, selected=0)
        json.loads(figure.to_json())
        low, high = figure.layout.yaxis.range
        assert low < high
        assert figure.layout.meta["alt"]


def test_dates_stand_on_a_date_axis():
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(20), unit="D")
    schema = Schema.infer(pd.DataFrame({"day": days, "v": np.arange(20.0)})).with_quasi(["day", "v"])
    table = table_of(schema, day=days, v=np.arange(20.0))
    figure = cluster_figure(table, release_of(table, np.arange(20) // 4))
    assert figure.layout.xaxis.type == "date"
    assert values(figure.data[7].x)[0] == pd.Timestamp("2020-01-01").value / 1e6


def test_markup_in_names_and_labels_is_only_text():
    columns = {EVIL: [EVIL, "b", "c", "d"] * 3, "v": np.arange(12.0)}
    schema = (
        Schema.infer(pd.DataFrame(columns))
        .with_quasi(columns)
        .with_kinds({EVIL: "categorical", "v": "numeric"})
    )
    table = table_of(schema, **columns)
    release = release_of(table, np.arange(12) // 3)
    for x, y in ((EVIL, "v"), ("v", EVIL)):
        figure = cluster_figure(table, release, x, y)
        layout = json.loads(figure.to_json())["layout"]
        for axis in (layout["xaxis"], layout["yaxis"]):
            for text in (axis["title"]["text"], *axis.get("ticktext", [])):
                assert not set(text) & set("<>$")
                assert "%{" not in text
        for trace in figure.data:
            assert "img" not in str(trace.hovertemplate) + str(trace.text) + str(trace.name)


def test_many_categories_show_some_labels_in_order():
    columns = {"zip": [f"{i:04d}" for i in range(300)], "v": np.arange(300.0)}
    schema = (
        Schema.infer(pd.DataFrame(columns))
        .with_quasi(columns)
        .with_kinds({"zip": "categorical", "v": "numeric"})
    )
    table = table_of(schema, **columns)
    across = plane(table, "zip", "v").x
    down = plane(table, "v", "zip").y
    assert len(across.labels) <= 24 and across.labels[0] == "0000" and across.positions[0] == 0
    assert down.positions[0] == 299 and down.labels == across.labels
    assert np.all(np.round(across.values) == np.arange(300)) and np.all(
        np.round(down.values) == 299 - np.arange(300)
    )


def test_a_picture_is_the_same_every_time():
    for theme in THEMES:
        table, labels = cloud(3_500, 4)
        first = cluster_figure(table, release_of(table, labels, 4), theme=theme).to_json()
        again = Table.from_frame(table.frame, table.schema)
        assert cluster_figure(again, release_of(again, labels, 4), theme=theme).to_json() == first


def test_what_cannot_be_drawn_is_refused():
    table, labels = cloud(30, 5)
    release = release_of(table, labels)
    with pytest.raises(OptionError, match="hulls"):
        cluster_figure(table, release, outlines="circles")
    with pytest.raises(OptionError, match="Choose two columns"):
        cluster_figure(table, release, x="x")
    with pytest.raises(SchemaError, match="no column"):
        cluster_figure(table, release, x="x", y="nothing")
    with pytest.raises(OptionError, match="dark"):
        cluster_figure(table, release, theme="sepia")


def test_many_records_say_that_gray_is_where_they_are():
    table, labels = cloud(1_800, 4)
    labels[:40] = -1
    release = release_of(table, labels, k=4)
    figure, said = cluster_figure(table, release), cluster_sentence(table, release)
    assert figure.layout.meta["alt"] == said and "Colors" not in said
    assert "The gray also counts 40 suppressed records. Gray shows where records are; 12 groups are" in said
    assert cluster_sentence(table, release, brief=True).count(". ") == 1
    assert len(figure.layout.images) == 1


def test_density_is_every_record_spread_around_its_place():
    rng = np.random.default_rng(5)
    x, y = rng.uniform(2, 8, (2, 60))
    x[:3] = np.nan
    picture = plane(numbers(x=x, y=y))
    found, (columns, rows) = picture.density, CELLS
    assert found.shape == (rows, columns) and found.sum() == pytest.approx(60, rel=0.08)  # but for the tails
    expected, (down, across) = np.zeros((rows, columns)), np.mgrid[:rows, :columns]
    (left, right), (low, high) = picture.x.span, picture.y.span
    for px, py in zip(picture.x.values, picture.y.values, strict=True):
        column = int((px - left) / (right - left) * columns)
        row = rows - 1 - int((py - low) / (high - low) * rows)
        expected += np.exp(-((across - column) ** 2 + (down - row) ** 2) / 8) / (8 * np.pi)
    assert np.abs(np.where(found > 0, found - expected, 0)).max() < 1e-3 * expected.max()
    assert expected[found == 0].max() < 0.11 / (8 * np.pi)


def test_the_gray_picture_is_the_same_at_every_k_and_small():
    table = cloud(30_000, 3)[0]
    sources = [
        cluster_figure(table, release_of(table, cloud(30_000, size)[1], k=size)).layout.images[0].source
        for size in (3, 30)
    ]
    assert sources[0] == sources[1] and len(sources[0]) < 40_000
