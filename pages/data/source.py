"""Choice of the table: a sample, or a file and its reading options. A choice that fails changes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_each, tr_n
from kanon_core.table.readers.retail import WITHOUT, is_retail
from kanon_core.table.samples import SAMPLES
from pages.data.history import read_again
from pages.state.cache_eviction import give_back_after
from pages.state.jobs import working
from pages.state.keys import Key, linked_number
from pages.state.limits import above_free_memory, above_tab_limit
from pages.state.session import Session
from pages.widgets.files import KEPT, TOO_LARGE, upload
from pages.widgets.layout import fold
from pages.widgets.pickers import button, menu
from pages.widgets.text import error, note

_ATTEMPT: Key[tuple[Any, ...]] = Key("attempt", ())
_PROBLEM = Key("problem", "")
_AT_HAND = Key("file at hand", "")
"""The file that the uploader holds now and whose reading options can be changed."""
_MISSING = Key("missing", "")
_NAMED = Key("column names", "")
"""By file: the column names that were pasted."""

ENCODINGS = ("utf-8", "cp932", "euc_jp", "utf-16", "cp1252", "latin-1")
DELIMITERS = {
    ",": later("comma"),
    ";": later("semicolon"),
    "\t": later("tab"),
    "|": later("vertical bar"),
    ", ": later("comma and space"),
}
_SKIPPED = {
    "skip": later("Skip lines"),
    "skip_rows": later("Skip rows below the names"),
    "skip_end": later("Skip lines at the end"),
}
"""The reading options for lines outside the table: above the names, below the names, and at the end."""
_ASKED: Key[int | None] = Key("lines to skip", None)
"""By file and option: the chosen number; None: as found."""
_WIDE = 180
_COUNTED: Key[int] = Key("lines that were found", 0)
"""By file and option: the number that was found."""
MARKS = {",": later("comma"), ".": later("point")}
_AS_FOUND = later("as found")
_NAMES, _RECORD = later("column names"), later("a record")


def choose(session: Session) -> None:
    """Show the uploader, the reading options of the uploaded file, and the samples."""
    about = tr("Text (csv, tsv …), Excel, parquet or baskets, up to 300 MB.")
    uploaded = upload(tr("Your file"), (), "upload", about)
    note(
        tr(
            "Text (csv, tsv …), Excel, parquet or baskets. The content, not the file name, determines the"
            " format."
        )
    )
    _AT_HAND.set("" if uploaded is None else f"upload:{uploaded.file_id}")
    if uploaded is not None:
        file = _AT_HAND.get()
        options = _reading_options(session, file) | _column_names(session, file)
        _read(session, uploaded.name, file, uploaded.getvalue, options)
    _samples(session)


def at_hand(session: Session) -> bool:
    """Return whether the file of the loaded table is still there to be read with other options."""
    return bool(_AT_HAND.get()) and session.source == _AT_HAND.get()


def count_as_missing(text: str) -> None:
    """Read the file again with this text among those that count as missing."""
    _MISSING.set(f"{_MISSING.get()} {text}".strip())


def _samples(session: Session) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = menu(tr("Or one of our samples"), {s.name: s.title for s in SAMPLES}, "sample")
        loaded = session.source == f"sample:{chosen}"
        says = tr("Loaded") if loaded else tr("Load this sample")
        if button(says, None, icon="dataset", disabled=loaded):
            session.open_sample(chosen)
            st.rerun()
    note(next(s.description for s in SAMPLES if s.name == chosen))


def _read(session: Session, name: str, file: str, content: Any, options: dict[str, Any]) -> None:
    attempt = _attempt(file, options)
    if _ATTEMPT.get() != attempt:
        problem = _load(session, name, file, content(), options)
        _ATTEMPT.set(attempt)
        _PROBLEM.set(problem)
        if not problem:
            st.rerun()
    if _PROBLEM.get():
        error(tr("{reason} The loaded table has not changed.").format(reason=_PROBLEM.get()))
    elif session.source != file:
        button(tr("Load {name} again").format(name=name), _ATTEMPT.pop, icon="upload_file")


def _load(session: Session, name: str, file: str, content: bytes, options: dict[str, Any]) -> str:
    """Return the reason why the file could not be loaded; "" when it was."""

    def stop() -> None:
        _ATTEMPT.set(_attempt(file, options))
        _PROBLEM.set(tr("Reading the file was stopped."))

    try:
        if problem := above_tab_limit(content) or above_free_memory(content):
            return problem
        with working(stop, "stop-reading", tr("Reading the file …")) as tick:
            table = kc.read_table(content, **options, tick=tick)
        if problem := above_tab_limit(content, table):
            return problem
        again = session.source == file
        session.load(table, name, file)
        if again:
            read_again(session)
        give_back_after(session.table)
    except kc.KanonError as reason:
        return str(reason)
    except MemoryError:
        return tr(TOO_LARGE)
    return ""


def _attempt(file: str, options: dict[str, Any]) -> tuple[Any, ...]:
    return file, tuple(sorted(options.items()))


def _reading_options(session: Session, file: str) -> dict[str, Any]:
    """Return the reading options that were changed; {} if none was."""
    reading = session.table.reading if session.source == file else {}
    with fold(tr("Reading options"), "description", "reading options"):
        note(tr(KEPT))
        note(
            _found(reading)
            if reading
            else tr("Change these options if the file could not be read correctly.")
        )
        encodings, signs, rows = (
            (_AS_FOUND, *ENCODINGS),
            (_AS_FOUND, *DELIMITERS),
            (_AS_FOUND, _NAMES, _RECORD),
        )
        encoding = st.selectbox(tr("Encoding"), encodings, format_func=_said, key="encoding")
        delimiter = st.selectbox(tr("Delimiter"), signs, format_func=_said, key="delimiter")
        header = st.selectbox(tr("First row"), rows, format_func=_said, key="header")
        skipped = _skipped(file, reading)
        named = reading.get("sheet", tr("the first sheet that is not empty"))
        sheet = st.text_input(tr("Sheet (xlsx)"), placeholder=named, key="sheet")
        says = tr("Also missing: texts, separated by spaces")
        missing = st.text_input(says, placeholder=tr("such as ? or income=999998"), key=_MISSING.name)
        says = tr("Words that do not count as missing, separated by spaces")
        keep = st.text_input(says, placeholder=tr("such as NA or country=NA"), key="keep")
        decimal = st.selectbox(tr("Decimal mark"), (_AS_FOUND, *MARKS), format_func=_said, key="decimal mark")
        pair = _long_control()
        without = _left_out(session) if session.source == file else []
    options = {
        "without": tuple(without) or None,
        "encoding": encoding if encoding != _AS_FOUND else None,
        "delimiter": delimiter if delimiter != _AS_FOUND else None,
        "header": header == _NAMES if header != _AS_FOUND else None,
        "sheet": sheet.strip() or None,
        "missing": tuple(missing.split()) or None,
        "keep": tuple(keep.split()) or None,
        "decimal": decimal if decimal != _AS_FOUND else None,
        "long": pair,
        **skipped,
    }
    return {option: value for option, value in options.items() if value is not None}


def column_names_field(session: Session) -> None:
    """Show a field for the column names of a file that has no row of them."""
    if at_hand(session) and not session.table.reading.get("header", True):
        says = tr("The file has no row of column names. Paste them here, separated by commas, tabs or lines")
        key = _NAMED.of(session.source).name
        st.text_area(says, placeholder=tr("age, workclass, education …"), key=key, height=68)


def _column_names(session: Session, file: str) -> dict[str, Any]:
    """Return the option with the pasted column names of a file without a row of them, {} without any."""
    if session.source != file or session.table.reading.get("header", True):
        return {}
    pasted = _NAMED.of(file).get()
    names = tuple(name for part in re.split(r"[,;\t\n]", pasted) if (name := part.strip(" \r\"'")))
    return {"names": names} if names else {}


def _skipped(file: str, reading: Mapping[str, Any]) -> dict[str, int | None]:
    """Draw the controls for lines and rows outside the table; return the choices, None: as found. The
    controls start with the numbers found, so that a person can count from them."""
    asked = {name: _ASKED.of(file, name) for name in _SKIPPED}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, says in _SKIPPED.items():
            found, told = _COUNTED.of(file, name), asked[name].get()
            if reading and told is None:
                found.set(reading.get(name, 0))
            shown = found.get() if told is None else told
            tied = linked_number(name, shown, asked[name].set)
            # Narrower fields have no + and −.
            st.number_input(tr(says), 0, 10_000, step=1, width=_WIDE, **tied)
    if any(key.get() is not None for key in asked.values()):
        button(tr("Skip as found"), _as_found, file, icon="undo")
    return {name: key.get() for name, key in asked.items()}


def _as_found(file: str) -> None:
    """Forget the chosen numbers of lines around the table."""
    for name in _SKIPPED:
        _ASKED.of(file, name).pop()


def _left_out(session: Session) -> list[str]:
    """Return the chosen parts of UCI's Online Retail to leave out; none for another table."""
    if not is_retail(session.table.schema.names):
        return []
    offered, about = tr_each(WITHOUT), tr("nothing; the counts are shown with the table")
    spoken = offered.__getitem__
    return st.multiselect(
        tr("Leave out"), list(offered), format_func=spoken, key="leave out", placeholder=about
    )


