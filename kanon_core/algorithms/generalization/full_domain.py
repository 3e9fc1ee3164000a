"""Full-domain generalization: every column at one level of its hierarchy, the best choice of all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.generalization.lattice import Node, NodeCost, cheapest
from kanon_core.algorithms.generalization.level_classes import Rows
from kanon_core.algorithms.generalization.level_costs import LOSSES, costs_of
from kanon_core.algorithms.generalization.levels import levels_of, most_levels
from kanon_core.base.kinds import Choice, Integer, Real
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.table import Table

_NODES_AT_MOST = 6_000_000


@dataclass(frozen=True)
class FullDomain(Algorithm):
    """Each column is published at one level, the same for all records; of all choices of levels that leave k
    equal records, or none, of every row, the one of the least loss.

    The levels of a category are those of its hierarchy: on level 2 every city is a country. A category
    without a hierarchy has two: each value, and any value. The range of numbers and dates is cut into
    2^``halvings`` intervals of equal length, half as many, …, one. The choices form a lattice; the optimum is
    exact, and most of the lattice is not looked at (`lattice.cheapest`): any choice that is finer than one
    with too many small classes has too many as well. Records in classes smaller than k are left out, at most
    ``max_suppressed`` of all; each costs as much as if all its cells said "any value". Round ends and means
    (the column's recoding) are made of the groups found and do not shape them.

    When to use: where all records must be coded alike, as in tables of counts, and hierarchies are given. It
    loses more than methods that generalize record by record: on Adult (32,561 records, eight hierarchies, k =
    10) NCP is 69 %, with 5 % of the records left out 38 %, where Top-down has 17 %. Allow a few per cent, as
    single odd records otherwise coarsen all others.

    Cost: each look O(distinct rows · columns), O(nodes) besides. At most 6 million nodes.

    Departure from the papers: a hierarchy with short branches is cut by depth, as if short branches were
    filled up at the values.

    Reference: P. Samarati, Protecting respondents' identities in microdata release, IEEE Transactions on
    Knowledge and Data Engineering 13(6), 2001; K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Incognito:
    efficient full-domain k-anonymity, SIGMOD 2005; K. El Emam et al., A globally optimal k-anonymity method
    for the de-identification of health data, Journal of the American Medical Informatics Association 16(5),
    2009; F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, Flash: efficient, stable and optimal
    k-anonymity, PASSAT 2012.
    """

    title: ClassVar[str] = "Full domain"
    family: ClassVar[str] = "generalization"
    summary: ClassVar[str] = (
        "Every column at one level of its hierarchy, the best of all choices: read alike in every row."
    )

    max_suppressed: Annotated[
        float, Real(0, 1, help="share of the records that may be left out so that the others say more")
    ] = 0.0
    loss: Annotated[str, Choice(LOSSES, help="what is kept smallest")] = "ncp"
    halvings: Annotated[
        int,
        Integer(0, 16, help="how often the range of numbers and dates is halved for their finest intervals"),
    ] = 5

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also where no column has levels between its values and nothing, and for too many
        choices."""
        reasons = super().unsuitable(table, k)
        if reasons:
            return reasons
        if all(
            isinstance(column, Categories) and column.attribute.hierarchy is None for column in table.quasi
        ):
            return [
                tr(
                    "No quasi-identifier has a hierarchy or is a number, so each column could only be"
                    " published as it is or not at all; give columns a hierarchy on the Data page, or choose"
                    " Mondrian."
                )
            ]
        nodes = math.prod(most_levels(column, self.halvings) for column in table.quasi)
        if nodes <= _NODES_AT_MOST:
            return []
        return [
            tr(
                "The quasi-identifiers have {nodes:.0e} choices of levels, and {most:.0e} can be searched;"
                " leave columns out, give them hierarchies of fewer levels, or allow fewer halvings."
            ).format(nodes=nodes, most=_NODES_AT_MOST)
        ]

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The classes of the best choice; reports how many choices there are and how many were looked at.

        Logs ``lattice`` (columns, sizes), each ``look`` (node, few, loss), ``chosen`` (node, loss), then
        ``group``."""
        run.tick(0.0, tr("reading the records"))
        levels = [levels_of(column, self.halvings) for column in table.quasi if not isinstance(column, Items)]
        costs = costs_of(levels, self.loss)
        rows, most = Rows.of(levels), int(self.max_suppressed * len(table))
        if run.log is not None:
            names = [column.attribute.name for column in table.quasi]
            run.log.write("lattice", columns=names, sizes=list(costs.base.shape))

        def look(node: Node) -> NodeCost:
            few = rows.few(node, k)
            count = int(rows.weight[few].sum())
            extra = costs.extra(node, rows.values[few], rows.weight[few]) if count else 0.0
            if run.log is not None:
                run.log.write("look", node=node, few=count, loss=float(costs.base[node]) + extra)
            return NodeCost(count if count < len(table) else len(table) + 1, extra)

        found = cheapest(costs.base, costs.gap, look, most, run.part(0.02, 0.98).tick)
        groups = rows.groups(found.node, k)
        run.shown.update(rows.published(found.node, groups >= 0))
        run.report.update({later("choices of levels"): costs.base.size, later("looked at"): found.looks})
        if run.log is not None:
            run.log.write("chosen", node=found.node, loss=found.loss)
        result = Partition(groups)
        run.write_groups(result)
        return result
