"""Numbers read out of sentences, and distances computed from a table's frame alone."""

from __future__ import annotations

import re

import kanon_core as kc


def figures(sentence: str, pattern: str) -> tuple[float, ...]:
    """The numbers in the groups of a pattern, which the sentence must match somewhere."""
    found = re.search(pattern, sentence)
    assert found, f"“{pattern}” is not in: {sentence}"
    return tuple(float(text.replace(",", "")) for text in found.groups())


def apart(table: kc.Table) -> list[list[float]]:
    """Distances of definition 2.2 of the k-concealment paper, in the order of the table: Σ |x − y| / range of
    numbers, 1 for different categories."""
    found = [[0.0] * len(table) for _ in range(len(table))]
    for column in table.quasi:
        values = table.frame[column.attribute.name].tolist()
        for i, one in enumerate(values):
            for j, other in enumerate(values):
                if column.attribute.kind == "numeric":
                    found[i][j] += abs(one - other) / ((max(values) - min(values)) or 1)
                else:
                    found[i][j] += one != other
    return found


def close(said: float, true: float) -> bool:
    """Return whether a number is another one rounded to four digits."""
    return abs(said - true) <= 6e-4 * max(abs(true), 1e-4)
