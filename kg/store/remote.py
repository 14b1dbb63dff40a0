"""Any SPARQL 1.1 endpoint as a store (https://www.w3.org/TR/sparql11-protocol/)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pyoxigraph as ox

from kg.errors import EndpointError
from kg.store.http import Connection
from kg.store.results import Result

_PROLOGUE = re.compile(r"\s+|#[^\n\r]*|PREFIX\s+(?P<prefix>[^\s:]*)\s*:\s*<[^>]*>|BASE\s*<[^>]*>", re.I)
_FORM = re.compile(r"SELECT|ASK|CONSTRUCT|DESCRIBE", re.I)
_TABLE = "application/sparql-results+json"
# In the order of how cheap they are to read; a server picks what it has.
_TRIPLES = {
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
}
_ALSO = {"text/plain": ox.RdfFormat.N_TRIPLES, "application/x-turtle": ox.RdfFormat.TURTLE, "text/n3": ox.RdfFormat.N3}


class RemoteStore:
    """A SPARQL endpoint, read only.

    Attributes:
        default_graphs, named_graphs: IRIs of the graphs to ask. plain_graphs: those that make up the default graph
            where a query asks for no union; without any, that is the server's own.
        notes: what a caller should tell the user (an answer that the server cut off), in order.
    """

    def __init__(
        self,
        url: str,
        *,
        default_graphs: Iterable[str] = (),
        named_graphs: Iterable[str] = (),
        user: str = "",
        timeout: float = 300.0,
    ) -> None:
        """Opens no connection yet.

        Args:
            url: of the query service. default_graphs, named_graphs: IRIs that make up the data set of every
                query; without any the server's own default is asked. user, timeout: see `Connection`.
        """
        self.connection = Connection(url, user=user, timeout=timeout)
        self.default_graphs, self.named_graphs = tuple(default_graphs), tuple(named_graphs)
        self.plain_graphs: tuple[str, ...] = ()
        self.notes: list[str] = []

    def query(
        self,
        text: str,
        *,
        prefixes: Mapping[str, str] | None = None,
        union: bool = True,
        default_graphs: Iterable[str] = (),
        named_graphs: Iterable[str] = (),
    ) -> Result:
        """Runs a SPARQL query; arguments as in `OxigraphStore.query`.

        Raises:
            EndpointError: the server cannot be reached, refuses, or gives no SPARQL results.
        """
        form = {
            "query": with_prefixes(text, prefixes or {}),
            "default-graph-uri": [*default_graphs] or [*(self.default_graphs if union else self.plain_graphs)],
            "named-graph-uri": [*named_graphs] or [*self.named_graphs],
        }
        if union and not form["default-graph-uri"] and not form["named-graph-uri"]:
            form["union-default-graph"] = ""  # Oxigraph: all graphs together; others know no such word
        form_of = kind_of(text)
        triples = form_of in ("CONSTRUCT", "DESCRIBE")
        accept = ", ".join(f"{t};q={1 - i / 10:.1f}" for i, t in enumerate(_TRIPLES)) if triples else _TABLE
        response = self.connection.send("POST", data=form, headers={"Accept": accept})
        media = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        self._tell_if_cut(response.headers)
        try:
            if triples:
                return Result(_triples(response.content, media))
            found = _table(response.content, media)
            return Result(_truth(found) if form_of == "ASK" else found)
        except (SyntaxError, ValueError) as error:
            raise EndpointError(
                f"the answer cannot be read: {error}",
                place=self.connection.url,
                hint="the server may have a time limit: a narrower question, or the server's own setting",
            ) from None
        except _NoResults as what:
            raise EndpointError(
                f"the address answers with {what}, not with SPARQL results",
                place=self.connection.url,
                hint="the address of an endpoint often ends in /sparql or /query: see the server's documentation",
            ) from None

    def _tell_if_cut(self, headers: Mapping[str, str]) -> None:
        """Virtuoso cuts long answers off and says so in its headers only."""
        if rows := headers.get("X-SPARQL-MaxRows"):
            self.notes.append(f"the server gives at most {rows} rows: the answer may be incomplete")
        if headers.get("X-SQL-State") == "S1TAT":
            self.notes.append("the server stopped at its time limit: the answer is incomplete")


class _NoResults(Exception):
    """An answer that is no answer to a query; says what it is."""


def _table(body: bytes, media: str) -> Any:
    if media not in (_TABLE, "application/json"):
        raise _NoResults("a web page" if "html" in media else media or "something without a type")
    try:
        msgspec.json.decode(body, type=msgspec.Raw)  # the rows are read one by one; a broken answer is told now
    except msgspec.DecodeError:
        # A server that gives up in the middle writes why at the end.
        raise ValueError(f"it breaks off: …{body[-80:].decode('utf-8', 'replace')}") from None
    return ox.parse_query_results(body, ox.QueryResultsFormat.JSON)


def _truth(answer: Any) -> Any:
    """The answer of an ASK; Virtuoso before 7.2.6 gives a row that holds 1, or none."""
    if isinstance(answer, ox.QueryBoolean):
        return answer
    said = b"true" if any(row[0].value not in ("0", "false") for row in answer) else b"false"
    return ox.parse_query_results(b'{"head":{},"boolean":' + said + b"}", ox.QueryResultsFormat.JSON)


def _triples(body: bytes, media: str) -> Any:
    format = {**_TRIPLES, **_ALSO}.get(media)
    if format is None:
        raise _NoResults("a web page" if "html" in media else media or "something without a type")
    return [q.triple for q in ox.parse(body, format=format)]


def kind_of(text: str) -> str:
    """SELECT, ASK, CONSTRUCT or DESCRIBE; "" for a text that is none of them."""
    found = _FORM.match(text, _prologue(text)[0])
    return found.group().upper() if found else ""


def with_prefixes(text: str, prefixes: Mapping[str, str]) -> str:
    """The query with a declaration of each prefix that it uses and does not declare, all on its first line."""
    _, declared = _prologue(text)
    used = [p for p in prefixes if p not in declared and re.search(rf"(?<![\w-]){p}:", text)]
    return "".join(f"PREFIX {p}: <{prefixes[p]}> " for p in used) + text


def _prologue(text: str) -> tuple[int, set[str]]:
    place, declared = 0, set()
    while match := _PROLOGUE.match(text, place):
        place = match.end()
        if match["prefix"] is not None:
            declared.add(match["prefix"])
    return place, declared
