"""Names of columns that look as if they tell whose record it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from kanon_core.table.naming import names_persons, numbers_persons
from kanon_core.table.schema import Schema

NUMBERS = """
    customer_id CustomerID customerid CUSTOMER_ID customer.no PatientNo patient-nr userId user_name
    subject_code hh_id account_no AccountNumber emp_no EmployeeCode bill_to_customer_id
    patient_id_hash customer_id_2 customer_id_number
    PatientRefNo subject_idx
    diagnosis_patient_id hashed_user_id custid acct_id card_number device_id id ID uid kundennummer Kundennr
    kunden_id Mitgliedsnummer id_cliente IDCliente 顧客ID 顧客番号 患者コード 会員No. 会員ＩＤ
    世帯番号 請求先顧客番号
"""
WORDS = """
    customer Customer PATIENT person user member client subject household account student employee
    email e-mail Email_Address phone home_phone phoneNumber mobile ssn passport login name Kunde usuario
    顧客 患者 会員 氏名 電話番号 メールアドレス
"""
NEITHER = """
    userrating user_rating age customer_age patientAge accountbalance account_balance accounts users members
    customers persons n_persons number_of_persons product_id invoice_no bill_number store_id email_domain
    phone_model income city zip diagnosis subject_area memberships order_id item school_name device card tax
    checking_account is_student household_size accounting clientele 顧客年齢 世帯人数 世帯年収
    会員種別 会員数 番号 商品番号
"""


def test_names_of_persons_are_known_in_any_spelling():
    assert [name for name in NUMBERS.split() if not numbers_persons(name)] == []
    assert [name for name in WORDS.split() if not names_persons(name) or numbers_persons(name)] == []
    assert [name for name in NEITHER.split() if numbers_persons(name) or names_persons(name)] == []


def role(name: str, values: object) -> str:
    return Schema.infer(pd.DataFrame({name: values}))[name].role


@pytest.mark.parametrize("name", ["customer_id", "customer"])
def test_whatever_the_type_a_value_that_comes_twice_is_enough(name):
    numbers = [7, 7, 7, 8, 9, 10]
    for values in (
        numbers,
        [float(value) for value in numbers],
        [*numbers, None],
        [f"K{value}" for value in numbers],
        pd.Categorical(numbers),
        pd.array([*numbers, None], dtype="Int64"),
        [2**60 + value for value in numbers],
        [*range(5_000), 7],
    ):
        assert role(name, values) == "undecided"
    assert role(name, range(30)) == "identifier" and role(name, [None] * 5) != "undecided"


def test_what_names_nobody_is_not_asked():
    n, draw = 30_000, np.random.default_rng(0)
    for name, values in (
        ("user", draw.choice(["guest", "admin"], n)),  # a word with two values is a mark, not a name
        ("member", [True, False] * (n // 2)),
        ("customer_id", [True, False] * (n // 2)),
        ("phone", ["yes", "no"] * (n // 2)),
        ("account", draw.normal(100, 10, n).round(1)),  # an amount
        ("userrating", draw.integers(1, 6, n)),
        ("age", draw.integers(1, 99, n)),
        ("product_id", draw.integers(1, 99, n)),
        ("user", pd.date_range("2020-01-01", periods=9).repeat(3)),
        ("client", [["a", "b"], ["a"], ["b", "c"], ["a"]] * 10),
    ):
        assert role(name, values) != "undecided", name


def test_few_values_are_asked_when_they_may_be_people():
    n = 30_000
    assert role("user_id", [1, 2] * (n // 2)) == "undecided"
    assert role("customer_id", [1] * 9) == "undecided"
    assert role("subject", [1, 2, 3] * (n // 3)) == "undecided"
    assert role("customer", [7, 7, 7, 8, 8, 8]) == "undecided"
