"""Tour of the first page, and the button that copies the address of a page; both run in the browser alone."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr

_js, _css = ((ASSETS / f"tour.{kind}").read_text("utf-8") for kind in ("js", "css"))
_tour = st.components.v2.component("kanon.tour", js=_js, css=_css)
_link_js, _link_css = ((ASSETS / f"link.{kind}").read_text("utf-8") for kind in ("js", "css"))
_link = st.components.v2.component("kanon.link", js=_link_js, css=_link_css)
TOURED = "tune"
"""The page of the tour: the first one, where a sample is computed already."""


def tour(page: str) -> None:
    """Offer the tour on its page, until it is taken or declined in this browser."""
    words = {
        "offer": tr("Take the tour"),
        "time": tr("(2 minutes)"),
        "decline": tr("Decline the tour"),
        "back": tr("Back"),
        "next": tr("Next"),
        "skip": tr("Skip"),
        "end": tr("Done"),
        "step": tr("Step {step} of {steps}"),
    }
    _tour(key="tour", data={"words": words, "steps": _steps() if page == TOURED else []}, width="content")


def _steps() -> list[dict[str, str]]:
    """Return the steps: the place that each explains, its title and its text."""
    named = ("at", "title", "text")
    return [dict(zip(named, step, strict=True)) for step in (*_result(), *_further())]


def _result() -> Iterator[tuple[str, str, str]]:
    """Yield the steps about one k."""
    yield (
        ".st-key-held",
        tr("k, the slider"),
        tr(
            "A larger k hides each record among more others and loses more detail. Move the slider: all parts"
            " of the page follow. The arrow keys move it by 1."
        ),
    )
    yield (
        ".st-key-results .cards",
        tr("Loss and risk"),
        tr(
            "The loss says how much detail of the quasi-identifiers is gone. The worst risk is the highest"
            " probability that an attacker who knows all quasi-identifiers of one person picks the right row."
        ),
    )
    yield (
        ".st-key-results",
        tr("Guarantee and findings"),
        tr(
            "Kanon checks the guarantee on the published cells after every run. Findings name what it does"
            " not cover, such as sensitive values that a group gives away."
        ),
    )


def _further() -> Iterator[tuple[str, str, str]]:
    """Yield the steps about every k and about one's own table."""
    yield (
        ".st-key-answer",
        tr("Your limit, answered"),
        tr(
            "Set a limit of the loss or of the risk below the slider. This line names the k that keeps it,"
            " and its button sets the slider."
        ),
    )
    yield (
        ".st-key-curve-tile",
        tr("Every k at once"),
        tr(
            "The curve shows the loss at every k. The buttons above it add other algorithms. A click on a"
            " point sets k."
        ),
    )
    yield (
        "[data-testid=stTopNavLink]",
        tr("Your own table"),
        tr(
            "On Data, load a file or open an example. On Release, download the table to hand over. The file"
            " is sent only to the computer that runs Kanon."
        ),
    )


def link_button() -> None:
    """Show a button that copies the address of the page: what it names is never a cell, a column of one's own
    table or a seed."""
    words = {
        "copy": tr("Copy link"),
        "copied": tr("Copied"),
        "failed": tr("Not copied"),
        "about": tr("The link names the page, the sample, the algorithm and k, never a table of your own."),
    }
    _link(key="link", data=words, width="content")
