"""A census-like table of adults and their households, with the dependence such tables have."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

REGIONS = ("north", "east", "capital", "coast", "center", "west", "south", "islands")
REGION_SHARE = (0.09, 0.12, 0.31, 0.14, 0.11, 0.12, 0.08, 0.03)
REGION_WAGE = (-0.10, -0.03, 0.20, 0.06, 0.0, -0.02, -0.12, -0.22)
_LEVELS = (
    "8 primary school; 9 lower secondary; 11 some upper secondary; 12 upper secondary; 13 vocational; "
    "14 junior college; 15 some university; 16 bachelor; 18 master; 19 professional; 21 doctorate"
)
EDUCATION = [(int(years), name) for years, name in (level.split(maxsplit=1) for level in _LEVELS.split(";"))]
OCCUPATIONS: dict[str, tuple[float, float, float]] = {
    "farm and fishery": (10.0, 0.55, -0.30),
    "cleaning and porter": (10.5, 0.70, -0.35),
    "machine operator": (11.3, 0.90, -0.05),
    "craft and repair": (11.8, 1.05, 0.02),
    "transport": (11.6, 0.75, -0.02),
    "personal service": (12.2, 1.00, -0.22),
    "sales": (13.2, 1.15, -0.02),
    "clerical": (13.8, 1.25, 0.00),
    "care and nursing": (14.3, 0.90, 0.05),
    "technician": (14.8, 0.80, 0.15),
    "teaching": (16.5, 0.70, 0.12),
    "manager": (15.8, 0.65, 0.42),
    "specialist": (17.5, 0.95, 0.35),
}
"""By occupation: typical years of education, frequency, and effect on the logarithm of the wage."""
MARITAL = ["never married", "married", "partnered", "separated", "divorced", "widowed"]
SECTORS = ["private", "public", "nonprofit", "self-employed", "family business"]
HOUSING = ["own house", "own apartment", "rent", "public rent", "with employer"]
INCOME = ("under 2M", "2M-4M", "4M-6M", "6M-10M", "over 10M")
IDLE = "not working"


def households(size: int = 5000, seed: int = 0) -> pd.DataFrame:
    """A census-like table of ``size`` adults (at least 1), 15 attributes, deterministic; all of it is
    invented.

    From ``numpy.random.Generator(PCG64(seed))``, each attribute from those before it:

    - age 16–90 (16 + 74 · Beta(1.5, 2.2)), sex, region (shares `REGION_SHARE`);
    - education_years around 14.2 − 0.03 · (age − 30)⁺ (SD 2.6), cut by what age allows; education is its
      level;
    - marital_status on age; relationship (place in the household) on marital status and age; housing on both
      and region;
    - occupation in proportion to commonness · exp(−(education_years − typical)²/8), tilted by sex; not
      working: the young in school, the old retired, some between; sector on occupation; hours on occupation,
      sector and sex;
    - income class: log wage = 14.85 + 0.075 · (education_years − 12) + 0.045 · a − 0.0007 · a² (a = age − 18)
      + occupation + region + log(hours/40) + N(0, 0.35), in yen, plus pensions; capital_income is zero for
      most and log-normal for some, more often with age and education, and counts as income;
    - commute_minutes gamma, longer in the capital and around it, 0 without work;
    - weight, how many adults of the population a row stands for: log-normal around 12,000, more for the
      young.

    Missing: occupation and sector together 3 %, housing 2 %, hours 1 %, commute_minutes 1.5 %, at random.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    age = np.floor(16 + 74 * rng.beta(1.5, 2.2, size)).astype(np.int64)
    female = rng.random(size) < 0.51
    region = rng.choice(len(REGIONS), size=size, p=REGION_SHARE)
    years = _education_years(rng, age)
    marital = _marital(rng, age)
    work = _occupations(rng, age, years, female)
    frame = pd.DataFrame(
        {
            "age": age,
            "weight": np.rint(12_000 * rng.lognormal(0, 0.45, size) * (1.25 - age / 200)).astype(np.int64),
            "education_years": years,
            "hours": _hours(rng, work, female).astype(np.float64),
            "capital_income": _capital(rng, age, years),
            "commute_minutes": _commute(rng, work, region),
            "sex": np.where(female, "female", "male").tolist(),
            "marital_status": marital.tolist(),
            "relationship": _relationships(rng, age, marital, female).tolist(),
            "education": _levels(years).tolist(),
            "occupation": work.tolist(),
            "sector": _sectors(rng, work).tolist(),
            "housing": _housing(rng, age, marital, region).tolist(),
            "region": [REGIONS[i] for i in region],
        }
    )
    frame["income"] = _income(rng, frame)
    return _with_missing(rng, frame)


