"""Words about publishing: what is published, how it is made, and what it costs."""

from __future__ import annotations

from kanon_core.teaching.glossary.entries import Entry

PUBLISHING: tuple[Entry, ...] = (
    Entry(
        "record, row",
        "A record is a line of the table as it was loaded; a row is a line of the release.",
        "Of 100 records 3 are suppressed: 97 rows.",
    ),
    Entry(
        "release",
        "What is handed over: the published columns of all rows. Recipe and seed are no part of it.",
        "The csv file of the Release page.",
        see=("recipe", "published cell"),
    ),
    Entry(
        "equivalence class",
        "The records that publish equal quasi-identifiers, so that these do not tell one from another.",
        "Four rows say age [20, 35], sex F: a class of four.",
        ("group", "different rows"),
        ("quasi-identifier",),
    ),
    Entry(
        "overlapping sets",
        "In k-concealment there are no groups: each record has a set of k rows that could be its own, and"
        " the sets of two records may share some of them.",
        "Record 1 could have the rows 1, 4 and 7; record 4 the rows 2, 4 and 9.",
        ("cover set",),
        ("k-concealment", "matching"),
    ),
    Entry(
        "matching",
        "One row for each record, no row twice: a way in which all rows could belong to all records at"
        " once. k matchings that share no pair of record and row make a k-concealment.",
        "Record 1 with row 4, record 4 with row 2, record 2 with row 1.",
        ("perfect matching",),
        ("cycle",),
    ),
    Entry(
        "cycle",
        "The way on which a matching leads: from a record to its row, from the record for which that row"
        " was made to its own row, and so on until the first comes again.",
        "1 → 4 → 2 → 1.",
        see=("matching",),
    ),
    Entry(
        "published cell",
        "What is published of one record in one column: a value, an interval, a set, a group of a"
        " hierarchy, or a mean, median or mode.",
        "Age 34 as [30, 39].",
        see=("generalize", "mean", "suppression"),
    ),
    Entry(
        "suppression",
        "To publish nothing of a record, or of an item of a set.",
        "The only basket with truffles is published without them.",
        ("suppressed", "left out"),
        ("Suppressed records", "Suppressed items"),
    ),
    Entry(
        "value hierarchy",
        "A tree of groups of values, from single ones up to one group of all. A cell may publish a group"
        " in place of a value.",
        "Bern → Switzerland → Europe → everywhere.",
        ("generalization hierarchy",),
        ("generalize",),
    ),
    Entry(
        "level",
        "How far up its hierarchy a whole column is generalized, the same for all records: level 0 is each"
        " value, the last is any value. Full-domain generalization chooses one level for every column.",
        "On level 1 of Bern → Switzerland → Europe every town is a country.",
        ("full-domain generalization", "lattice"),
        ("value hierarchy", "Full domain"),
    ),
    Entry(
        "round ends",
        "The step to which intervals are widened, so that no end need be anybody's value: auto or a"
        " number; of dates day, month or year; of latitude and longitude also meters, as in 500 m"
        " (of longitude, meters hold at the table's latitude farthest from the equator; nearer to the equator"
        " the same step is wider).",
        "[23, 38] becomes [20, 40] with a step of 10.",
        see=("exact ends",),
    ),
    Entry(
        "weight",
        "How much a column counts in distances between records, 0 to 1000; usually 1.",
        "Age with weight 4: records of like age are put together first.",
        see=("distance",),
    ),
    Entry(
        "distance",
        "How far apart two values of a column are. Those of all quasi-identifiers together say how far"
        " apart two records are; near ones are put together, as that loses least. A distance can be"
        " chosen for each column on the Data page.",
        "30 and 31 years are near, 30 and 80 far; around the clock 23:50 and 0:10 are near.",
    ),
    Entry(
        "missing value",
        "An empty cell. It counts as a value of its own: records without one look like one another.",
        "Two people whose age is missing publish equal ages.",
    ),
    Entry(
        "history",
        "All records of one person.",
        "A customer's purchases of a year.",
        see=("k-anonymity of people", "pseudonym"),
    ),
    Entry(
        "utility",
        "What a release is still good for: how right the counts, means and models are that are made from"
        " it. Papers on purchase histories call an error “utility”; of theirs lower is better.",
        "The mean age is 41.2 years instead of 41.3.",
        see=("Information loss", "Purchase utility"),
    ),
    Entry(
        "optimum",
        "The least of a measure that is possible at a k. Where it is known it is drawn as a floor, under"
        " which no curve can lie.",
        "The optimum is 4.1 %; another algorithm loses 4.9 %.",
        ("floor",),
    ),
    Entry(
        "search time",
        "Some algorithms go on improving until their seconds are over, and keep the best. How many steps"
        " that was stands in the recipe, so that the same steps make the same release.",
        "2 seconds were worth 61,000 steps.",
        ("seconds", "steps"),
    ),
    Entry(
        "recipe",
        "A file from which the same release is made again: algorithm, options, k, the columns and the"
        " seed. It is kept with the originals and never handed over.",
        "Whoever has table and recipe gets the same csv file, byte for byte.",
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
        "How long the algorithm took here, in seconds, without the time to measure its release.",
        "0.25 s on a laptop.",
        ("seconds it took",),
    ),
)
