"""Roles and kinds of the columns of well-known tables, as papers use them. Each is a line or two here.

>>> import kanon_core as kc
>>> table = kc.read_table(b"capital.gain,Marital Status\\n0,Divorced\\n0,Divorced\\n")
>>> [one.name for one in fitting(table)]
['adult-2']
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.table.differences import Differences, applied
from kanon_core.table.table import Table

_UNNAMED = re.compile(r"column_\d+")


@dataclass(frozen=True)
class RoleSet:
    """The roles and kinds that one paper gives to the columns of a known table.

    ``declared``: a line for each column that counts: its names (with bars between, the first is given where
    the file has none), kind, role and recoding – a quasi-identifier that is generalized when these are left
    out. No other column is ever published. ``order``: all names, in the order of the columns, of the file in
    its usual distribution without a line of names; ``telling``: values by which the table is recognized, by
    name of a column.
    """

    name: str
    title: str
    about: str
    declared: str = field(repr=False)
    order: str = field(default="", repr=False)
    telling: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def columns(self) -> dict[tuple[str, ...], tuple[str, str, str]]:
        """The kind, role and recoding of each column, by all its possible names."""
        usual = ("", "quasi_identifier", "generalize")
        found = dict[tuple[str, ...], tuple[str, str, str]]()
        for names, *said in (line.split() for line in self.declared.strip().splitlines()):
            kind, role, recoding = (*said, *usual[len(said) :])
            found[tuple(names.split("|"))] = kind, role, recoding
        return found

    def names(self, table: Table) -> tuple[str, ...] | None:
        """Return the names of the table's columns for this set: their own, or, if they have none and the
        values fit, the usual names in order; None for another table. O(n) without names."""
        own = table.schema.names
        if all(self._found(names, own) for names in self.columns):
            return own
        known = tuple(self.order.split())
        if len(own) != len(known) or not all(map(_UNNAMED.fullmatch, own)):
            return None
        told = {column: values for column, values in self.telling.items() if column in known}
        seen = (set(table.frame.iloc[:, known.index(c)].dropna().astype(str)) <= v for c, v in told.items())
        return known if told and all(seen) else None

    def given_to(self, table: Table) -> Table:
        """The table with these roles, kinds and recodings, named where it had no names. Raises OptionError
        when it is another table."""
        found = self.names(table)
        if found is None:
            said = tr(
                "The roles “{name}” need the columns {columns}, and this table lacks some of them;"
                " choose other roles."
            )
            raise OptionError(
                said.format(name=self.name, columns=", ".join(names[0] for names in self.columns))
            )
        table = table if found == table.schema.names else table.with_names(found)
        roles, kinds, recodings = dict.fromkeys(found, "identifier"), dict[str, str](), dict[str, str]()
        for names, (kind, role, recoding) in self.columns.items():
            column = self._found(names, found)
            assert column is not None
            roles[column], kinds[column], recodings[column] = role, kind, recoding
        return table.with_schema(applied(table.schema, Differences(roles, kinds, recodings, {}, {})))

    @staticmethod
    def _found(names: tuple[str, ...], among: tuple[str, ...]) -> str | None:
        wanted = set(map(_plain, names))
        return next((name for name in among if _plain(name) in wanted), None)


def _plain(name: str) -> str:
    """The letters and digits alone: “Marital_Status” and “marital-status” are one name."""
    return re.sub(r"[\W_]", "", name.casefold())


_ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    " capital-gain capital-loss hours-per-week native-country salary-class"
)
_TELLING = {"sex": frozenset({"Male", "Female"}), "salary-class": frozenset({"<=50K", ">50K"})}
_SEX, _CLASS, _SCHOOL = "sex|gender", "salary-class|income|class|salary", "education-num|educational-num"
_CASC = (
    "Given by Brand, Domingo-Ferrer and Mateo-Sanz to compare methods by (2002, in the project Computational"
    " Aspects of Statistical Confidentiality, CASC). All its numbers are quasi-identifiers, published as the"
    " means of their groups: microaggregation."
)


_MEAN = " numeric quasi_identifier mean\n"


def _means(columns: str) -> str:
    return "".join(column + _MEAN for column in columns.split())


ROLE_SETS: tuple[RoleSet, ...] = (
    RoleSet(
        "adult-8",
        "Adult with eight quasi-identifiers",
        "As many papers on k-anonymity take it. The salary class is sensitive and published"
        " unchanged; the other six columns are left out.",
        f"""
        age numeric
        workclass categorical
        {_SCHOOL} numeric
        marital-status categorical
        occupation categorical
        race categorical
        {_SEX} categorical
        native-country categorical
        {_CLASS} categorical sensitive
        """,
        _ADULT,
        _TELLING,
    ),
    RoleSet(
        "adult-15",
        "Adult as in the k-concealment paper of Ito and Kikuchi",
        "All 15 columns are quasi-identifiers, six numbers and nine categories. The paper takes 1,000 of the"
        " 32,561 records.",
        f"""
        age numeric
        workclass categorical
        fnlwgt numeric
        education categorical
        {_SCHOOL} numeric
        marital-status categorical
        occupation categorical
        relationship categorical
        race categorical
        {_SEX} categorical
        capital-gain numeric
        capital-loss numeric
        hours-per-week numeric
        native-country categorical
        {_CLASS} categorical
        """,
        _ADULT,
        _TELLING,
    ),
    RoleSet(
        "adult-2",
        "Adult as in Akiyama's thesis on information loss (2018)",
        "Two quasi-identifiers: capital gain, published as the mean of its group, and marital status, as its"
        " most frequent value. The other columns are left out.",
        "capital-gain numeric quasi_identifier mean\nmarital-status categorical quasi_identifier mode",
        _ADULT,
        _TELLING,
    ),
    RoleSet(
        "census-13",
        "Census of the CASC project, as in papers on microaggregation",
        _CASC,
        _means(
            "AFNLWGT AGI EMCONTRB FEDTAX PTOTVAL STATETAX TAXINC POTHVAL INTVAL PEARNVAL FICA WSALVAL ERNVAL"
        ),
    ),
    RoleSet(
        "tarragona-13",
        "Tarragona of the CASC project, as in papers on microaggregation",
        _CASC,
        _means(
            "FIXED.ASSETS CURRENT.ASSETS TREASURY UNCOMMITTED.FUNDS PAID.UP.CAPITAL SHORT.TERM.DEBT SALES"
            " LABOR.COSTS DEPRECIATION OPERATING.PROFIT FINANCIAL.OUTCOME GROSS.PROFIT NET.PROFIT"
        ),
    ),
    RoleSet(
        "eia-11",
        "EIA (U.S. Energy Information Administration) of the CASC project, as in papers on microaggregation",
        f"{_CASC} UTILITYID counts as a number; name, state, year and month are left out.",
        _means(
            "UTILITYID RESREVENUE RESSALES COMREVENUE COMSALES INDREVENUE INDSALES OTHREVENUE OTHRSALES"
            " TOTREVENUE TOTSALES"
        ),
    ),
)
"""Every known set of roles, in the order in which they are offered."""


def fitting(table: Table) -> tuple[RoleSet, ...]:
    """The sets of roles for a table like this one."""
    return tuple(one for one in ROLE_SETS if one.names(table) is not None)


def role_set(name: str) -> RoleSet | None:
    """The set of roles of this name; None when there is none."""
    return next((one for one in ROLE_SETS if one.name == name.strip().lower()), None)
