"""Session files: what goes in comes back, nothing else is inside, and nothing hostile opens."""

from __future__ import annotations

import base64
import json
import math
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.session import SessionError, SessionFile, Step, fitted, seal
from kanon_core.session import file as session_file
from kanon_core.table.samples import SAMPLES
from tests.helpers import looped

PASSPHRASE = "correct horse battery"
SECRET = 0xC0FFEE1234567890ABCDEF0987654321


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    """Scrypt at a thousandth of its cost."""
    monkeypatch.setattr(seal, "_COST", 2**7)


def table_of(name: str = "people-100") -> kc.Table:
    return kc.read_table(f"sample:{name}")


def file_of(table: kc.Table, **changes) -> SessionFile:
    algorithm = kc.MIL(start=kc.VMDAV(gamma=1.0))
    point = kc.SweepPoint(
        algorithm, 7, {"NCP": 0.25}, 0.5, "", kc.MDAV(), SECRET + 1, False, {"NCP": 0.01}, {"NCP": ("why",)}
    )
    usual = SessionFile(
        source="people.csv",
        records=len(table),
        schema=table.schema,
        setting=Step(algorithm, 7, SECRET),
        reading={"format": "csv", "header": True, "missing": ("?",)},
        given_order=True,
        history=(Step(kc.MDAV(), 5, SECRET), Step(kc.Sorting(by=("age",)), 3, 12345678901)),
        compared=(kc.MDAV(), kc.TopDown()),
        secret=SECRET,
        data_digest=table.data_digest,
        points=(point, kc.SweepPoint(kc.MDAV(), 500, {}, 0.0, "too few records", seed=SECRET)),
        reasons={"one person stands alone": "she agreed"},
        ways=(kc.ILD(p=1.5), kc.NCP()),
        balances=(point,),
        plain_balances=(point, point),
        pins={"A": Step(kc.MDAV(), 9, SECRET), "C": Step(kc.Sorting(), 3, 5)},
    )
    return replace(usual, **changes)


def open_part(file: SessionFile) -> SessionFile:
    """Return the part of a session that can be read without its passphrase."""
    steps = tuple(replace(step, seed=None) for step in file.history)
    pins = {letter: replace(step, seed=None) for letter, step in file.pins.items()}
    setting = replace(file.setting, seed=None)
    hidden = dict.fromkeys(("points", "balances", "plain_balances"), ())
    return replace(
        file, setting=setting, history=steps, pins=pins, secret=None, data_digest="", reasons={}, **hidden
    )


