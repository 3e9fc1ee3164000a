"""Categories of products: read, edited, proposed, and in place of the products from reading to recipe."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.report import command_line, release_bytes, script
from kanon_core.table.hierarchy.category_map import UNKNOWN
from kanon_core.table.hierarchy.proposals import described
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of

MAP = kc.CategoryMap((("A", "kitchen"), ("B", "kitchen"), ("C", "toys"), ("Z", "toys")))


def test_a_file_of_lines_product_category():
    for text in (
        "A;kitchen\nB;kitchen\nC;toys\nZ;toys\n",
        "product,category\nA,kitchen\nB,kitchen\nC,toys\nZ,toys",
        "A\tkitchen\r\nB\tkitchen\r\n\r\nC\ttoys\r\nZ\ttoys",
        '"A";" kitchen "\nB;kitchen\nC;toys\nZ;toys\n',
    ):
        assert kc.read_categories(text.encode()) == MAP
    assert kc.read_categories(MAP.to_csv().encode()) == MAP
    odd = kc.CategoryMap((("a;b", 'say "x"'), ("x,y", "1"), ("two\rlines", "and\nmore")))
    assert kc.read_categories(odd.to_csv().encode()) == odd
    assert MAP.sizes == {"kitchen": 2, "toys": 2}


def test_what_is_wrong_with_a_file_is_named():
    for text, problem in [
        ("A;x\nB;y\nA;z\n", "lists values more than once: “A”"),
        ("A;x\nB;y\nA;x\nB;x", "lists values more than once: “A” and 1 more"),
        ("A;x\nB\n", "Row 2 of the categories"),
        ("A;x\nB;\n", "Row 2 of the categories"),
        ("A;x\nB;y;z\n", "Row 2 of the categories"),
        ("\n\n", "is empty"),
    ]:
        with pytest.raises(kc.KanonError, match=problem):
            kc.read_categories(text.encode())


def test_categories_replace_the_items_of_sets_from_reading_to_the_audit_of_the_file(tmp_path):
    frame = pd.DataFrame({"basket": ["A;B", "B;C", "A;C;Q", "C", "", "A;B"]})
    schema = kc.Schema.infer(frame).with_kinds({"basket": "items"}).with_roles({"basket": "quasi_identifier"})
    table = kc.Table.from_frame(frame, schema.with_categories({"basket": MAP}))
    column = table["basket"]
    assert column.labels == ("kitchen", "toys", UNKNOWN)
    sets = np.split(column.items, column.starts[1:-1])
    assert [found.tolist() for found in sets] == [[0], [0, 1], [0, 1, 2], [1], [], [0]]
    bare = table.with_schema(table.schema.with_categories({"basket": None}))
    assert bare["basket"].labels == ("A", "B", "C", "Q") and bare.digest != table.digest
    assert kc.Schema.from_json(table.schema.to_json()) == table.schema
    release = kc.anonymize(table, kc.TopDown(), 2)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    content = release_bytes(release)
    assert not {"A", "B", "C", "Q"} & set(content.decode().replace("{", " ").replace("}", " ").split())
    back = kc.read_release(content, table)
    np.testing.assert_array_equal(back.consistency().matches, release.consistency().matches)
    (tmp_path / "recipe.json").write_text(release.recipe.to_json())
    again = kc.repeat(kc.Table.from_frame(frame), kc.Recipe.from_json((tmp_path / "recipe.json").read_text()))
    assert release_bytes(again) == content


def test_categories_replace_products_and_what_is_not_named_is_unknown():
    frame = frame_of(["a", "b", "a", "b"]).assign(product=["A", "B", "C", "Q"])
    table = table_of(frame)
    changed = table.with_schema(table.schema.with_categories({"product": MAP}))
    assert changed["product"].labels == ("kitchen", "toys", UNKNOWN)
    assert changed["product"].codes.tolist() == [0, 0, 1, 2]
    assert MAP.unknown(frame["product"]) == ("Q",)
    assert changed.data_digest == table.data_digest and changed.digest != table.digest
    back = changed.with_schema(changed.schema.with_categories({"product": None}))
    assert back["product"].labels == ("A", "B", "C", "Q") and back.digest == table.digest
    release = kc.anonymize(changed, kc.PurchaseHistories(), k=2)
    assert not release.to_frame()["product"].str.contains("[ABCQ]").any()


def test_a_missing_product_stays_missing():
    table = table_of(frame_of(["a", "b", "a"]).assign(product=pd.Series(["A", None, "C"], dtype="str")))
    changed = table.with_schema(table.schema.with_categories({"product": MAP}))
    assert changed["product"].labels == ("kitchen", "toys", "(missing)")


def test_editing_gives_other_maps():
    assert MAP.with_products(["A", "new"], "garden").of == {
        "A": "garden",
        "B": "kitchen",
        "C": "toys",
        "Z": "toys",
        "new": "garden",
    }
    assert MAP.renamed("toys", "kitchen").sizes == {"kitchen": 4}
    with pytest.raises(kc.SchemaError, match="no category “x”"):
        MAP.renamed("x", "y")


def test_categories_are_for_categorical_columns():
    with pytest.raises(
        kc.SchemaError,
        match="map of categories of column “price” needs the kind categorical, text or items, not numeric",
    ):
        kc.Attribute("price", kind="numeric", categories=MAP)
    schema = kc.Schema((kc.Attribute("product", categories=MAP),))
    assert schema.with_kinds({"product": "numeric"})["product"].categories is None
    assert kc.Schema.from_json(json.loads(json.dumps(schema.to_json()))) == schema
    for wrong in ([["A"]], 7, [["A", "x"], ["A", "y"]], []):
        with pytest.raises(kc.SchemaError):
            kc.CategoryMap.from_json(wrong)


@pytest.mark.deep
def test_recipe_script_and_command_repeat_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame_of(customers_of([4, 3, 3, 2])).to_csv("bought.csv", index=False)
    table = kc.read_table("bought.csv")
    roles = {
        "customer": "person",
        **dict.fromkeys(("day", "product", "price", "quantity"), "quasi_identifier"),
    }
    odd = kc.CategoryMap((("A", 'a "b"=c'), ("B", "x"), ("C", "x"), ("D", "$HOME")))
    table = table.with_schema(table.schema.with_roles(roles).with_categories({"product": odd}))
    release = kc.anonymize(table, kc.PurchaseHistories(), k=2)
    recipe = kc.Recipe.from_json(release.recipe.to_json())
    assert release_bytes(kc.repeat(kc.read_table("bought.csv"), recipe)) == release_bytes(release)
    exec(script(release, "bought.csv"), {})
    made = [path for path in tmp_path.iterdir() if path.name != "bought.csv"]
    assert len(made) == 1 and made[0].read_bytes() == release_bytes(release)
    made[0].unlink()
    line = command_line(release, "bought.csv").replace("python -m", f"{sys.executable} -m", 1)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=_environment())
    assert done.returncode == 0, done.stderr
    assert made[0].read_bytes() == release_bytes(release)


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    return {**os.environ, "PYTHONPATH": str(Path(kc.__file__).parents[1])}


def shop(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    words = {"mug": "ceramic kitchen", "pencil": "writing paper", "lamp": "garden light"}
    kinds = np.array(list(words))[rng.integers(0, 3, n)]
    code = [f"{kind[0]}{rng.integers(0, 20)}" for kind in kinds]
    text = [f"{rng.choice(['red', 'blue', 'old'])} {kind.upper()} {words[kind]}" for kind in kinds]
    return pd.DataFrame({"code": code, "text": text})


def test_proposed_categories_follow_the_words_of_descriptions():
    frame = shop()
    found = kc.propose_categories(frame["code"], frame["text"], count=3)
    assert set(found.of) == set(frame["code"]) and len(found.sizes) == 3
    by_letter = {}
    for product, category in found.pairs:
        by_letter.setdefault(product[0], set()).add(category)
    assert all(len(names) == 1 for names in by_letter.values())
    assert all(any(word in name for word in ("mug", "ceramic", "kitchen")) for name in by_letter["m"])
    assert kc.propose_categories(frame["code"], frame["text"], count=3) == found


def test_products_without_description_are_unknown_and_missing_products_left_out():
    frame = shop(60)
    codes = [*frame["code"], "bare", "bare", None]
    texts = [*frame["text"], None, "77", "a lamp"]
    found = kc.propose_categories(codes, texts, count=4)
    assert found.of["bare"] == UNKNOWN and len(found.sizes) == 4 and len(found.of) == len(set(codes)) - 1


def test_a_product_s_description_is_its_most_frequent_one():
    texts = described(["p", "p", "p", "q", "q", "r"], ["x", "y", "y", "b", "a", None])
    assert texts.to_dict() == {"p": "y", "q": "a", "r": ""}


@pytest.mark.parametrize(
    "codes",
    [[84879.0, 22423.0, np.nan, 47566.0] * 3, ["A ", "B", " ", " C"] * 3, ["A", " A", "", "C\t"] * 3],
)
def test_proposed_categories_know_the_values_of_the_column(codes):
    frame = pd.DataFrame({"code": codes, "text": ["red mug", "blue lamp", "lost thing", "green vase"] * 3})
    found = kc.propose_categories(frame["code"], frame["text"], count=5)
    schema = kc.Schema.infer(frame).with_kinds({"code": "categorical"}).with_categories({"code": found})
    column = kc.Table.from_frame(frame, schema)["code"]
    named = frame["code"].map(lambda code: str(code).strip() not in ("", "nan")).to_numpy()
    labels = np.array(column.labels)[column.codes]
    assert UNKNOWN not in labels[named] and not set(labels[~named]) & set(found.sizes)
    assert found.unknown(frame["code"].dropna().astype(str).str.removesuffix(".0")) in ((), ("",), (" ",))


def test_blanks_around_a_product_do_not_count():
    assert MAP.categories_of([" A", "A", "C ", "D"]) == ["kitchen", "kitchen", "toys", UNKNOWN]
    assert MAP.unknown([" A", " D", "C"]) == (" D",)
    assert MAP.with_products([" A", "D "], "new").of == {
        "A": "new",
        "B": "kitchen",
        "C": "toys",
        "Z": "toys",
        "D": "new",
    }


def test_an_illegal_number_of_categories():
    for count in [0, 1, 201, True, 2.5, "many", float("nan"), None]:
        with pytest.raises(kc.OptionError, match="from 2 to 200"):
            kc.propose_categories(["a"], ["mug"], count=count)


def test_descriptions_without_words():
    with pytest.raises(kc.InputError, match="No product has a description"):
        kc.propose_categories(["a", "b"], ["1", None])
    with pytest.raises(kc.InputError, match="no words that distinguish"):
        kc.propose_categories(["a", "b"], ["the and", "and the"])
