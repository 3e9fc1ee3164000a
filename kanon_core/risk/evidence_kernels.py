"""How many records of each person fit each published cell."""

import numpy as np

from kanon_core.base.compiled import kernel


@kernel
def fitting_records(
    cells, begin, end, of, numbers, low, high, gaps, codes, set_starts, set_codes, marks, owner, counts
):
    """Add to counts[c − cells[0], person] the records of each person that lie in cell c, for c in cells[0] …
    cells[1] − 1.

    Run i says that only records ``begin[i]`` … ``end[i]`` − 1 may fit cell ``of[i]`` (ascending). ``numbers``
    (p, n) lie in [``low``, ``high``] (cells, p), NaN in cells whose ends are NaN or which have ``gaps``;
    ``codes`` (q, n) are among ``set_codes[set_starts[c, b]:set_starts[c + 1, b]]``, each column's codes
    offset to be its own. ``marks`` (codes of all columns) holds −1 or earlier cells. ``owner`` (n), −1 =
    nobody.
    """
    first, last = np.searchsorted(of, cells[0]), np.searchsorted(of, cells[1])
    marked = -1
    for i in range(first, last):
        c = of[i]
        if c != marked:
            marked = c
            for b in range(codes.shape[0]):
                for place in range(set_starts[c, b], set_starts[c + 1, b]):
                    marks[set_codes[place]] = c
        start, stop = begin[i], end[i]
        fits = owner[start:stop] >= 0
        for b in range(codes.shape[0]):
            column = codes[b, start:stop]
            for j in range(stop - start):
                fits[j] &= marks[column[j]] == c
        for a in range(numbers.shape[0]):
            values, least, most = numbers[a, start:stop], low[c, a], high[c, a]
            missing = gaps[c, a] or np.isnan(least)
            for j in range(stop - start):
                fits[j] &= (values[j] >= least and values[j] <= most) or (missing and np.isnan(values[j]))
        for j in range(stop - start):
            if fits[j]:
                counts[c - cells[0], owner[start + j]] += 1
