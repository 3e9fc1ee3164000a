"""The findings on every own sample, as the Explore page opens it, counted again with pandas from the
original and the released frame."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.table.samples import SAMPLES
from pages.state.session import Session
from pages.state.setting import Setting

Figures = list[float]
SEED, MISSING = 2**127, "(missing)"
KNOWN_AT_ONCE, DRAWS, NEAR, CERTAIN = 0.1, 20, 0.01, 0.8


class Seen:
    """The original and the released frame, record by record, and whom each record cannot be told from."""

    def __init__(self, table: kc.Table, release: kc.Release) -> None:
        published = ~release.suppressed
        self.records, self.k = len(table), release.recipe.k
        self.original = table.frame[published].reset_index(drop=True)
        self.released = release.to_frame(np.flatnonzero(published)).astype(object)
        self.roles = {a.name: a.role for a in table.schema}
        self.kinds = {a.name: a.kind for a in table.schema}
        self.hidden = [name for name, role in self.roles.items() if role == "quasi_identifier"]
        self.rows = self.released[self.hidden].astype(str).groupby(self.hidden).ngroup()
        self.classes = self.rows
        self.people = [name for name, role in self.roles.items() if role == "person"]
        if self.people:
            pseudonym = self.released[self.people[0]]
            history = self.rows.groupby(pseudonym.to_numpy()).agg(lambda own: tuple(sorted(own)))
            self.classes = pd.Series(pd.factorize(pseudonym.map(history))[0])
        self.sizes = self.classes.map(self.classes.value_counts())

    def values(self, name: str) -> pd.Series:
        """The original values, missing as one of its own."""
        values = self.original[name]
        return values.astype(object).where(values.notna(), MISSING)

    def ends(self, name: str) -> tuple[pd.Series, pd.Series]:
        """The ends of the published intervals; missing where there is none."""
        said = self.released[name].astype(str).str.replace(r"\]?\D*missing.*", "", regex=True)
        parts = said.str.strip("[]").str.split(", ", expand=True)
        read = pd.to_datetime if self.kinds[name] == "datetime" else partial_numbers
        low = read(parts[0])
        return low, (read(parts[1]).fillna(low) if 1 in parts else low)

    def dated(self, name: str) -> bool:
        """Return whether the column is published as intervals."""
        return self.kinds[name] in ("numeric", "latitude", "longitude", "datetime")


def partial_numbers(texts: pd.Series) -> pd.Series:
    return pd.to_numeric(texts, errors="coerce")


def share(count: float, whole: float) -> float:
    percent = 100 * count / whole
    return 0.1 if 0 < percent < 0.1 else 99.9 if 99.9 < percent < 100 else percent


def identity(seen: Seen, finding: kc.Finding) -> Figures:
    """Among how many hide, with which chance, how many hide among exactly that many."""
    counted = seen.sizes
    if seen.people:
        pseudonyms = seen.released[seen.people[0]]
        counted = pseudonyms.groupby(seen.classes).nunique().reindex(seen.classes).reset_index(drop=True)
    least = counted.min()
    return [least, 100 / least, (counted == least).sum(), len(seen.classes)]


def sensitive(seen: Seen, finding: kc.Finding) -> Figures:
    """Return the figures on records whose sensitive value is given away, and ℓ and t by their definitions."""
    (name,) = finding.columns
    values = seen.values(name)
    shares = values.groupby(seen.classes).value_counts(normalize=True)
    most = shares.groupby(level=0).max()
    own = seen.classes.map(most)
    counts = values.groupby(seen.classes).value_counts().groupby(level=0)
    ratios = counts.agg(lambda c: c.max() / (c.sum() - c.max()) if len(c) > 1 else np.inf)
    whole = values.value_counts(normalize=True)
    by_class = shares.unstack(fill_value=0.0)
    away = (by_class - whole[by_class.columns]).abs().sum(axis=1) / 2
    entropy = np.exp(-(shares * np.log(shares)).groupby(level=0).sum())
    certain = (own == 1).sum()
    found = [certain, len(own), (most == 1).sum(), len(most)] if certain else []
    found += [80, (own >= CERTAIN - 1e-9).sum()] if certain else [80, (own >= CERTAIN).sum(), len(own)]
    found += [counts.size().min(), entropy.min(), 2] + ([] if np.isinf(ratios.max()) else [ratios.max()])
    found += [away.max()]
    if seen.dated(name):
        ordered = by_class.reindex(columns=sorted(by_class.columns))
        steps = (ordered - whole[ordered.columns]).cumsum(axis=1).abs().sum(axis=1)
        numbers = seen.original[name]
        width = numbers.groupby(seen.classes).agg(np.ptp)
        near = seen.classes.map(width) <= NEAR * (numbers.max() - numbers.min())
        return [*found, (steps / (len(whole) - 1)).max(), share(whole.max(), 1), near.sum(), 1]
    return [*found, share(whole.max(), 1)]


def unchanged(seen: Seen, finding: kc.Finding) -> Figures:
    """Return the figures on records that an unchanged column singles out, by itself and among records of
    equal quasi-identifiers."""
    (name,) = finding.columns
    values = seen.values(name)
    alone = values.map(values.value_counts()) == 1
    if seen.roles[name] == "sensitive":
        return [alone.sum(), len(values), share(alone.sum(), len(values))]
    alike = values.groupby([seen.classes, values]).transform("size")
    found, few = alone | (alike == 1), alike < seen.k
    published = len(values)
    return [
        *(alone.sum(), published, share(alone.sum(), published)),
        *(found.sum(), share(found.sum(), published)),
        *(seen.k, (few | found).sum()),
    ]


def dependent(seen: Seen, finding: kc.Finding) -> Figures:
    """Return the figures on the values that a cell still allows for an attacker who knows the unchanged value
    beside it, counted value by value."""
    beside, name = finding.columns
    values, there, cells = seen.values(name), seen.values(beside), seen.released[name].astype(str)
    everybody = set(values)
    together = values.groupby(there).agg(set)
    low, high = seen.ends(name) if seen.dated(name) else (None, None)
    narrower, back, general = [], [], []
    for i, cell in enumerate(cells):
        if low is not None:
            allowed = {v for v in everybody if v != MISSING and low[i] <= v <= high[i]}
            allowed |= {MISSING} if "missing" in cell else set()
        else:
            allowed = everybody & set(cell.strip("{}").split(", "))
        left = allowed & together[there[i]]
        general.append(len(allowed) > 1)
        narrower.append(len(left) < len(allowed))
        back.append(len(left) == 1 < len(allowed))
    if "discloses" in finding.sentence:
        return [*(sum(back), len(cells), share(sum(back), len(cells))), sum(general), sum(narrower)]
    return [*(sum(narrower), len(cells), share(sum(narrower), len(cells))), sum(general)]


def ends(seen: Seen, finding: kc.Finding) -> Figures:
    """Intervals with an end that one record of its class has."""
    ended, wide, records = 0, 0, np.zeros(len(seen.rows), bool)
    for name in filter(seen.dated, seen.hidden):
        values = seen.original[name]
        low, high = seen.ends(name)
        first = ~seen.rows.duplicated()
        told = pd.Series(False, index=values.index)
        for end in (low, high):
            at = (values == end) & (low < high)
            alone = at & (at.groupby(seen.rows).transform("sum") == 1)
            records |= alone
            told |= alone
        ended += told.groupby(seen.rows).any().sum()
        wide += (first & (low < high)).sum()
    return [ended, wide, share(ended, wide), records.sum()]


def insiders(seen: Seen, finding: kc.Finding) -> Figures:
    """The same draws of people, and who is alone in a class without them."""
    n, left = len(seen.classes), []
    known = round(n * KNOWN_AT_ONCE)
    for draw in range(DRAWS):
        drawn = np.zeros(n, bool)
        drawn[np.random.default_rng([draw, known]).choice(n, known, replace=False)] = True
        rest = seen.classes[~drawn]
        left.append((rest.map(rest.value_counts()) == 1).sum())
    mean = float(np.mean(left))
    return [known, share(known, n), mean, n - known, share(mean, n - known), max(left), DRAWS]


def suppressed(seen: Seen, finding: kc.Finding) -> Figures:
    """Return the figures on records that are left out."""
    gone = seen.records - len(seen.rows)
    return [gone, seen.records, share(gone, seen.records)]


COUNTED: dict[str, Callable[[Seen, kc.Finding], Figures]] = {
    "identity": identity,
    "sensitive values": sensitive,
    "unchanged columns": unchanged,
    "dependent columns": dependent,
    "exact ends": ends,
    "insiders": insiders,
    "suppressed records": suppressed,
}


def severity(name: str, counted: Figures, role: str) -> str:
    """Return the severity that the catalog of findings states for these figures."""
    if name == "unchanged columns":
        alone, found = (counted[2], counted[4]) if role == "other" else (0.0, counted[2])
        return "stops" if alone >= 20 else "decide" if found >= 1 else "know"
    certain = name == "sensitive values" and counted[0] != 80
    many = name == "suppressed records" and counted[2] >= 5
    return "decide" if certain or many or name == "dependent columns" else "know"


def figures(sentence: str) -> Figures:
    """All numbers of a sentence, in order; not those in names of columns or of (c, 2)-diversity."""
    said = re.sub("“[^”]*”", "", sentence)
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", said)]


@pytest.mark.deep
@pytest.mark.parametrize("name", [sample.name for sample in SAMPLES])
def test_every_figure_of_a_sample_is_counted_again(name):
    table = kc.read_table(f"sample:{name}")
    session = Session(table, name, f"sample:{name}", Setting(kc.MDAV(), 5, SEED))
    session._settle()
    release = kc.anonymize(table, session.setting.algorithm, session.setting.k, SEED)
    seen, findings = Seen(table, release), kc.judge(table, release)
    assert {"identity"} <= {finding.name for finding in findings} <= set(COUNTED)
    told = sorted(f.columns[0] for f in findings if f.name == "sensitive values")
    assert told == sorted(name for name, role in seen.roles.items() if role == "sensitive")
    others = [name for name, role in seen.roles.items() if role == "other"]
    assert set(others) <= {f.columns[0] for f in findings if f.name == "unchanged columns"}
    for finding in findings:
        said, counted = figures(finding.sentence), [float(x) for x in COUNTED[finding.name](seen, finding)]
        assert len(said) == len(counted), finding
        role = table.schema[finding.columns[0]].role if finding.columns else ""
        assert finding.severity == severity(finding.name, counted, role)
        for one, other in zip(said, counted, strict=True):
            if other.is_integer() and one.is_integer():
                assert one == other, (finding, said, counted)
            else:  # as many digits as are shown
                assert one == pytest.approx(other, abs=0.051 if other > 1 else 0.0051), (said, counted)
