"""Clusters: who hides with whom, as groups of records, as item sets, as people, and as matchings."""

from __future__ import annotations

from pages.clusters.groups import groups
from pages.clusters.matchings.matchings import matchings
from pages.clusters.people.people import people
from pages.clusters.sets.itemsets import sets
from pages.shell.frame import open_page, ready
from pages.shell.menu import views_of
from pages.shell.views import show_view

session = open_page("clusters")
if ready(session):
    views = {"groups": groups, "sets": sets, "people": people, "matchings": matchings}
    show_view("clusters", views, views_of(session.table))
