"""Numbers that the papers print, each with its table, row and column."""

from __future__ import annotations

_METHODS = ("greedy 2-anonymity", "greedy", "lottery", "lottery + clusters", "tours", "tours + clusters")
_KS = tuple(f"k = {k}" for k in (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 17, 20))
_ROWS = {
    ("k-concealment", "table 8"): _METHODS,
    ("k-concealment", "table 9"): _KS[:6],
    ("set-valued", "table 2"): ("10,000", "100,000"),
    ("set-valued", "table 3"): ("10,000", "100,000"),
    **{("purchase-history", f"table {number}"): _KS for number in (9, 13, 14)},
}
_COLUMNS: dict[tuple[str, str], dict[str, tuple[float, ...]]] = {
    ("k-concealment", "table 8"): {"cost": (0.2145, 0.2328, 3.1490, 0.1493, 0.3186, 0.1640)},
    ("k-concealment", "table 9"): {
        "lottery": (5535.23, 11066.13, 16600.02, 22153.13, 27682.26, 33205.50),
        "lottery + clusters": (1819.31, 4083.07, 7413.35, 10041.37, 12741.39, 15973.04),
        "tours": (1683.76, 3367.52, 5416.70, 7465.88, 9718.28, 11970.68),
        "tours + clusters": (1718.13, 3443.10, 5656.75, 7858.74, 10364.58, 12826.53),
    },
    ("set-valued", "table 2"): {"items": (26_383, 58_847), "percent": (50.7, 13.3)},
    ("set-valued", "table 3"): {"seconds": (87.4, 7_005.4)},
    ("purchase-history", "table 9"): {
        "utility": (0.348, 0.472, 0.542, 0.583, 0.615, 0.641, 0.680, 0.718, 0.748, 0.780, 0.807, 0.833),
        "safety": (0.500, 0.333, 0.250, 0.200, 0.166, 0.143, 0.125, 0.100, 0.083, 0.066, 0.059, 0.050),
        "total": (0.848, 0.805, 0.792, 0.783, 0.781, 0.784, 0.805, 0.818, 0.831, 0.846, 0.866, 0.883),
    },
    ("purchase-history", "table 13"): {
        "utility": (0.348, 0.472, 0.542, 0.583, 0.615, 0.642, 0.680, 0.718, 0.748, 0.780, 0.807, 0.833),
        "categories": (0.324, 0.447, 0.517, 0.558, 0.590, 0.617, 0.655, 0.694, 0.725, 0.758, 0.785, 0.812),
    },
    ("purchase-history", "table 14"): {
        "utility": (0.324, 0.447, 0.517, 0.583, 0.590, 0.617, 0.655, 0.694, 0.725, 0.758, 0.785, 0.812),
        "safety": (0.500, 0.333, 0.250, 0.200, 0.167, 0.143, 0.125, 0.100, 0.083, 0.067, 0.059, 0.050),
        "total": (0.824, 0.780, 0.767, 0.758, 0.757, 0.760, 0.780, 0.794, 0.808, 0.824, 0.844, 0.862),
    },
}
"""The numbers of a paper's table, column by column, and the names of its rows; methods have their English
names."""
PRINTED = {
    (*table, row, column): value
    for table, columns in _COLUMNS.items()
    for column, values in columns.items()
    for row, value in zip(_ROWS[table], values, strict=True)
}
"""Every such number by its paper, table, row and column."""


def printed(paper: str, table: str, row: str, column: str) -> float | None:
    """Return the number that a paper prints at this place; None if there is none."""
    return PRINTED.get((paper, table, row, column))


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

