"""The report as a browser prints it, and made on the Release page."""

from __future__ import annotations

import re

import pytest

import kanon_core as kc
from kanon_core.report.signing import Candidate, Decision, ReportInputs, gathered, report, to_html
from kanon_core.report.signing.evidence import decision_fields

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")

SENTENCE = "People of a town are published for a study of how they spend their days, for two years."


@pytest.mark.deep
def test_the_report_of_a_sample_prints_to_six_pages_of_a4_at_most(page):
    table = kc.read_table("sample:people-5000")
    release = kc.anonymize(table, kc.Mondrian(), 5)
    metrics = [kc.ILSSDM(), kc.WorstRisk()]
    points = tuple(
        kc.sweep(table, [kc.Mondrian(), kc.Sorting()], range(2, 21, 3), metrics, release.recipe.seed)
    )
    decision = Decision(**{one.name: SENTENCE for one in decision_fields()})
    given = ReportInputs(decision, points, (Candidate(points[0], SENTENCE), Candidate(points[1])))
    wanted = list[str]()
    page.on("request", lambda request: wanted.append(request.url))
    page.set_content(to_html(report(gathered(release, given))))
    assert not [url for url in wanted if not url.startswith(("about:", "data:"))]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    pdf = page.pdf(prefer_css_page_size=True)
    sizes = re.findall(rb"/MediaBox ?\[0 0 (\d+)[.\d]* (\d+)[.\d]*\]", pdf)
    pages = len(re.findall(rb"/Type ?/Page\b", pdf))
    assert 2 <= pages <= 6 and {tuple(map(int, size)) for size in sizes} <= {
        (594, 841),
        (595, 842),
        (595, 841),
    }
