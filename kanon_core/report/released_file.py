"""The released table as a file."""

from __future__ import annotations

from pathlib import Path

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.papers.contest import contest_bytes
from kanon_core.release.release import Release
from kanon_core.table.reading import SAMPLE
from kanon_core.table.wholecells import refuse_sample
from kanon_core.table.writers import WRITERS, write_frame

ENDINGS: dict[str, str] = {f".{name}": name for name in WRITERS}
"""Ending of a file name, with the dot → format."""
CONTEST = "pwscup"
"""The format of histories in the contest's notation (`kanon_core.papers.contest`), and the ending of such
files."""


def release_bytes(release: Release, format: str = "csv", shuffle: bool = True, plain: bool = False) -> bytes:
    """Return the released table as the bytes of a csv, xlsx or parquet file, or of one in the contest's
    notation ("pwscup").

    Identifiers, persons and suppressed records are not in it; rows are in an order drawn from the seed and
    the published cells unless ``shuffle`` is false; texts that a spreadsheet would run are neutralized
    (`kanon_core.table.writers`), in csv unless it is ``plain``. Equal releases give equal bytes. The
    contest's notation has rows in text order and needs no apostrophes. Raises OptionError for another format,
    InputError when the table does not fit it, UnsuitableError when the contest's notation cannot write the
    release, and for a sample of whole cells (`kanon_core.table.wholecells`).

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5, seed=1)
    >>> release_bytes(release).splitlines()[0]
    b'latitude,longitude,age,sex,activity,condition'
    """
    refuse_sample(release.table.whole_cells)
    if format == CONTEST:
        return contest_bytes(release)
    return write_frame(release.publish(shuffle), format, plain)


def format_of(name: str | Path, released: bool = False) -> str:
    """Return the format of a file name's ending; raise OptionError for another ending.

    ``released``: the file is of a release, which may also be written in the contest's notation.

    >>> format_of("released.xlsx")
    'xlsx'
    """
    ending = Path(name).suffix.lower()
    if released and ending == f".{CONTEST}":
        return CONTEST
    if ending not in ENDINGS:
        allowed = ", ".join((*ENDINGS, *([f".{CONTEST}"] if released else [])))
        raise OptionError(
            tr("The file name “{name}” must end in one of {allowed}; the ending sets the format.").format(
                name=Path(name).name, allowed=allowed
            )
        )
    return ENDINGS[ending]


def source_name(release: Release, file_name: str) -> str:
    """Return the name by which `read_table` reads the release's input again: the file's, or
    ``sample:NAME``."""
    if "sample" in release.recipe.reading:
        return f"{SAMPLE}{release.recipe.reading['sample']}"
    return f"./{file_name}" if file_name.startswith(("-", SAMPLE)) else file_name


def released_name(release: Release, file_name: str, format: str = "csv") -> str:
    """Return a name for the released file, never that of the input: ``people.csv`` at k = 5 becomes
    ``people-k5.csv``.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table(b"age\\n20\\n21\\n22\\n"), kc.Sorting(), k=3, seed=1)
    >>> released_name(release, "ages.csv")
    'ages-k3.csv'
    """
    stem = release.recipe.reading.get("sample") or Path(file_name).stem
    return f"{stem}-k{release.recipe.k}.{format}"
