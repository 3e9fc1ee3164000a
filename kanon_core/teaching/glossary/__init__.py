"""What every word on the screens means: one entry for each, here or where the thing itself is declared.

Metrics, guarantees, findings, attacks, algorithms, distances, roles, kinds and recodings say what they are
where they are declared; the entries of those words are made from that. Words that belong to none of them
stand in
`kanon_core.teaching.glossary.attackers` and `kanon_core.teaching.glossary.publishing`.
"""

from __future__ import annotations

from kanon_core.teaching.glossary.collection import entries, entry, of_quantity
from kanon_core.teaching.glossary.entries import Entry, of_finding, of_guarantee, of_metric

__all__ = ["Entry", "entries", "entry", "of_finding", "of_guarantee", "of_metric", "of_quantity"]
