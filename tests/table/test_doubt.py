"""Doubt protects: columns that name people, or may, are kept out; what is measured of them is not."""

from __future__ import annotations

import pytest

import kanon_core as kc


def read(name: str, *cells: object, times: int = 1, more: str = "", beside: str = "") -> kc.Table:
    """A table of a column and another one."""
    rows = [f"{cell};{beside or i % 7}" for i, cell in enumerate(list(cells) * times)]
    return kc.read_table("\n".join([f"{name};{more or 'x'}", *rows, ""]).encode())


@pytest.mark.parametrize(
    "name",
    [
        "guardian_name",
        "physician_name",
        "ManagerName",
        "name of patient",
        "patient's name",
        "legal_name",
        "second surname",
        "お名前",
        "担当者名前",
    ],
)
def test_two_names_of_people_name_people_however_often_they_stand(name):
    assert read(name, "Anna Meyer", "Bob Smith", times=10).schema[name].role in ("identifier", "undecided")


@pytest.mark.parametrize("name", ["clinic_name", "city_name", "product name", "店名前"])
def test_names_of_things_do_not(name):
    assert read(name, "North", "South", times=10).schema[name].role == "quasi_identifier"


@pytest.mark.parametrize("name", ["my_column_name", "productName", "name of the product", "Station name 2"])
def test_nor_do_many_of_them(name):
    """400 products, each in three records, are anonymized and not left out; where nearly every record has
    another one, they are left out as any other text."""
    cells = [f"North {i}" for i in range(400)]
    assert read(name, *cells, times=3).schema[name].role == "quasi_identifier"
    assert read(name, *cells).schema[name].role == "identifier"


@pytest.mark.parametrize(
    "name",
    [
        *("first_name", "surname", "patient_name", "customer name", "product owner name", "name"),
        *("product_name_email", "customer_id_product_name", "project manager name", "school teacher name"),
        *("column_name_id", "company_name", "file_name", "host_name", "street_name", "card_name"),
    ],
)
def test_many_names_that_may_be_of_people_are_never_quasi_identifiers(name):
    cells = [f"Anna {i}" for i in range(400)]
    assert read(name, *cells, times=3).schema[name].role in ("identifier", "undecided")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("address", ["nursing home"] * 180 + [f"{i} Mill Lane" for i in range(1, 18)]),
        ("home_address", ["12 High St", "9 Low Road"] * 20),
        ("license_plate", ["B-AB 123", "M-XY 99"] * 20),
        ("url", ["http://fb.com/anna", "http://fb.com/bob"] * 20),
        ("passport", ["EU"] * 180 + [f"P{i:03d}" for i in range(10)]),
        ("cedula", [f"{10 + i}.{100 + 7 * i}.{300 + 9 * i}" for i in range(20)]),
    ],
)
def test_what_single_records_bear_is_no_word_of_few_values(name, cells):
    assert read(name, *cells).schema[name].role in ("identifier", "undecided")


def test_weights_of_bodies_and_cars_are_measures():
    newborns = read("weight", *(2500 + i * 37 % 1700 for i in range(40)), more="gestation")
    assert newborns.schema["weight"].role == "quasi_identifier"
    cars = read("wt", *(f"{2 + i % 3}.{i % 9}" for i in range(40)), more="mpg")
    assert cars.schema["wt"].role == "quasi_identifier"
    assert (
        read("fnlwgt", *(77_516 + i * 31_337 for i in range(40))).schema["fnlwgt"].role == "sampling_weight"
    )


def test_codes_of_things_are_no_numbers_of_persons():
    articles = read("sku", *(f"{10_000_000 + i % 12 * 7919:011d}" for i in range(120)))
    assert articles.schema["sku"].role == "quasi_identifier"
    towns = read("insee", *(75_100 + i % 20 for i in range(120)))
    assert towns.schema["insee"].role == "quasi_identifier"


@pytest.mark.parametrize(
    "text",
    [
        "Mrs Meyer phoned re invoice {i} and complained",
        "Paciente Maria Silva ligou sobre a conta {i} e disse que não paga",
        "Mevrouw De Vries belde en was boos over rekening {i}",
    ],
)
def test_sentences_without_a_full_stop_are_free_text(text):
    column = read("remarks", *(text.format(i=i % 60) for i in range(110))).schema["remarks"]
    assert (column.kind, column.role) == ("text", "identifier")


def test_descriptions_of_products_that_repeat_are_none():
    cells = (f"Set of {i % 40} tea towels with Flower pattern red" for i in range(400))
    assert read("description", *cells).schema["description"].role == "quasi_identifier"


def test_births_by_a_short_name_are_dates():
    cells = [f"{1 + i % 28}.{1 + i % 12}.{50 + i % 7}" for i in range(300)]
    assert read("DOB", *cells).schema["DOB"].kind == "datetime"


def test_a_year_alone_among_days_is_no_first_of_january():
    days = [f"{1 + i}.0{1 + i % 9}.19{60 + i}" for i in range(25)]
    table = read("geburtsdatum", "1950", *days)
    assert table.schema["geburtsdatum"].kind == "datetime"
    assert table.misfits["geburtsdatum"].rows == (1,) and not any("mixed" in note for note in table.notes)
    months = read("month", *(f"{1990 + i % 30}-{1 + i % 12:02d}" for i in range(60)))
    assert months.schema["month"].kind == "datetime" and not months.misfits


def test_two_sums_of_money_are_no_place():
    rows = [f"{20 + i}.500;{1 + i % 9}.250;0,{i % 9 + 1}" for i in range(20)]
    table = kc.read_table("\n".join(["gehalt;bonus;faktor", *rows, ""]).encode())
    assert table.frame["gehalt"].tolist() == [20_500 + 1_000 * i for i in range(20)]
    degrees = read("breitengrad", *(f"{20 + i}.5{i:02d}" for i in range(20)))
    assert degrees.frame["breitengrad"].iloc[1] == 21.501


def test_a_minus_beside_a_plus_is_an_answer():
    table = read("hiv", "+", "-", "-", "pending", times=5)
    assert table["hiv"].missing.sum() == 0
