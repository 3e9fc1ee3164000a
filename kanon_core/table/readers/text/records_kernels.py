"""Find the ends of the records of delimited text, in one compiled pass over its bytes."""

import numpy as np

from kanon_core.base.compiled import kernel

INSIDE, FIRST, LINES_TO_FIRST, LAST, RECORDS, LINES, STRAYS, TAILS, OPENED = range(9)
"""The findings of `walk_over`, by place."""
FOUND = 9
_START, _WITHIN, _QUOTED, _ENDED = 0, 1, 2, 3
_LF, _CR, _QUOTE, _BLANK = 10, 13, 34, 32


@kernel
def walk_over(text: np.ndarray, delimiter: int, blanks: bool, inside: bool, into: np.ndarray) -> None:
    """Walk over a piece of text, uint8 (n), that begins after a line end; cost O(n).

    Quotes count at the beginning of a cell alone, and within such a cell until it is closed, as Apache Arrow
    reads them. ``blanks``: those after a delimiter belong to it. ``inside``: the piece begins within a quoted
    cell. Into ``into``, int64 (9): `INSIDE`, whether it ends so; `FIRST` and `LAST`, the offset after the
    first and the last line end that ends a record, −1 = none, and the lines up to the first; `RECORDS` that
    end in the piece, blank lines left out; `LINES`, how many line ends there are, those in cells too;
    `STRAYS`, the quotes within cells that do not begin with one, or after the end of a quoted one; `TAILS`,
    how many quoted cells go on after the quote that ends them; `OPENED`, after how many line ends the last
    quoted cell begins, −1 = none.
    """
    state = _QUOTED if inside else _START
    filled, after, i, n = inside, False, 0, text.size
    into[:] = 0
    into[FIRST], into[LAST], into[OPENED] = -1, -1, -1
    while i < n:
        c = text[i]
        if c in (_LF, _CR):
            if c == _CR and i + 1 < n and text[i + 1] == _LF:
                i += 1
            into[LINES] += 1
            if state != _QUOTED:
                into[RECORDS] += filled
                state, filled, after = _START, False, False
                into[LAST] = i + 1
                if into[FIRST] < 0:
                    into[FIRST], into[LINES_TO_FIRST] = i + 1, into[LINES]
        elif c == _QUOTE:
            if state == _START:
                state = _QUOTED
                into[OPENED] = into[LINES]
            elif state != _QUOTED:
                into[STRAYS] += 1
                state = _WITHIN
            elif i + 1 < n and text[i + 1] == _QUOTE:
                i += 1
            else:
                state = _ENDED
            filled = True
        elif state != _QUOTED:
            if c == delimiter:
                state, after = _START, True
            elif not (blanks and c == _BLANK and after and state == _START):
                into[TAILS] += state == _ENDED
                state = _WITHIN
            filled = True
        i += 1
    if filled and state != _QUOTED:
        into[RECORDS] += 1
    into[INSIDE] = state == _QUOTED


def walked(text: bytes, delimiter: str, inside: bool = False) -> np.ndarray:
    """Return the findings of `walk_over` in a text, int64 (9); without a ``delimiter`` every line is one
    cell."""
    found = np.zeros(FOUND, np.int64)
    sign = ord(delimiter[0]) if delimiter else 0
    walk_over(np.frombuffer(text, np.uint8), sign, delimiter == ", ", inside, found)
    return found
