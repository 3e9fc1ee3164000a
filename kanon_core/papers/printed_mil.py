"""The numbers that the MIL paper and the ILD paper's appendix print: losses, improvements, judgements."""

from __future__ import annotations

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
}
"""Millionths of SSE / SST for k = 2 … 15 (MIL paper, tables 2 to 4). At k = 10 table 4 prints 0.04060 for
V-MDAV, ten times what its neighbors allow: read as 0.004060."""

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
"""Percent, of DS0 … DS12 (ILD paper, tables A.5 and A.6): the share of k = 2 … N / 2 at which MIL lowers the
loss, and by how much it then does."""
OVERALL = {"MDAV": (66.5, 12.6), "V-MDAV": (89.9, 8.9)}
"""Percent, all thirteen together (ILD paper, §A.1.4): that share, weighted by the number of k, and the plain
mean of the mean reductions."""

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
        "V-MDAV": (
            (98, 92, 89),
            (1319, 1381, 1322),
            (14253, 21442, 20845),
            (212956, 212065, 215233),
        ),
    },
}
"""Judgements of MIL over k = 2 … 50 in DS0, for each size and three samples: their mean (A.7), their greatest
number (A.8)."""


def loss(table: str, method: str, k: int) -> float | None:
    """SSE / SST as tables 2 to 4 print it; None for a k they leave out.

    >>> loss("table 2", "MDAV", 2), loss("table 2", "MDAV", 16)
    (0.003446, None)
    """
    found = LOSSES[table][method].split()
    return int(found[k - 2]) / 1e6 if 2 <= k < 2 + len(found) else None
