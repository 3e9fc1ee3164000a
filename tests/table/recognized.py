"""Cases of what is recognized in files, and the tables of docs/reference/reading.md, made by reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.base.words import counted
from kanon_core.table.columnnotes import misfit_notes
from kanon_core.table.dateorders import date_notes
from kanon_core.table.guesses import role_reasons
from kanon_core.table.identifiers.checkdigits import bsn
from kanon_core.table.people import undecided
from kanon_core.table.readers import texts_in

CITIES = ("Bern", "Rome", "Oslo")
SHOWN = 4
"""So many cells are printed of a column that has more, and lines of a file before and after the cut."""


class Case(NamedTuple):
    """A file that is read: a column beside others, or a text; what is special about it, and what is said."""

    what: str
    cells: Sequence[str] | str
    name: str = "x"
    sign: str = ","
    beside: Mapping[str, Sequence[str]] = {}
    how: Mapping[str, Any] = {}
    kind: str = ""
    order: str = ""
    encoding: str = "utf-8"
    folder: bool = False

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        if isinstance(self.cells, str):
            return self.cells.encode(self.encoding)
        beside = self.beside or {"city": list(islice(cycle(CITIES), len(self.cells)))}
        return pd.DataFrame({self.name: self.cells, **beside}).to_csv(sep=self.sign, index=False).encode()

    def table(self) -> kc.Table:
        """Return the file as it is read. Raises InputError."""
        if self.folder:
            texts_in(self.data)
        table = kc.read_table(self.data, **self.how)
        schema = table.schema.with_kinds({self.name: self.kind} if self.kind else {})
        return table.with_schema(schema.with_date_orders({self.name: self.order} if self.order else {}))


def notes_of(table: kc.Table) -> list[str]:
    """All that is said of a file."""
    return [*table.notes, *misfit_notes(table), *date_notes(table), *undecided(table)]


PLAIN = {
    note
    for text in ("x\n1\n2\n", "x,y\n1,a\n", "x,y\na,b\n", "x;y\n1;a\n", "x;y\na;b\n", "x\ty\n1\ta\n")
    for note in notes_of(kc.read_table(text.encode()))
}
"""The notes that any file gets."""


def line(case: Case, roles: bool = False) -> str:
    """Return the case as a line of a table: what it is, how it is written and read, what is said."""
    try:
        table = case.table()
    except InputError as refused:
        read, said = "refused", [str(refused)]
    else:
        read = role_of(case, table) if roles else table_of(case, table)
        said = [note for note in notes_of(table) if note not in PLAIN]
        said = [*([f"{role_reasons(table)[case.name]}."] if roles else []), *said]
    cells = (case.what, written(case), read, " ".join(said))
    return "| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in cells) + " |"


def written(case: Case) -> str:
    """Return the lines of the file, or the first cells of its column."""
    if isinstance(case.cells, str):
        lines = [f"`{text}`" if text else "(a blank line)" for text in case.cells.splitlines()]
        return "<br>".join(lines if len(lines) <= 2 * SHOWN else [*lines[:SHOWN], "…", *lines[-SHOWN:]])
    columns = {case.name: case.cells, **case.beside}
    return "<br>".join(
        (f"{name}: " if case.beside or name != "x" else "")
        + some(f"`{cell}`" if cell else "(a blank)" for cell in dict.fromkeys(cells))
        for name, cells in columns.items()
    )


def some(texts: Iterable[str]) -> str:
    """Return the first and the last of them."""
    texts = list(texts)
    return ", ".join(texts if len(texts) <= SHOWN + 1 else [*texts[: SHOWN - 1], "…", texts[-1]])


def role_of(case: Case, table: kc.Table) -> str:
    """Return role and kind of the column."""
    return f"{table.schema[case.name].role}, {table.schema[case.name].kind}"


def table_of(case: Case, table: kc.Table) -> str:
    """Return the size of a file and its columns, or kind and values of the case's columns."""
    if isinstance(case.cells, str):
        coded = "" if case.encoding == "utf-8" else f", in {table.reading['encoding']}"
        names = ", ".join(f"`{name}`" for name in table.schema.names)
        return f"{counted(len(table), 'record')} of {names}{coded}"
    columns = {case.name: case.cells, **case.beside}
    return "<br>".join(
        f"{table.schema[name].kind}: {some(dict.fromkeys(values_of(table, name)))}" for name in columns
    )


