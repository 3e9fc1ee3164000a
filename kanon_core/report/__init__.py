"""Files of a release: the released file, and the script and the command line that make the same bytes."""

from kanon_core.report.command import command_line
from kanon_core.report.released_file import CONTEST, ENDINGS, format_of, release_bytes, released_name
from kanon_core.report.script import script

__all__ = ["CONTEST", "ENDINGS", "command_line", "format_of", "release_bytes", "released_name", "script"]