def _pick(rng: np.random.Generator, odds: Floats) -> Integers:
    """Return, for each row of ``odds`` (n, m), a column drawn in proportion to the row."""
    reached = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    return np.asarray((rng.random((len(odds), 1)) >= reached[:, :-1]).sum(axis=1))


def _education_years(rng: np.random.Generator, age: Integers) -> Integers:
    mean = 14.2 - 0.03 * np.clip(age - 30, 0, None)
    return np.clip(np.rint(rng.normal(mean, 2.6)), 8, np.clip(age - 6, 8, 21)).astype(np.int64)


def _levels(years: Integers) -> npt.NDArray[np.str_]:
    starts = [start for start, _ in EDUCATION]
    return np.array([name for _, name in EDUCATION])[np.searchsorted(starts, years, side="right") - 1]


def _marital(rng: np.random.Generator, age: Integers) -> npt.NDArray[np.str_]:
    names = np.array(MARITAL)
    a = age.astype(np.float64)
    odds = np.column_stack(
        [
            1.2 * np.exp(-np.clip(a - 20, 0, None) / 14) + 0.06,
            1 / (1 + np.exp(-(a - 29) / 3.5)),
            0.22 * np.exp(-(((a - 29) / 12) ** 2)),
            0.03 * (a > 22),
            0.16 / (1 + np.exp(-(a - 40) / 5)),
            0.9 / (1 + np.exp(-(a - 80) / 6)),
        ]
    )
    odds[:, 1:] *= (a > 17)[:, None]
    return names[_pick(rng, odds)]


def _relationships(
    rng: np.random.Generator, age: Integers, marital: npt.NDArray[np.str_], female: npt.NDArray[np.bool_]
) -> npt.NDArray[np.str_]:
    """Place in the household: head, spouse, partner, child, parent, alone, other."""
    chance = rng.random(len(age))
    couple = np.isin(marital, ["married", "partnered"])
    head = np.where(female, 0.25, 0.75)
    mate = np.where(marital == "married", "spouse", "partner")
    at_home = chance < np.clip(1.25 - age / 32, 0.04, 1)
    single = np.select(
        [at_home & (age < 60), (age > 70) & (chance < 0.25), chance > 0.93],
        ["child", "parent", "other"],
        "alone",
    )
    single = np.where((single == "alone") & (rng.random(len(age)) < 0.3) & (age > 28), "head", single)
    return np.where(couple, np.where(chance < head, "head", mate), single)


def _occupations(
    rng: np.random.Generator, age: Integers, years: Integers, female: npt.NDArray[np.bool_]
) -> npt.NDArray[np.str_]:
    typical, common, _ = np.array(list(OCCUPATIONS.values())).T
    odds = common * np.exp(-((years[:, None] - typical) ** 2) / 8)
    tilt = np.array([0.6, 1.3, 0.5, 0.15, 0.12, 1.7, 1.1, 1.8, 3.5, 0.5, 1.5, 0.5, 0.8])
    odds = np.where(female[:, None], odds * tilt, odds)
    names = np.array(list(OCCUPATIONS))[_pick(rng, odds)]
    young, grown, old = age < 23, age < 60, age < 70
    idle = np.select([young, grown, old], [1.0 - (age - 14) / 11, np.where(female, 0.2, 0.07), 0.45], 0.88)
    return np.where(rng.random(len(age)) < idle, IDLE, names)