def values_of(table: kc.Table, name: str) -> Iterator[str]:
    """Yield the values of a column, as they count."""
    column, kind = table[name], table.schema[name].kind
    for row, missing in enumerate(column.missing):
        if missing:
            yield "missing"
        elif kind == "datetime":
            when = pd.Timestamp(np.float64(column.values[row]), unit="s")
            yield f"{when:%Y-%m-%d}" if when == when.normalize() else f"{when:%Y-%m-%d %H:%M}"
        elif kind in ("numeric", "latitude", "longitude"):
            yield f"{column.values[row]:.10g}"
        else:
            yield f"`{table.frame[name].iloc[row]}`"


RECORDS = "34,Bern,1200\n27,Rome,900\n41,Oslo,1500\n"
PEOPLE = "age,city,pay\n" + RECORDS
NUMBERED = "34,2,1200\n27,0,900\n41,1,1500\n"
AROUND = (
    Case("a first line for Excel", "sep=;\nage;city\n34;Bern\n27;Rome\n"),
    Case("a title above names and values", f"Survey 2020\n{PEOPLE}"),
    Case("with as many signs as the rows", f"Survey 2020,,\n{PEOPLE}"),
    Case("a title, then a blank line", "Our people\n\nname,city\nAnna,Bern\nBert,Rome\n"),
    Case("notes that begin like some", f"{PEOPLE}Source: census\n* estimated\n"),
    Case("texts after a blank line", f"{PEOPLE}\nof the year 2020\n"),
    Case("two rows of names", "2020,,2021,\nmen,women,men,women\n1,2,3,4\n5,6,7,8\n2,4,6,8\n"),
    Case(
        "labels: words in most columns, where all below are values in at least half of them",
        f"age,kids,pay\nHow old are you?,How many children?,What do you earn?\n{NUMBERED}",
    ),
    Case("a record of words in most columns that are numbers otherwise", f"a,b,c\n{NUMBERED * 5}a,b,c\n"),
    Case(
        "one cell above three or more, of texts alone",
        "Our people,,\nname,city,job\nAnna,Bern,nurse\nBert,Rome,cook\nCarl,Rome,tailor\n",
    ),
    Case("a last line with fewer fields that is no such note", f"{PEOPLE}Anna,5\n"),
    Case("any of these lines in a file of a folder", f"Survey 2020\n{PEOPLE}", folder=True),
    Case(
        "few bytes beyond ASCII in a text that is no UTF-8",
        "town,size\nMálaga,3\nJaén,1\n",
        encoding="cp1252",
    ),
    Case("two usual characters of Japanese, or three words", "氏名,size\n山田,3\n鈴木,1\n", encoding="cp932"),
)
"""The file around the table."""

