"""Entries on attackers, their knowledge, and guarantees against them."""

from __future__ import annotations

from kanon_core.teaching.glossary.entries import Entry

ATTACKERS: tuple[Entry, ...] = (
    Entry(
        "attacker",
        "A person who has the release and wants to learn something about somebody in it. The attacker's"
        " further knowledge is always stated: one person's quasi-identifiers; a few items of a person;"
        " everybody's quasi-identifiers; these, the program and its options; or these and the sensitive"
        " values of some people. Attackers are assumed not to know the seed.",
        "A neighbor who knows somebody's age, sex and postal code.",
        ("adversary",),
        ("guarantee", "seed"),
    ),
    Entry(
        "k",
        "The smallest number of records, or people, among which each one must hide, itself included."
        " Usually a larger k means lower risk and higher information loss.",
        "k = 5: five or more records fit what the attacker knows.",
        see=("anonymity set",),
    ),
    Entry(
        "anonymity set",
        "The records, or people, that an attacker cannot distinguish from a given one: its equivalence"
        " class or, in k-concealment, the records whose rows could be its own.",
        "Five women of a town are all published with age [30, 39]: each hides among five.",
        ("hides among",),
        ("equivalence class", "overlapping sets"),
    ),
    Entry(
        "re-identification",
        "Finding out which row of a release belongs to a certain person.",
        "Only one row fits a woman of 93; an attacker who knows her age has found her row.",
        ("identity disclosure",),
        ("risk",),
    ),
    Entry(
        "risk",
        "The chance that an attacker picks the right one of the records that look alike. The worst-case"
        " risk is that of the person who hides among the fewest, for an attacker who knows that this person"
        " is in the table (prosecutor). The average risk is for an attacker without a certain target"
        " (marketer). An attacker who does not know whether the person is in the table (journalist) has no"
        " better chance.",
        "Hidden among 4 records: 25 %.",
        ("prosecutor risk", "journalist risk", "marketer risk"),
        ("re-identification",),
    ),
    Entry(
        "distinction",
        "The number of different values, or combinations of values, in some columns divided by the number"
        " of records. At 100 % these columns identify every record.",
        "Five people have three different ages: 60 %.",
        see=("separation", "special unique"),
    ),
    Entry(
        "separation",
        "The share of all pairs of records that differ in some columns. At 100 % these columns identify"
        " every record; a column of two equally frequent values has about 50 %.",
        "The ages 20, 30, 40, 20 and 40 distinguish 8 of 10 pairs: 80 %.",
        see=("distinction",),
    ),
    Entry(
        "special unique",
        "A record with a unique combination of a few values, each part of which other records share. The"
        " score is higher the fewer columns a combination needs, and the more such combinations the record"
        " has.",
        "The only widow of 16: age and marital status suffice.",
        ("minimal sample unique", "SUDA"),
        ("distinction", "re-identification"),
    ),
    Entry(
        "attribute disclosure",
        "Learning a sensitive value of a person, with or without knowing which row is theirs.",
        "All five records of a class have flu, so every person in the class has flu.",
        see=("Attribute inference", "ℓ-diversity", "t-closeness"),
    ),
    Entry(
        "membership disclosure",
        "Learning that a person is in the table at all.",
        "A person in the table of a clinic has been its patient.",
        see=("Membership",),
    ),
    Entry(
        "linkage",
        "Joining a person with known quasi-identifiers to a row of a release: to one of the rows that fit,"
        " or to the nearest row.",
        "Five rows fit a man of 34: a random pick is right once in five.",
        ("record linkage",),
        ("re-identification", "quasi-identifier"),
    ),
    Entry(
        "predicate",
        "A description that is either true or false for a record. A predicate that is true for exactly one"
        " original record singles out a person, even if nobody knows the name.",
        "“Age is 50 to 60, and town is Oslo” is true for one record, so it singles out this person.",
        see=("Singling out", "special unique"),
    ),
    Entry(
        "control group",
        "Records that are excluded before the others are released. Guesses that are right about them use"
        " general knowledge, or luck. Only the additional success with people in the table is an effect of"
        " the release on these people.",
        "Guesses of the diagnosis are right for 60 % of the people in the table, and for 58 % of the"
        " control group.",
        see=("Attribute inference", "Membership"),
    ),
    Entry(
        "previous release",
        "An earlier release of the same people: with another k, another seed, or before an update. An"
        " attacker who finds a few rows for a person in each release keeps only what all of them have in"
        " common.",
        "Flu or HIV in one release, HIV or gout in the other: the person has HIV.",
        ("intersection attack",),
        ("anonymity set", "trajectory", "backward attack"),
    ),
    Entry(
        "trajectory",
        "A sequence of rows, one from each of several releases, that may all belong to one person: they fit"
        " the person and agree in the columns that are published unchanged. An attacker who knows"
        " everybody's quasi-identifiers follows all people at once, and rules out rows that must belong to"
        " others.",
        "Only Bob can have the row with gout in both releases, so it is not Ann's.",
        see=("previous release", "matching"),
    ),
    Entry(
        "backward attack",
        "An attack on a person who was added since an earlier release: it rules out the rows that must"
        " belong to people of that earlier release.",
        "Of three rows with flu, two were in last year's release; a new person has the third, or none of"
        " them.",
        see=("previous release",),
    ),
    Entry(
        "guarantee",
        "A property of a release that protects against a named attacker, with its parameters. It is checked"
        " after every run, on the published data alone, and makes no statement about other attackers.",
        "k-anonymity with k = 5, for an attacker who knows all quasi-identifiers of one person.",
        ("verdict", "audit"),
        ("attacker", "finding"),
    ),
    Entry(
        "finding",
        "A fact about a release that no guarantee covers and that a signatory should know. It has one of"
        " three weights: stops the release, needs a decision, or good to know.",
        "A column that is published unchanged singles out 3,777 of 5,000 records.",
        see=("guarantee",),
    ),
    Entry(
        "known items",
        "The number of items of a person that the attacker may know. A guarantee for few known items loses"
        " less information, and makes no statement about an attacker who knows more.",
        "m = 2: bread and milk, but not the rest of the basket.",
        ("m",),
        ("kᵐ-anonymity", "(k, kᵐ)-anonymity"),
    ),
    Entry(
        "seed",
        "The number that determines all random choices: the same table, algorithm, options and seed make"
        " the same release. An attacker who knew the seed could repeat the run. It is therefore drawn in"
        " secret unless the user sets one, and is kept with the originals.",
        "A number below 2¹²⁸, drawn once for each table.",
        see=("recipe",),
    ),
    Entry(
        "pseudonym",
        "A number published in place of the column that names the person of each record. It shows which"
        " rows belong to the same person, but not to whom.",
        "All rows of customer C-1042 have the number 627727405.",
        see=("history",),
    ),
)
