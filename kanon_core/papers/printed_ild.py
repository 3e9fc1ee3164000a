"""The numbers that the ILD paper prints in tables 3.1, 3.2 and A.3, A.4, A.9, and the MIL paper in its
text."""

from __future__ import annotations

PREFECTURES = {
    "table 3.1": {
        "discrete": (56, 48, 0.14285),
        "tree": (1440, 576, 0.60000),
        "weighted graph": (648, 640, 0.01234),
    },
    "table 3.2": {
        "discrete": (56, 48, 0.14285),
        "tree": (272, 160, 0.41176),
        "weighted graph": (168, 160, 0.04762),
    },
}
"""I(D), I(D̂) and ILD by distance; table 3.1 with p = 2, table 3.2 with p = 1. Of 8/56 = 0.142857 and 8/648 =
0.0123457 the last digit is cut off, not rounded."""

LOSSES = {
    "table A.3": {
        "MDAV": "330 658 1130 1573 2795 2870 3805 4044 4104 5289 9449 10220 7941 12821",
        "MDAV + MIL": "330 533 1130 1573 2154 2441 3805 3882 4104 4850 5724 7043 6907 9420",
        "V-MDAV": "213 677 1460 1911 2553 3045 4821 4904 5134 6630 5683 10473 9406 9874",
        "V-MDAV + MIL": "205 546 1021 1808 2119 2417 2930 3923 4041 5012 5608 6713 7138 9407",
    },
    "table A.4": {
        "MDAV": "560 845 1108 1412 1831 2361 3039 3315 3591 4122 4427 5468 5653 6904",
        "MDAV + MIL": "560 845 1108 1412 1831 2361 3035 3311 3591 4120 4427 5467 5632 6904",
        "V-MDAV": "513 986 1144 1565 2170 2893 3240 3358 4160 4502 5287 5755 6402 6897",
        "V-MDAV + MIL": "490 848 1109 1444 1857 2635 3043 3125 3694 4096 4539 5533 6175 6745",
    },
}
"""Millionths of SSE / SST for k = 2 … 15. Table A.2 prints table 2 of the MIL paper; A.3 and A.4 are of other
samples of DS1 and DS9 than its tables 3 and 4."""

OF_ALL: dict[str, dict[str, tuple[float, ...]]] = {
    "mean": {"MDAV": (9.23, 33.58, 29.05, 34.21), "V-MDAV": (18.95, 279.01, 3384.47, 41917.79)},
    "at most": {"MDAV": (60, 282, 356, 354), "V-MDAV": (151, 1514, 21960, 249428)},
}
"""Judgements of MIL over all distributions and k = 2 … 50, by the number of records (table A.9)."""

IN_TEXT = {
    ("DS0", "MDAV"): (69.4, 7.6),
    ("DS0", "V-MDAV"): (91.8, 21.7),
    ("DS1", "MDAV"): (89.9, 64.7),
    ("DS1", "V-MDAV"): (86.9, 35.8),
    ("DS9", "MDAV"): (78.5, 43.6),
    ("DS9", "V-MDAV"): (98.7, 24.0),
}
"""Percent: the share of k = 2 … N / 2 at which MIL lowers the loss, and by how much at most (MIL paper,
§4.3)."""

MOST_JUDGED = (37, 144, 214, 185)
"""Judgements at most after MDAV in three samples of DS0, by the number of records (MIL paper, §4.4). The ILD
paper's table A.8 prints 37, 191, 214, 208 of its samples."""


def loss(table: str, method: str, k: int) -> float | None:
    """SSE / SST as tables A.3 and A.4 print it; None for a k they leave out.

    >>> loss("table A.3", "MDAV", 2), loss("table A.4", "V-MDAV + MIL", 15), loss("table A.4", "MDAV", 16)
    (0.00033, 0.006745, None)
    """
    found = LOSSES[table][method].split()
    return int(found[k - 2]) / 1e6 if 2 <= k < 2 + len(found) else None