algorithms = st.sampled_from([cls() for cls in kc.ALGORITHMS]) | st.builds(
    kc.VMDAV, gamma=st.floats(0, 2, allow_nan=False)
)
seeds = st.integers(0, 2**128 - 1)
steps = st.builds(Step, algorithms, st.integers(2, 10**9), seeds)
words = st.text(max_size=20)
columns = st.builds(
    kc.Attribute, words, st.sampled_from(["quasi_identifier", "sensitive", "other"]),
    weight=st.floats(0, 1000),
)  # fmt: skip
schemas = st.lists(columns, min_size=1, max_size=5, unique_by=lambda one: one.name).map(
    lambda found: kc.Schema(tuple(found))
)
points = st.builds(
    kc.SweepPoint,
    algorithms,
    st.integers(2, 10**9),
    st.dictionaries(st.sampled_from(["NCP", "ILSSDM"]), st.floats(allow_nan=False)),
    st.floats(0, 1e6),
    words,
    st.none() | algorithms,
    seeds,
    st.booleans(),
    notes=st.dictionaries(st.just("NCP"), st.tuples(words)),
)
files = st.builds(
    SessionFile,
    words.filter(lambda name: not name.startswith("sample:")) | st.just("sample:nine"),
    st.integers(1, 10**7),
    schemas,
    steps,
    st.fixed_dictionaries(
        {}, optional={"format": st.just("csv"), "header": st.booleans(), "sample": st.just("nine")}
    ),
    st.booleans(),
    st.lists(steps, max_size=4).map(tuple),
    st.lists(algorithms, max_size=3).map(tuple),
    st.none() | seeds,
    st.text("0123456789abcdef", min_size=64, max_size=64),
    st.lists(points, max_size=3).map(tuple),
    st.dictionaries(words, words, max_size=2),
    st.binary(max_size=300),
    ways=st.lists(st.builds(kc.ILD, p=st.floats(1, 4)), max_size=2).map(tuple),
    balances=st.lists(points, max_size=2).map(tuple),
    plain_balances=st.lists(points, max_size=2).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(file=files, passphrase=st.text(min_size=8, max_size=20))
def test_what_is_saved_comes_back(file, passphrase):
    plain = SessionFile.from_bytes(file.to_bytes())
    assert plain == open_part(file)
    locked = SessionFile.from_bytes(file.to_bytes(passphrase))
    assert replace(locked, sealed=None) == open_part(replace(file, data=b""))
    assert locked.unlocked(passphrase) == file


def test_scores_that_are_not_defined_come_back():
    point = kc.SweepPoint(kc.MDAV(), 2, {"NCP": math.nan, "ILSSDM": math.inf}, 0.0, seed=1)
    file = file_of(table_of(), points=(point,))
    (found,) = SessionFile.from_bytes(file.to_bytes(PASSPHRASE)).unlocked(PASSPHRASE).points
    assert math.isnan(found.scores["NCP"]) and found.scores["ILSSDM"] == math.inf


def test_a_passphrase_may_be_typed_in_several_ways():
    file = file_of(table_of())
    content = file.to_bytes("パスワード、長い")
    assert SessionFile.from_bytes(content).unlocked("ﾊﾟｽﾜｰﾄﾞ､長い") == file


def test_no_cell_is_inside_unless_asked():
    """Every cell is unique and long, so that it cannot be there by chance."""
    import pandas as pd

    cells = [f"cell-{i:03}-{'abcdefgh'[i % 8] * 9}" for i in range(60)]
    frame = pd.DataFrame({"name": cells[:30], "town": cells[30:], "income": range(700_001, 700_031)})
    table = kc.Table.from_frame(frame)
    texts = [*cells, *map(str, frame["income"])]
    file = file_of(table, points=(), history=())
    for content in (file.to_bytes(), file.to_bytes(PASSPHRASE)):
        assert not [text for text in texts if text.encode() in content]
        assert table.data_digest.encode() not in content and table.digest.encode() not in content
    kept = file.with_data(table)
    parquet = base64.b64decode(json.loads(kept.to_bytes())["data"])
    assert parquet.startswith(b"PAR1")
    assert SessionFile.from_bytes(kept.to_bytes()).table().data_digest == table.data_digest
    assert "data" not in json.loads(kept.to_bytes(PASSPHRASE))
    again = SessionFile.from_bytes(kept.to_bytes(PASSPHRASE)).unlocked(PASSPHRASE)
    assert again.table().data_digest == table.data_digest


def written_forms(seed: int) -> list[bytes]:
    """Return the forms in which a seed might stand in a text."""
    found = [str(seed), f"{seed:x}", f"{seed:X}", f"{seed:o}", f"{seed:b}", str(seed)[:12], f"{seed:x}"[:12]]
    raw = [seed.to_bytes(16, order) for order in ("big", "little")]
    for one in (*raw, str(seed).encode(), f"{seed:x}".encode()):
        for skip in range(3):  # base64 depends on where the bytes begin
            codes = (base64.b64encode, base64.urlsafe_b64encode)
            found += [code(b"\0" * skip + one).decode()[4:-4] for code in codes]
    return [*raw, *(text.encode() for text in found)]


def test_the_seed_is_never_in_the_clear():
    table = table_of()
    file = file_of(table).with_data(table)
    for content in (file.to_bytes(), file.to_bytes(PASSPHRASE)):
        decoded = b"".join(base64.b64decode(text) for text in texts_of(json.loads(content), 40))
        for seed in (SECRET, SECRET + 1, 12345678901):
            for form in written_forms(seed):
                assert form not in content and form not in decoded
        assert PASSPHRASE.encode() not in content + decoded
    assert repr(SECRET) not in repr(file)


def texts_of(data, least: int) -> list[str]:
    if isinstance(data, dict | list):
        inner = data.values() if isinstance(data, dict) else data
        return [text for one in inner for text in texts_of(one, least)]
    return [data] if isinstance(data, str) and len(data) >= least else []


def test_two_files_of_one_session_share_nothing_that_is_encrypted():
    first, second = (json.loads(file_of(table_of()).to_bytes(PASSPHRASE))["sealed"] for _ in range(2))
    assert not [name for name in first if first[name] == second[name]]


def test_another_passphrase_opens_nothing_and_says_so():
    locked = SessionFile.from_bytes(file_of(table_of()).to_bytes(PASSPHRASE))
    for wrong in ("", "another passphrase", PASSPHRASE + " ", PASSPHRASE.upper()):
        with pytest.raises(
            SessionError,
            match=r"The passphrase is wrong, or the session file was changed.*nothing was opened",
        ):
            locked.unlocked(wrong)
    with pytest.raises(SessionError, match="at least 8 characters"):
        file_of(table_of()).to_bytes("short")
    with pytest.raises(SessionError, match="needs no passphrase"):
        SessionFile.from_bytes(file_of(table_of()).to_bytes()).unlocked(PASSPHRASE)


def test_whatever_was_changed_is_noticed():
    """Each entry beside the encrypted part, and a byte of each of its three."""
    data = json.loads(file_of(table_of()).to_bytes(PASSPHRASE))
    changes = {
        "kanon": "0.0.9",
        "source": "other.csv",
        "records": 99,
        "order": "keyed",
        "reading": {},
        "schema": [*data["schema"][:-1], {**data["schema"][-1], "role": "other"}],
        "setting": {**data["setting"], "k": 2},
        "history": data["history"][::-1],
        "compared": [],
        "ways": [],
        "pins": {"A": data["pins"]["C"]},
    }
    assert set(changes) == set(data) - {"kanon_session", "sealed"}
    for part, text in data["sealed"].items():
        raw = bytearray(base64.b64decode(text))
        raw[len(raw) // 2] ^= 1
        changed = {**data["sealed"], part: base64.b64encode(raw).decode()}
        with pytest.raises(SessionError, match="changed after it was saved"):
            SessionFile.from_bytes(json.dumps({**data, "sealed": changed})).unlocked(PASSPHRASE)
    for name, value in changes.items():
        assert data[name] != value
        found = SessionFile.from_bytes(json.dumps({**data, name: value}))
        with pytest.raises(SessionError, match="changed after it was saved"):
            found.unlocked(PASSPHRASE)
    laid_out = json.dumps(data, indent=7, sort_keys=True)  # which means the same
    assert SessionFile.from_bytes(laid_out).unlocked(PASSPHRASE) == file_of(table_of())


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch):
    content = file_of(table_of()).to_bytes(PASSPHRASE)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(SessionError, match="pip install cryptography"):
        file_of(table_of()).to_bytes(PASSPHRASE)
    with pytest.raises(SessionError, match="pip install cryptography"):
        SessionFile.from_bytes(content).unlocked(PASSPHRASE)
    assert SessionFile.from_bytes(file_of(table_of()).to_bytes()).setting.k == 7


DEEP = "[" * 100_000 + "]" * 100_000
STEP = {"algorithm": {"name": "MDAV", "options": {}}, "k": 3}


@pytest.mark.deep
@looped(
    "changes",
    [
        {"kanon_session": 2},
        {"kanon_session": True},
        {"kanon_session": "1"},
        {"kanon": 1},
        {"source": ...},
        {"source": "x" * 501},
        {"source": "sample:no-such"},
        {"records": 0},
        {"records": 1.5},
        {"order": "any"},
        {"reading": {"format": 3}},
        {"reading": {"open": "anything"}},
        {"reading": []},
        {"schema": []},
        {"schema": {}},
        {"schema": [{"role": "other"}]},
        {"schema": [{"name": 5}]},
        {"schema": [{"name": "x", "role": "king"}]},
        {"schema": [{"name": "x", "weight": 1e400}]},
        {"schema": [{"name": "x", "surprise": 1}]},
        {"schema": [{"name": "x"}, {"name": "x"}]},
        {"schema": [{"name": f"{i}"} for i in range(2001)]},
        {"schema": [{"name": "x", "hierarchy": DEEP}]},
        {"schema": [{"name": "x", "distance": STEP["algorithm"]}]},
        {"setting": {**STEP, "k": 1}},
        {"setting": {**STEP, "k": 10**10}},
        {"setting": {**STEP, "k": True}},
        {"setting": {**STEP, "seed": 3}},
        {"setting": {**STEP, "algorithm": {"name": "NCP", "options": {}}}},
        {"setting": {**STEP, "algorithm": {"name": "MDAV", "options": {"x": 1}}}},
        {"setting": {**STEP, "algorithm": {"name": "VMDAV", "options": {"gamma": 3}}}},
        {"setting": {**STEP, "algorithm": {"name": "eval", "options": {}}}},
        {"setting": {**STEP, "algorithm": {"name": ["MDAV"], "options": []}}},
        {"setting": None},
        {"history": [STEP] * 101},
        {"history": [3]},
        {"pins": {"E": STEP}},
        {"pins": {"A": 3}},
        {"compared": ["MDAV"]},
        {"ways": ["NCP"]},
        {"ways": [STEP["algorithm"]]},
        {"ways": [{"name": "ILD", "options": {"p": -1}}]},
        {"ways": None},
        {"data": "not base64!"},
        {"data": 5},
        {"sealed": {}},
        {"sealed": {"salt": "AA==", "nonce": "AA==", "box": ""}},
        {"data": "", "sealed": {"salt": "", "nonce": "", "box": ""}},
        {"script": "<script>"},
    ],
)
def test_what_kanon_did_not_write_is_refused_in_a_sentence(changes):
    data = json.loads(file_of(table_of()).to_bytes())
    data = {name: value for name, value in {**data, **changes}.items() if value is not ...}
    with pytest.raises(kc.KanonError) as refused:
        SessionFile.from_bytes(json.dumps(data))
    assert str(refused.value).endswith(".") and len(str(refused.value)) < 600


@looped(
    "text", ["", "3", "null", "[]", "{}", "{", DEEP, '{"kanon_session": 1}', '{"a":' * 9999, "\0", "\ud800"]
)
def test_any_other_text_is_refused_in_a_sentence(text):
    with pytest.raises(kc.KanonError):
        SessionFile.from_bytes(text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_a_sentence(content):
    with pytest.raises(kc.KanonError):
        SessionFile.from_bytes(content)


def test_a_file_that_would_fill_the_memory_is_not_read():
    with pytest.raises(SessionError, match="too large for a session file"):
        SessionFile.from_bytes(b'{"kanon_session": 1, "history": [' + b"[]," * 600_000 + b"3]}")


@pytest.mark.deep
@looped("parquet", [b"PAR1", b"PAR1" + b"\0" * 100, b"a,b\n1,2\n", b"\x1f\x8b\x08"])
def test_damaged_data_are_refused_in_a_sentence(parquet):
    file = SessionFile.from_bytes(replace(file_of(table_of()), data=parquet).to_bytes())
    with pytest.raises(kc.KanonError):
        file.table()


@pytest.mark.deep
def test_the_data_of_all_samples_come_back_as_they_were():
    for sample in SAMPLES:
        table = table_of(sample.name)
        if len(table) > 20_000:
            continue
        file = file_of(table, reading=table.reading, given_order=False).with_data(table)
        found = SessionFile.from_bytes(file.to_bytes()).table()
        assert (found.digest, dict(found.reading)) == (table.digest, dict(table.reading)), sample.name


def test_a_recipe_is_a_session_whose_seed_is_known():
    table = table_of()
    release = kc.anonymize(table, kc.MDAV(), k=4)
    file = SessionFile.from_bytes(release.recipe.to_json())
    found = fitted(file, file.table())
    again = kc.anonymize(found.table, file.setting.algorithm, file.setting.k, file.setting.seed)
    assert found.same and not found.sentences and file.secret == release.recipe.seed
    assert again.publish().equals(release.publish())


def test_a_recipe_of_version_0_1_0_opens():
    """As it was written then: without an order, its seed a number."""
    release = kc.anonymize(table_of().in_given_order(), kc.MDAV(), k=4, seed=7)
    old = {**json.loads(release.recipe.to_json()), "kanon": "0.1.0"}
    del old["order"]
    assert old["seed"] == 7
    file = SessionFile.from_bytes(json.dumps(old))
    assert (file.version, file.given_order, file.source) == ("0.1.0", True, "sample:people-100")
    again = kc.anonymize(fitted(file, file.table()).table, file.setting.algorithm, 4, file.setting.seed)
    assert again.publish().equals(release.publish())


def test_a_file_saved_before_measures_were_kept_opens(monkeypatch):
    file = replace(file_of(table_of()), ways=(), balances=(), plain_balances=())
    data = json.loads(file.to_bytes())
    del data["ways"]
    assert SessionFile.from_bytes(json.dumps(data)) == open_part(file)
    usual = session_file.seal
    monkeypatch.setattr(session_file, "seal", lambda content, *more: usual(without(content), *more))
    old = file.to_bytes(PASSPHRASE)
    monkeypatch.undo()
    monkeypatch.setattr(seal, "_COST", 2**7)
    assert SessionFile.from_bytes(old).unlocked(PASSPHRASE) == file


def without(content: bytes) -> bytes:
    """The encrypted part as it was before the balances were in it."""
    line, _, rest = content.partition(b"\n")
    said = {name: value for name, value in json.loads(line).items() if "balances" not in name}
    return json.dumps(said).encode() + b"\n" + rest


def test_a_table_in_its_given_order_is_another_key_of_caches():
    table = table_of()
    given, keyed = (fitted(file_of(table, given_order=how), table).table for how in (True, False))
    assert given.given_order and not keyed.given_order
    assert given.digest != keyed.digest == table.digest and given.data_digest == table.data_digest
    back = fitted(file_of(table, given_order=False), given).table
    assert not back.given_order and back.digest == table.digest


def test_a_session_file_is_not_taken_for_a_recipe():
    with pytest.raises(kc.KanonError, match="This is a session file, not a recipe"):
        kc.Recipe.from_json(file_of(table_of()).to_bytes())


def test_of_another_table_what_fits_is_taken():
    frame = kc.load_sample("people-100")[["sex", "age"]].assign(more=1.5)
    schema = table_of().schema.with_weights({"age": 3.0}).with_roles({"sex": "sensitive"})
    found = fitted(file_of(table_of(), schema=schema), kc.Table.from_frame(frame))
    assert not found.same
    assert (found.table.schema["age"].weight, found.table.schema["sex"].role) == (3.0, "sensitive")
    assert [text.split(" column")[0] for text in found.sentences] == [
        "The table has no",
        "The session has no settings for the",
    ]


def test_a_hierarchy_that_misses_a_value_is_left_out():
    frame = kc.load_sample("people-100")[["sex"]]
    tree = kc.Hierarchy((("other value", "*"),))
    schema = kc.Schema((kc.Attribute("sex", hierarchy=tree),))
    found = fitted(file_of(table_of(), schema=schema), kc.Table.from_frame(frame))
    assert found.table.schema["sex"].hierarchy is None
    assert found.sentences == ("The session's settings do not fit the column “sex”, which stays as it is.",)