def _said(choice: str) -> str:
    """Return the words for a reading option, if there are any."""
    return tr((DELIMITERS | MARKS).get(choice, choice))


def _found(reading: Any) -> str:
    parts = [tr("format {format}").format(format=reading["format"])]
    if "encoding" in reading:
        parts.append(tr("encoding {encoding}").format(encoding=reading["encoding"]))
    if "delimiter" in reading:
        parts.append(tr("delimiter {delimiter}").format(delimiter=_said(reading["delimiter"])))
    if "sheet" in reading:
        parts.append(tr("sheet {sheet}").format(sheet=reading["sheet"]))
    parts.append(tr("first row: column names") if reading.get("header", True) else tr("first row: a record"))
    if "names" in reading:
        parts.append(tr("columns renamed"))
    return tr("Found: {parts}.").format(parts=", ".join(parts)) + _around(reading)


def _around(reading: Mapping[str, Any]) -> str:
    """Return a sentence on the lines outside the table; "" if there are none."""
    above, labels, below = (reading.get(name) or 0 for name in _SKIPPED)
    over = tr_n("{count:,} line above the column names", "{count:,} lines above the column names", above)
    between = tr_n("{count:,} row below the column names", "{count:,} rows below the column names", labels)
    under = tr_n("{count:,} line at the end", "{count:,} lines at the end", below)
    parts = (above, over), (labels, between), (below, under)
    left = ", ".join(words.format(count=count) for count, words in parts if count)
    return " " + tr("Left out: {parts}.").format(parts=left) if left else ""


def _long_control() -> tuple[str, str] | None:
    """Return the columns of records and of items for a file with one row for each item (the reading option
    ``long`` of `kanon_core.read_table`); None while one of them is empty."""
    left, right = st.columns(2)
    with left:
        record = st.text_input(
            tr("One row per item: column of the record"),
            placeholder=tr("such as order"),
            key="long record",
        )
    with right:
        item = st.text_input(tr("Column of the item"), placeholder=tr("such as product"), key="long item")
    note(tr("Rows with the same value in the first of these columns form one record."))
    return (record.strip(), item.strip()) if record.strip() and item.strip() else None
