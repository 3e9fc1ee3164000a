"""Small tables of purchases for the tests of charts and pages."""

from __future__ import annotations

import numpy as np
import pandas as pd

import kanon_core as kc

EVIL = "<img src=x onerror=alert(1)>"
SCHEMA = {"customer": "person", **dict.fromkeys(("day", "goods", "price", "quantity"), "quasi_identifier")}


def purchases(people: int = 20, seed: int = 1, most: int = 12) -> kc.Table:
    """So many people with 1 to ``most`` purchases each, in mixed order."""
    rng = np.random.default_rng(seed)
    owners = rng.permutation(np.repeat(np.arange(people), rng.integers(1, most + 1, people)))
    n = len(owners)
    frame = pd.DataFrame(
        {
            "customer": [f"c{owner:03}" for owner in owners],
            "day": pd.to_datetime("2011-01-01") + pd.to_timedelta(rng.integers(0, 300, n), "D"),
            "goods": [f"g{item}" for item in rng.integers(0, 30, n)],
            "price": rng.integers(50, 2000, n) / 100,
            "quantity": rng.integers(1, 50, n),
        }
    )
    return person_table(frame)


def person_table(frame: pd.DataFrame) -> kc.Table:
    """A table of purchases with the person in the column "customer"."""
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "other"))
    schema = schema.with_kinds({"customer": "categorical", "goods": "categorical"})
    return kc.Table.from_frame(frame, schema.with_roles(SCHEMA))


def odd() -> dict[str, kc.Table]:
    """Tables that pages must not stumble over."""
    row = {"day": "2011/01/05", "goods": "a", "price": 1.5, "quantity": 1}
    days = pd.DataFrame

    def of(owners: list[object], **changed: list[object]) -> kc.Table:
        frame = days({"customer": owners, **{name: [value] * len(owners) for name, value in row.items()}})
        frame["day"] = pd.to_datetime(frame["day"])
        return person_table(frame.assign(**changed))

    half = ["big"] * 30 + [f"p{i}" for i in range(6) for _ in range(5)]
    return {
        "one purchase each": of([f"p{i}" for i in range(6)]),
        "one has half of all": of(half, price=np.arange(60) / 10, quantity=np.arange(60) % 7 + 1),
        "all in one": of(["a", "a", "b", "b", "b"], quantity=[1, 2, 3, -4, 5]),
        "nobody named": of(["a", "a", "b", None, "b", None], quantity=[1, 2, 3, 4, 5, 6]),
        "markup in goods and names": of(
            [EVIL, EVIL, "b", "b", "c", "c"], goods=[EVIL, "x", EVIL, "![x](y)", "$a$", "%{x}"]
        ),
        "missing cells": of(["a", "a", "b", "b"], price=[1.0, None, 2.0, 3.0], goods=["a", None, "b", "b"]),
    }
