"""The errors that people see.

Every message is one sentence (or two): the problem, its place (column, row number), the allowed values and
the remedy. A message never quotes a cell of an identifier or sensitive column.
"""

from __future__ import annotations


class KanonError(Exception):
    """Base of every error this package raises on purpose; its text is fit to be shown to a person."""


class InputError(KanonError):
    """A file or frame cannot be read as a table."""


class SchemaError(KanonError):
    """A role, kind, weight or recoding names an unknown column or does not fit it."""


class OptionError(KanonError):
    """An option of an algorithm or metric is outside what its declaration allows."""


class UnsuitableError(KanonError):
    """The algorithm cannot work on this table with this k; the message lists every reason."""


class BrokenPromise(KanonError):
    """The audit found that a release does not keep what its algorithm guarantees; it must not be shown."""
