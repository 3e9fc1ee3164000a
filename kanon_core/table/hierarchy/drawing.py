"""Edits of hierarchies drawn by hand; each edit returns a valid tree with the same values, or raises an
error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy


def flat(values: Iterable[str]) -> Hierarchy:
    """All values directly below the root: the start of a drawing."""
    return Hierarchy(tuple((value, ROOT) for value in values))


def completed(tree: Hierarchy, values: Iterable[str]) -> Hierarchy:
    """Return the tree, with those of these values that it lacks added directly below the root."""
    missing = [value for value in values if value not in tree.number]
    return Hierarchy((*tree.parents, *((value, ROOT) for value in missing)))


def gathered(tree: Hierarchy, nodes: Sequence[str], group: str) -> Hierarchy:
    """The nodes, with all below them, moved into a group: one there is, or a new one below the lowest node
    above all of them. Groups left empty are gone. Raises SchemaError for a group without a name, one that is
    a value, and one that would lie below itself."""
    group = group.strip()
    if not nodes or not group:
        raise SchemaError(tr("A group needs a name and at least one value or group below it."))
    _check_group(tree, group)
    above = dict(tree.parents)
    if group not in tree.number:
        numbers = [tree.number[above[node]] for node in nodes]
        place = tree.ancestors([min(numbers)], [max(numbers)])[0]
        above[group] = tree.nodes[int(place)]
    above.update(dict.fromkeys(nodes, group))
    return Hierarchy(tuple(above.items())).without_empty(tree.values)


def redrawn(tree: Hierarchy, rows: Sequence[tuple[str, str]]) -> Hierarchy:
    """The tree after its rows were edited: pairs (node, the node above it) for ``tree.nodes[1:]``, in that
    order.

    A group with another name is renamed everywhere; one named for the first time is new and hangs below the
    root, as does what has nothing above it. Groups left empty are gone. Raises SchemaError, naming the label,
    for a renamed value, a label used twice, a value with something below it, and a group below itself.
    """
    renamed: dict[str, str] = {}
    for old, (name, _) in zip(tree.nodes[1:], rows, strict=True):
        if name.strip() != old:
            _check_renamed(tree, old, name.strip())
            renamed[old] = name.strip()
    pairs = []
    for name, parent in rows:
        parent = parent.strip() or ROOT
        _check_group(tree, parent)
        pairs.append((name.strip(), renamed.get(parent, parent)))
    known = {name for name, _ in pairs} | {ROOT}
    new = dict.fromkeys(parent for _, parent in pairs if parent not in known)
    return Hierarchy((*pairs, *((group, ROOT) for group in new))).without_empty(tree.values)


def _check_renamed(tree: Hierarchy, old: str, name: str) -> None:
    if old not in tree.below:
        said = tr("“{old}” is a value of the column and cannot be renamed; rename only groups.")
        raise SchemaError(said.format(old=old))
    if not name:
        said = tr(
            "The group “{old}” needs a name; to remove the group, move its values and groups elsewhere."
        )
        raise SchemaError(said.format(old=old))


def _check_group(tree: Hierarchy, group: str) -> None:
    if group in tree.number and group not in tree.below:
        said = tr("“{group}” is a value, and a value has nothing below it; choose a group.")
        raise SchemaError(said.format(group=group))
