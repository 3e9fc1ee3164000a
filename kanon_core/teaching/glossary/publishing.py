"""Entries on publishing: releases, how they are made, and their information loss."""

from __future__ import annotations

from kanon_core.teaching.glossary.entries import Entry

PUBLISHING: tuple[Entry, ...] = (
    Entry(
        "record, row",
        "A record is a line of the original table; a row is a line of the release.",
        "3 of 100 records are suppressed: 97 rows remain.",
    ),
    Entry(
        "release",
        "The table that is given to others: the published columns of all rows. The recipe and the seed are"
        " not part of it.",
        "The csv file of the Release page.",
        see=("recipe", "published cell"),
    ),
    Entry(
        "equivalence class",
        "Records with equal published quasi-identifiers, which an attacker cannot distinguish by these.",
        "Four rows have age [20, 35] and sex F: a class of four.",
        ("group", "different rows"),
        ("quasi-identifier",),
    ),
    Entry(
        "overlapping sets",
        "The sets of rows that k-concealment uses instead of groups: each record has a set of k rows that"
        " could be its own, and the sets of two records may share rows.",
        "Record 1 could have rows 1, 4 and 7; record 4 could have rows 2, 4 and 9.",
        ("cover set",),
        ("k-concealment", "matching"),
    ),
    Entry(
        "matching",
        "An assignment of one row to each record that uses no row twice: one way in which all rows could"
        " belong to all records. k matchings without a common pair of record and row make a k-concealment.",
        "Record 1 with row 4, record 4 with row 2, record 2 with row 1.",
        ("perfect matching",),
        ("cycle",),
    ),
    Entry(
        "cycle",
        "The sequence in which a matching leads from a record to its row, from the record for which this"
        " row was made to the row of that record, and so on until it returns to the first record.",
        "1 → 4 → 2 → 1.",
        see=("matching",),
    ),
    Entry(
        "published cell",
        "The published content of one record in one column: a value, an interval, a set, a group of a"
        " hierarchy, or a mean, median or mode.",
        "Age 34 as [30, 39].",
        see=("generalize", "mean", "suppression"),
    ),
    Entry(
        "suppression",
        "Leaving out a whole record, or an item of a set.",
        "The only basket with truffles is published without them.",
        ("suppressed", "left out"),
        ("Suppressed records", "Suppressed items"),
    ),
    Entry(
        "value hierarchy",
        "A tree of groups of values, from single values up to one group of all values. A cell may publish a"
        " group in place of a value.",
        "Bern → Switzerland → Europe → everywhere.",
        ("generalization hierarchy",),
        ("generalize",),
    ),
    Entry(
        "level",
        "The height in the hierarchy to which a whole column is generalized, the same for all records:"
        " level 0 holds single values, the highest level is any value. Full-domain generalization chooses"
        " one level for each column.",
        "On level 1 of Bern → Switzerland → Europe, every town becomes its country.",
        ("full-domain generalization", "lattice"),
        ("value hierarchy", "Full domain"),
    ),
    Entry(
        "round ends",
        "The step to which the ends of intervals are rounded outwards, so that an end need not be anybody's"
        " value: auto or a number; for dates day, month or year; for latitude and longitude also meters,"
        " such as 500 m. Meters of longitude are exact at the table's latitude farthest from the equator;"
        " nearer to the equator the same step is wider.",
        "[23, 38] becomes [20, 40] with a step of 10.",
        see=("exact ends",),
    ),
    Entry(
        "weight",
        "The factor of a column in the distances between records, from 0 to 1000; usually 1.",
        "Age has weight 4: records of similar age are grouped first.",
        see=("distance",),
    ),
    Entry(
        "distance",
        "A measure of how different two values of a column are. The distances of all quasi-identifiers"
        " combine to the distance between two records; near records are grouped, because this loses least"
        " information. The distance of each column can be chosen on the Data page.",
        "30 and 31 years are near, 30 and 80 far; around the clock, 23:50 and 0:10 are near.",
    ),
    Entry(
        "missing value",
        "An empty cell. It counts as a value of its own: records without a value look like one another.",
        "Two people whose ages are missing publish equal ages.",
    ),
    Entry(
        "history",
        "All records of one person.",
        "A customer's purchases of a year.",
        see=("k-anonymity of people", "pseudonym"),
    ),
    Entry(
        "utility",
        "The usefulness of a release: how accurate the counts, means and models computed from it are."
        " Papers on purchase histories call an error “utility”; for this measure, lower is better.",
        "The mean age is 41.2 years instead of 41.3.",
        see=("Information loss", "Purchase utility"),
    ),
    Entry(
        "optimum",
        "The smallest value of a measure that is possible at a k. If it is known, charts show it as a"
        " floor; no curve can be below it.",
        "The optimum is 4.1 %; another algorithm loses 4.9 %.",
        ("floor",),
    ),
    Entry(
        "search time",
        "The time for which some algorithms continue to improve their result. They keep the best result,"
        " and the recipe records the number of steps, so that the same steps make the same release.",
        "In 2 seconds the search made 61,000 steps.",
        ("seconds", "steps"),
    ),
    Entry(
        "recipe",
        "A file from which the same release can be made again: algorithm, options, k, the columns and the"
        " seed. It is kept with the originals and never published.",
        "The table and the recipe give the same csv file again, byte for byte.",
        see=("seed",),
    ),
    Entry(
        "percentage point",
        "The difference between two percentages.",
        "From 19 % to 21 %: 2 points more.",
        ("points",),
    ),
    Entry(
        "Time on this machine",
        "The run time of the algorithm on this machine in seconds, without the time to measure its release.",
        "0.25 s on a laptop.",
        ("seconds it took",),
    ),
)