DOTTED = ("999", "1.234", "13.000")
NUMBERS = (
    Case("in a file of semicolons", DOTTED, sign=";"),
    Case("beside decimal commas", DOTTED, sign="\t", beside={"y": ("0,5", "1,5", "2,5")}),
    Case("beside decimal points", DOTTED, sign=";", beside={"y": ("0.5", "1.5", "2.5")}),
    Case("in any other file", DOTTED),
    Case("the same, with `--decimal ,`", DOTTED, how={"decimal": ","}),
    Case("two columns of coordinates", ("35.681", "35.702"), sign=";", beside={"y": ("139.767", "139.774")}),
    Case("in a column named so", ("35.681", "35.702"), "lat", ";", {"lon": ("139.767", "139.774")}),
    Case("groups of three, twice", ("1.234.567", "1.234")),
    Case("and a decimal comma", ("1.234.567,5", "12")),
    Case("commas between thousands", ("1,234,567", "1,234")),
    Case("as in India", ("1,00,000", "12,34,567")),
    Case("blanks of any kind", ("1 234,5", "12"), sign=";"),
    Case("apostrophes", ("1'234.50", "12")),
    Case("other signs and digits", ("−5", "１２")),
    Case("a currency", ("€ 12,50", "€ 1.250,00"), sign=";"),
    Case("a percentage", ("12 %", "7%")),
    Case("a unit", ("5 kg", "6.5 kg")),
    Case("a unit in Japanese", ("45歳", "38歳")),
    Case("two units", ("5 kg", "7 lb")),
    Case("a unit here, none there", ("12 %", "0.5")),
    Case("points and commas that contradict one another", ("1.234,5", "1.5")),
    Case("the same in whole numbers", ("1.234", "1,234")),
    Case("leading zeros", ("007", "012")),
    Case("telephone numbers", ("612 345 678", "699 111 222")),
    Case("addresses of machines", ("10.100.200.100", "192.168.100.200")),
)
"""Numbers."""

AGES = [str(18 + 5 * row % 42) for row in range(42)]
MISSING = (
    Case("beside numbers", ("12", "NA", "N/A", "null")),
    Case("beside numbers", ("12", "nil", "NaN", "")),
    Case("beside numbers", ("12", ".", "-", "--", "unknown")),
    Case("beside words", ("flu", "NA", "-", "Unknown")),
    Case("beside dates", ("2020-01-31", "NA", ".", "none")),
    Case("`NA` among codes of two capital letters", ("NA", "DE", "FR", "ZA")),
    Case("`none` among words", ("none", "yes", "no")),
    Case("a minus beside a plus", ("+", "-", "+")),
    Case("kept, with `--keep NA`", ("NA", "yes", "no"), how={"keep": ["NA"]}),
    Case(
        "a code, with `--missing income=999998`",
        (*AGES, "999998"),
        "income",
        how={"missing": ["income=999998"]},
    ),
    Case("a code that lies among the others", (*AGES, "45"), how={"missing": ["x=45"]}),
    Case("nines far from all others", (*AGES, "99")),
    Case("and more of them", ("1200", "2400", "3100", "99998", "99999")),
    Case("ends, with `--kinds age=numeric`", ("> 89", "90+", "<20", "90 and over"), "age", kind="numeric"),
    Case("and words", ("42", "90+", "refused", "often"), "age", kind="numeric"),
    Case("intervals of a released file", ("42", "[20, 29]", "30-39", "40"), "age"),
)
"""Missing cells."""

DATES = (
    Case("day first, as some field above 12 shows", ("31.12.2024", "05.03.2024")),
    Case("month first", ("12/31/2024", "3/5/2024")),
    Case("with a minus", ("31-12-2024", "05-03-2024")),
    Case("day or month first", ("1/2/2020", "2/12/2020")),
    Case(
        "the same beside dates that say it",
        ("1/2/2020", "2/12/2020"),
        beside={"y": ("3/25/2020", "4/1/2020")},
    ),
    Case("with `--date-order x=mdy`", ("1/2/2020", "2/12/2020"), order="mdy"),
    Case("two orders in one column", ("13/2/2020", "2/13/2020") * 3),
    Case("years first", ("2024/3/5", "1850-01-01")),
    Case("months", ("2024-03", "2023-11")),
    Case("years first, in Japanese", ("2024年3月5日", "2023年11月30日")),
    Case("months as words", ("5-Mar-2024", "Mar 5, 2024", "5. März 2024", "5 de marzo de 2024")),
    Case("in French and Italian", ("5 février 2024", "5 febbraio 2024")),
    Case("in Portuguese and Dutch", ("5 de fevereiro de 2024", "5 maart 2024")),
    Case("Japanese eras", ("令和6年3月5日", "R6.3.5", "平成元年3月5日")),
    Case("a time and a zone", ("2024-03-05T12:30+09:00", "2024-03-05T12:30Z")),
    Case("times, in UTC where no zone is said", ("31.03.2024 14:30", "05.03.2024 08:00")),
    Case("a zone in letters", ("5/Mar/2024:12:30:00 +0100", "5-Mar-2024 12:30 UTC")),
    Case("in twelve hours", ("3/25/2024 2:30 PM", "3/5/2024 12:05 AM")),
    Case("years of two digits: no birth lies in the future", ("05.03.64", "24.12.26", "24.12.27")),
    Case("numbers that may be dates", ("20240305", "20231231"), "entry_date"),
    Case(
        "the same with `--kinds entry_date=datetime`", ("20240305", "20231231"), "entry_date", kind="datetime"
    ),
    Case("versions", ("1.2.3", "1.10.12")),
    Case("addresses of machines", ("10.0.0.1", "192.168.1.12")),
    Case("telephone numbers", ("06-12-3456", "090-1234-5678")),
    Case("scores", ("3-2", "1-1")),
    Case("fractions", ("1/2", "3/4")),
    Case("numbers", ("12.34", "5.06")),
    Case("codes", ("01-02-03", "50-00-0")),
)
"""Dates, and what looks like them."""

