"""State of one browser session: the table, the setting, and finished results, never shared with another
session.

Results are stored by the table's full-content digest and the complete setting, so results of another table or
setting cannot be mixed up.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.progress import Tick, silent
from kanon_core.base.randomness import SEED_BITS, secret_seed
from kanon_core.guarantees.identity.combinations import MOST_ITEMS
from kanon_core.metrics import METRICS, Measured, Metric
from kanon_core.release.release import rest
from kanon_core.risk.reidentification import Reidentification
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.table.columns.columns import Items
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.samples import SAMPLES, sample
from pages.state.cache_eviction import evicted, shrink, without_records
from pages.state.case import CheckedFile
from pages.state.keys import Key, keep_in
from pages.state.point_times import PointTimes
from pages.state.setting import KnownPopulation, Setting, suitable

if TYPE_CHECKING:
    from kanon_core.charts.maps.own import OwnLayer

T = TypeVar("T")

COMPARED_AT_MOST = 6
"""The most releases compared side by side."""
_UNDO_STEPS = 50
_GIVEN_SEEDS = 2**53
"""The limit of seeds that a person may give, as numbers of a browser are exact only so far."""
_KEPT_PICTURES, _KEPT_MAPS = 24, 10


@dataclass
class Signing:
    """The texts of the report of a release, besides its figures.

    ``said``: texts by field of the report (`kanon_core.report.signing.Decision`); ``noted``: settings of the
    present table that were compared, each with its comment.
    """

    said: dict[str, str] = field(default_factory=dict)
    noted: list[tuple[SweepPoint, str]] = field(default_factory=list)


@dataclass
class Session:
    """The state of one browser tab.

    ``wanted_k``: the k that was chosen where the table allows only a smaller one, else 0;
    ``wanted_algorithm``: the algorithm that was chosen where it does not suit the table. ``settled``: False
    while a k is only tried. ``limited``: the loss, the risk or a finding, for which the best k is asked;
    ``bounds``: the limits by metric, in percent where the metric is a share. ``disclosed``: how many
    sensitive values each point of ``points`` gives away, NaN where they were not counted. ``pins``: by table,
    the pinned settings by their letters (`pages.state.pins`). ``file``: the released file that Check
    examines; ``on_file``: it is the case that pages speak of, not ``table``; ``unread``: the name of a file
    that cannot be read. ``lasting``: what was chosen on
    pages, besides the setting.
    """

    table: kc.Table
    name: str
    source: str
    setting: Setting
    secret: int = field(default_factory=secret_seed)
    shown: tuple[Setting, kc.Release] | None = None
    before: tuple[Setting, kc.Release] | None = None
    history: list[Setting] = field(default_factory=list)
    releases: OrderedDict[tuple[str, str], kc.Release] = field(default_factory=OrderedDict)
    scores: dict[tuple[str, str, str], Measured] = field(default_factory=dict)
    audits: dict[tuple[str, str], tuple[kc.Verdict, ...]] = field(default_factory=dict)
    findings: dict[tuple[str, str], dict[str, tuple[kc.Finding, ...]]] = field(default_factory=dict)
    points: dict[tuple[str, str], SweepPoint] = field(default_factory=dict)
    disclosed: dict[tuple[str, str], float] = field(default_factory=dict)
    point_times: PointTimes = field(default_factory=PointTimes)
    balances: dict[tuple[str, str], SweepPoint] = field(default_factory=dict)
    attacks: dict[tuple[str, str, str], Reidentification] = field(default_factory=dict)
    pictures: OrderedDict[tuple[object, ...], Any] = field(default_factory=OrderedDict)
    unfitting: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    written: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    ways: dict[str, Metric] = field(default_factory=dict)
    own_layer: OwnLayer | None = None
    maps: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    pins: dict[str, dict[str, Setting]] = field(default_factory=dict)
    group: int | None = None
    stopped: str = ""
    wanted_k: int = 0
    wanted_algorithm: kc.Algorithm | None = None
    limited: str = "loss"
    bounds: dict[str, float] = field(default_factory=dict)
    settled: bool = True
    signing: Signing = field(default_factory=Signing)
    file: CheckedFile | None = None
    on_file: bool = False
    unread: str = ""
    lasting: dict[str, Any] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """Return the number of records that are kept in memory as tables."""
        return len(self.table) + (self.file.records if self.file else 0)

    def look_at_file(self, file: CheckedFile | None, unread: str = "") -> None:
        """Take the released file that Check examines; one that was opened now is the case. None: the loaded
        table is the case, as there is no file, or none that can be read."""
        known = self.file is not None and file is not None and self.file.upload is file.upload
        self.file, self.unread = file, unread
        self.on_file = file is not None and (self.on_file if known else True)

    def switch_case(self) -> None:
        """Make the other of the two the case: the released file, or the loaded table."""
        self.on_file = not self.on_file and self.file is not None

    def load(self, table: kc.Table, name: str, source: str) -> None:
        """Take another table; results of the old one are forgotten."""
        self.table, self.name, self.source = table, name, source
        self.on_file, self.unread = False, ""
        self.secret = secret_seed()
        self.setting = dataclasses.replace(self.setting, seed=self.secret)
        self.ways.clear()
        self.forget()
        self.balances.clear()
        self.signing.said.clear()
        self._settle()
        self.history.clear()

    def open_sample(self, name: str) -> None:
        """Load one of our samples."""
        self.load(kc.read_table(f"sample:{name}"), sample(name).title, f"sample:{name}")

    def change_schema(self, schema: kc.Schema) -> None:
        """Use the same records with other roles, kinds, weights or recodings. If the person column appears or
        disappears, the setting changes to protect people or records."""
        before = no_persons(self.table)
        self.table = self.table.with_schema(schema)
        self.forget()
        if no_persons(self.table) != before:
            self._settle()

    def _settle(self) -> None:
        """Take the chosen algorithm or one that suits the table, and the chosen k or the largest that is
        allowed."""
        most = len(persons_of(self.table)) if has_people(self.table) else self.largest_k
        chosen = max(self.setting.k, self.wanted_k)
        k = max(2, min(chosen, most))
        self.wanted_k = chosen if chosen > k else 0
        own = self.wanted_algorithm or self.setting.algorithm
        algorithm = suitable(own if self.table.whole_cells is None else kc.Mondrian(), self.table, k)
        self.wanted_algorithm = None if algorithm == own else own
        self.setting = dataclasses.replace(self.setting, algorithm=algorithm, k=k)

    @property
    def largest_k(self) -> int:
        """Return the number of people or records that the setting protects; for a sample of whole cells, the
        k that they were cut for."""
        if self.table.whole_cells is not None:
            return self.table.whole_cells.most_k
        of_people = self.setting.guarantee.pseudonyms and has_people(self.table)
        return len(persons_of(self.table)) if of_people else len(self.table)

    def seed_text(self, seed: int) -> str:
        """Return the seed as shown: a given one as digits, the table's own and the following ones as
        words."""
        if seed < _GIVEN_SEEDS and seed != self.secret:
            return str(seed)
        further = (seed - self.secret) % 2**SEED_BITS
        return "secret" if not further else f"secret + {further}" if further < _GIVEN_SEEDS else "kept"

    def forget(self) -> None:
        """Drop everything computed."""
        self.shown = self.before = self.group = None
        self.stopped = ""
        kept = (self.unfitting, self.releases, self.scores, self.audits, self.findings, self.points)
        for found in (*kept, self.disclosed, self.attacks, self.pictures, self.maps, self.signing.noted):
            found.clear()

    def put_aside(self) -> None:
        """Keep settings and results, but not pictures, as the page is closed."""
        self.pictures.clear()
        for release in self.releases.values():
            rest(release)

    def take_layer(self, layer: OwnLayer | None) -> None:
        """Take a layer of one's own for the maps, in place of the one before, or none."""
        self.own_layer = layer
        self.maps.clear()

    def map_parts(self, of: str, make: Callable[[], T]) -> T:
        """Return the parts of a map of the present table, made once for each look; the ones used longest ago
        make room."""
        return _made_once(self.maps, f"{self.table.digest}/{of}", make, _KEPT_MAPS)

    def choose_group(self, number: int) -> None:
        """Take the group that is looked at."""
        self.group = number

    def ask(self, **changes: object) -> None:
        """Change algorithm, k or seed; the old setting can be brought back with `undo`."""
        wanted = dataclasses.replace(self.setting, **changes)  # type: ignore[arg-type]
        if wanted != self.setting:
            self.history = [*self.history[-_UNDO_STEPS:], self.setting]
            self.setting, self.stopped = wanted, ""
            self.wanted_k = 0 if "k" in changes else self.wanted_k
            self.wanted_algorithm = None if "algorithm" in changes else self.wanted_algorithm

    @contextmanager
    def trying(self, k: int) -> Iterator[None]:
        """Use another k within, without choosing it: afterwards the setting is as before, and so are what is
        on screen and the group that is looked at. Within, changes are those since the setting before. The
        chosen k changes nothing."""
        if k == self.setting.k:
            yield
            return
        kept = self.setting, self.shown, self.before, self.group
        self.setting, self.settled = dataclasses.replace(self.setting, k=k), False
        try:
            yield
        finally:
            self.setting, self.shown, self.before, self.group = kept
            self.settled = True

    def bound(self, metric: str, first: float = 5.0) -> float:
        """Return the limit that was chosen for this metric, else ``first``."""
        return self.bounds.get(metric, first)

    def take_bound(self, metric: str, most: float) -> None:
        """Keep the limit that was chosen for this metric, for all pages and tables."""
        self.bounds[metric] = most

    def limit_by(self, what: str) -> None:
        """Ask for the best k within a limit of the loss or of the risk, or without a finding."""
        self.limited = what

    def ask_seed(self, seed: int | None) -> None:
        """Change the seed; None: back to the table's secret one."""
        self.ask(seed=self.secret if seed is None else seed)

    def undo(self) -> None:
        """Go back to the previous setting."""
        if self.history:
            self.setting, self.stopped, self.wanted_k = self.history.pop(), "", 0
            self.wanted_algorithm = None

    def stop(self) -> None:
        """End the running computation: return to the setting whose result was last shown, and drop later
        settings from the history."""
        self.stopped = self.setting.key
        if self.shown is not None:
            self.setting, self.stopped = self.shown[0], ""
            if self.setting in self.history:
                self.history = self.history[: -1 - self.history[::-1].index(self.setting)]

    def resume(self) -> None:
        """Run again what was stopped."""
        self.stopped = ""

    def kept(self, setting: Setting) -> kc.Release | None:
        """Return the finished release of a setting, if it is still kept."""
        key = (self.table.digest, setting.key)
        if key in self.releases:
            self.releases.move_to_end(key)
        return self.releases.get(key)

    def keep(self, setting: Setting, release: kc.Release) -> None:
        """Keep a finished release; the ones used longest ago make room."""
        self.releases[(self.table.digest, setting.key)] = release
        shrink(self.releases.values(), {release, *(self.shown or ())[1:]})
        for gone in list(evicted(self.releases, self.table)):
            del self.releases[gone]
            self.audits.pop(gone, None)
            self.findings.pop(gone, None)
            self.scores = {key: measured for key, measured in self.scores.items() if key[:2] != gone}

    def show(self, setting: Setting, release: kc.Release) -> None:
        """Remember what is on screen, and what was before it."""
        if self.shown is None or self.shown[0] != setting:
            self.before, self.group = self.shown, None
            shrink([*self.releases.values(), *(self.before or ())[1:]], {release})
            mine = (self.table.digest, setting.key)
            others = [(key, one) for key, one in self.scores.items() if key[:2] != mine]
            self.scores.update((key, without_records(one)) for key, one in others)
        self.shown = (setting, release)

    def measured(
        self, setting: Setting, release: kc.Release, metric: type[Metric] | Metric, tick: Tick = silent
    ) -> Measured:
        """Return one metric of a release, computed once; a metric that takes a while ticks."""
        key = self._score_key(setting, metric)
        if key not in self.scores:
            self.scores[key] = without_records(self.way(metric).evaluate(self.table, release, tick))
        return self.scores[key]

    def by_record(self, metric: type[Metric] | Metric, tick: Tick = silent) -> Measured:
        """Return the same for the current release with the numbers of its records, if it has any. For a large
        table they are kept only on request and until another release is shown."""
        assert self.shown is not None
        setting, release = self.shown
        key, found = self._score_key(setting, metric), self.known(setting, metric)
        if found is None or (found.records is None and "record" in metric.parts):
            found = self.scores[key] = self.way(metric).evaluate(self.table, release, tick)
        return found

    def way(self, metric: type[Metric] | Metric) -> Metric:
        """Return a metric with the options that were chosen for it; one that has its options already as it
        is."""
        if isinstance(metric, Metric):
            return metric
        return self.ways.get(metric.__name__) or metric()

    def known(self, setting: Setting, metric: type[Metric] | Metric) -> Measured | None:
        """Return one metric of a setting's release, if it was computed."""
        return self.scores.get(self._score_key(setting, metric))

    def _score_key(self, setting: Setting, metric: type[Metric] | Metric) -> tuple[str, str, str]:
        return self.table.digest, setting.key, options.expression(self.way(metric))

    def unfit(self, metric: type[Metric] | Metric) -> list[str]:
        """Return the reasons why a metric says nothing of this table; empty when it says something. Each
        metric is asked once."""
        chosen = self.way(metric)
        key = (self.table.digest, options.expression(chosen))
        if key not in self.unfitting:
            self.unfitting[key] = chosen.unsuitable(self.table)
        return self.unfitting[key]

    @property
    def reasons(self) -> dict[str, str]:
        """Return the reason to release despite each blocking finding, by its sentence, as written for these
        data and this setting."""
        return self.written.setdefault((self.table.data_digest, self.setting.key), {})

    def verdicts(self, setting: Setting, release: kc.Release) -> tuple[kc.Verdict, ...]:
        """Return the audit of a release, made once; for item sets also for an attacker who knows few items,
        unless the guarantee covers that attacker."""
        key = (self.table.digest, setting.key)
        if key not in self.audits:
            sets = any(isinstance(column, Items) for column in self.table.quasi)
            few = sets and not release.guarantee.known_items
            found = () if few else release.verdicts
            self.audits[key] = found or kc.audit(self.table, release, MOST_ITEMS if few else None)
        return self.audits[key]

    def risks(self, release: kc.Release, known: KnownPopulation, tick: Tick = silent) -> kc.Risks:
        """Return the risks of all attackers for the release of the current setting, computed once for each
        known population."""
        how = known.population, known.missing, tick
        return self.picture(
            ("risks", known.key, known.missing), lambda: kc.risks(self.table, release, None, *how)
        )

    def picture(self, look: tuple[object, ...], make: Callable[[], T], of: Setting | None = None) -> T:
        """Return a chart of a setting (default: the current one), made once for each look; the ones used
        longest ago make room."""
        key = (of or self.setting).key
        return _made_once(self.pictures, (self.table.digest, key, *look), make, _KEPT_PICTURES)

    @property
    def metrics(self) -> tuple[type[Metric], ...]:
        """Return the metrics of `METRICS` that pages offer: those that say something of this table."""
        return tuple(cls for cls in METRICS if not self.unfit(cls))

    def totals(self, setting: Setting, release: kc.Release) -> dict[str, float]:
        """Return the totals of all metrics that the table can have."""
        return {metric.__name__: self.measured(setting, release, metric).total for metric in self.metrics}


def _made_once(cache: OrderedDict[Any, Any], key: object, make: Callable[[], T], size: int) -> T:
    """Return the value of this key in the cache, made now if there is none."""
    if key not in cache:
        cache[key] = make()
        while len(cache) > size:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cast("T", cache[key])


_SESSION: Key[Session | None] = Key("kanon", None)
RESUMED = Key("back", False)
"""True if this page resumed a session."""


def has_session() -> bool:
    """Return whether this tab has a session."""
    return _SESSION.get() is not None


def continue_with(session: Session) -> None:
    """Go on in this tab with a session that was left."""
    _SESSION.set(session)
    keep_in(session.lasting)


def current() -> Session:
    """Return this session's state; the first call opens the first sample."""
    session = _SESSION.get()
    if session is None:
        source = f"sample:{SAMPLES[0].name}"
        table = kc.read_table(source)
        setting = Setting(suitable(kc.MDAV(), table, 5), seed=secret_seed())
        session = Session(table, SAMPLES[0].title, source, setting, setting.seed)
        continue_with(session)
    return session


def has_people(table: kc.Table) -> bool:
    """Return whether a column says whose each record is, so that a person may have many."""
    return not no_persons(table)
