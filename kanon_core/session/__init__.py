"""The session file: what somebody did with a table, to go on with it later or elsewhere."""

from kanon_core.session.checks import SessionError
from kanon_core.session.file import SessionFile
from kanon_core.session.fitting import Fitted, fitted
from kanon_core.session.step import Step

__all__ = ["Fitted", "SessionError", "SessionFile", "Step", "fitted"]
