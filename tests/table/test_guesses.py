"""Guesses of the roles of columns: names are a hint, values decide."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.table.guesses import role_reasons
from kanon_core.table.identifiers import checkdigits
from kanon_core.table.identifiers.national import NUMBERS, personal_number
from kanon_core.table.schema import Schema

N = 500
DRAW = np.random.default_rng(0)
TEXTS = {
    "sixty remarks": [f"Mr. Kim of bed {i % 60} asked for a call back, was sad" for i in range(N)],
    "one repeats": [f"She moved to house {i} after the fall." for i in range(60)] + ["No remark."] * 440,
    "japanese": [f"患者{i}番は、田中さんの紹介で来院した。" for i in range(60)] + ["特記事項なし。"] * 440,
    "german": [f"Frau Meier aus Ort {i} hat nicht bezahlt und ist weg" for i in range(N)],
}
NO_TEXTS = {
    "occupation": ["Registered nurse", "Teacher, primary school", "Farm workers and laborers, crop"],
    "product": ["WHITE HANGING HEART T-LIGHT HOLDER", "SET OF 3 CAKE TINS, PANTRY DESIGN", "TEA TOWEL"],
    "town": ["Frankfurt am Main", "Stratford upon Avon", "Villanueva de la Cañada", "東京都千代田区"],
    "opinion": ["I strongly agree with this.", "I do not agree.", "Neither one nor the other."],
    "diagnosis code": [
        "Type 2 diabetes mellitus without complications",
        "Malignant neoplasm of the lower lobe of lung, not elsewhere classified",
        "Acute upper respiratory infection, unspecified",
    ],
    "職業": ["看護師", "小学校の先生", "トラック運転手"],
}


def guessed(name: str, values: object) -> tuple[str, str]:
    attribute = Schema.infer(pd.DataFrame({name: values}))[name]
    return attribute.role, attribute.kind


def test_sentences_are_free_text_and_left_out():
    for name, cells in TEXTS.items():
        assert guessed("remark", cells) == ("identifier", "text"), name
        assert guessed("remark", pd.Categorical(cells)) == ("identifier", "text"), name


def test_words_that_many_records_share_are_none():
    for name, words in NO_TEXTS.items():
        role, kind = guessed(name, [words[i] for i in DRAW.integers(0, len(words), N)])
        assert kind == "categorical" and role in ("quasi_identifier", "sensitive"), name
    titles = [f"Malignant neoplasm of part {i} of lung, unspecified" for i in range(200)]
    assert guessed("icd", [titles[i] for i in DRAW.integers(0, 200, 2_000)])[1] == "categorical"
    addresses = [f"{i} Main Street, Springfield, IL 627{i:02d}" for i in range(300)]
    assert guessed("site", [addresses[i] for i in DRAW.integers(0, 300, 5_000)])[1] == "categorical"


@pytest.mark.parametrize(
    "name",
    ["rownames", "RowNumber", "No", "Index", "Unnamed: 0", "column_1", "caseid", "Nr", "S.No", "length"],
)
def test_numbers_of_rows_are_identifiers(name):
    for values in (range(1, 31), [float(v) for v in range(30)], [f"{v:03d}" for v in range(30)]):
        assert guessed(name, values)[0] == "identifier"
    assert guessed("length", range(1001, 1031))[0] == "identifier"


def test_numbers_of_staff_and_cases_are_identifiers_without_rising_by_one():
    apart = np.cumsum(DRAW.integers(1, 4, 30))
    for name in ("EmployeeNumber", "caseid", "S.No", "Nr", "Index"):
        assert guessed(name, apart)[0] == "identifier", name


def test_measures_are_no_numbers_of_rows():
    for name, values in (
        ("age", [30, 31, 32]),
        ("age", DRAW.integers(18, 90, 300)),
        ("x", [1, 2, 3]),
        ("index", DRAW.permutation(900)[:300]),
        ("number of children", [0, 1, 2, 3] * 9),
        ("height", np.linspace(150, 190, 30)),
    ):
        assert guessed(name, values)[0] == "quasi_identifier", name


def test_a_weight_of_a_survey_is_told_from_that_of_a_body():
    kilos, people = DRAW.normal(75, 9, 60).round(1), DRAW.integers(900, 40_000, 60)
    for name in ("fnlwgt", "pw", "survey_weight", "PERWT", "final weight", "AFNLWGT", "weight"):
        assert guessed(name, people)[0] == "sampling_weight", name
    for name in ("body_weight", "birth weight", "weight_kg", "weight"):
        assert guessed(name, kilos)[0] == "quasi_identifier", name
    both = pd.DataFrame({"weight": 1000 * kilos, "height": kilos, "pwt1": people, "pwt2": people})
    roles = {a.name: a.role for a in Schema.infer(both)}
    assert roles["weight"] == "quasi_identifier"
    assert [roles["pwt1"], roles["pwt2"]] == ["sampling_weight", "identifier"]
    assert guessed("pw", [0, *people])[0] == "identifier"
    doubt = kc.Table.from_frame(pd.DataFrame({"weight": kilos}))
    assert "sampling_weight" in role_reasons(doubt)["weight"]


def test_numbers_of_households_are_asked_about():
    for name in ("household_id", "hhid", "HHID", "hh_no", "family_id"):
        assert guessed(name, np.arange(90) // 3)[0] == "undecided", name
    assert guessed("household_size", np.arange(90) % 5)[0] == "quasi_identifier"


def test_few_values_name_nobody():
    for name, values in (
        ("address", ["U", "R"]),
        ("PULocationID", range(1, 13)),
        ("clinic_name", ["A", "B", "C"]),
        ("phone", ["yes", "no"]),
        ("own_telephone", ["none", "yes", "{none, yes}"]),
        ("phone", ["home", "mobile", "none"]),
    ):
        assert guessed(name, [*values] * 20)[0] == "quasi_identifier", name
    assert guessed("phone", ["yes", "no", "no"])[0] == "quasi_identifier"
    for name, values in (
        ("full name", ["Ann Lee", "Bob Ray"]),
        ("bill_id", [1, 2]),
        ("address", ["1 Elm St 62701", "2 Elm St 62702"]),
    ):
        assert guessed(name, [*values] * 20)[0] in ("identifier", "undecided"), name
    assert guessed("phone", ["030 1234567", "030 7654321", "040 1112223"] * 20)[0] == "undecided"


VALID = {
    "individual number (My Number)": (12, checkdigits.my_number),
    "citizen service number (BSN)": (9, checkdigits.bsn),
    "PESEL": (11, checkdigits.pesel),
    "personal identity number (personnummer)": (10, checkdigits.personnummer),
    "taxpayer number (CPF)": (11, checkdigits.cpf),
    "Aadhaar number": (12, checkdigits.verhoeff),
    "device number (IMEI)": (15, checkdigits.luhn),
}


def valid(title: str, count: int = 40) -> list[str]:
    """Different numbers of this kind, in no order."""
    length, check = VALID[title]
    digits = DRAW.integers(0, 10, (20_000, length))
    digits[:, 0] = DRAW.integers(2, 9, len(digits))
    digits = digits[check(digits)][:count]
    return ["".join(map(str, row)) for row in digits.tolist()]


@pytest.mark.parametrize("title", VALID)
def test_numbers_of_persons_are_told_by_their_check_digits(title):
    texts = valid(title)
    assert len(set(texts)) == 40
    for values in (texts, [int(text) for text in texts], [float(text) for text in texts]):
        number = personal_number(pd.Series(values))
        assert number is not None and guessed("value", values)[0] == "identifier"
    assert guessed("value", texts * 2)[0] == guessed("value", [int(t) for t in texts] * 2)[0] == "undecided"
    slipped = [int(text[:-1] + str((int(text[-1]) + 1) % 10)) for text in texts]
    assert guessed("value", slipped)[0] == "quasi_identifier"


def test_known_examples_of_other_numbers():
    for title, example in (
        ("identity number (DNI, NIE)", "12345678-Z"),
        ("identity number (DNI, NIE)", "X1234567L"),
        ("registration number (NIR)", "255081416802538"),
        ("insured person's number (AHV, AVS)", "756.9217.0769.85"),
        ("bank account number (IBAN)", "GB82 WEST 1234 5698 7654 32"),
        ("card number", "4111 1111 1111 1111"),
        ("tax code (codice fiscale)", "RSSMRA85T10A562S"),
        ("National Insurance or NHS number", "QQ 12 34 56 C".replace("QQ", "AB")),
        ("vehicle identification number (VIN)", "1M8GDM9AXKP042788"),
        ("phone number", "+49 30 1234567"),
        ("e-mail address", "a.b@example.org"),
    ):
        (number,) = (number for number in NUMBERS if number.title == title)
        assert number.holds([example]), title
        assert not number.holds(["Oslo"]) and not number.holds(["20200102"])


@pytest.mark.parametrize(
    "name",
    [
        "マイナンバー",
        "住民票コード",
        "BSN",
        "pesel",
        "personnummer",
        "DNI",
        "cpf",
        "codice_fiscale",
        "IBAN",
        "IMEI",
    ]
    + [
        "codice_fiscale",
        "NINO",
        "Telefonnummer",
        "e-mail",
        "Kontonummer",
        "card_number",
        "Aadhaar",
        "AHV-Nr",
        "VIN",
    ],
)
def test_names_in_their_languages_are_enough(name):
    numbers = DRAW.integers(10**8, 10**9, 8)
    assert guessed(name, numbers)[0] == "identifier"
    assert guessed(name, [*numbers, numbers[0]])[0] == "undecided"


def test_short_names_of_other_meaning_go_by_values():
    for name in ("dni", "vin", "nir", "bsn"):
        assert guessed(name, DRAW.integers(1, 30, 90))[0] == "quasi_identifier", name


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(7, 15), st.sampled_from(["income", "amount", "value"]))
def test_measures_are_no_numbers_of_persons(seed, digits, name):
    rng = np.random.default_rng(seed)
    whole = rng.integers(10 ** (digits - 1), 10**digits, 60)
    for values in (whole, whole // 1000 * 1000, whole.astype(float), whole / 100, np.sort(whole)):
        assert guessed(name, values)[0] in ("quasi_identifier", "sensitive")
    assert guessed("x", rng.uniform(-180, 180, 60))[0] == "quasi_identifier"


def test_every_column_says_why():
    frame = pd.DataFrame({"No": range(40), "age": [30, 31] * 20, "remark": TEXTS["german"][:40]})
    why = role_reasons(kc.Table.from_frame(frame))
    assert list(why) == list(frame) and "row numbers" in why["No"] and "free text" in why["remark"]
    said = kc.Table.from_frame(frame, Schema.infer(frame).with_roles({"No": "other"}))
    assert role_reasons(said)["No"] == "given, not guessed"
