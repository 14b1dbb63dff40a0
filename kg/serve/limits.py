"""What a server grants one client, in one record."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """Limits of a server.

    Attributes:
        timeout: seconds that a query may run, and may wait for its turn.
        rows: rows or triples of one answer. bytes: of one answer.
        memory: MB that a query process may hold. workers: queries that run at once.
        waiting: queries that may wait for their turn; more are told to come again.
        body: bytes of a request. connections: at once.
        patience: seconds for a client to send its request, or to take the next piece of an answer.
    """

    timeout: float = 30.0
    rows: int = 100_000
    bytes: int = 256 * 2**20
    memory: int = 1024
    workers: int = 2
    waiting: int = 200
    body: int = 2**20
    connections: int = 400
    patience: float = 15.0
