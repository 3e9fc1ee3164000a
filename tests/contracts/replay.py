"""A log read back into a partition or matchings, without any code of the package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def replay(events: Iterable[tuple[str, dict[str, Any]]], n: int) -> np.ndarray:
    """Labels (n) of the groups that the log's decisions make; −1 for records in none.

    "group" puts its ``members`` together, "cut" makes two groups of ``left`` and ``right``, "split" one of
    the ``part`` that leaves its group, "suppress" takes its ``part`` out of every group, and any event with
    ``record`` and ``joins`` puts one record to another's group. Later decisions overrule earlier ones: an
    algorithm that starts from another logs both. Groups are numbered by their lowest record, as a `Partition`
    does.
    """
    labels = np.full(n, -1)
    number = 0
    for event, what in events:
        parts = {"group": ("members",), "cut": ("left", "right"), "split": ("part",)}.get(event, ())
        for part in parts:
            labels[what[part]] = number
            number += 1
        if event == "suppress":
            labels[what["part"]] = -1
        if "joins" in what:
            labels[what["record"]] = labels[what["joins"]]
    known = {label: place for place, label in enumerate(dict.fromkeys(labels[labels >= 0].tolist()))}
    return np.array([known.get(label, -1) for label in labels.tolist()])


def replay_matchings(events: Iterable[tuple[str, dict[str, Any]]], n: int) -> np.ndarray:
    """Matchings (k, n) that the log's "matching" events make: the identity, then each ``number``'s last
    ``targets``."""
    found = {what["number"]: what["targets"] for event, what in events if event == "matching"}
    return np.array([np.arange(n), *(found[number] for number in sorted(found) if number)])


def replay_fragments(
    events: Iterable[tuple[str, dict[str, Any]]], n: int
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The fragment of each record and their paths, as `Cover.in_fragments` takes them; empty where one alone
    is logged, or none."""
    logged = [what for event, what in events if event == "fragment"]
    if len(logged) < 2:
        return np.zeros(0, np.int64), ()
    found = np.empty(n, np.int64)
    for number, what in enumerate(logged):
        found[what["members"]] = number
    return found, tuple(what["path"] for what in logged)