ROWS = range(1, 25)
BEARERS = [str(n) for n in range(123_456_782, 123_457_000) if bsn(np.array([[*map(int, str(n))]]))[0]]
WEIGHED = [str(900 + 713 * row) for row in ROWS]
APART = [str(7 * row % 100 + 1) for row in ROWS]
CARDS = [f"{n}-{'TRWAGMYFPDXBNJZSQVHLCKE'[n % 23]}" for n in range(12_345_678, 12_370_000, 1_009)]
WHOSE = (
    Case(
        "sentences: shown all the same, they are the finding “free text”",
        [f"Anna from Leeds called about bill {row}." for row in ROWS],
        "remark",
    ),
    Case("numbers in the order of the rows, by any name", [str(row) for row in ROWS]),
    Case("by its name, in any order", APART, "S.No"),
    Case("numbers of cases", APART, "caseid"),
    Case("a column that other programs number", [str(row - 1) for row in ROWS], "Unnamed: 0"),
    Case("weights of a survey", WEIGHED, "fnlwgt"),
    Case("by a short name", WEIGHED, "pw"),
    Case("by a long name", WEIGHED, "survey_weight"),
    Case("beyond what bodies weigh", WEIGHED, "weight"),
    Case("what bodies weigh", [str(48 + 5 * row % 40) for row in ROWS], "weight"),
    Case("a name of addresses, two values", ("U", "R") * 12, "address"),
    Case("a name of places, few values", [str(1 + row % 12) for row in range(240)], "PULocationID"),
    Case("a name of numbers, two answers", ("yes", "no") * 12, "phone"),
    Case("numbers with check digits of persons", BEARERS),
    Case("the same where they repeat", BEARERS * 2),
    Case("and letters", CARDS),
    Case("a name of persons, where most is unknown", [*BEARERS[:8], *["Unknown"] * 40], "customer_id"),
)
"""Whose a value is."""

TABLES = {
    "around": (AROUND, False),
    "numbers": (NUMBERS, False),
    "missing": (MISSING, False),
    "dates": (DATES, False),
    "roles": (WHOSE, True),
}
"""By the name of a table: its cases, and whether it is about roles."""
BLANK = "\n\n"
HEAD = "| what | written | read as | said |\n|---|---|---|---|"


def made(text: str) -> str:
    """Return the page with every table made anew, from the line that names it to the next blank line."""
    for name, (cases, roles) in TABLES.items():
        lines = "\n".join(line(case, roles) for case in cases)
        mark = f"<!-- made by running: {name} -->\n"
        before, _, after = text.partition(mark)
        text = f"{before}{mark}{HEAD}\n{lines}\n\n{after.partition(BLANK)[2].lstrip()}"
    return text.rstrip() + "\n"
