"""Session file: what somebody did with a table, so that they can go on with it later or elsewhere."""

from kanon_core.session.file import Fitted, SessionFile, Step, fitted
from kanon_core.session.json_parts import SessionError

__all__ = ["Fitted", "SessionError", "SessionFile", "Step", "fitted"]