def _sectors(rng: np.random.Generator, work: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """private, public, nonprofit, self-employed or family business, by occupation."""
    names = np.array(SECTORS)
    odds = np.tile([0.74, 0.08, 0.03, 0.12, 0.03], (len(work), 1))
    odds[work == "teaching"] = [0.22, 0.66, 0.10, 0.02, 0.001]
    odds[work == "care and nursing"] = [0.45, 0.25, 0.26, 0.04, 0.001]
    odds[work == "farm and fishery"] = [0.12, 0.01, 0.01, 0.56, 0.30]
    odds[work == "craft and repair"] = [0.62, 0.05, 0.01, 0.26, 0.06]
    odds[work == "clerical"] = [0.68, 0.24, 0.05, 0.01, 0.02]
    return np.where(work == IDLE, IDLE, names[_pick(rng, odds)])


def _hours(rng: np.random.Generator, work: npt.NDArray[np.str_], female: npt.NDArray[np.bool_]) -> Integers:
    """Hours of paid work a week; many exactly 40."""
    full = rng.normal(np.where(np.isin(work, ["manager", "specialist", "transport"]), 46, 42), 6)
    part = rng.normal(21, 6, len(work))
    chance = rng.random(len(work))
    hours = np.where(chance < np.where(female, 0.32, 0.09), part, np.where(chance > 0.62, 40, full))
    return np.where(work == IDLE, 0, np.clip(np.rint(hours), 4, 80)).astype(np.int64)


def _commute(rng: np.random.Generator, work: npt.NDArray[np.str_], region: Integers) -> Floats:
    """Minutes one way, in steps of 5."""
    mean = np.array([22, 34, 48, 32, 24, 28, 20, 15])[region] * np.where(work == "farm and fishery", 0.3, 1)
    minutes = 5 * np.rint(rng.gamma(2.2, mean / 2.2) / 5)
    return np.where(work == IDLE, 0, np.clip(minutes, 0, 150))


def _capital(rng: np.random.Generator, age: Integers, years: Integers) -> Integers:
    """Yearly capital income in thousands of yen: none for most."""
    chance = 1 / (1 + np.exp(-(-3.6 + 0.028 * (age - 30) + 0.22 * (years - 12))))
    amount = rng.lognormal(4.4 + 0.012 * (age - 30) + 0.05 * (years - 12), 1.3)
    return np.where(rng.random(len(age)) < chance, np.rint(np.clip(amount, 1, 50_000)), 0).astype(np.int64)


def _income(rng: np.random.Generator, frame: pd.DataFrame) -> list[str]:
    """Class of the yearly income in millions of yen, as text, from the other attributes."""
    age = frame["age"].to_numpy()
    a = age - 18
    gains = {name: facts[2] for name, facts in OCCUPATIONS.items()}
    premium = frame["occupation"].map(gains).fillna(0).to_numpy()
    regional = frame["region"].map(dict(zip(REGIONS, REGION_WAGE, strict=True))).to_numpy()
    schooling = 0.075 * (frame["education_years"].to_numpy() - 12)
    log_wage = 14.85 + schooling + 0.045 * a - 0.0007 * a**2 + premium + regional
    log_wage += rng.normal(0, 0.35, len(age))
    wage = np.exp(log_wage) * frame["hours"].to_numpy() / 40
    pension = np.where(age >= 65, rng.lognormal(14.3, 0.35, len(age)), 0)
    total = (wage + pension + 1000 * frame["capital_income"].to_numpy()) / 1e6
    return [INCOME[i] for i in np.searchsorted([2, 4, 6, 10], total, side="right")]


def _housing(
    rng: np.random.Generator, age: Integers, marital: npt.NDArray[np.str_], region: Integers
) -> npt.NDArray[np.str_]:
    names = np.array(HOUSING)
    own = 1 / (1 + np.exp(-(age - 42) / 9)) * np.where(marital == "married", 1.5, 0.8)
    city = np.where(region == 2, 1.0, 0.35)
    odds = np.column_stack(
        [own * (1.3 - city), own * city * 0.8, 0.75 * city + 0.2, 0.10 + 0 * own, 0.05 * (age < 60)]
    )
    return names[_pick(rng, odds)]


def _with_missing(rng: np.random.Generator, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with some cells missing at random; occupation and sector always together."""
    for columns, share in (
        (["occupation", "sector"], 0.03),
        (["housing"], 0.02),
        (["hours"], 0.01),
        (["commute_minutes"], 0.015),
    ):
        frame.loc[rng.random(len(frame)) < share, columns] = np.nan
    return frame
