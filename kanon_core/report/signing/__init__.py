"""The report that somebody signs: what was asked, released, guaranteed, found, measured and decided, as data
(`blocks`), and written as one HTML file that prints to A4 pages or as Markdown."""

from kanon_core.report.signing.blocks import Report, Section
from kanon_core.report.signing.decision import Decision
from kanon_core.report.signing.evidence import Candidate, Evidence, Given, gathered
from kanon_core.report.signing.html import to_html
from kanon_core.report.signing.markdown import to_markdown
from kanon_core.report.signing.signed import report

__all__ = [
    "Candidate",
    "Decision",
    "Evidence",
    "Given",
    "Report",
    "Section",
    "gathered",
    "report",
    "to_html",
    "to_markdown",
]
