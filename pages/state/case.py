"""The released file that this tab checks, which is not the loaded table: other pages say so."""

from __future__ import annotations

from pages.state.keys import Key

CHECKED_FILE = Key("checked file", "")
"""The name of the file that Check shows; "" while there is none, or it is checked beside the loaded table."""
