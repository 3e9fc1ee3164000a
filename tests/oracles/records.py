"""The ends of records in delimited text, found byte by byte as `csv` programs read it; slow and plain."""

from __future__ import annotations

from itertools import groupby


def walk(text: bytes, delimiter: int, blanks: bool, inside: bool) -> list[int]:
    """Return what `kanon_core.table.readers.text.records_kernels.walk_over` finds, in its order."""
    state, line_ends, empty, after = "quoted" if inside else "start", 0, not inside, False
    ends, records, strays, tails, opened = [], 0, 0, 0, -1
    for place, sign in enumerate(signs(text)):
        position = sum(len(one) for one in signs(text)[: place + 1])
        if sign in (b"\r", b"\n", b"\r\n"):
            line_ends += 1
            if state != "quoted":
                ends.append((position, line_ends))
                records += not empty
                state, empty, after = "start", True, False
            continue
        empty = False
        if state == "quoted":
            # of a run of quotes, those that are doubled stand for one each; the odd one ends the cell
            state = "ended" if sign.startswith(b'"') and len(sign) % 2 else "quoted"
        elif sign.startswith(b'"'):
            if state == "start":
                opened, rest = line_ends, len(sign) - 1
                state = "ended" if rest % 2 else "quoted"
            else:
                strays, state = strays + len(sign), "within"
        elif sign[0] == delimiter:
            state, after = "start", True
        elif not (blanks and sign == b" " and after and state == "start"):
            tails, state = tails + (state == "ended"), "within"
    records += not empty and state != "quoted"
    first, lines_to_first = ends[0] if ends else (-1, 0)
    last = ends[-1][0] if ends else -1
    return [state == "quoted", first, lines_to_first, last, records, line_ends, strays, tails, opened]


def signs(text: bytes) -> list[bytes]:
    """The bytes one by one, but runs of quotes and \\r\\n together."""
    found, position = list[bytes](), 0
    for is_quote, run in groupby(text, lambda byte: byte == ord('"')):
        own = bytes(run)
        position += len(own)
        if is_quote:
            found.append(own)
            continue
        for byte in own:
            if byte == ord("\n") and found and found[-1] == b"\r":
                found[-1] = b"\r\n"
            else:
                found.append(bytes([byte]))
    return found
