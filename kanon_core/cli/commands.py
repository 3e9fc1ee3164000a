"""The table of commands of ``kanon``: what each does, and which module has it."""

from __future__ import annotations

from kanon_core.base.words import later

COMMANDS: dict[str, tuple[str, str]] = {
    "describe": (
        "describing",
        later("show the columns of a file: roles and kinds as guessed, misfits, missing values"),
    ),
    "anonymize": ("anonymizing", later("anonymize a table and write the release")),
    "mask": (
        "anonymizing",
        later("round, swap, sample … the values of a table and write the release; no k is promised"),
    ),
    "run": ("anonymizing", later("repeat a recipe on the data it was made from")),
    "sweep": ("sweeping", later("anonymize at many k with several algorithms; print the scores")),
    "tune": (
        "tuning",
        later("estimate what each k would lose on a table in many files, from whole cells of it"),
    ),
    "audit": (
        "auditing",
        later(
            "judge any released file as it stands, or beside its original, by every model that suits it, and"
            " repair it; exit code 1 when what is asked for does not hold"
        ),
    ),
    "judge": (
        "judging",
        later(
            "say what a release of a table would really tell, beyond what is guaranteed; exit code 1 when a"
            " finding stops it"
        ),
    ),
    "risk": ("risking", later("say how likely attackers, by what they know, pick the right record")),
    "report": ("reporting", later("make what somebody signs from a recipe and its data: HTML or Markdown")),
    "attack": ("attacking", later("let attackers look for people in published rows or histories, by k")),
    "reproduce": ("reproducing", later("make tables of the papers again, beside their numbers")),
    "algorithms": ("describing", later("list the algorithms and their options")),
    "guarantees": ("describing", later("list the guarantees, against whom they hold, and their parameters")),
    "findings": ("judging", later("list what is looked for in a release, and when it stops one")),
    "metrics": ("measuring", later("list the metrics and their options, or say all about one")),
    "prepare": ("preparing", later("compile everything once, ahead of use: for images and classrooms")),
    "app": ("serving", later("serve the screens to a browser on this machine (needs the extra “app”)")),
    "serve": (
        "serving",
        later(
            "serve the screens: as `app` does or, with --class, on purpose to a class on this network,"
            " samples only (needs the extra “app”)"
        ),
    ),
}
"""Name → the module of `kanon_core.cli` that has it, and what it does."""
