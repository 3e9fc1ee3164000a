"""The case that all pages speak of: the loaded table with its setting, or a released file with its
original."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from streamlit.typing import UploadedFile

import kanon_core as kc


@dataclass(frozen=True, eq=False)
class CheckedFile:
    """A released file that Check examines, with the roles of its columns.

    ``original``: the table it was made from, with its name ``beside``, where it is given; ``key``: names all
    of these. ``undecided``: it is to be said whose the rows are; ``waits``: the original is to come.
    ``checked``: the verdicts on the requested guarantees; None while there are none.
    """

    upload: UploadedFile
    file: kc.OpenedFile
    original: kc.Table | None
    beside: str
    key: str
    undecided: bool
    waits: bool = False
    checked: kc.Checked | None = None

    @property
    def name(self) -> str:
        """Return the name of the file."""
        return str(self.upload.name)

    @cached_property
    def table(self) -> kc.Table:
        """Return the rows of the file, with the roles that its original gives them."""
        return (self.file if self.original is None else self.file.beside(self.original)).table

    @property
    def records(self) -> int:
        """Return the number of rows that are kept in memory."""
        return len(self.file.table) + (0 if self.original is None else len(self.original))
