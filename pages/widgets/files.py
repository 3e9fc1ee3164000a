"""Upload and download of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

import streamlit as st
from streamlit.typing import UploadedFile

from kanon_core.base.errors import KanonError
from kanon_core.base.words import later, tr
from pages.state.jobs import working
from pages.state.keys import Key, Lasting
from pages.state.limits import above_free_memory, files_refused, memory_full
from pages.widgets.pickers import button
from pages.widgets.text import error, note, plain

T = TypeVar("T")

KEPT = later(
    "The computer that runs Kanon keeps the file in memory. The upload writes nothing to the disk"
    " of that computer."
)
LOCKED = "This server is for a class. It opens samples only and does not accept files."
FULL = later(
    "The memory of this server is full. You can open samples now, and upload files when other"
    " people have left."
)
TOO_LARGE = later("The file needs more memory than the computer has. Use a part of the file.")
_MIME = {
    ".csv": "text/csv",
    ".pwscup": "text/csv",
    ".json": "application/json",
    ".py": "text/x-python",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".parquet": "application/vnd.apache.parquet",
}


def upload(label: str, types: Sequence[str], key: str, about: str, **options: Any) -> UploadedFile | None:
    """Show an uploader for files with these endings, or any; ``about``: the contents of the file."""
    file: UploadedFile | None = uploader(
        label, type=list(types) or None, key=key, help=plain(f"{about} {tr(KEPT)}", 600), **options
    )
    return file


def upload_kept(label: str, key: str, about: str) -> UploadedFile | None:
    """Show an uploader of one file. The file stays on a visit to another page and when the page is loaded
    anew, until it is removed or replaced."""
    place = _kept(key)

    def changed() -> None:
        place.set(Key[UploadedFile | None](key, None).get())

    file = upload(label, (), key, about, on_change=changed)
    if file is not None:
        place.set(file)
    elif (before := place.get()) is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            note(tr("“{name}” is still open.").format(name=before.name))
            button(tr("Close the file"), place.pop, icon="close", key=f"{key} close")
    return place.get()


def kept_file(key: str) -> UploadedFile | None:
    """Return the file that `upload_kept` keeps under this key."""
    return _kept(key).get()


def _kept(key: str) -> Lasting[UploadedFile | None]:
    return Lasting(f"{key} kept", None)


def uploader(label: str, **options: Any) -> Any:
    """Show the file field of all pages, with the options of Streamlit's own. In a class without uploads it is
    locked, says why, and returns no file, whatever a browser sends. With full memory it is locked, but its
    file stays."""
    refused, crowded = files_refused(), memory_full()
    files = st.file_uploader(label, disabled=refused or crowded, **options)
    if crowded and not refused:
        note(tr(FULL))
    if refused:
        note(tr(LOCKED))
        return [] if options.get("accept_multiple_files") else None
    return files


def read_once(file: UploadedFile, read: Callable[..., T], key: str) -> T | None:
    """Return the result of ``read`` on an uploaded file, kept under ``key``; None, with the reason on screen,
    if it cannot be read or was stopped."""
    place: Key[tuple[str, T | None, str]] = Key(key, ("", None, ""))
    stopped = Key(f"{key} stopped", "")
    file_id, content, problem = place.get()
    if file_id != file.file_id:
        if stopped.get() == file.file_id:
            note(tr("Reading the file was stopped."))
            button(tr("Read the file again"), stopped.pop, icon="play_arrow", key=f"{key} again")
            return None
        content, problem = _read(file, read, lambda: stopped.set(file.file_id), key)
        place.set((file.file_id, content, problem))
    if problem:
        error(problem)
    return content


def _read(
    file: UploadedFile, read: Callable[..., T], stop: Callable[[], object], key: str
) -> tuple[T | None, str]:
    """Return what is in the file, or else the reason why it cannot be read."""
    content = file.getvalue()
    if problem := above_free_memory(content):
        return None, problem
    try:
        with working(stop, f"stop {key}", tr("Reading the file …")) as tick:
            return read(content, tick=tick), ""
    except KanonError as reason:
        return None, str(reason)
    except MemoryError:
        return None, tr(TOO_LARGE)


def upload_into(label: str, key: str, about: str, take: Callable[[bytes], object]) -> None:
    """Show an uploader of a text file of any name, whose content is given to ``take`` when it is there."""

    def take_uploaded() -> None:
        file = Key[UploadedFile | None](key, None).get()
        if file is not None:
            take(file.getvalue())

    upload(label, (), key, about, on_change=take_uploaded)
    note(about)


def download(label: str, content: str | bytes | Callable[[], bytes], file: str, **options: Any) -> None:
    """Show a button that hands over a file; it changes nothing on the page."""
    mime = _MIME.get(PurePath(file).suffix, "text/csv")
    st.download_button(
        plain(label), content, file, mime, icon=":material/download:", on_click="ignore", **options
    )
