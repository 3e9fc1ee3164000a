"""Glossary: one entry for each term on the screens.

Metrics, guarantees, findings, attacks, algorithms, distances, roles, kinds and recodings have their
texts where they are declared, and their entries are made from these declarations. All other entries are in
`kanon_core.teaching.glossary.attackers` and `kanon_core.teaching.glossary.publishing`.
"""

from __future__ import annotations

from kanon_core.teaching.glossary.collection import entries, entry, of_quantity
from kanon_core.teaching.glossary.entries import Entry, of_finding, of_guarantee, of_metric

__all__ = ["Entry", "entries", "entry", "of_finding", "of_guarantee", "of_metric", "of_quantity"]
