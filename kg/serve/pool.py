"""Query processes: a few that wait for work, killed when a query takes too long, and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from kg.errors import KgError
from kg.serve.limits import Limits
from kg.serve.worker import READY, TAKEN, Job, Outcome


class Refused(KgError):
    """A query was not answered.

    Attributes:
        status: the HTTP status that says why.
    """

    def __init__(self, status: int, message: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


class Answer(msgspec.Struct):
    """A whole answer: an open file nobody else can see, its size and its media type."""

    file: BinaryIO
    size: int
    type: str


class _Worker:
    """One query process; it is started when it is first needed, and again after it died."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """The running process.

        Raises:
            Refused: it cannot be started.
        """
        if self.process is not None and self.process.returncode is None:
            return self.process
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kg.serve.worker", str(self._memory),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
            env={**os.environ, "MALLOC_ARENA_MAX": "2", "RUST_BACKTRACE": "0"},
        )  # fmt: skip
        assert process.stdout
        if await process.stdout.readline() != READY:
            raise Refused(500, "a query process does not start", "kg doctor checks the installation")
        self.process = process
        return process

    async def ask(self, job: Job) -> Outcome:
        """Sends a job and waits for its outcome.

        Raises:
            Refused: the process died over it.
        """
        line = msgspec.json.encode(job) + b"\n"
        if not await self._take(line):  # it died while it was idle; nothing is lost
            await self.kill()
            if not await self._take(line):
                await self.kill()
                raise Refused(503, "a query process died before it could work", "ask again")
        assert self.process and self.process.stdout
        answer = await self.process.stdout.readline()
        if not answer:
            await self.kill()
            raise Refused(
                503,
                "the process of this query ended before the answer: it ran out of memory, or was killed",
                f"narrower patterns or a LIMIT; a query may use {self._memory} MB",
            )
        return msgspec.json.decode(answer, type=Outcome)

    async def _take(self, line: bytes) -> bool:
        """Whether the process took a job."""
        process = await self.start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            return False
        return await process.stdout.readline() == TAKEN

    @property
    def dead(self) -> bool:
        """Whether there is no process now."""
        return self.process is None or self.process.returncode is not None

    async def kill(self) -> None:
        """Ends the process, whatever it does."""
        if self.process is not None:
            if self.process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    self.process.kill()
            await self.process.wait()
            self.process = None


class Pool:
    """Runs queries in processes of their own, a few at once, the others in turn."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._workers = [_Worker(limits.memory) for _ in range(limits.workers)]
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._waiting = 0
        self._folder = tempfile.TemporaryDirectory(prefix="kg-serve-")
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Starts the processes, so that the first query need not wait for them."""
        await asyncio.gather(*(worker.start() for worker in self._workers))
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def stop(self) -> None:
        """Ends all processes and removes what they wrote."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self._workers))
        self._folder.cleanup()

    async def run(self, job: Callable[[str], Job]) -> Answer:
        """Runs a job in its turn.

        Args:
            job: makes the job, given the file to write to.

        Raises:
            Refused: too many wait (503), no answer in time (504), too large (413), or the query is wrong (400).
        """
        worker = await self._turn()
        self._number += 1
        into = Path(self._folder.name) / str(self._number)
        try:
            async with asyncio.timeout(self.limits.timeout):
                outcome = await worker.ask(job(str(into)))
            if outcome.status != 200:
                raise Refused(outcome.status, outcome.message, outcome.hint)
            return Answer(open(into, "rb"), into.stat().st_size, outcome.type)
        except TimeoutError:
            await worker.kill()
            raise Refused(
                504,
                f"the query was stopped after {self.limits.timeout:g} s",
                "narrower patterns or a LIMIT; kg serve --timeout raises the limit",
            ) from None
        except asyncio.CancelledError:  # the client has gone
            await worker.kill()
            raise
        finally:
            into.unlink(missing_ok=True)
            self._give_back(worker)

    def _give_back(self, worker: _Worker) -> None:
        """Makes a worker free; one that died is started first, beside whatever else goes on."""
        if not worker.dead:
            self._free.put_nowait(worker)
            return
        task = asyncio.ensure_future(self._revive(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _revive(self, worker: _Worker) -> None:
        with contextlib.suppress(Refused, OSError):  # then the next query tries again, and is told
            await worker.start()
        self._free.put_nowait(worker)

    async def _turn(self) -> _Worker:
        if self._free.empty() and self._waiting >= self.limits.waiting:
            raise Refused(503, f"{self._waiting} queries wait already", "ask again in a while")
        self._waiting += 1
        try:
            async with asyncio.timeout(self.limits.timeout):
                return await self._free.get()
        except TimeoutError:
            raise Refused(503, "other queries held all processes the whole time", "ask again in a while") from None
        finally:
            self._waiting -= 1
