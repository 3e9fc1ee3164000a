"""Engines, on which the tasks of a job run. The recipe never names the engine: all give the same bytes."""

from kanon_core.scale.engines.base import Engine, EngineError
from kanon_core.scale.engines.dask import Dask
from kanon_core.scale.engines.local import Local
from kanon_core.scale.engines.spark import Spark

ENGINES: tuple[type[Engine], ...] = (Local, Dask, Spark)
"""All engines, in the order of menus."""

__all__ = ["ENGINES", "Dask", "Engine", "EngineError", "Local", "Spark"]
