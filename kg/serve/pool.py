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
from kg.serve.worker import Job, Outcome


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
            env={**os.environ, "MALLOC_ARENA_MAX": "2"},
        )  # fmt: skip
        assert process.stdout
        if not await process.stdout.readline():
            raise Refused(500, "a query process does not start", "kg doctor checks the installation")
        self.process = process
        return process

    async def ask(self, job: Job) -> Outcome:
        """Sends a job and waits for its outcome.

        Raises:
            Refused: the process died over it.
        """
        line = msgspec.json.encode(job) + b"\n"
        process = await self.start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):  # it died while it was idle; nothing is lost
            await self.kill()
            process = await self.start()
            assert process.stdin and process.stdout
            process.stdin.write(line)
            await process.stdin.drain()
        answer = await process.stdout.readline()
        if not answer:
            await self.kill()
            raise Refused(
                503,
                "the process of this query ended before the answer: it ran out of memory, or was killed",
                f"narrower patterns or a LIMIT; a query may use {self._memory} MB",
            )
        return msgspec.json.decode(answer, type=Outcome)

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

    async def start(self) -> None:
        """Starts the processes, so that the first query need not wait for them."""
        await asyncio.gather(*(worker.start() for worker in self._workers))
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def stop(self) -> None:
        """Ends all processes and removes what they wrote."""
        await asyncio.gather(*(worker.kill() for worker in self._workers))
        self._folder.cleanup()

    @property
    def processes(self) -> list[int]:
        """Numbers of the running query processes."""
        return [w.process.pid for w in self._workers if w.process and w.process.returncode is None]

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
