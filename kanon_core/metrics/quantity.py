"""What a setting can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_core.base.words import tr
from kanon_core.metrics.base import Metric, scale_of


@dataclass(frozen=True)
class Quantity:
    """What a point of a sweep can be asked for, as people read it: k, the total of a metric, or the seconds
    it took.

    ``direction``: "lower" or "higher" is better; ``percent``: a share, shown as a percentage; ``text`` writes
    a number, of metrics with its error after it. ``called`` and ``read`` are its title and its scale as they
    are written.
    """

    called: str
    direction: str
    read: str
    percent: bool
    text: Callable[..., str]

    @property
    def title(self) -> str:
        """Its name."""
        return tr(self.called)

    @property
    def scale(self) -> str:
        """How to read a number of it."""
        return tr(self.read)


@dataclass(frozen=True)
class Total(Quantity):
    """The total of a metric, which says itself what it is called.

    >>> import kanon_core as kc
    >>> Total.of(kc.NCP).title
    'Certainty penalty'
    """

    metric: type[Metric]

    @classmethod
    def of(cls, metric: type[Metric]) -> Total:
        """That of this metric with its default options."""
        return cls("", metric.direction, "", metric.percent, metric().text, metric)

    @property
    def title(self) -> str:
        """The metric's name."""
        return self.metric.title

    @property
    def scale(self) -> str:
        """How to read a total."""
        return scale_of(self.metric)
