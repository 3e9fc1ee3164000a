"""The public names: what ``import kanon_core as kc`` offers, and where each is defined.

`kanon_core/__init__.py` reads this list and imports a name when it is first used. Of a room with a star every
name of its `__all__` is public.
"""

from kanon_core.algorithms import *
from kanon_core.algorithms.base import Log as Log
from kanon_core.runs.attacking import attack as attack
from kanon_core.base.errors import (
    BrokenPromise as BrokenPromise,
    InputError as InputError,
    KanonError as KanonError,
    OptionError as OptionError,
    SchemaError as SchemaError,
    UnsuitableError as UnsuitableError,
)
from kanon_core.base.version import __version__ as __version__
from kanon_core.metrics.bounds import Bound as Bound, least_loss as least_loss, tightened as tightened
from kanon_core.charts.maps.rectangle_map import rectangle_map as rectangle_map
from kanon_core.checks.checking import Checked as Checked, check as check
from kanon_core.checks.opening import OpenedFile as OpenedFile, open_file as open_file
from kanon_core.checks.repair import Repair as Repair
from kanon_core.checks.repairing import (
    Repaired as Repaired,
    checked_again as checked_again,
    repaired as repaired,
)
from kanon_core.distances import (
    DISTANCES as DISTANCES,
    Absolute as Absolute,
    Around as Around,
    Calendar as Calendar,
    DamerauLevenshtein as DamerauLevenshtein,
    Discrete as Discrete,
    Distance as Distance,
    GivenMatrix as GivenMatrix,
    Graph as Graph,
    GreatCircle as GreatCircle,
    Hamming as Hamming,
    Jaccard as Jaccard,
    Levenshtein as Levenshtein,
    NormalizedLevenshtein as NormalizedLevenshtein,
    Product as Product,
    Tree as Tree,
)
from kanon_core.findings import FINDINGS as FINDINGS, Finding as Finding, Search as Search
from kanon_core.findings.judge import judge as judge
from kanon_core.guarantees import *
from kanon_core.guarantees.files.cells import Counting as Counting
from kanon_core.guarantees.files.standing import audit_file as audit_file
from kanon_core.guarantees.files.original import audit_uploaded as audit_uploaded
from kanon_core.masking import *
from kanon_core.metrics import *
from kanon_core.metrics.utility.category_rfm import (
    category_kept as category_kept,
    category_rfm as category_rfm,
)
from kanon_core.checks.prices import priced as priced
from kanon_core.covers.cover import Concealment as Concealment, Partition as Partition
from kanon_core.release.recipe import Recipe as Recipe
from kanon_core.release.release import Release as Release
from kanon_core.metrics.loss.roundends import RoundEnds as RoundEnds, round_ends as round_ends
from kanon_core.covers.uploaded.uploaded import (
    UploadedRelease as UploadedRelease,
    read_release as read_release,
)
from kanon_core.risk.uniques.columnsets import (
    ColumnSet as ColumnSet,
    Identifying as Identifying,
    identifying as identifying,
)
from kanon_core.risk.uniques.search import special_uniques as special_uniques
from kanon_core.risk.uniques.special import SpecialUniques as SpecialUniques
from kanon_core.risk.attackers import (
    ATTACKERS as ATTACKERS,
    Attacker as Attacker,
    Everybody as Everybody,
    FewItems as FewItems,
    Journalist as Journalist,
    Marketer as Marketer,
    Prosecutor as Prosecutor,
)
from kanon_core.risk.measured import Risk as Risk, Risks as Risks
from kanon_core.risk.measuring import risks as risks
from kanon_core.risk.population import Population as Population
from kanon_core.risk.candidates import Candidates as Candidates, candidates as candidates
from kanon_core.risk.several.backward import backward as backward
from kanon_core.risk.several.intersection import Intersection as Intersection, intersect as intersect
from kanon_core.risk.several.trajectories import trajectories as trajectories
from kanon_core.risk.tables import (
    TABLE_ATTACKS as TABLE_ATTACKS,
    Attacked as Attacked,
    AttributeInference as AttributeInference,
    ConsistentLinkage as ConsistentLinkage,
    Linkability as Linkability,
    Membership as Membership,
    NearestLinkage as NearestLinkage,
    Rerun as Rerun,
    SinglingOut as SinglingOut,
    TableAttack as TableAttack,
)
from kanon_core.runs.run import anonymize as anonymize, audit as audit, repeat as repeat, score as score
from kanon_core.scale.auditing.findings import StoppedError as StoppedError
from kanon_core.scale.engines import Dask as Dask, EngineError as EngineError, Local as Local, Spark as Spark
from kanon_core.scale.files import (
    FilesRelease as FilesRelease,
    anonymize_files as anonymize_files,
    repeat_files as repeat_files,
)
from kanon_core.scale.tuning.tuning import Tuned as Tuned, tune_files as tune_files
from kanon_core.scale.work.storage import StorageError as StorageError
from kanon_core.session.file import SessionFile as SessionFile
from kanon_core.runs.sweeps import (
    SweepPoint as SweepPoint,
    best_from as best_from,
    best_within as best_within,
    sweep as sweep,
)
from kanon_core.table.hierarchy.category_map import CategoryMap as CategoryMap
from kanon_core.table.hierarchy.hierarchy import Hierarchy as Hierarchy
from kanon_core.table.hierarchy.proposals import propose_categories as propose_categories
from kanon_core.table.readers.lines import (
    read_categories as read_categories,
    read_hierarchy as read_hierarchy,
)
from kanon_core.table.samples import load_sample as load_sample
from kanon_core.table.schema import Attribute as Attribute, Schema as Schema
from kanon_core.table.reading import read_table as read_table
from kanon_core.table.table import Table as Table

__all__: list[str]