METHODS = ("MDAV", "MDAV + MIL", "V-MDAV", "V-MDAV + MIL")
LOSSES = {
    "table 2": {
        "MDAV": "3446 5258 10552 14560 22300 26470 29978 34523 35952 45240 54165 63774 65962 76020",
        "MDAV + MIL": "3446 5258 10552 14560 22263 26470 29778 34490 35952 45126 53752 61702 65343 74068",
        "V-MDAV": "3765 5632 11109 18915 25131 26578 30077 34029 37727 48749 58318 65301 69149 77760",
        "V-MDAV + MIL": "2946 5282 10479 18828 22560 25728 29778 32834 37490 47834 53937 65207 69149 74068",
    },
    "table 3": {
        "MDAV": "214 489 651 1114 1777 2643 2895 3749 3635 5227 8307 8298 8943 11400",
        "MDAV + MIL": "214 405 651 1114 1639 1780 2895 3405 3635 4887 5765 5407 7969 7469",
        "V-MDAV": "143 350 1027 1530 1598 2891 3499 5321 5246 6654 6414 9004 10573 11821",
        "V-MDAV + MIL": "139 324 892 1244 1452 1921 2982 3599 4195 4279 5243 6870 6791 8994",
    },
    "table 4": {
        "MDAV": "682 1096 1402 1848 2002 2668 3260 3535 4043 4306 4870 5554 6240 7143",
        "MDAV + MIL": "682 1096 1402 1848 2002 2634 3175 3461 4043 4241 4870 5515 5791 7143",
        "V-MDAV": "685 1284 1423 1868 2134 3125 3406 3809 4060 5335 5596 6799 7001 7538",
        "V-MDAV + MIL": "681 1128 1370 1717 2053 2620 3220 3506 3910 4055 4704 5304 6234 6761",
    },
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
LOSSES["table A.2"] = LOSSES["table 2"]
"""Millionths of SSE / SST for k = 2 … 15 (MIL paper, tables 2 to 4; ILD paper, tables A.2 to A.4). At k =
10 table 4 prints 0.04060 for V-MDAV, ten times what its neighbors allow: read as 0.004060. Table A.2 prints
table 2 of the MIL paper; A.3 and A.4 are of other samples of DS1 and DS9 than its tables 3 and 4."""

IMPROVED = {
    "MDAV": {
        "share": (69.4, 88.9, 87.9, 73.7, 80.8, 60.4, 55.0, 49.7, 73.2, 38.9, 59.1, 81.9, 75.5),
        "mean": (2.7, 35.5, 12.5, 11.9, 21.4, 10.4, 8.7, 14.6, 7.6, 3.4, 18.5, 7.5, 8.6),
        "maximum": (7.6, 68.8, 31.2, 40.8, 54.9, 37.3, 40.0, 50.7, 37.6, 21.3, 67.3, 32.2, 40.2),
    },
    "V-MDAV": {
        "share": (91.8, 66.7, 70.7, 99.0, 97.0, 98.7, 91.3, 98.7, 98.0, 98.7, 82.6, 84.6, 69.4),
        "mean": (3.4, 14.3, 5.0, 7.5, 7.9, 11.5, 6.3, 16.8, 8.1, 8.9, 13.2, 4.5, 8.7),
        "maximum": (21.7, 39.2, 19.8, 26.7, 35.4, 31.6, 34.1, 36.2, 32.7, 19.6, 51.7, 18.4, 27.6),
    },
}
"""Percent, for DS0 … DS12 (ILD paper, tables A.5 and A.6): the share of k = 2 … N / 2 at which MIL lowers the
loss, and by how much it then lowers it."""
OVERALL = {"MDAV": (66.5, 12.6), "V-MDAV": (89.9, 8.9)}
"""Percent, all thirteen together (ILD paper, §A.1.4): that share, weighted by the number of k, and the plain
mean of the mean reductions."""

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

SIZES = (100, 1_000, 10_000, 100_000)
JUDGED: dict[str, dict[str, tuple[tuple[float, ...], ...]]] = {
    "table A.7": {
        "MDAV": ((9.06, 8.61, 10.10), (29.53, 26.82, 27.90), (33.76, 25.84, 30.45), (44.94, 39.06, 35.53)),
        "V-MDAV": (
            (18.08, 15.90, 19.41),
            (277.16, 261.98, 256.63),
            (3315.71, 3327.88, 3463.33),
            (43016.80, 41839.20, 40274.00),
        ),
    },
    "table A.8": {
        "MDAV": ((25, 27, 37), (191, 113, 117), (157, 214, 204), (136, 160, 208)),
        "V-MDAV": ((98, 92, 89), (1319, 1381, 1322), (14253, 21442, 20845), (212956, 212065, 215233)),
    },
}
"""Judgements of MIL over k = 2 … 50 in DS0, for each size and three samples: their mean (A.7), their greatest
number (A.8)."""
OF_ALL: dict[str, dict[str, tuple[float, ...]]] = {
    "mean": {"MDAV": (9.23, 33.58, 29.05, 34.21), "V-MDAV": (18.95, 279.01, 3384.47, 41917.79)},
    "at most": {"MDAV": (60, 282, 356, 354), "V-MDAV": (151, 1514, 21960, 249428)},
}
"""Judgements of MIL over all distributions and k = 2 … 50, by the number of records (table A.9)."""
MOST_JUDGED = (37, 144, 214, 185)
"""The most judgements after MDAV in three samples of DS0, by the number of records (MIL paper, §4.4). The ILD
paper's table A.8 prints 37, 191, 214, 208 of its samples."""


def loss(table: str, method: str, k: int) -> float | None:
    """Return SSE / SST as printed in a table; None where nothing is printed.

    >>> loss("table 2", "MDAV", 2), loss("table A.4", "V-MDAV + MIL", 15), loss("table 2", "MDAV", 16)
    (0.003446, 0.006745, None)
    >>> loss("figure 1", "MDAV", 2) is None
    True
    """
    found = LOSSES[table][method].split() if table in LOSSES else []
    return int(found[k - 2]) / 1e6 if 2 <= k < 2 + len(found) else None
