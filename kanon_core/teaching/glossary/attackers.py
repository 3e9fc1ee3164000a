"""Words about attackers: who may learn what of whom, and what is promised against it."""

from __future__ import annotations

from kanon_core.teaching.glossary.entries import Entry

ATTACKERS: tuple[Entry, ...] = (
    Entry(
        "attacker",
        "Somebody who has the release and wants to learn something about a person in it. What they know"
        " besides is said each time: one person's quasi-identifiers; a few items of a person; everybody's"
        " quasi-identifiers; these and the program with its options; these and the sensitive values of"
        " some people. Nobody is taken to know the seed.",
        "A neighbor who knows somebody's age, sex and postal code.",
        ("adversary",),
        ("guarantee", "seed"),
    ),
    Entry(
        "k",
        "Among how many records, or people, each one is to hide at least, itself included. As a rule a"
        " larger k is less risk and more loss.",
        "k = 5: an attacker is left with five or more.",
        see=("anonymity set",),
    ),
    Entry(
        "anonymity set",
        "The records, or people, from which an attacker cannot tell one: those of its equivalence class,"
        " or in k-concealment those whose rows could be its own.",
        "Five women of a town are all published with age [30, 39]: each hides among five.",
        ("hides among",),
        ("equivalence class", "overlapping sets"),
    ),
    Entry(
        "re-identification",
        "To say which row of a release is whose.",
        "Only one row fits a woman of 93; who knows her age has found her row.",
        ("identity disclosure",),
        ("risk",),
    ),
    Entry(
        "risk",
        "The chance that an attacker who picks one of the records that look alike picks the right one."
        " The worst risk is that of whoever hides among fewest, for an attacker who knows that they are in"
        " the table (prosecutor); the average risk is for one who looks for nobody in particular"
        " (marketer). One who does not know whether the person is in the table (journalist) has no better"
        " chance.",
        "Hidden among 4 records: 25 %.",
        ("prosecutor risk", "journalist risk", "marketer risk"),
        ("re-identification",),
    ),
    Entry(
        "distinction",
        "How many different values, or combinations of values, some columns have for each record. At 100 %"
        " they name every record.",
        "Three different ages of five people: 60 %.",
        see=("separation", "special unique"),
    ),
    Entry(
        "separation",
        "The share of all pairs of records that differ in some columns. At 100 % they name every record; a"
        " column of two values that are equally frequent has half.",
        "Ages 20, 30, 40, 20 and 40 tell 8 of 10 pairs apart: 80 %.",
        see=("distinction",),
    ),
    Entry(
        "special unique",
        "A record that a few of its values single out already: a combination that no other record has, and"
        " of which every part is somebody else's too. The fewer columns it takes, and the more such"
        " combinations there are, the higher its score.",
        "The only widow of 16: age and marital status suffice.",
        ("minimal sample unique", "SUDA"),
        ("distinction", "re-identification"),
    ),
    Entry(
        "attribute disclosure",
        "To learn a sensitive value of a person, with or without knowing which row is theirs.",
        "All five who look alike have flu: so each of them has.",
        see=("Attribute inference", "ℓ-diversity", "t-closeness"),
    ),
    Entry(
        "membership disclosure",
        "To learn that a person is in the table at all.",
        "Who is in the table of a clinic has been its patient.",
        see=("Membership",),
    ),
    Entry(
        "linkage",
        "To join a person, of whom quasi-identifiers are known, to a row of a release: to one of the rows"
        " that fit, or to the nearest.",
        "Five rows fit a man of 34: picking one is right once in five.",
        ("record linkage",),
        ("re-identification", "quasi-identifier"),
    ),
    Entry(
        "predicate",
        "A description that is true of a record or not. One that is true of exactly one record of the"
        " original singles somebody out, even if nobody knows their name.",
        "“Age is 50 to 60, and town is Oslo”: true of one record, it singles them out.",
        see=("Singling out", "special unique"),
    ),
    Entry(
        "control group",
        "Records that are set apart before a release is made of the others. An attack that is right about"
        " them has learned something of everybody, or was lucky; only what it is right about beyond that is"
        " the fault of having been in the table.",
        "Guesses of the diagnosis are right for 60 % of those in the table, and 58 % of the control group.",
        see=("Attribute inference", "Membership"),
    ),
    Entry(
        "previous release",
        "An earlier release of the same people: with another k, another seed, or before an update. Who finds"
        " a person among a few rows of each keeps what is in all of them.",
        "Flu or HIV in one, HIV or gout in the other: it is HIV.",
        ("intersection attack",),
        ("anonymity set", "trajectory", "backward attack"),
    ),
    Entry(
        "trajectory",
        "A row of each of several releases that may all be one person's: they fit the person, and say the"
        " same in the columns that are published unchanged. Who knows everybody's quasi-identifiers follows"
        " all people at once, and leaves out rows that must be others'.",
        "You are the only one who can have the row with gout in both, so it is not mine.",
        see=("previous release", "matching"),
    ),
    Entry(
        "backward attack",
        "Of a person who was added since an earlier release, rows are left out that must be of people who"
        " stood there already.",
        "Of three rows with flu two were there last year; who is new has the third, or none of them.",
        see=("previous release",),
    ),
    Entry(
        "guarantee",
        "What holds of a release for an attacker who is named, with its parameters. It is checked after"
        " every run, on what is published alone, and says nothing of other attackers.",
        "k-anonymity with k = 5, for an attacker who knows all quasi-identifiers of one person.",
        ("verdict", "audit"),
        ("attacker", "finding"),
    ),
    Entry(
        "finding",
        "A fact about a release that no guarantee covers and that whoever signs should know. Its weight"
        " is one of three: it stops the release, needs a decision, or is good to know.",
        "A column that is published unchanged singles out 3,777 of 5,000 records.",
        see=("guarantee",),
    ),
    Entry(
        "known items",
        "How many items of a person the attacker may know. A guarantee for few known items costs less,"
        " and says nothing of an attacker who knows more.",
        "m = 2: bread and milk, but not the rest of the basket.",
        ("m",),
        ("kᵐ-anonymity", "(k, kᵐ)-anonymity"),
    ),
    Entry(
        "seed",
        "The number from which all that is drawn at random follows: the same table, algorithm, options"
        " and seed make the same release. An attacker who knew it could run the release again, so it is"
        " drawn in secret unless somebody gives one, and stays with the originals.",
        "A number below 2¹²⁸, drawn once for each table.",
        see=("recipe",),
    ),
    Entry(
        "pseudonym",
        "A number that is published in place of the column that says whose a record is. It tells which"
        " rows belong together, and not whose they are.",
        "All rows of customer C-1042 bear the number 627727405.",
        see=("history",),
    ),
)
