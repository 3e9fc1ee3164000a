"""A Dask cluster, or processes that Dask starts on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kanon_core.base.words import tr
from kanon_core.scale.engines.base import (
    PATIENCE,
    Engine,
    EngineError,
    T,
    Task,
    not_installed,
    without_program,
)

_PAUSE, _SECONDS = 0.005, 20
_MEMORY = {"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None}
"""Settings of memory: by default, Dask has its processes give back memory after every array, and taking it
anew doubles the cost of passes over arrays. Our processes end with the job."""


def _knock(address: str, security: Any) -> None:
    """Raise OSError where no scheduler answers: a client that never reached one would take long to end, and
    print what went wrong. This runs in a thread of its own, as a notebook already runs an event loop."""
    from distributed.comm.core import connect

    async def knock() -> None:
        with_tls = security.get_connection_args("client") if security else {}
        answer = await connect(address, timeout=_SECONDS, **with_tls)
        await answer.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(knock())).result()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Within this context, processes that are started ignore interrupts: the driver ends them, without a
    message."""
    if threading.current_thread() is not threading.main_thread():  # in a thread that cannot set signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class Dask(Engine):
    """Workers of the scheduler at ``address``; "" = as many ``processes`` of this machine.

    ``certificate``, ``key`` and ``authority`` are files: with them all traffic is encrypted, and only holders
    of such a certificate take part. Workers may leave and join. Rows go through files by ordinary tasks, not
    through Dask's own exchange of rows.
    """

    name: ClassVar[str] = "dask"
    title: ClassVar[str] = "Dask"

    address: str = ""
    processes: int = 0
    certificate: str = ""
    key: str = ""
    authority: str = ""
    _client: Any = field(default=None, init=False, repr=False)

    @property
    def client(self) -> Any:
        """Return the connection to the scheduler. Raises EngineError where there is none."""
        if self._client is None:
            try:
                from dask import config
                from distributed import Client
                from distributed.security import Security
            except ImportError:
                raise not_installed(self.name) from None
            safe = Security(
                tls_client_cert=self.certificate,
                tls_client_key=self.key,
                tls_ca_file=self.authority,
                require_encryption=True,
            )
            try:
                if self.address:
                    safely = safe if self.certificate else None
                    _knock(self.address, safely)
                    self._client = Client(
                        self.address, security=safely, timeout=_SECONDS, set_as_default=False
                    )
                else:
                    with _deaf(), without_program(), config.set(_MEMORY):
                        self._client = Client(
                            n_workers=self.processes or None,
                            threads_per_worker=1,
                            dashboard_address=None,
                            set_as_default=False,
                        )
            except (OSError, ValueError, TypeError):
                raise EngineError(
                    tr(
                        "No Dask scheduler answers at “{address}”. Start one there, check address"
                        " and certificates, or leave the address out to use this machine."
                    ).format(address=self.address)
                ) from None
        return self._client

    @property
    def elsewhere(self) -> bool:
        """Return whether workers may be on other machines; see `Engine.elsewhere`."""
        return bool(self.address)

    @property
    def workers(self) -> int:
        """Return how many tasks run at once; see `Engine.workers`."""
        return max(1, int(sum(self.client.nthreads().values())))

    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int | None]:
        """Do the task on each of these; see `Engine.each`."""
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        futures = [self.client.submit(task, one, pure=False, retries=0) for one in numbered]
        done, heard = as_completed(futures, loop=self.client.loop), time.monotonic()
        try:
            while not done.is_empty():
                if done.has_ready():
                    yield next(done).result()
                elif time.monotonic() - heard < PATIENCE:
                    time.sleep(_PAUSE)
                    continue
                else:
                    yield None
                heard = time.monotonic()
        except KilledWorker:
            raise EngineError(
                tr(
                    "A Dask worker ended repeatedly on the same task, which happens when memory is"
                    " full. Give the workers more memory, or use fragments of fewer rows."
                )
            ) from None
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Close the client; see `Engine.close`."""
        if self._client is not None:
            self._client.close()
            self._client = None
