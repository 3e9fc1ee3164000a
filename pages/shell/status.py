"""Status bar: one line with the current setting, the same on every page."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.metrics import ILSSDM
from kanon_core.table.people import persons_of
from pages.shell import page_address
from pages.shell.cases import other_case
from pages.shell.pinning import pin_control
from pages.shell.statusline import bar
from pages.state.session import RESUMED, Session, has_people
from pages.widgets.findings import worst
from pages.widgets.sentences import guarantee_name, items_text, table_name

BRIEF = (
    later("table"),
    later("algorithm"),
    later("protects"),
    later("sample of"),
    later("k"),
    later("result"),
    later("suppressed"),
    later("seed"),
    later("restored"),
)
_MORE = (later("loss"), later("holds"), later("worst finding"))


def status_bar(session: Session, release: kc.Release | None, brief: bool = False) -> None:
    """Show table, algorithm, unit of k, k, groups, loss, suppressed records, guarantee and seed; ``brief``:
    without the figures that the page shows elsewhere. The address of the page then names the same setting."""
    page_address.write(session)
    setting = session.setting
    asked = session.table.schema.of_role("undecided")
    chips = [
        ("table", _table(session)),
        ("algorithm", setting.title),
        ("protects", tr("not set yet") if asked else tr(setting.guarantee.unit)),
    ]
    if (cells := session.table.whole_cells) is not None:
        says = tr_n("{records}, in {cells:,} whole cell", "{records}, in {cells:,} whole cells", cells.count)
        records = counted(cells.records, "record")
        chips.append(("sample of", says.format(cells=cells.count, records=records)))
    if release is None:
        chips += [("k", setting.guarantee.requested), ("result", tr("not computed yet"))]
    else:
        chips += _found(session, release)
    if RESUMED.get():
        chips.append(("restored", tr("table, setting and results")))
    if setting.algorithm.randomized:
        chips.append(("seed", session.seed_text(setting.seed)))
    shown = [chip for chip in chips if not brief or chip[0] in BRIEF]
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="status-row"):
        bar([(tr(name) if name in (*BRIEF, *_MORE) else name, says) for name, says in shown], setting.k)
        if session.table.quasi and not asked:
            pin_control(session)
    other_case(session)


def _table(session: Session) -> str:
    name = table_name(session).removesuffix(f" ({len(session.table):,})")
    records = counted(len(session.table), "record")
    if not has_people(session.table):
        return f"{name}, {records}"
    people = counted(len(persons_of(session.table)), "person")
    return tr("{name}, {records} of {people}").format(name=name, records=records, people=people)


def _found(session: Session, release: kc.Release) -> Iterator[tuple[str, str]]:
    """Yield the figures of the release; k and risk are for the assumed attacker if few items are known."""
    held = release.guarantee
    smallest, k = held.smallest(release), held.achieved(release)[1]
    risk = f"{100 / smallest:.1f} %" if smallest else "0 %"
    both = tr("{asked} requested, {k} achieved").format(asked=held.requested, k=k)
    yield "k", held.requested if held.known_items else both
    yield held.groups, groups_text(release)
    yield "loss", f"{100 * session.measured(session.setting, release, ILSSDM).total:.2f} %"
    few = tr("{share:.1f} % (up to {items} known), {risk} (all items known)").format(
        share=100 / max(k, 1), items=items_text(held.known_items), risk=risk
    )
    yield held.risk, few if held.known_items else risk
    yield "suppressed", f"{int(release.suppressed.sum()):,}"
    yield "holds", guarantee_name(release)
    yield "worst finding", worst(session, release)


def groups_text(release: kc.Release) -> str:
    """Return the number and sizes of the groups; k-concealment has overlapping sets."""
    if not release.guarantee.disjoint:
        return tr("one for each record")
    sizes = release.hiding_sizes
    low, high = int(sizes.min(initial=len(release))), int(sizes.max(initial=0))
    span = f"{high:,}" if low >= high else f"{low:,}–{high:,}"
    unit = tr(release.guarantee.unit)
    return tr("{count:,} of {sizes} {unit}").format(count=len(sizes), sizes=span, unit=unit)
