"""The one root of every error the package raises on purpose, and how it is told to a person."""

from __future__ import annotations


class KgError(Exception):
    """Something a user can act on: what happened, where, and what to try.

    Attributes:
        message: what happened, in one sentence.
        place: the file, line, entity or option it happened at; may be empty.
        hint: what to try next; may be empty.
        code: which kind of error it is, in one word that does not change ("graph", "query", …).
        exit_code: of the command that meets it: 1 a failure, 2 a command that was not well put.
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, place: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message, self.place, self.hint = message, place, hint

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{head}\n  try: {self.hint}" if self.hint else head


class SourceError(KgError):
    """An input cannot be read at all (missing, unknown format, damaged archive)."""

    code = "source"


class GraphError(KgError):
    """A graph folder is missing, locked, damaged or of another version."""

    code = "graph"


class QueryError(KgError):
    """A query, a parameter or an entity name is wrong."""

    code = "query"


class UsageError(QueryError):
    """What was asked for does not exist in this form: an unknown query, a missing or mistyped parameter."""

    code = "usage"
    exit_code = 2


class EndpointError(KgError):
    """A SPARQL server cannot be reached, refuses, or answers something else than results."""


class ExportError(KgError):
    """A file cannot be written, or its suffix is not a known format."""

    code = "export"


class SettingsError(KgError):
    """A setting or an override is wrong."""

    code = "settings"
