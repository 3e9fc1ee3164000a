"""Hierarchies of sensitive values for t-closeness."""

from __future__ import annotations

import json

import kanon_core as kc
from kanon_core.base.words import tr
from pages.state.keys import Key, Lasting
from pages.widgets.files import upload_into
from pages.widgets.layout import lazy_popover
from pages.widgets.pickers import menu
from pages.widgets.text import error

_TREES: Key[dict[str, kc.Hierarchy]] = Lasting("check-hierarchies", {})
_PROBLEM: Key[str] = Key("check-hierarchy-problem", "")


def with_hierarchies(file: str, opened: kc.OpenedFile) -> tuple[kc.OpenedFile, str]:
    """Return the file with the uploaded hierarchies of its sensitive columns, and a key for them."""
    trees = _TREES.of(file)
    sensitive = opened.schema.of_role("sensitive")
    names = [a.name for a in sensitive if not a.is_numeric and a.kind != "items"]
    if names:
        with lazy_popover(tr("Hierarchies of sensitive values"), "check-trees", "account_tree") as open:
            if open:
                _tree_uploader(file, opened, menu(tr("Column"), names, "check-tree-of"))
    known = {name: tree for name, tree in trees.get().items() if name in names}
    key = json.dumps({name: tree.to_json() for name, tree in known.items()}, sort_keys=True)
    return opened.with_schema(opened.schema.with_hierarchies(known)), key


def _tree_uploader(file: str, opened: kc.OpenedFile, name: str) -> None:
    """Show the uploader of one column's hierarchy, which must name all of its values."""
    trees, problem = _TREES.of(file), _PROBLEM.of(file, name)

    def take(content: bytes) -> None:
        problem.set("")
        try:
            tree = kc.read_hierarchy(content)
            opened.with_schema(opened.schema.with_hierarchies({name: tree}))
        except kc.KanonError as reason:
            problem.set(str(reason))
            return
        trees.set({**trees.get(), name: tree})

    about = tr("One line for each value: value;group;…;*. t-closeness can then use this hierarchy.")
    upload_into(tr("Hierarchy of {name}").format(name=name), f"check-tree-{file}-{name}", about, take)
    if problem.get():
        error(problem.get())
