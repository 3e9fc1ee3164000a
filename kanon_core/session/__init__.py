"""Session file: a person's work on a table, to be continued later or elsewhere."""

from kanon_core.session.file import Fitted, SessionFile, Step, fitted
from kanon_core.session.json_parts import SessionError

__all__ = ["Fitted", "SessionError", "SessionFile", "Step", "fitted"]
