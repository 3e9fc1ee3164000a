"""A value hierarchy as nested bars: every group as wide as its values, the top on the left."""

from __future__ import annotations

from typing import Any

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import margin
from kanon_core.table.columns.texts import ANY
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy

_NODES = 400
_LABELED = 45
_ROW = 24


def hierarchy_figure(tree: Hierarchy, theme: str = "light") -> look.Figure:
    """An icicle: one column per level, the height of a node is its number of values, one color for each top
    group.

    The lowest levels of a large tree are left out, so that the labels of the others can be read.
    """
    depth = _shown_depth(tree)
    shown = [node for node, level in zip(tree.nodes, tree.depth.tolist(), strict=True) if level <= depth]
    counts = [int(tree.spread[tree.number[node]]) for node in shown]
    trace: dict[str, Any] = {
        "type": "icicle",
        "ids": [str(tree.number[node]) for node in shown],
        "labels": [look.plain(ANY if node == ROOT else node) for node in shown],
        "parents": ["" if node == ROOT else str(tree.number[tree.above[node]]) for node in shown],
        "values": counts,
        "branchvalues": "total",
        "sort": False,
        "tiling": {"orientation": "h", "pad": 1},
        "customdata": [counted(count, "value") for count in counts],
        "hovertemplate": "%{label}: %{customdata}<extra></extra>",
        "textinfo": "label",
        "marker": {"colors": _colors(tree, shown, theme), "line": {"width": 0}},
        "textfont": {"color": look.theme_of(theme).text, "size": 12},
        "pathbar": {"visible": False},
    }
    height = max(12 + _ROW * min(_rows(tree, depth), _LABELED), 84)
    hidden = {"minsize": 10, "mode": "hide"}
    more = {"margin": margin(0, 0, 4, 4), "uniformtext": hidden, "uirevision": "hierarchy"}
    return look.figure([trace], theme, hierarchy_sentence(tree), height, **more)


def _shown_depth(tree: Hierarchy) -> int:
    """The lowest level whose labels find room; level 1 in any case if it has no more than 400 nodes."""
    for level in range(int(tree.depth.max()), 1, -1):
        if _rows(tree, level) <= _LABELED:
            return level
    return int(_rows(tree, 1) <= _NODES)


def _rows(tree: Hierarchy, level: int) -> int:
    """Return how many nodes are the lowest drawn when the levels down to this one are drawn."""
    levels = zip(tree.nodes, tree.depth.tolist(), strict=True)
    return sum(depth == level or (depth < level and node not in tree.below) for node, depth in levels)


def _colors(tree: Hierarchy, shown: list[str], theme: str) -> list[str]:
    colors = look.theme_of(theme)
    tops = {node: i for i, node in enumerate(tree.below[ROOT])}
    found = []
    for node in shown:
        top = node
        while top != ROOT and top not in tops:
            top = tree.above[top]
        if top == ROOT:
            found.append(colors.grid)
            continue
        level = int(tree.depth[tree.number[node]])
        found.append(
            look.faded(colors.groups[tops[top] % len(colors.groups)], max(0.15, 0.5 - 0.12 * (level - 1)))
        )
    return found


def hierarchy_sentence(tree: Hierarchy) -> str:
    """Return a sentence on the numbers of values, groups and levels, and the largest group."""
    groups = [node for node in tree.below if node != ROOT]
    values = counted(len(tree.values), "value")
    if not groups:
        return tr("{values}, none in a group yet.").format(values=values)
    largest = max(groups, key=lambda node: int(tree.spread[tree.number[node]]))
    count = int(tree.spread[tree.number[largest]])
    levels = int(tree.depth.max()) - 1
    text = tr("{values} in {groups} on {levels}").format(
        values=values, groups=counted(len(groups), "group"), levels=counted(levels, "level")
    )
    text += "; " + tr("the largest group, “{largest}”, contains {count}.").format(
        largest=largest, count=counted(count, "value")
    )
    hidden = int(tree.depth.max()) - _shown_depth(tree)
    return text + (" " + tr("The lowest levels are not drawn.") if hidden > 0 else "")
